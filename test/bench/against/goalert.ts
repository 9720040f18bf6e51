// Runs a GoAlert that is installed on this machine, on an empty PostgreSQL database, and sets it up
// through its own API: services with an integration key each, and a webhook in the first step of
// each service's escalation policy. Its time to a provider ends at that webhook.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { freePort } from "../../support/worker/dev-worker.ts";
import { memoryOf, postgresOf, treeOf } from "./memory.ts";
import type { Intake, Side } from "./senders.ts";

export type Installed = {
  /** The path of the program. */
  readonly program: string;
  /** The connection URL of an empty database, the only one of its server. */
  readonly database: string;
};

/** How often its engine looks for what is to be sent (ms). */
export const TICK_MS = 5_000;

/** The ticks in which it sends what waits. */
const SETTLING_TICKS = 6;

/**
 * Connections to its database, which it opens at its start: each is a process with memory of its own. With its default of 15,
 * keys wait for each other.
 */
const CONNECTIONS = "50";

type Graph = (query: string, variables: object) => Promise<Record<string, unknown>>;

/** Runs it with services during the work. */
export async function duringGoAlert<Result>(
  { program, database }: Installed,
  services: number,
  work: (goAlert: Side) => Promise<Result>,
): Promise<Result> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const password = randomBytes(12).toString("hex");
  const user = `bench-${password.slice(0, 6)}`;
  const run = (command: string, ...flags: string[]) =>
    promisify(execFile)(program, [command, "--db-url", database, ...flags]);
  await run("migrate");
  const email = `${user}@example.com`;
  await run("add-user", "--user", user, "--pass", password, "--email", email, "--admin");
  const flags = ["--listen", `127.0.0.1:${port}`, "--public-url", url, "--log-errors-only"];
  const child = spawn(
    program,
    ["--db-url", database, "--db-max-open", CONNECTIONS, "--db-max-idle", CONNECTIONS, ...flags],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const hook = await startReceiver();
  try {
    await untilHealthy(url, child);
    const graph = await signIn(url, user, password);
    // It bundles alerts of one service, so times are measured where there is none yet.
    const made = await makeServices(graph, url, user, 2 * services, hook.url);
    const [intakes, paging] = [made.slice(0, services), made.slice(services)];
    return await work({
      ...{ name: "GoAlert", intakes, paging, calls: async () => hook.calls },
      settle: () => new Promise((done) => setTimeout(done, SETTLING_TICKS * TICK_MS)),
      memory: () => memoryOf([...treeOf(child.pid ?? 0), ...postgresOf(database)]),
    });
  } finally {
    process.off("exit", kill);
    kill();
    hook.close();
  }
}

/** Receives its webhooks, and notes when the first of each title came. */
async function startReceiver() {
  const calls = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const at = Date.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.end();
    const { Summary } = JSON.parse(Buffer.concat(chunks).toString()) as { Summary?: string };
    if (Summary && !calls.has(Summary)) calls.set(Summary, at);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, calls, close };
}

async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  for (let waits = 0; waits < 300; waits += 1) {
    if (child.exitCode !== null) throw new Error(`GoAlert ended with code ${child.exitCode}`);
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error("GoAlert did not come up");
}

async function signIn(url: string, username: string, password: string): Promise<Graph> {
  const signedIn = await fetch(`${url}/api/v2/identity/providers/basic`, {
    method: "POST",
    headers: { Referer: `${url}/` },
    body: new URLSearchParams({ username, password }),
    redirect: "manual",
  });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return async (query, variables) => {
    const response = await fetch(`${url}/api/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Cookie: cookie },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    const answer = response.ok ? JSON.parse(text) : {};
    if (!answer.data || answer.errors) throw new Error(`GoAlert: ${response.status} ${text}`);
    return answer.data;
  };
}

/** Its default limit of unacknowledged alerts would refuse the measurement. */
const SETTINGS = `mutation ($limits: [SystemLimitInput!]!, $config: [ConfigValueInput!]) {
  setSystemLimits(input: $limits) setConfig(input: $config) }`;

const SERVICE = `mutation ($input: CreateServiceInput!) {
  createService(input: $input) { integrationKeys { id } } }`;

async function makeServices(
  graph: Graph,
  url: string,
  run: string,
  services: number,
  hook: string,
): Promise<Intake[]> {
  await graph(SETTINGS, {
    limits: [{ id: "UnackedAlertsPerService", value: -1 }],
    config: [{ id: "Webhook.Enable", value: "true" }],
  });
  const intakes: Intake[] = [];
  for (let i = 0; i < services; i += 1) {
    const name = `${run} ${i}`;
    const action = { type: "builtin-webhook", args: { webhook_url: `${hook}/${i}` } };
    const { createService } = (await graph(SERVICE, {
      input: {
        name,
        newEscalationPolicy: { name, steps: [{ delayMinutes: 60, actions: [action] }] },
        newIntegrationKeys: [{ type: "generic", name }],
      },
    })) as { createService: { integrationKeys: { id: string }[] } };
    const token = createService.integrationKeys[0]?.id ?? "";
    intakes.push({
      url: `${url}/api/v2/generic/incoming?token=${token}`,
      bodyOf: (dedup, summary) => JSON.stringify({ summary, details: "Volume /data", dedup }),
    });
  }
  return intakes;
}
