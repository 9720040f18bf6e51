// From outside: what a worker has removed and archived is read again by `npm run archive`.
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Built,
  deleteState,
  freePort,
  type Running,
  startWorker,
} from "../support/worker/dev-worker.ts";
import { buildCrashWorker } from "./shared-build.ts";

const DAY = 86_400_000;
const root = resolve(import.meta.dirname, "../..");

let built: Built;
let running: Running | null = null;

beforeAll(async () => {
  built = await buildCrashWorker("archive");
});

afterAll(async () => {
  await running?.kill();
  if (built) deleteState(built);
});

async function start(daysAhead: number): Promise<void> {
  await running?.kill();
  const variables = { CLOCK_AHEAD_MS: String(daysAhead * DAY), RATE_LIMITS: "off" };
  running = await startWorker(built, await freePort(), variables, "/sign-in");
}

async function api(method: string, path: string, body?: object) {
  const response = await fetch(`${running?.url}/api/v4${path}`, {
    method,
    headers: { Authorization: `Bearer ${built.key}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, any> };
}

/** Runs `npm run archive -- --local` on the worker's state. */
async function archive(...args: readonly string[]) {
  const command = ["--no-warnings", "src/setup/archive.ts", ...args];
  const place = ["--local", "--persist-to", built.state];
  const ended = promisify(execFile)(process.execPath, [...command, ...place], { cwd: root });
  const { code = 0, stdout } = (await ended.catch(
    (error: { readonly code: number; readonly stdout: string }) => error,
  )) as { readonly code?: number; readonly stdout: string };
  return { code, lines: stdout.split("\n").filter((line) => line !== "") };
}

test("an alert is archived after its retention and printed, while the worker runs", async () => {
  await start(0);
  const draft = { title: "Long ago", urgency: "silent" };
  const made = await api("POST", "/alerts", {
    ...draft,
    destination_account_user_ids: [built.accountUserId],
  });
  expect(made.status).toBe(201);
  const { id, account_id: account } = made.body;
  const resolved = await api("POST", `/alerts/${id}/resolve`);
  expect(resolved.status).toBe(200);

  await start(401);
  const swept = await fetch(`${running?.url}/cdn-cgi/handler/scheduled`);
  expect(swept.status, await swept.text()).toBe(200);
  expect((await api("GET", `/alerts/${id}`)).status).toBe(404);

  const day = String(resolved.body.created_at).slice(0, 10);
  expect(await archive("--account", account, "--list")).toEqual({ code: 0, lines: [day] });
  const printed = await archive("--account", account, "--day", day);
  expect(printed.code).toBe(0);
  expect(printed.lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...resolved.body, workflows: [{ alert_id: id }], comments: [] },
  ]);
  expect(await archive("--account", account, "--day", "2020-02-29")).toEqual({
    code: 1,
    lines: [],
  });
});
