// The reference of the rule language: every example on the page does what the page says, and there is an example of
// every operator and action that the parser knows.
import { describe, expect, test } from "vitest";
import { planNotification } from "../../../../src/domain/notifications/notification-plan.ts";
import type { Channel, NotificationRecipient } from "../../../../src/domain/people/contact.ts";
import { CONDITION_WORDS } from "../../../../src/domain/routing/conditions/condition.ts";
import { plain } from "../../../../src/domain/routing/conditions/located.ts";
import {
  type Router,
  type RoutingSubject,
  routeAlert,
} from "../../../../src/domain/routing/routing.ts";
import { formatDuration, parseDuration } from "../../../../src/domain/routing/rules/duration.ts";
import {
  NOTIFICATION_ACTIONS,
  readNotificationRules,
} from "../../../../src/domain/routing/rules/notification-rules.ts";
import { parseRules } from "../../../../src/domain/routing/rules/parse.ts";
import {
  ROUTER_ACTIONS,
  readRouterRules,
} from "../../../../src/domain/routing/rules/router-rules.ts";
import { escapeHtml } from "../../../../src/reference/html.ts";
import {
  NOTIFICATION_EXAMPLES,
  RECEIVERS,
  ROUTER_EXAMPLES,
} from "../../../../src/reference/rule-actions.ts";
import { CONDITION_EXAMPLES, type Subject } from "../../../../src/reference/rule-conditions.ts";
import { rulesPage } from "../../../../src/reference/rules-page.ts";
import { holds } from "./make.ts";

const NOON = Date.parse("2026-01-15T12:00:00Z");
const instantOf = ({ now }: Subject) => (now === undefined ? NOON : Date.parse(now));

describe("conditions", () => {
  test("every operator that the parser knows has an example", () => {
    const shown = CONDITION_EXAMPLES.flatMap(({ of }) => of);
    expect(CONDITION_WORDS.filter((word) => !shown.includes(word))).toEqual([]);
    expect(shown.filter((word) => !CONDITION_WORDS.includes(word))).toEqual([]);
  });

  test.each(CONDITION_EXAMPLES)("$match", ({ match, matches, misses, of }) => {
    const { root, faults } = parseRules(match);
    expect(faults).toEqual([]);
    const condition = root && plain(root);
    const matchesSubject = (subject: Subject) => {
      const { alert = {}, log = {} } = subject;
      return holds(condition, { alert, log }, instantOf(subject));
    };
    expect(matches.length).toBeGreaterThan(0);
    if (!of.includes("always")) expect(misses.length).toBeGreaterThan(0);
    expect(matches.filter((subject) => !matchesSubject(subject))).toEqual([]);
    expect(misses.filter(matchesSubject)).toEqual([]);
    for (const word of of) expect(match).toContain(word);
  });
});

describe("routers", () => {
  test("every action that the parser knows has an example", () => {
    expect([...new Set(ROUTER_EXAMPLES.map(({ of }) => of))].sort()).toEqual(
      [...ROUTER_ACTIONS].sort(),
    );
  });

  const ID = "01KG9P6JE0JKWNXGS8HQS5FF11";
  const receivers = new Map(
    Object.entries(RECEIVERS).map(([name, id]) => {
      const type = id.startsWith("tem_") ? ("team" as const) : ("account_user" as const);
      return [id as string, { type, id: name }];
    }),
  );

  test.each(ROUTER_EXAMPLES)("$of: $about", ({ of, rules, subject, expected }) => {
    expect(rules).toContain(`type: ${of}`);
    const read = readRouterRules(rules);
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    const router: Router = {
      id: ID,
      name: "Example",
      enabled: true,
      rules: read.rules,
      receivers,
      defaultReceiver: { type: "team", id: "the default receiver" },
    };
    const { title = "", description = null, urgency = "high", tags = [] } = subject.alert ?? {};
    const routed = routeAlert(
      new Map([[ID, router]]),
      [{ type: "router", id: ID }],
      {
        content: { title, description, urgency, tags, meta: {} } as RoutingSubject["content"],
        facts: {},
        log: subject.log ?? null,
        integration: { id: ID, prefix_id: "int_x", name: "Monitoring", type: "webhook" },
      },
      instantOf(subject),
    );
    const to = routed.deliveries.map(
      ({ receiver, delayMs }) =>
        receiver.id + (delayMs > 0 ? ` after ${formatDuration(delayMs)}` : ""),
    );
    expect(to).toEqual(expected.to);
    expect(routed.suppressed).toBe(expected.suppressed ?? false);
    const { meta, ...content } = routed.content;
    expect({ ...content, ...meta }).toMatchObject(expected.alert ?? {});
    const windows = routed.deliveries.map(({ aggregate }) => aggregate?.timeoutMs ?? null);
    const wanted = expected.aggregatedFor ? parseDuration(expected.aggregatedFor) : null;
    expect(windows.every((it) => it === wanted)).toBe(true);
  });
});

describe("notification rules", () => {
  test("every action that the parser knows has an example", () => {
    expect([...new Set(NOTIFICATION_EXAMPLES.map(({ of }) => of))].sort()).toEqual(
      [...NOTIFICATION_ACTIONS].sort(),
    );
  });

  const channels: readonly Channel[] = ["push", "email", "sms", "voice"];
  const person: NotificationRecipient = {
    accountUserId: "ada",
    name: "Ada",
    active: true,
    timeZone: "UTC",
    addresses: {
      push: ["phone"],
      email: ["ada@example.com", "ada@home.example"],
      sms: ["+14155550123"],
      voice: ["+14155550123"],
    },
    defaults: ["email"],
    repeatsCalls: true,
  };

  test.each(NOTIFICATION_EXAMPLES)("$of: $about", ({ of, rules, subject, event, expected }) => {
    expect(rules).toContain(`type: ${of}`);
    const read = readNotificationRules(rules);
    if (!read.ok) throw new Error(JSON.stringify(read.faults));
    const at = instantOf(subject);
    const plan = planNotification({
      page: { event: (event ?? "alert.open") as "alert.open", at, until: null },
      urgency: String(subject.alert?.urgency ?? "high"),
      view: { alert: subject.alert ?? {}, log: subject.log ?? {} },
      person,
      rule: { name: "Example", rules: read.rules },
      available: new Set(channels),
    });
    if (expected === null) {
      expect(plan.kind).toBe("ignored");
      return;
    }
    if (plan.kind !== "stages") throw new Error(JSON.stringify(plan));
    const stages = plan.stages
      .filter(({ kind }) => kind !== "reserve")
      .map((stage) => [(stage.at - at) / 60_000, ...stage.contacts.map(({ channel }) => channel)]);
    expect(stages).toEqual(expected);
  });
});

test("the page shows every example, its markup escaped", () => {
  const { body } = rulesPage();
  for (const { match } of CONDITION_EXAMPLES) expect(body).toContain(escapeHtml(match.trimEnd()));
  for (const { rules } of [...ROUTER_EXAMPLES, ...NOTIFICATION_EXAMPLES]) {
    expect(body).toContain(escapeHtml(rules.trimEnd()));
  }
});
