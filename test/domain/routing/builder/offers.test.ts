// What the builder offers: templates that are valid rules, and the fields of recent events.

import { expect, test } from "vitest";
import { ruleTemplates } from "../../../../src/console/routing/builder-data.ts";
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

test("fields of events have a name and their latest values, up to a limit", () => {
  const headers = { "x-shop": "north", host: "example.com", "content-type": "application/json" };
  const body = {
    commonLabels: { team: "web" },
    alerts: [{ labels: { severity: "page", n: 3 } }, { labels: { severity: "warn" } }],
    check: { name: null },
  };
  const fields = eventFields([
    { body, headers },
    { body: { "a.b": true, groupLabels: { team: "db" }, commonAnnotations: { summary: "Full" } } },
    {},
  ]);
  expect(fields.map(({ label, examples, path }) => [label, examples, path])).toEqual([
    ["Annotation summary", ["Full"], "log.data.commonAnnotations.summary"],
    ["Field a › b", [true], "log.data.a.b"],
    ["Field check › name", [null], "log.data.check.name"],
    ["Header x-shop", ["north"], "log.headers.x-shop"],
    ["Label n", [3], "log.data.alerts.labels.n"],
    ["Label severity", ["page", "warn"], "log.data.alerts.labels.severity"],
    ["Label team (log.data.commonLabels.team)", ["web"], "log.data.commonLabels.team"],
    ["Label team (log.data.groupLabels.team)", ["db"], "log.data.groupLabels.team"],
  ]);
  const states = Array.from({ length: 9 }, (_, i) => ({ body: { state: `s${i}` } }));
  expect(eventFields(states)[0]?.examples).toEqual(["s0", "s1", "s2", "s3", "s4"]);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, "x".repeat(99)]));
  const most = eventFields([{ body: many }]);
  expect(most).toHaveLength(80);
  expect(most[0]?.examples).toEqual(["x".repeat(40)]);
  expect(eventFields([{ body: "text" }, { body: { $where: 1, "": 1, "a..b": 1 } }])).toEqual([]);
});
