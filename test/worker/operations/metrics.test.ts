// `/ready`, `/metrics` and the audits of the operations object, through the front door; faults are
// caused one at a time, and show in the metrics, in the broken invariants and in the heartbeat.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OperationsObject } from "../../../src/objects/operations/operations-object.ts";
import { reportCounts } from "../../../src/objects/operations/report-counts.ts";
import { makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

const TOKEN = "only-the-tests-scrape-with-this";
const operations = env.OPERATIONS.getByName("operations") as DurableObjectStub<OperationsObject>;

const get = (path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://tocsin.test${path}`, { headers });

/** The values of a scrape, by series. */
async function scrape(): Promise<Map<string, number>> {
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

beforeEach(() => {
  openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(env, "METRICS_TOKEN", "get").mockReturnValue(TOKEN);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await runInDurableObject(operations, (_, state) => state.storage.deleteAll());
});

test("metrics are for who has the token of the deployment, and readiness for everybody", async () => {
  expect((await get("/metrics")).status).toBe(401);
  expect((await get("/metrics", { Authorization: "Bearer wrong" })).status).toBe(401);
  vi.spyOn(env, "METRICS_TOKEN", "get").mockReturnValue("");
  expect((await get("/metrics", { Authorization: "Bearer " })).status).toBe(404);
  const ready = await get("/ready");
  expect(await ready.json()).toEqual({
    status: "ready",
    checks: { database: "ok", queue: "ok", object: "ok" },
  });
  expect(ready.status).toBe(200);
});

test("a page is counted from the event to its first attempt, and audited", async () => {
  const account = await makeAccount();
  const { accountUserId } = await makePerson(account, "Grace");
  const team = await makeTeam(account, [{ seconds: 600, people: [accountUserId] }]);
  const integration = await makeIntegration(account, [team.id]);
  const before = await scrape();
  await integration.send({ event_type: "create", Id: "counted", Title: "counted" });
  await integration.send({ event_type: "create", Id: "refused" });
  await vi.waitFor(async () => {
    const after = await scrape();
    const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    expect(grown("tocsin_events_accepted_total")).toBe(1);
    expect(grown('tocsin_events_refused_total{reason="invalid"}')).toBe(1);
    expect(grown('tocsin_attempts_total{channel="email",outcome="sent"}')).toBe(1);
    expect(grown("tocsin_first_attempt_seconds_count")).toBe(1);
  }, soon);
  await reportCounts(env);
  await runDurableObjectAlarm(operations);
  const audited = await scrape();
  expect(audited.get('tocsin_alerts{status="open"}')).toBeGreaterThan(0);
});
