// Which facts break which invariants, and what the heartbeat makes of it.
import { describe, expect, test } from "vitest";
import { isCanaryDue, isCanaryLate } from "../../../src/domain/operations/canary.ts";
import {
  type AuditFacts,
  findBreaches,
  keepSnapshots,
  mayBeat,
  RECENT_MS,
  recentGrowth,
  type Snapshot,
} from "../../../src/domain/operations/invariants.ts";
import { isMonitored } from "../../../src/domain/operations/monitored.ts";
import { hasArrivedInTime } from "../../../src/domain/operations/probe.ts";

const MINUTE = 60_000;

const HEALTHY: AuditFacts = {
  database: { usedShare: 0.2, found: {} },
  queueDelivers: true,
  lateInboxes: [],
  refusingInboxes: [],
  emptyTeams: [],
  recent: {},
  canaryLost: false,
  unprovenProviders: [],
  clockSetBack: false,
};

const attempts = (channel: string, outcome: string, total: number) => ({
  [`tocsin_attempts_total{channel="${channel}",outcome="${outcome}"}`]: total,
});

const refusals = (provider: string, outcome: string) => ({
  [`tocsin_provider_refusals_total{channel="sms",provider="${provider}",outcome="${outcome}"}`]: 1,
});

describe("each fault breaks its invariant, and stops the heartbeat", () => {
  const faults: readonly (readonly [string, Partial<AuditFacts>, string])[] = [
    ["the database does not answer", { database: null }, "database_answers"],
    [
      "the database is nearly full",
      { database: { usedShare: 0.9, found: {} } },
      "database_has_room",
    ],
    ["writes are refused", { recent: { tocsin_database_full_total: 1 } }, "database_has_room"],
    ["the queue is late or loses messages", { queueDelivers: false }, "queue_delivers"],
    [
      "an alert has no timer",
      { database: { usedShare: 0, found: { open_alert_has_timer: ["alt_1"] } } },
      "open_alert_has_timer",
    ],
    ["an event was refused", { refusingInboxes: ["int_1"] }, "events_are_accepted"],
    [
      "an inbox could not be reached",
      { recent: { 'tocsin_events_refused_total{reason="unavailable"}': 1 } },
      "events_are_accepted",
    ],
    ["an event waits", { lateInboxes: ["int_1"] }, "event_is_delivered"],
    ["a provider answers 500", { recent: attempts("sms", "temporary", 3) }, "provider_accepts"],
    ["a provider hangs", { recent: attempts("sms", "timeout", 3) }, "provider_accepts"],
    ["a secret has expired", { recent: attempts("sms", "credentials", 1) }, "provider_accepts"],
    [
      "a secret of one of two providers has expired",
      { recent: { ...attempts("sms", "sent", 9), ...refusals("vonage", "credentials") } },
      "provider_accepts",
    ],
    [
      "a message is a dead letter",
      { recent: { tocsin_dead_letters_total: 1 } },
      "messages_are_consumed",
    ],
    ["the consumer fails", { recent: { tocsin_queue_failures_total: 3 } }, "messages_are_consumed"],
    [
      "objects fail",
      { recent: { 'tocsin_object_errors_total{kind="alert"}': 10 } },
      "objects_work",
    ],
    ["a canary event is lost", { canaryLost: true }, "canary_arrives"],
    ["an SMS to our own number is lost", { unprovenProviders: ["twilio"] }, "sms_arrives"],
    ["the clock is set back", { clockSetBack: true }, "clock_advances"],
  ];

  test.each(faults)("%s", (_, facts, invariant) => {
    const breaches = findBreaches({ ...HEALTHY, ...facts });
    expect(breaches.map((it) => it.invariant)).toEqual([invariant]);
    expect(mayBeat(breaches, false)).toBe(false);
  });
});

test("nothing is broken while things work, or fail now and then", () => {
  const recent = {
    ...attempts("sms", "temporary", 50),
    ...attempts("sms", "sent", 1),
    ...attempts("email", "permanent", 10),
    ...attempts("voice", "temporary", 2),
    ...refusals("vonage", "temporary"),
    tocsin_queue_failures_total: 2,
    'tocsin_object_errors_total{kind="alert"}': 9,
  };
  expect(findBreaches({ ...HEALTHY, recent })).toEqual([]);
  expect(mayBeat([], true)).toBe(true);
});

test("a gap in a schedule stops the heartbeat only if it is asked to", () => {
  const breaches = findBreaches({ ...HEALTHY, emptyTeams: ["tem_1"] });
  expect(breaches).toEqual([{ invariant: "shift_has_somebody", count: 1, examples: ["tem_1"] }]);
  expect(mayBeat(breaches, false)).toBe(true);
  expect(mayBeat(breaches, true)).toBe(false);
});

test("counters are compared with those of some minutes ago, also after a restart and a clock set back", () => {
  const total = "tocsin_dead_letters_total";
  let snapshots: readonly Snapshot[] = [];
  const grownAt = (minute: number, value: number) => {
    snapshots = keepSnapshots(snapshots, { at: minute * MINUTE, values: { [total]: value } });
    return recentGrowth(snapshots, { [total]: value })[total];
  };
  expect(grownAt(0, 7)).toBe(0);
  expect(grownAt(1, 9)).toBe(2);
  expect(grownAt(2, 9)).toBe(2);
  expect(grownAt(5, 9)).toBe(0);
  expect(grownAt(60, 10)).toBe(1);
  expect(snapshots.length).toBeLessThanOrEqual(RECENT_MS / MINUTE + 2);
  expect(grownAt(30, 10)).toBe(1);
  expect(grownAt(34, 10)).toBe(0);
});

test("a probe has half a minute, a canary event one", () => {
  const probe = { id: "p", sentAt: 0, arrivedAt: null };
  expect(hasArrivedInTime(null, 0)).toBe(true);
  expect(hasArrivedInTime(probe, 30_000)).toBe(true);
  expect(hasArrivedInTime(probe, 30_001)).toBe(false);
  expect(hasArrivedInTime({ ...probe, arrivedAt: 40_000 }, 60_000)).toBe(false);
  const canary = { id: "c", sentAt: 0, arrivedAt: null, isLost: false };
  expect(isCanaryLate(canary, MINUTE)).toBe(false);
  expect(isCanaryLate(canary, MINUTE + 1)).toBe(true);
  expect(isCanaryLate({ ...canary, arrivedAt: 5 }, 2 * MINUTE)).toBe(false);
  expect([isCanaryDue(null, 0), isCanaryDue(canary, 4 * MINUTE)]).toEqual([true, false]);
  expect([isCanaryDue(canary, 5 * MINUTE), isCanaryDue(canary, -1)]).toEqual([true, true]);
});

test("a deployment without settings does not watch itself", () => {
  expect(isMonitored({ METRICS_TOKEN: "", HEARTBEAT_URL: "", CANARY: "off" })).toBe(false);
  expect(isMonitored({})).toBe(false);
  expect(isMonitored({ METRICS_TOKEN: "t" })).toBe(true);
  expect(isMonitored({ HEARTBEAT_URL: "https://watcher" })).toBe(true);
  expect(isMonitored({ CANARY: "on" })).toBe(true);
  expect(isMonitored({ SMS_PROOF_NUMBER: "+14155550123" })).toBe(true);
});
