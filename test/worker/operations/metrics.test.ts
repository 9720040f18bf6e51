// `/ready` and `/metrics` through the front door.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { METRICS } from "../../../src/domain/shared/metrics/metrics.ts";
import { metricOf } from "../../../src/domain/shared/metrics/series.ts";
import { makeAccount } from "../../support/api/api.ts";
import {
  audit,
  awaitProbe,
  brokenIn,
  forgetOperations,
  get,
  monitor,
  operations,
  scrape,
} from "../../support/operations/operations.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { evict, soon } from "../../support/worker/faults.ts";
import { fewestTrips } from "../../support/worker/round-trips.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

beforeEach(() => {
  openMailbox();
  monitor();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await forgetOperations();
});

test("metrics are for who has the token of the deployment, readiness is for everybody", async () => {
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

test("a page is counted from the event to its first attempt; a scrape reads no row", async () => {
  const account = await makeAccount();
  const { accountUserId } = await makePerson(account, "Grace");
  const team = await makeTeam(account, [{ seconds: 600, people: [accountUserId] }]);
  const integration = await makeIntegration(account, [team.id]);
  const before = await scrape();
  await integration.send({ event_type: "create", Id: "refused" });
  await integration.send({ event_type: "create", Id: "counted", Title: "counted" });
  await vi.waitFor(async () => {
    const after = await scrape();
    const grown = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
    expect(grown("tocsin_events_accepted_total")).toBe(1);
    expect(grown('tocsin_events_refused_total{reason="invalid"}')).toBe(1);
    expect(grown('tocsin_attempts_total{channel="email",outcome="sent"}')).toBe(1);
    expect(grown("tocsin_first_attempt_seconds_count")).toBe(1);
    expect(grown("tocsin_queue_age_seconds_count")).toBeGreaterThan(0);
  }, soon);
  await audit();
  await awaitProbe();
  const { trips, result: audited } = await fewestTrips(0, scrape);
  expect(trips).toBe(0);
  expect(brokenIn(audited)).toEqual([]);
  // An audit of the object's own, between the refused event and the accepted one, withholds its heartbeat.
  const { heartbeats } = await operations().audited();
  expect(heartbeats).toEqual({ ...heartbeats, failed: undefined, sent: expect.any(Number) });
  expect(heartbeats.sent).toBeGreaterThanOrEqual(heartbeats.withheld ?? 0);
  const open = await env.DB.prepare("select count(*) from alerts where status = 'open'").first(
    "count(*)",
  );
  expect(audited.get('tocsin_alerts{status="open"}')).toBe(open);
  expect(audited.get("tocsin_open_alerts_without_timer")).toBe(0);
  expect(audited.get("tocsin_audit_rows_read")).toBeLessThan(200);
  const audits = ["timestamp", "due_timestamp"].map((it) =>
    audited.get(`tocsin_audit_${it}_seconds`),
  );
  expect((audits[1] ?? 0) - (audits[0] ?? 0)).toBeCloseTo(60);
  // Exact from the first page on: what is stored of the size moves by steps of 10 MB.
  const bytes = audited.get("tocsin_database_bytes") ?? 0;
  expect(bytes).toBeGreaterThan(100_000);
  expect(audited.get("tocsin_database_used_ratio")).toBeCloseTo(bytes / 1e10, 8);
  expect([...audited.keys()].filter((series) => !(metricOf(series) in METRICS))).toEqual([]);
  // Counters and measured values survive the loss of the object's memory.
  await evict(operations());
  const survived = await scrape();
  for (const series of ["tocsin_events_accepted_total", 'tocsin_alerts{status="open"}']) {
    expect(survived.get(series), series).toBe(audited.get(series));
  }
});
