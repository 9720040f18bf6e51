// Which calls are repeated once after a minute, when, and when not any more.
import { describe, expect, test } from "vitest";
import { planNotification } from "../../../src/domain/notifications/notification-plan.ts";
import {
  decideRepeatCall,
  isRepeatedCall,
  type RepeatCallDecision,
  type RepeatCallRequest,
  repeatedStage,
  type StoredCall,
} from "../../../src/domain/notifications/repeat-call.ts";
import type { Channel, NotificationRecipient } from "../../../src/domain/people/contact.ts";
import { readNotificationRules } from "../../../src/domain/routing/rules/notification-rules.ts";
import { MINUTE, T0 } from "../alerts/alert-makers.ts";

const CHANNELS: readonly Channel[] = ["push", "email", "sms", "voice"];

const ann: NotificationRecipient = {
  accountUserId: "ann",
  name: "Ann",
  active: true,
  timeZone: "UTC",
  addresses: { email: ["ann@x.example"], sms: ["+491"], voice: ["+491", "+492"], push: ["phone"] },
  defaults: ["voice"],
  repeatsCalls: true,
};

type Planned = {
  readonly actions?: readonly object[];
  readonly person?: NotificationRecipient;
  readonly until?: number | null;
  readonly event?: "alert.open" | "oncall.shift_reminder";
  readonly urgency?: string;
  readonly available?: readonly Channel[];
};

function plan({
  actions,
  person = ann,
  until = null,
  event = "alert.open",
  urgency = "high",
  available = CHANNELS,
}: Planned) {
  const rules = [{ match: { always: true }, types: [event], actions: actions ?? [] }];
  const read = readNotificationRules(JSON.stringify({ rules: actions ? rules : [] }));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const result = planNotification({
    page: { event, at: T0, until },
    urgency,
    view: { alert: { urgency }, log: {} },
    person,
    rule: actions === undefined ? null : { name: "Mine", rules: read.rules },
    available: new Set(available),
  });
  if (result.kind !== "stages") throw new Error(result.kind);
  return result;
}

const notify = (channels: readonly string[], timeout?: string, more: object = {}) => ({
  type: "notify",
  channels,
  ...(timeout && { timeout }),
  ...more,
});

/** The repeated calls as `minutes number`, of those that do not depend on failures. */
function repeatsOf(planned: Planned): string[] {
  const { stages, repeatedCalls } = plan(planned);
  return repeatedCalls
    .filter(({ stage }) => stages[stage]?.kind !== "reserve")
    .map(({ at, contact }) => `${(at - T0) / MINUTE} ${contact.to}`);
}

describe("the calls of a plan that are repeated", () => {
  const secondary = { channel_options: { voice: "secondary" } };
  const rows: readonly [string, Planned, readonly string[]][] = [
    ["the call of a person's settings", {}, ["1 +491"]],
    ["none of a person who switched it off", { person: { ...ann, repeatsCalls: false } }, []],
    ["none on other channels", { person: { ...ann, defaults: ["sms", "push", "email"] } }, []],
    [
      "a call of a later step",
      { actions: [notify(["push"], "5m"), notify(["voice"])] },
      ["6 +491"],
    ],
    [
      "each call of a repeated step",
      { actions: [notify(["voice"], "5m"), { type: "repeat", times: 2 }] },
      ["1 +491", "6 +491", "11 +491"],
    ],
    [
      "only the last one of calls that are a minute apart",
      { actions: [notify(["voice"], "1m"), { type: "repeat", times: 3 }] },
      ["4 +491"],
    ],
    [
      "both calls if they go to different numbers",
      { actions: [notify(["voice"], "30s"), notify(["voice"], "1m", secondary)] },
      ["1 +491", "1.5 +492"],
    ],
    ["none when the layer ends within the minute", { until: T0 + MINUTE }, []],
    ["one just before the layer ends", { until: T0 + MINUTE + 1 }, ["1 +491"]],
    [
      "a call held through quiet hours",
      { actions: [{ type: "hold", until: "10:00" }, notify(["voice"])] },
      ["61 +491"],
    ],
    ["no call of a reminder", { event: "oncall.shift_reminder", actions: [notify(["voice"])] }, []],
    ["none without the channel", { available: ["email"] }, []],
  ];
  test.each(rows)("%s", (_, planned, expected) => {
    expect(repeatsOf(planned)).toEqual(expected);
  });

  test("include a call that is a fallback", () => {
    const { stages, repeatedCalls } = plan({ person: { ...ann, defaults: ["sms"] } });
    const calls = stages.flatMap(({ contacts }, stage) =>
      contacts.filter(({ channel }) => channel === "voice").map(({ to }) => [stage, to]),
    );
    expect(calls).toHaveLength(2);
    expect(repeatedCalls.map(({ stage, contact }) => [stage, contact.to])).toEqual(calls);
  });
});

/** Every combination of one value from each list. */
function combinations<A, B, C, D>(
  as: readonly A[],
  bs: readonly B[],
  cs: readonly C[],
  ds: readonly D[],
) {
  return as.flatMap((a) =>
    bs.flatMap((b) => cs.flatMap((c) => ds.map((d) => [a, b, c, d] as const))),
  );
}

test("for every step, urgency, repetition and end of a layer: a call has one successor, or none in time", () => {
  const steps = [["voice"], ["push", "voice"], ["sms"], ["email", "sms", "voice"]];
  const timeouts = ["1m", "90s", "5m"];
  const urgencies = ["critical", "high", "medium", "low"];
  const untils = [null, T0 + 30_000, T0 + 2 * MINUTE, T0 + 30 * MINUTE];
  let calls = 0;
  for (const [channels, timeout, urgency, until] of combinations(
    steps,
    timeouts,
    urgencies,
    untils,
  )) {
    for (const times of [0, 1, 3]) {
      const actions = [
        notify(["push"], "1m"),
        notify(channels, timeout),
        { type: "repeat", times },
      ];
      const { stages, repeatedCalls } = plan({ actions, urgency, until });
      stages.forEach(({ at, contacts, kind }, stage) => {
        if (kind === "reserve") return;
        const repeats = repeatedCalls.filter((it) => it.stage === stage);
        const called = contacts.filter(({ channel }) => channel === "voice");
        const next = stages.filter(
          (it) =>
            it.kind === "timed" &&
            it.at > at &&
            it.at <= at + MINUTE &&
            it.contacts.some(({ channel }) => channel === "voice"),
        );
        const isInTime = until === null || at + MINUTE < until;
        calls += called.length;
        expect(repeats).toEqual(
          isInTime && next.length === 0
            ? called.map((contact) => ({ stage, contact, at: at + MINUTE }))
            : [],
        );
      });
    }
  }
  expect(calls).toBeGreaterThan(200);
});

describe("a call, a minute later,", () => {
  const CALL: StoredCall = {
    ...{ id: "call", channel: "voice", to: "+491", status: "sent" },
    ...{ createdAt: T0, sentAt: T0 + 500, dueAt: null },
  };
  const NOW = T0 + 500 + MINUTE;
  const NONE = { kind: "none" } as const;
  const CALLED = { kind: "call", dueAt: NOW, isPlanned: false } as const;
  type Row = readonly [string, Partial<RepeatCallRequest>, RepeatCallDecision];
  const of = (call: Partial<StoredCall>, ...others: readonly Partial<StoredCall>[]) => ({
    stored: [{ ...CALL, ...call }, ...others.map((it) => ({ ...CALL, id: "other", ...it }))],
  });
  const rows: readonly Row[] = [
    ["is repeated", {}, CALLED],
    ["is repeated if a voice mailbox took it", of({ status: "delivered" }), CALLED],
    ["is repeated if nobody answered the telephone", of({ status: "failed" }), CALLED],
    ["is not repeated if its provider refused it", of({ status: "failed", sentAt: null }), NONE],
    ["is not repeated if it was skipped", of({ status: "skipped", sentAt: null }), NONE],
    [
      "is waited for while it is not made",
      of({ status: "queued", sentAt: null }),
      { kind: "wait", until: NOW + MINUTE },
    ],
    [
      "waits for the end of the minute",
      of({ sentAt: NOW - MINUTE + 1 }),
      { kind: "wait", until: NOW + 1 },
    ],
    ["is not repeated after another call to the number", of({}, { createdAt: T0 + 1 }), NONE],
    ["is repeated after an earlier call to the number", of({}, { createdAt: T0 - 1 }), CALLED],
    [
      "is repeated after a call to another number",
      of({}, { createdAt: T0 + 1, to: "+492" }),
      CALLED,
    ],
    [
      "is gathered with others if it was about many alerts",
      of({ dueAt: T0 }),
      { ...CALLED, dueAt: T0 + 70_000 },
    ],
    ["is repeated after an SMS", of({}, { createdAt: T0 + 1, channel: "sms" }), CALLED],
    [
      "is repeated once",
      of({}, { id: "repeat", createdAt: NOW, dueAt: NOW }),
      { ...CALLED, isPlanned: true },
    ],
    ["is not repeated to a removed number", { person: { ...ann, addresses: {} } }, NONE],
    ["is not repeated to a removed person", { person: { ...ann, active: false } }, NONE],
    ["is not repeated to an unknown person", { person: null }, NONE],
    [
      "is not repeated once the person switched it off",
      { person: { ...ann, repeatsCalls: false } },
      NONE,
    ],
    ["is not repeated without the channel", { available: new Set<Channel>(["sms"]) }, NONE],
    ["is not repeated if it was deleted", { stored: [] }, NONE],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    const request = {
      ...{ callId: "call", repeatId: "repeat", stored: [CALL] },
      ...{ person: ann, available: new Set(CHANNELS), ...given },
    };
    expect(decideRepeatCall(request, NOW)).toEqual(expected);
  });

  test("has a stage of its own, and is not repeated again", () => {
    expect([0, 1, 7].map(isRepeatedCall)).toEqual([false, false, false]);
    const stages = [0, 1, 7].map(repeatedStage);
    expect(new Set(stages).size).toBe(3);
    expect(stages.map(isRepeatedCall)).toEqual([true, true, true]);
  });
});
