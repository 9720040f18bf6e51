// A process that serves the worker with new storage and demo data for the browser tests. Prints one
// line with JSON when it is ready. Ends with all its child processes when its standard input ends.
import { join } from "node:path";
import { hashPassword } from "../../src/features/access/sessions/passwords.ts";
import { createDemo } from "../../src/setup/demo.ts";
import { buildFirstAccount } from "../../src/setup/first-account.ts";
import { insert, migrate } from "../../src/setup/local-database.ts";
import { ADDRESS, startDevServer } from "../../src/setup/processes/dev-server.ts";
import { localSecrets } from "../../src/setup/secrets.ts";
import { crowdRows } from "./crowd/crowd-rows.ts";
import { PASSWORD } from "./people.ts";

const [state = "", port = "", variables = "{}"] = process.argv.slice(2);
const baseUrl = `http://${ADDRESS}:${port}`;

await migrate(state);
const passwordHash = await hashPassword(PASSWORD, 1);
const account = { account: "Lighthouse", passwordHash };
const first = buildFirstAccount(
  { ...account, person: "Ada Keeper", email: "ada@example.com", passwordExpired: false },
  Date.now(),
);
const newcomer = buildFirstAccount(
  { ...account, account: "Harbour", person: "Nell Newcomer", email: "nell@example.com" },
  Date.now(),
);
const crowd = buildFirstAccount(
  {
    ...{ ...account, account: "Metropolis", person: "Cleo Crowd", email: "cleo@example.com" },
    passwordExpired: false,
  },
  Date.now(),
);
const empty = buildFirstAccount(
  {
    ...{ ...account, account: "Outpost", person: "Olga Outpost", email: "olga@example.com" },
    passwordExpired: false,
  },
  Date.now(),
);
insert(state, [
  ...[first, newcomer, crowd, empty].flatMap(({ statements }) => statements),
  ...crowdRows(crowd.accountId, Date.now()),
]);
const secrets = await localSecrets(join(state));
const server = startDevServer(
  { port: Number(port), state, demo: false, rateLimits: false, allowedHosts: [] },
  { ...secrets, ...JSON.parse(variables) },
);
process.stdin.on("end", server.stop).resume();
await server.ready;
server.showOutput();
const beginning = { ...first, email: "ada@example.com", password: PASSWORD };
const demo = await createDemo(baseUrl, beginning, { ...beginning, ...newcomer }, true, Date.now());
console.log(`\nserved ${JSON.stringify({ demo, secrets, accountId: first.accountId })}`);
process.exitCode = await server.ended;
