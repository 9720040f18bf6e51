// The operations object of the tests' deployment: scrapes, audits, and the calls of its heartbeat URL.
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { OperationsObject } from "../../../src/features/operations/audits/object.ts";
import { isServed, serveAt } from "../providers/outbound.ts";
import { TWILIO_ACCOUNT } from "../providers/twilio.ts";
import { evict } from "../worker/faults.ts";

const TOKEN = "only-the-tests-scrape-with-this";
const REPORT_MS = 10_000;
const HEARTBEAT_URL = "https://watcher.test/beat";

/** A stub is not valid after the reset between files. */
export const operations = () =>
  env.OPERATIONS.getByName("operations") as DurableObjectStub<OperationsObject>;

export const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://tocsin.test${path}`, { headers });

/** The values of a scrape, by series. */
export async function scrape(): Promise<ReadonlyMap<string, number>> {
  const response = await get("/metrics", { Authorization: `Bearer ${TOKEN}` });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** Configures metrics and the heartbeat until the test's mocks are restored. */
export function monitor() {
  const watcher = { beats: 0, url: HEARTBEAT_URL };
  const { wait } = scheduler;
  // Requests report what was counted some seconds later, which no test waits for.
  vi.spyOn(scheduler, "wait").mockImplementation((ms) =>
    wait.call(scheduler, ms < REPORT_MS ? ms : 0),
  );
  vi.spyOn(env, "METRICS_TOKEN", "get").mockReturnValue(TOKEN);
  vi.spyOn(env, "HEARTBEAT_URL", "get").mockReturnValue(HEARTBEAT_URL);
  // The audits ask the tests' provider of SMS whether it would accept messages.
  if (!isServed("twilio.test")) serveAt("twilio.test", () => Response.json(TWILIO_ACCOUNT));
  serveAt(new URL(HEARTBEAT_URL).host, () => {
    watcher.beats += 1;
    return new Response("ok");
  });
  return watcher;
}

/** Runs an audit now. */
export const audit = () => runInDurableObject(operations(), (object) => object.alarm());

/** Names of the invariants that the last audit found broken. */
export const brokenIn = (values: ReadonlyMap<string, number>): string[] =>
  [...values].flatMap(([series, value]) => {
    const [, invariant] = /^tocsin_invariant_broken\{invariant="(\w+)"\}$/.exec(series) ?? [];
    return value === 1 && invariant !== undefined ? [invariant] : [];
  });

/** Waits until the queue has delivered the last audit's probe. */
export async function awaitProbe(): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    const hasArrived = await runInDurableObject(operations(), (_, { storage }) => {
      const state = storage.kv.get<{ probe: { arrivedAt: number | null } | null }>("audit");
      return state?.probe?.arrivedAt !== null;
    });
    if (hasArrived) return;
    await scheduler.wait(10);
  }
  throw new Error("the probe did not arrive");
}

/** Empties the object, as if it had never run. */
export async function forgetOperations(): Promise<void> {
  await runInDurableObject(operations(), (_, { storage }) => storage.deleteAll());
  await evict(operations());
}
