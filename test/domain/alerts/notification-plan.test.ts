// How a page reaches a person: by their rule, their own settings, or whatever is left; nobody is silently unreachable.
import { describe, expect, test } from "vitest";
import {
  type NotificationPlan,
  type PlanRequest,
  planNotification,
} from "../../../src/domain/alerts/notifications/notification-plan.ts";
import type { Channel, NotificationRecipient } from "../../../src/domain/people/contact.ts";
import { readNotificationRules } from "../../../src/domain/routing/rules/notification-rules.ts";
import { MINUTE, T0 } from "./alert-makers.ts";

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

/** In one line: minutes after the page, channels; `~` before what is held, `?` before what is only left to try. */
function told(result: NotificationPlan): string {
  if (result.kind !== "stages") return "reason" in result ? result.reason : result.kind;
  const said = result.stages.map(({ at, kind, contacts }) => {
    const mark = { timed: "", held: "~", reserve: "?" }[kind];
    return `${mark}${(at - T0) / MINUTE} ${contacts.map((it) => `${it.channel} ${it.to}`).join("+")}`;
  });
  return said.join(", ");
}

/** Without what is only left to try. */
const chosen = (result: NotificationPlan) => told(result).replace(/,? ?\?.*$/, "");

describe("without a rule", () => {
  const rows: readonly [string, Given, string][] = [
    [
      "their own channels at once, then everything else, one after the other",
      {},
      "0 email ann@x.example, ?0 email ann.old@x.example, ?0 push phone, ?0 sms +491, ?0 voice +491",
    ],
    [
      "several channels together",
      { person: { ...ann, defaults: ["push", "email"] }, available: ["push", "email"] },
      "0 push phone+email ann@x.example, ?0 email ann.old@x.example",
    ],
    [
      "none of their channels can be used: whatever is verified",
      { person: { ...ann, defaults: ["sms"] }, available: ["push"] },
      "?0 push phone",
    ],
    [
      "no channel chosen at all",
      { person: { ...ann, defaults: [] }, available: ["sms"] },
      "?0 sms +491",
    ],
    ["no address: the log, where there is one", { person: bare, available: ["log"] }, "?0 log Ann"],
    ["no address at all", { person: bare }, "has no usable address"],
    ["no channel at all", { available: [] }, "has an address, but its channel is not set up"],
    ["nobody there", { person: null }, "is no longer in the account"],
    ["not active", { person: { ...ann, active: false } }, "is no longer in the account"],
    [
      "a call only for what is to be answered",
      {
        page: { event: "alert.acknowledged" },
        person: { ...ann, defaults: ["voice", "sms"] },
        available: ["sms", "voice"],
      },
      "0 sms +491",
    ],
    ["what is told on request only", { page: { event: "alert.resolved" } }, "not_asked_for"],
    ["nor a time-out", { page: { event: "alert.timeout" }, rules: [] }, "not_asked_for"],
    [
      "what everybody is told",
      { page: { event: "oncall.handoff" }, available: ["email"], rules: [] },
      "0 email ann@x.example, ?0 email ann.old@x.example",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(told(plan(given))).toBe(expected);
  });
});

const notify = (channels: readonly string[], more: object = {}) => ({
  type: "notify",
  channels,
  ...more,
});
const always = (...actions: object[]) => [{ match: { always: true }, actions }];
const untilEight = { type: "hold", until: "08:00", timezone: "UTC" };

describe("by a rule", () => {
  const rows: readonly [string, Given, string][] = [
    [
      "one step after the other",
      { rules: always(notify(["push"], { timeout: "2m" }), notify(["sms"], { timeout: "3m" })) },
      "0 push phone, 2 sms +491",
    ],
    [
      "what follows at once is the same step",
      { rules: always(notify(["push"]), notify(["sms", "push"], { timeout: "3m" })) },
      "0 push phone+sms +491",
    ],
    [
      "repeated, the last wait included",
      {
        rules: always(notify(["push"], { timeout: "2m" }), notify(["sms"], { timeout: "3m" }), {
          type: "repeat",
          times: 2,
        }),
      },
      "0 push phone, 2 sms +491, 5 push phone, 7 sms +491, 10 push phone, 12 sms +491",
    ],
    [
      "without a wait a round takes a minute",
      { rules: always(notify(["push"]), { type: "repeat", times: 1 }) },
      "0 push phone, 1 push phone",
    ],
    [
      "cut by the layer's end",
      {
        rules: always(notify(["push"], { timeout: "5m" }), { type: "repeat", times: 3 }),
        page: { until: T0 + 10 * MINUTE },
      },
      "0 push phone, 5 push phone",
    ],
    [
      "a step whose channels cannot be used costs no time",
      {
        rules: always(notify(["push"], { timeout: "5m" }), notify(["sms"])),
        available: ["sms"],
      },
      "0 sms +491",
    ],
    [
      "no step can be used: whatever is left",
      { rules: always(notify(["sms"])), available: ["push"] },
      "",
    ],
    [
      "the other address",
      { rules: always(notify(["email"], { channel_options: { email: "secondary" } })) },
      "0 email ann.old@x.example",
    ],
    [
      "this address, in any case",
      { rules: always(notify(["email"], { channel_options: { email: "ANN.old@x.example" } })) },
      "0 email ann.old@x.example",
    ],
    [
      "an address that is not there: any other",
      { rules: always(notify(["email"], { channel_options: { email: "x@x.example" } })) },
      "0 email ann@x.example",
    ],
    [
      "or none, where the rule says so: the next step",
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
    ["ignored", { rules: always({ type: "ignore" }) }, "ignored by notification rule Mine, line 1"],
    [
      "the first that matches, by the alert and by what made it",
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
      "none matches: their own settings",
      { rules: [{ match: { "alert.urgency": "low" }, actions: [{ type: "ignore" }] }] },
      "0 email ann@x.example",
    ],
    [
      "a rule is for open alerts unless it says otherwise",
      { rules: always({ type: "ignore" }), page: { event: "alert.dropped" } },
      "0 email ann@x.example",
    ],
    [
      "anything but an open alert is told once, on all the rule's channels but the telephone's",
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
    expect(chosen(plan(given))).toBe(expected);
  });

  test("the same plan for whoever plans the page again", () => {
    const given = { rules: always(notify(["push"], { timeout: "2m" }), notify(["sms"])) };
    expect(plan(given)).toEqual(plan(given));
  });
});

describe("quiet hours", () => {
  const night = T0 - 10 * 60 * MINUTE;
  const eight = T0 - 60 * MINUTE;
  const held = (given: Given) => {
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
      "held until then, on the person's channels",
      { rules: always(untilEight) },
      "held at eight: email",
    ],
    [
      "on the rule's channels, whatever its waits",
      { rules: always(untilEight, notify(["push"], { timeout: "5m" }), notify(["sms"])) },
      "held at eight: push",
    ],
    [
      "a critical alert is not held",
      {
        urgency: "critical",
        rules: always(untilEight, notify(["push"], { timeout: "5m" }), notify(["sms"])),
      },
      "timed now: push, timed 2026-01-04T23:05:00.000Z: sms",
    ],
    [
      "nor one with a rule that only holds",
      { urgency: "critical", rules: always(untilEight) },
      "timed now: email",
    ],
    [
      "what stands before the hold happens now",
      { rules: always(notify(["push"]), untilEight, notify(["email"])) },
      "timed now: push, held at eight: email",
    ],
    [
      "by the person's own clock where no zone is named",
      {
        rules: always({ type: "hold", until: "08:00" }),
        person: { ...ann, timeZone: "Europe/Berlin" },
      },
      "held 2026-01-05T07:00:00.000Z: email",
    ],
    [
      "held also where another channel has to do",
      { rules: always(untilEight, notify(["sms"])), available: ["push"] },
      "held at eight: push",
    ],
  ];
  test.each(rows)("%s", (_, given, expected) => {
    expect(held(given)).toBe(expected);
  });
});
