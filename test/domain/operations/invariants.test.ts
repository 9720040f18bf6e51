// Which facts break which invariants, and what the heartbeat makes of it.
import { describe, expect, test } from "vitest";
import { isCanaryDue, isCanaryLate } from "../../../src/domain/operations/canary.ts";
import {
  type AuditFacts,
  findBreaches,
  keepSnapshots,
  mayBeat,
  NO_FAULTS,
  nextLasting,
  RECENT_MS,
  recentGrowth,
  type Snapshot,
} from "../../../src/domain/operations/invariants.ts";
import { hasArrivedInTime } from "../../../src/domain/operations/probe.ts";
import { isMonitored } from "../../../src/domain/shared/metrics/monitored.ts";

const MINUTE = 60_000;

const HEALTHY: AuditFacts = {
  database: { usedShare: 0.2, found: {} },
  queueDelivers: true,
  lateInboxes: [],
  refusingInboxes: [],
  emptyTeams: [],
  recent: {},
  providers: { refusing: [], undelivering: [], redundancy: [] },
  lasting: NO_FAULTS,
  canaryLost: false,
  unprovenProviders: [],
  clockSetBack: false,
};

const attempts = (channel: string, outcome: string, total: number) => ({
  [`tocsin_attempts_total{channel="${channel}",outcome="${outcome}"}`]: total,
});

describe("each fault breaks its invariant, and stops the heartbeat", () => {
  const faults: readonly (readonly [string, Partial<AuditFacts>, string])[] = [
    ["the database does not answer", { database: null }, "database_answers"],
    [
      "the database is nearly full",
      { database: { usedShare: 0.9, found: {} } },
      "database_has_room",
    ],
    [
      "writes are refused",
      { lasting: { ...NO_FAULTS, isDatabaseFull: true } },
      "database_has_room",
    ],
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
    [
      "no provider of a channel accepts",
      { providers: { ...HEALTHY.providers, refusing: ["sms: twilio accepts nothing"] } },
      "provider_accepts",
    ],
    [
      "a channel delivers nothing",
      { providers: { ...HEALTHY.providers, undelivering: ["email: resend delivers nothing"] } },
      "receipts_arrive",
    ],
    ...["push", "ntfy", "gotify", "matrix", "webhook"].flatMap((channel) =>
      ["temporary", "timeout"].map(
        (outcome) =>
          [
            `people's servers of ${channel} answer nothing (${outcome})`,
            { recent: attempts(channel, outcome, 3) },
            "provider_accepts",
          ] as const,
      ),
    ),
    [
      "a message is a dead letter",
      { lasting: { ...NO_FAULTS, messages: ["dead letters"] } },
      "messages_are_consumed",
    ],
    ["objects fail", { lasting: { ...NO_FAULTS, objects: ["alert"] } }, "objects_work"],
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
    ...attempts("webhook", "temporary", 50),
    ...attempts("webhook", "sent", 1),
    ...attempts("ntfy", "permanent", 10),
    ...attempts("push", "temporary", 2),
    tocsin_queue_failures_total: 2,
    'tocsin_object_errors_total{kind="alert"}': 9,
  };
  const lasting = nextLasting(NO_FAULTS, recent, recent, true);
  expect(findBreaches({ ...HEALTHY, recent, lasting })).toEqual([]);
  expect(mayBeat([], true)).toBe(true);
});

test("lost redundancy is shown, and does not stop the heartbeat", () => {
  const redundancy = ["sms: twilio accepts nothing"];
  const breaches = findBreaches({ ...HEALTHY, providers: { ...HEALTHY.providers, redundancy } });
  expect(breaches.map((it) => it.invariant)).toEqual(["every_provider_accepts"]);
  expect([mayBeat(breaches, false), mayBeat(breaches, true)]).toEqual([true, true]);
});

describe("a fault that counters show lasts until the opposite is seen", () => {
  const errors = (total: number) => ({ 'tocsin_object_errors_total{kind="alert"}': total });
  const sent = attempts("email", "temporary", 1);
  const canary = { 'tocsin_canary_total{outcome="arrived"}': 1 };
  const full = { tocsin_database_full_total: 1 };

  test.each([
    ["dead letters", { tocsin_dead_letters_total: 1 }, ["dead letters"]],
    ["failures of the consumer", { tocsin_queue_failures_total: 3 }, ["consumer"]],
  ])("%s: until a message is sent", (_, failure, messages) => {
    for (const proof of [sent, canary]) {
      let lasting = nextLasting(NO_FAULTS, failure, failure, true);
      expect(lasting.messages).toEqual(messages);
      for (let minute = 0; minute < 1_440; minute += 1) {
        lasting = nextLasting(lasting, {}, {}, true);
      }
      expect(lasting.messages).toEqual(messages);
      expect(nextLasting(lasting, failure, { ...failure, ...proof }, true).messages).toEqual(
        messages,
      );
      expect(nextLasting(lasting, failure, proof, true).messages).toEqual([]);
    }
  });

  test("objects: until none of the kind fails, however rarely one that fails tries again", () => {
    let lasting = nextLasting(NO_FAULTS, errors(9), errors(9), true);
    expect(lasting.objects).toEqual([]);
    lasting = nextLasting(lasting, errors(10), errors(1), true);
    expect(lasting.objects).toEqual(["alert"]);
    lasting = nextLasting(lasting, errors(1), {}, true);
    expect(lasting.objects).toEqual(["alert"]);
    expect(nextLasting(lasting, errors(0), {}, true).objects).toEqual([]);
  });

  test("a full database: until a write that needs room succeeds", () => {
    const refused = nextLasting(NO_FAULTS, full, full, true);
    expect(refused.isDatabaseFull).toBe(true);
    expect(nextLasting(refused, {}, {}, false).isDatabaseFull).toBe(true);
    expect(nextLasting(refused, {}, {}, true).isDatabaseFull).toBe(false);
  });
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
