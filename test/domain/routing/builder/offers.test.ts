// What the builder offers: templates that are valid rules, and the fields of recent events.
import { expect, test } from "vitest";
import { ruleTemplates } from "../../../../src/console/routing/rule-templates.ts";
import { eventFields } from "../../../../src/domain/routing/builder/event-fields.ts";
import { applyChange, readBuilder } from "../../../../src/domain/routing/builder/rules-text.ts";
import { readNotificationRules } from "../../../../src/domain/routing/rules/notification-rules.ts";
import { readRouterRules } from "../../../../src/domain/routing/rules/router-rules.ts";

const IDS = {
  receiver: "tem_0000000000000A",
  source: "01JJ5E6V7P8Q9R0STVWXYZ0123",
  timeZone: "Europe/Berlin",
};

test("every template is valid as it is, and shown as it was inserted", () => {
  const reads = { router: readRouterRules, notification_rule: readNotificationRules };
  for (const kind of ["router", "notification_rule"] as const) {
    const templates = ruleTemplates(kind, IDS);
    expect(templates.length).toBeGreaterThan(2);
    for (const { label, rules } of templates) {
      let text = "";
      for (const [at, rule] of rules.entries()) {
        text = applyChange(text, { kind: "add", at, rule }) ?? "";
      }
      expect([label, reads[kind](text)]).toMatchObject([label, { ok: true }]);
      expect(readBuilder(text, kind)).toEqual({ kind: "rules", rules });
    }
  }
  expect(ruleTemplates("router", { ...IDS, receiver: null, source: null })).toEqual([]);
});

test("fields of events have a path and an example, up to a limit", () => {
  const headers = { "x-shop": "north", host: "example.com", "content-type": "application/json" };
  const body = { alerts: [{ labels: { severity: "page", n: 3 } }, { labels: { team: null } }] };
  expect(eventFields([{ body, headers }, { body: { "a.b": true } }, {}])).toEqual([
    { path: "log.data.a.b", example: true },
    { path: "log.data.alerts.labels.n", example: 3 },
    { path: "log.data.alerts.labels.severity", example: "page" },
    { path: "log.data.alerts.labels.team", example: null },
    { path: "log.headers.x-shop", example: "north" },
  ]);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, "x".repeat(99)]));
  const fields = eventFields([{ body: many }]);
  expect(fields).toHaveLength(80);
  expect(fields[0]?.example).toHaveLength(40);
  expect(eventFields([{ body: "text" }, { body: { $where: 1, "": 1, "a..b": 1 } }])).toEqual([]);
});
