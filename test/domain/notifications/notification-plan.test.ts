// How a page reaches a person: by their notification rule, their default channels or a fallback contact.
import { describe, expect, test } from "vitest";
import {
  type NotificationPlan,
  type PlanRequest,
  planNotification,
} from "../../../src/domain/notifications/notification-plan.ts";
import type { Channel, NotificationRecipient } from "../../../src/domain/people/contact.ts";
import { readNotificationRules } from "../../../src/domain/routing/rules/notification-rules.ts";
import { MINUTE, T0 } from "../alerts/alert-makers.ts";

const ann: NotificationRecipient = {
  accountUserId: "ann",
  name: "Ann",
  active: true,
  timeZone: "UTC",
  addresses: {
    email: ["ann@x.example", "ann.old@x.example"],
    sms: ["+491"],
    voice: ["+491"],
    push: ["phone"],
  },
  defaults: ["email"],
  repeatsCalls: true,
};
const bare: NotificationRecipient = { ...ann, addresses: {} };

const ALL: readonly Channel[] = ["push", "email", "sms", "voice"];

type Given = Partial<Omit<PlanRequest, "rule" | "page" | "available">> & {
  readonly page?: Partial<PlanRequest["page"]>;
  readonly available?: readonly Channel[];
  readonly rules?: readonly unknown[];
};

function plan({ page, rules, available = ALL, ...given }: Given): NotificationPlan {
  const read = readNotificationRules(JSON.stringify({ rules: rules ?? [] }));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return planNotification({
    page: { event: "alert.open", at: T0, until: null, ...page },
    urgency: "high",
    view: { alert: { urgency: "high", title: "Disk full" }, log: { data: { host: "db1" } } },
    person: ann,
    rule: rules === undefined ? null : { name: "Mine", rules: read.rules },
    available: new Set(available),
    ...given,
  });
}

/**
 * The plan as one line: minutes after the page and contacts; `~` marks a held stage, `?` a fallback, `!2` one that is
 * left out once a message of the stages from the third on was delivered.
 */
function summaryOf(result: NotificationPlan): string {
  if (result.kind !== "stages") return "reason" in result ? result.reason : result.kind;
  const stages = result.stages.map(({ at, kind, contacts, unlessDelivered }) => {
    const condition = unlessDelivered ? `!${unlessDelivered.since} ` : "";
    const mark = condition + { timed: "", held: "~", reserve: "?" }[kind];
    return `${mark}${(at - T0) / MINUTE} ${contacts.map((it) => `${it.channel} ${it.to}`).join("+")}`;
  });
  return stages.join(", ");
}

/** The summary without fallbacks. */
const withoutFallbacks = (result: NotificationPlan) => summaryOf(result).replace(/,? ?\?.*$/, "");

describe("without a rule", () => {
  const rows: readonly [string, Given, string][] = [
    [
      "default channels at once, then every other contact as a fallback",
      {},
      "0 email ann@x.example, ?0 email ann.old@x.example, ?0 push phone, ?0 sms +491, ?0 voice +491",
    ],
    [
      "several default channels together",
      { person: { ...ann, defaults: ["push", "email"] }, available: ["push", "email"] },
      "0 push phone+email ann@x.example, ?0 email ann.old@x.example",
    ],
    [
      "no usable default channel: a fallback",
      { person: { ...ann, defaults: ["sms"] }, available: ["push"] },
      "?0 push phone",
    ],
    [
      "no default channel: a fallback",
      { person: { ...ann, defaults: [] }, available: ["sms"] },
      "?0 sms +491",
    ],
    [
      "no address: the log channel if available",
      { person: bare, available: ["log"] },
      "?0 log Ann",
    ],
    ["no address and no log channel", { person: bare }, "has no usable address"],
    ["no available channel", { available: [] }, "has an address, but its channel is not set up"],
    ["an unknown person", { person: null }, "is no longer in the account"],
    ["an inactive person", { person: { ...ann, active: false } }, "is no longer in the account"],
    [
      "a voice call only for events that need an answer",
      {
        page: { event: "alert.acknowledged" },
        person: { ...ann, defaults: ["voice", "sms"] },
        available: ["sms", "voice"],
      },
      "0 sms +491",
    ],
    [
      "an event that is sent only on request",
      { page: { event: "alert.resolved" } },
      "not_asked_for",
    ],
    [
      "a timeout that no rule requests",
      { page: { event: "alert.timeout" }, rules: [] },
      "not_asked_for",
    ],
    [
      "an event that everyone receives",
      { page: { event: "oncall.handoff" }, available: ["email"], rules: [] },
      "0 email ann@x.example, ?0 email ann.old@x.example",
    ],
    [
      "the channels that a notice names, voice too",
      {
        page: { event: "oncall.shift_reminder" },
        channels: ["voice", "push"],
        available: ["voice", "push"],
      },
      "0 voice +491+push phone",
    ],
    [
      "a notice's channels if none is usable: a fallback",
      { page: { event: "oncall.digest" }, channels: ["email", "push"], available: ["sms"] },
      "?0 sms +491",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(summaryOf(plan(given))).toBe(expected);
  });
});

const notify = (channels: readonly string[], more: object = {}) => ({
  type: "notify",
  channels,
  ...more,
});
const always = (...actions: object[]) => [{ match: { always: true }, actions }];
const untilEight = { type: "hold", until: "08:00", timezone: "UTC" };

describe("a notice of shifts by a rule that names its event", () => {
  const page = { event: "oncall.shift_added" } as const;
  const ruled = (...actions: object[]) =>
    always(...actions).map((rule) => ({ ...rule, types: ["oncall.shift_added"] }));
  const rows: readonly [string, Given, string][] = [
    [
      "the rule's channels, not its own",
      { rules: ruled(notify(["sms"])), channels: ["email"] },
      "0 sms +491",
    ],
    [
      "a held one is sent by a timer",
      { rules: ruled(untilEight, notify(["sms"])) },
      "0 , 1380 sms +491",
    ],
    [
      "one part at once, one held",
      { rules: ruled(notify(["push"]), untilEight, notify(["sms"])) },
      "0 push phone, 1380 sms +491",
    ],
    ["ignored", { rules: ruled({ type: "ignore" }) }, "ignored by notification rule Mine, line 1"],
    [
      "another event: their settings",
      { rules: ruled(notify(["sms"])), page: { event: "oncall.gap" } },
      "0 email ann@x.example",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(withoutFallbacks(plan({ page, ...given }))).toBe(expected);
  });
});

describe("unless a message before it was delivered", () => {
  const unless = { unless_delivered: true };
  const half = { timeout: "30s" };
  const rows: readonly [string, Given, string][] = [
    [
      "a call half a minute after a push",
      { rules: always(notify(["push"], half), notify(["voice"], unless)) },
      "0 push phone, !0 0.5 voice +491",
    ],
    [
      "a step of its own, beside others at the same time",
      {
        rules: always(
          notify(["push"], half),
          notify(["sms"]),
          notify(["voice"], unless),
          notify(["email"]),
        ),
      },
      "0 push phone, 0.5 sms +491, !0 0.5 voice +491, 0.5 email ann@x.example",
    ],
    [
      "of each round on its own",
      {
        rules: always(
          notify(["push"], { timeout: "1m" }),
          notify(["sms"], { ...unless, timeout: "1m" }),
          {
            type: "repeat",
            times: 2,
          },
        ),
      },
      "0 push phone, !0 1 sms +491, 2 push phone, !2 3 sms +491, 4 push phone, !4 5 sms +491",
    ],
    [
      "at once if nothing before it can be sent",
      {
        rules: always(notify(["push"], half), notify(["sms"], unless)),
        available: ["sms"],
      },
      "0 sms +491",
    ],
    [
      "not of a notice, whose messages are sent at once",
      {
        page: { event: "alert.dropped" },
        rules: always(notify(["push"], half), notify(["sms"], unless)).map((it) => ({
          ...it,
          types: ["alert.dropped"],
        })),
      },
      "0 push phone",
    ],
    [
      "of a notice whose other messages cannot be sent",
      {
        page: { event: "alert.dropped" },
        rules: always(notify(["push"], half), notify(["sms"], unless)).map((it) => ({
          ...it,
          types: ["alert.dropped"],
        })),
        available: ["sms"],
      },
      "0 sms +491",
    ],
    [
      "false: a step as any other",
      { rules: always(notify(["push"], half), notify(["sms"], { unless_delivered: false })) },
      "0 push phone, 0.5 sms +491",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(withoutFallbacks(plan(given))).toBe(expected);
  });
});

describe("by a rule", () => {
  const rows: readonly [string, Given, string][] = [
    [
      "steps in order",
      { rules: always(notify(["push"], { timeout: "2m" }), notify(["sms"], { timeout: "3m" })) },
      "0 push phone, 2 sms +491",
    ],
    [
      "steps without a wait merge into one",
      { rules: always(notify(["push"]), notify(["sms", "push"], { timeout: "3m" })) },
      "0 push phone+sms +491",
    ],
    [
      "repeats, including the last wait",
      {
        rules: always(notify(["push"], { timeout: "2m" }), notify(["sms"], { timeout: "3m" }), {
          type: "repeat",
          times: 2,
        }),
      },
      "0 push phone, 2 sms +491, 5 push phone, 7 sms +491, 10 push phone, 12 sms +491",
    ],
    [
      "a round without a wait takes a minute",
      { rules: always(notify(["push"]), { type: "repeat", times: 1 }) },
      "0 push phone, 1 push phone",
    ],
    [
      "stops at the layer's end",
      {
        rules: always(notify(["push"], { timeout: "5m" }), { type: "repeat", times: 3 }),
        page: { until: T0 + 10 * MINUTE },
      },
      "0 push phone, 5 push phone",
    ],
    [
      "a step without a usable channel takes no time",
      {
        rules: always(notify(["push"], { timeout: "5m" }), notify(["sms"])),
        available: ["sms"],
      },
      "0 sms +491",
    ],
    ["no usable step: only fallbacks", { rules: always(notify(["sms"])), available: ["push"] }, ""],
    [
      "the secondary address",
      { rules: always(notify(["email"], { channel_options: { email: "secondary" } })) },
      "0 email ann.old@x.example",
    ],
    [
      "a given address, case-insensitively",
      { rules: always(notify(["email"], { channel_options: { email: "ANN.old@x.example" } })) },
      "0 email ann.old@x.example",
    ],
    [
      "an unknown address: another one",
      { rules: always(notify(["email"], { channel_options: { email: "x@x.example" } })) },
      "0 email ann@x.example",
    ],
    [
      "an unknown address without fallback: the next step",
      {
        rules: always(
          notify(["email"], {
            channel_options: { email: "x@x.example", email_fallback: false },
            timeout: "5m",
          }),
          notify(["sms"]),
        ),
      },
      "0 sms +491",
    ],
    [
      "ignores the alert",
      { rules: always({ type: "ignore" }) },
      "ignored by notification rule Mine, line 1",
    ],
    [
      "the first match, by the alert and its log",
      {
        rules: [
          { match: { "alert.urgency": "low" }, actions: [{ type: "ignore" }] },
          { match: { "log.data.host": "db1" }, actions: [notify(["sms"])] },
          { match: { always: true }, actions: [notify(["push"])] },
        ],
      },
      "0 sms +491",
    ],
    [
      "no match: the default channels",
      { rules: [{ match: { "alert.urgency": "low" }, actions: [{ type: "ignore" }] }] },
      "0 email ann@x.example",
    ],
    [
      "a rule without types applies to open alerts only",
      { rules: always({ type: "ignore" }), page: { event: "alert.dropped" } },
      "0 email ann@x.example",
    ],
    [
      "another event notifies once, on all channels of the rule except voice",
      {
        rules: [
          {
            match: { always: true },
            types: ["alert.resolved"],
            actions: [
              notify(["push", "voice"], { timeout: "5m" }),
              notify(["sms"]),
              { type: "repeat", times: 3 },
            ],
          },
        ],
        page: { event: "alert.resolved" },
      },
      "0 push phone+sms +491",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(withoutFallbacks(plan(given))).toBe(expected);
  });

  test("returns the same plan for the same page", () => {
    const given = { rules: always(notify(["push"], { timeout: "2m" }), notify(["sms"])) };
    expect(plan(given)).toEqual(plan(given));
  });
});

describe("quiet hours", () => {
  const night = T0 - 10 * 60 * MINUTE;
  const eight = T0 - 60 * MINUTE;
  const stagesAtNight = (given: Given) => {
    const result = plan({ page: { at: night }, ...given });
    if (result.kind !== "stages") return result.kind;
    return result.stages
      .filter(({ kind }) => kind !== "reserve")
      .map(({ at, kind, contacts }) => {
        const when = at === eight ? "at eight" : at === night ? "now" : new Date(at).toISOString();
        return `${kind} ${when}: ${contacts.map(({ channel }) => channel).join("+")}`;
      })
      .join(", ");
  };
  const rows: readonly [string, Given, string][] = [
    [
      "hold until their end, on the default channels",
      { rules: always(untilEight) },
      "held at eight: email",
    ],
    [
      "hold on the channels of the rule's first step",
      { rules: always(untilEight, notify(["push"], { timeout: "5m" }), notify(["sms"])) },
      "held at eight: push",
    ],
    [
      "do not hold a critical alert",
      {
        urgency: "critical",
        rules: always(untilEight, notify(["push"], { timeout: "5m" }), notify(["sms"])),
      },
      "timed now: push, timed 2026-01-04T23:05:00.000Z: sms",
    ],
    [
      "do not hold a critical alert if the rule only holds",
      { urgency: "critical", rules: always(untilEight) },
      "timed now: email",
    ],
    [
      "do not delay steps before the hold",
      { rules: always(notify(["push"]), untilEight, notify(["email"])) },
      "timed now: push, held at eight: email",
    ],
    [
      "use the person's time zone if none is given",
      {
        rules: always({ type: "hold", until: "08:00" }),
        person: { ...ann, timeZone: "Europe/Berlin" },
      },
      "held 2026-01-05T07:00:00.000Z: email",
    ],
    [
      "also hold on a fallback channel",
      { rules: always(untilEight, notify(["sms"])), available: ["push"] },
      "held at eight: push",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(stagesAtNight(given)).toBe(expected);
  });
});
