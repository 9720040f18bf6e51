// `npm run standby`: what it says of a deployment that is a standby, of one that is none, and of one that does not answer.
import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { backupKeys } from "../../../src/features/operations/backup/backup-seal.ts";

const KEY = "a secret of at least thirty-two characters";
const REPORT = {
  ...{ role: "silent", byHand: false, answeredAt: 0, snapshotAt: 0, takenOverAt: null },
  ...{ question: null, deeds: [], standbys: [], held: 3, drills: [] },
};

let server: Server;
let url = "";
/** What the deployment at the address is the standby of; undefined: an earlier version does not say. */
let of: string | null | undefined;
let asked: string[] = [];
beforeAll(async () => {
  const { token } = await backupKeys(KEY);
  server = createServer(({ method, url: path, headers }, response) => {
    asked.push(`${method} ${path}`);
    response.statusCode = headers.authorization === `Bearer ${token}` ? 200 : 401;
    response.end(JSON.stringify({ ...REPORT, of }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
});

async function run(key: string, ...args: readonly string[]) {
  const env = { ...process.env, BACKUP_KEY: key };
  const child = spawn(process.execPath, ["--no-warnings", "src/setup/standby.ts", ...args], {
    env,
  });
  const code = new Promise((done) => child.once("exit", done));
  // What nobody reads by its end is gone.
  const [ended, ...written] = await Promise.all([code, text(child.stdout), text(child.stderr)]);
  return [ended, written.join("")];
}

test("a standby says what it knows, and takes over", async () => {
  for (of of ["https://primary.example.com", undefined]) {
    const answer = [0, expect.stringContaining("events that the primary has not confirmed: 3")];
    expect(await run(KEY, "--url", url, "--take-over")).toEqual(answer);
  }
  expect(asked).toContain("POST /standby/take-over");
});

test("a deployment that is none says so, and is told nothing", async () => {
  of = null;
  for (const flags of [[], ["--take-over"]]) {
    expect(await run(KEY, "--url", url, ...flags)).toEqual([
      1,
      `${url} is no standby: it has no STANDBY_OF\n`,
    ]);
  }
  expect(asked).toEqual(["GET /standby", "GET /standby"]);
});

test.each([
  ["", /^BACKUP_KEY is needed/],
  ["short", /^BACKUP_KEY is too short/],
  [`another ${KEY}`, /^http:\S+ refuses: its BACKUP_KEY is another one/],
])("with the key %j, the reason is named", async (key, reason) => {
  expect(await run(key, "--url", url)).toEqual([1, expect.stringMatching(reason)]);
});

test("an address that does not answer is named", async () => {
  const answer = [1, expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 does not answer: ./)];
  expect(await run(KEY, "--url", "http://127.0.0.1:9/")).toEqual(answer);
});
