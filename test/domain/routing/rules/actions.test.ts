// The actions of router and notification rules: their parsing, and the position of every fault.
import { describe, expect, test } from "vitest";
import { firstNotificationMatch } from "../../../../src/domain/routing/rules/first-match.ts";
import { readNotificationRules } from "../../../../src/domain/routing/rules/notification-rules.ts";
import { mentionsOf, readRouterRules } from "../../../../src/domain/routing/rules/router-rules.ts";
import { shown } from "./make.ts";

const TEAM = "tem_AAAAAAAAAAAAAA";
const USER = "acu_AAAAAAAAAAAAAA";
const ULID = "01JZZZZZZZZZZZZZZZZZZZZZZZ";

/** A document with one rule that always matches and these actions. */
const document = (actions: unknown, more: object = {}) =>
  JSON.stringify({ rules: [{ match: { always: true }, actions, ...more }] });

function routerAction(action: object) {
  const result = readRouterRules(document([action]));
  if (!result.ok) throw new Error(shown(result).join("; "));
  return result.rules[0]?.actions[0];
}

function notificationRule(actions: object[], more: object = {}) {
  const result = readNotificationRules(document(actions, more));
  if (!result.ok) throw new Error(shown(result).join("; "));
  return result.rules[0];
}

describe("a router's action", () => {
  test("assign names receivers by either form of the id, and may have a delay", () => {
    expect(routerAction({ type: "assign", receiver: TEAM })).toMatchObject({
      receivers: [{ receiver: TEAM }],
      delayMs: 0,
    });
    const action = { type: "assign", receiver: [ULID.toLowerCase(), USER], delay: "1.5h" };
    expect(routerAction(action)).toMatchObject({
      receivers: [{ receiver: ULID }, { receiver: USER }],
      delayMs: 5_400_000,
    });
    expect(routerAction({ type: "assign", receiver: TEAM, delay: 0 })).toMatchObject({
      delayMs: 0,
    });
  });

  test("aggregate has paths, a window and receivers", () => {
    const action = { type: "aggregate", by: "alert.title", timeout: "5m", receiver: [TEAM] };
    expect(routerAction(action)).toMatchObject({
      by: ["alert.title"],
      timeoutMs: 300_000,
      receivers: [{ receiver: TEAM }],
    });
  });

  test("receivers of all rules are listed with their positions", () => {
    const rule = (receiver: unknown) => ({
      match: { always: true },
      actions: [{ type: "incident" }, { type: "assign", receiver }],
    });
    const text = JSON.stringify({ rules: [rule(TEAM), rule([USER, TEAM])] });
    const result = readRouterRules(text);
    expect(
      result.ok && mentionsOf(result.rules).map(({ receiver, path }) => [receiver, path]),
    ).toEqual([
      [TEAM, "rules[0].actions[1].receiver"],
      [USER, "rules[1].actions[1].receiver[0]"],
      [TEAM, "rules[1].actions[1].receiver[1]"],
    ]);
  });

  test.each<[action: unknown, fault: string]>([
    ["assign", "actions[0]): an action needs a type"],
    [{ type: "page" }, "type): an action needs a type, one of assign, ignore, setval, incident"],
    [{ type: "assign" }, "actions[0]): needs receiver"],
    [{ type: "assign", receiver: [] }, "receiver): needs receiver"],
    [{ type: "assign", receiver: "Payments" }, "Payments is not the id of a team"],
    [{ type: "assign", receiver: "usr_AAAAAAAAAAAAAA" }, "is not the id of a team"],
    [{ type: "assign", receiver: [TEAM, { id: TEAM }] }, "receiver[1]):  is not the id"],
    [{ type: "assign", receiver: TEAM, receivers: [] }, "receivers): unknown key receivers"],
    [{ type: "assign", receiver: TEAM, delay: "soon" }, "delay): delay must be a duration"],
    [{ type: "assign", receiver: TEAM, delay: "-5m" }, "delay must be a duration"],
    [{ type: "assign", receiver: TEAM, delay: 5 }, "between 1s and 30d"],
    [{ type: "assign", receiver: TEAM, delay: "31d" }, "between 1s and 30d"],
    [{ type: "assign", receiver: TEAM, delay: ["5m"] }, "delay must be a duration"],
    [{ type: "ignore", why: "x" }, "unknown key why"],
    [{ type: "setval" }, "setval needs map"],
    [{ type: "setval", map: {} }, "setval needs map"],
    [{ type: "setval", map: { status: "open" } }, "unknown key status"],
    [{ type: "setval", map: { title: " " } }, "title can't be blank"],
    [{ type: "setval", map: { title: ["x"] } }, "must be a text"],
    [{ type: "setval", map: { urgency: "urgent" } }, "urgency must be one of silent, low"],
    [{ type: "setval", map: { title: "{{#with x}}" }, handlebars: true }, "is not supported"],
    [
      { type: "setval", map: { title: "x" }, handlebars: "yes" },
      "handlebars must be true or false",
    ],
    [{ type: "incident", severity: "SEV-9" }, "severity must be one of SEV-1"],
    [{ type: "incident", message: "{{", handlebars: true }, "is not closed"],
    [{ type: "aggregate", by: ["alert.title"], receiver: TEAM }, "needs timeout"],
    [{ type: "aggregate", timeout: "5m", receiver: TEAM }, "aggregate needs by"],
    [{ type: "aggregate", by: ["title"], timeout: "5m", receiver: TEAM }, "title is no path"],
    [{ type: "aggregate", by: ["alert.x"], timeout: "0s", receiver: TEAM }, "between 1s and 30d"],
  ])("%j: %s", (action, fault) => {
    expect(shown(readRouterRules(document([action]))).join("\n")).toContain(fault);
  });

  test("may not follow one that ends the routing", () => {
    const faults = shown(
      readRouterRules(document([{ type: "ignore" }, { type: "assign", receiver: TEAM }])),
    );
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain("actions[1]): never runs: ignore before it ends the routing");
  });
});

describe("a document's structure", () => {
  test.each<[text: string, fault: string]>([
    ["- match: {}", "line 1, column 1: the document must be a map with the key rules"],
    ["just text", "line 1, column 1: the document must be a map with the key rules"],
    ["rule: []", "line 1, column 1: the document must be a map with the key rules"],
    ["rules: {}", "line 1, column 8 (rules): rules must be a list"],
    ["rules: []\nversion: 2", "line 2, column 1 (version): unknown key version"],
    ["rules:\n  - x", "line 2, column 5 (rules[0]): a rule must be a map"],
    ["rules:\n  - actions: [{type: ignore}]", "line 2, column 5 (rules[0]): a rule needs match"],
    ["rules:\n  - match: {always: true}", "line 2, column 5 (rules[0]): a rule needs actions"],
    ["rules:\n  - match: {always: true}\n    actions: {type: ignore}", "line 3, column 14"],
    ["rules:\n  - match:\n    actions: [{type: ignore}]", "match): must be a map of conditions"],
    [`rules: [${"{}, ".repeat(201)}]`, "has more than 200 rules"],
    [document(Array(21).fill({ type: "incident" })), "has more than 20 actions"],
    [document([{ type: "ignore" }], { types: ["alert.open"] }), "unknown key types"],
  ])("%j: %s", (text, fault) => {
    expect(shown(readRouterRules(text)).join("\n")).toContain(fault);
  });

  test.each(["", "rules:", "rules: []", "# nothing yet"])("%j has no rules", (text) => {
    expect(readRouterRules(text)).toEqual({ ok: true, rules: [] });
  });
});

describe("a notification rule", () => {
  test("is parsed with its actions", () => {
    const rule = notificationRule([
      { type: "notify", channels: ["push", "sms", "push"], timeout: "1m" },
      {
        type: "notify",
        channels: "voice",
        channel_options: { voice: "secondary", sms: "+4915112345678", email_fallback: false },
      },
      { type: "repeat", times: 3 },
    ]);
    expect(rule?.types).toEqual(["alert.open"]);
    expect(rule?.actions).toEqual([
      {
        ...{ type: "notify", channels: ["push", "sms"], addresses: {} },
        ...{ timeoutMs: 60_000, unlessDelivered: false },
      },
      {
        type: "notify",
        channels: ["voice"],
        addresses: {
          voice: { address: "secondary", fallback: true },
          sms: { address: { literal: "+4915112345678" }, fallback: true },
          email: { address: "primary", fallback: false },
        },
        timeoutMs: null,
        unlessDelivered: false,
      },
      { type: "repeat", times: 3 },
    ]);
    expect(
      notificationRule([{ type: "hold", until: "08:00", timezone: "Berlin" }])?.actions,
    ).toEqual([{ type: "hold", until: 480, timeZone: "Europe/Berlin" }]);
    expect(notificationRule([{ type: "hold", until: "8:00 pm" }])?.actions).toEqual([
      { type: "hold", until: 1200, timeZone: null },
    ]);
  });

  test("applies to the events it names; the first that matches wins", () => {
    const actions = [{ type: "ignore" }];
    const rules = [
      { match: { "alert.urgency": "low" }, actions },
      { match: { always: true }, actions, types: ["alert.dropped", "broadcast.sent"] },
      { match: { always: true }, actions, types: "alert.open" },
    ];
    const result = readNotificationRules(JSON.stringify({ rules }));
    if (!result.ok) throw new Error(shown(result).join("; "));
    const index = (event: Parameters<typeof firstNotificationMatch>[1], urgency: string) => {
      const match = firstNotificationMatch(result.rules, event, { alert: { urgency } }, 0);
      return match.kind === "rule" ? match.index : match.kind;
    };
    expect(index("alert.open", "low")).toBe(0);
    expect(index("alert.open", "high")).toBe(2);
    expect(index("alert.dropped", "low")).toBe(1);
    expect(index("alert.resolved", "low")).toBe("none");
  });

  test.each<[actions: unknown, fault: string]>([
    [[{ type: "assign" }], "one of notify, repeat, ignore, hold"],
    [[{ type: "notify" }], "notify needs channels"],
    [[{ type: "notify", channels: [] }], "channels must name at least one"],
    [[{ type: "notify", channels: ["fax"] }], "channels[0]): channels: must be one of email, sms"],
    [[{ type: "notify", channels: ["sms"], timeout: "0" }], "between 1s and 30d"],
    [[{ type: "notify", channels: ["sms"], channel_options: [] }], "channel_options must be a map"],
    [[{ type: "notify", channels: ["sms"], channel_options: { push: "x" } }], "unknown key push"],
    [[{ type: "notify", channels: ["sms"], channel_options: { sms: [] } }], "or an address"],
    [
      [{ type: "notify", channels: ["sms"], channel_options: { sms_fallback: 1 } }],
      "sms_fallback must be true or false",
    ],
    [[{ type: "repeat", times: 1 }], "repeat needs a notify before it"],
    [
      [{ type: "notify", channels: "sms", unless_delivered: true }],
      "unless_delivered needs a notify with a timeout before it",
    ],
    [
      [
        { type: "notify", channels: "push" },
        { type: "notify", channels: "sms", timeout: "1m", unless_delivered: true },
      ],
      "unless_delivered needs a notify with a timeout before it",
    ],
    [
      [{ type: "notify", channels: "sms", unless_delivered: "yes" }],
      "unless_delivered must be true or false",
    ],
    [
      [
        { type: "notify", channels: "sms" },
        { type: "repeat", times: 4 },
      ],
      "times, 0 to 3",
    ],
    [
      [
        { type: "notify", channels: "sms" },
        { type: "repeat", times: 1.5 },
      ],
      "times, 0 to 3",
    ],
    [[{ type: "ignore" }, { type: "notify", channels: "sms" }], "never runs: ignore"],
    [[{ type: "hold" }], "until must be a time of day"],
    [[{ type: "hold", until: "08:00", timezone: "Nowhere" }], "no such time zone Nowhere"],
  ])("%j: %s", (actions, fault) => {
    expect(shown(readNotificationRules(document(actions))).join("\n")).toContain(fault);
  });

  test("may only name known events", () => {
    const text = document([{ type: "ignore" }], { types: ["alert.open", "alert.opened"] });
    expect(shown(readNotificationRules(text))[0]).toContain(
      "types[1]): types: must be one of alert.open",
    );
  });
});

describe("a repeated timeout", () => {
  const notify = (timeout?: string | number) => ({
    ...{ type: "notify", channels: ["email"] },
    ...(timeout !== undefined && { timeout }),
  });
  const repeat = (times: number) => ({ type: "repeat", times });
  const faultsOf = (actions: object[]) => {
    const result = readNotificationRules(document(actions));
    return result.ok ? [] : shown(result);
  };

  test.each([
    ["59s", 1],
    [59_999, 3],
    ["0.5m", 2],
    ["1s", 1],
  ])("is refused under a minute: %s, repeated %i times", (timeout, times) => {
    const faults = faultsOf([notify("5m"), notify(timeout), repeat(times)]);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain("at least 1m");
  });

  test.each([
    [[notify("1m"), repeat(3)]],
    [[notify(60_000), repeat(1)]],
    [[notify("10s"), notify("10s")]],
    [[notify("10s"), repeat(0)]],
    [[notify(), repeat(3)]],
  ])("is accepted from a minute on, and a shorter one if not repeated: %j", (actions) => {
    expect(faultsOf(actions)).toEqual([]);
  });
});
