// An integration's templates (Mustache over the request, bounded), and the validation of its templates, expressions and
// severity map on save.
import { describe, expect, test } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { optionFaults } from "../../../src/products/common-options.ts";
import { webhook } from "../../../src/products/general/webhook.ts";
import type { CreateEvent } from "../../../src/products/integration-type.ts";
import { interpretRequest } from "../../../src/products/interpret.ts";
import { prometheus } from "../../../src/products/metrics/prometheus.ts";
import { createSearch, expressionFault } from "../../../src/products/reading/expression.ts";
import { inbound } from "../../support/worker/fixtures.ts";

const sent = {
  event_type: "create",
  Id: "a",
  Title: "Disk <full>",
  Tags: ["prod", "db"],
  host: { name: "db1" },
  list: Array.from({ length: 200 }, () => ["x".repeat(100)]),
};
const created = (options: Record<string, unknown>) =>
  interpretRequest(webhook, inbound(sent), options)[0] as CreateEvent;

describe("templates", () => {
  test("have the event and the request as data, and escape nothing", () => {
    const options = {
      title_template: "{{data.host.name}}: {{title}} ({{id}})",
      description_template: "{{#tags}}[{{.}}]{{/tags}} {{{data.Title}}}",
    };
    expect(created(options)).toMatchObject({
      title: "db1: Disk <full> (a)",
      description: "[prod][db] Disk <full>",
    });
  });

  test("have the name, type and ids of the integration as data", () => {
    const integration = {
      id: "01KG9P6JE0JKWNXGS8HQS5FF11",
      name: "Monitoring",
      integrationType: "webhook",
    };
    const title_template =
      "{{integration.name}} {{integration.type}} {{integration.id}} {{integration.prefix_id}}";
    const [event] = interpretRequest(webhook, inbound(sent), { title_template }, integration);
    const prefixId = prefixIdOf("integration", integration.id);
    expect(event).toMatchObject({ title: `Monitoring webhook ${integration.id} ${prefixId}` });
  });

  test.each([
    ["an empty result", "{{nothing}}"],
    ["whitespace", "   "],
    [
      "too much text",
      "{{#data.list}}{{#data.list}}{{#data.list}}{{.}}{{/data.list}}{{/data.list}}{{/data.list}}",
    ],
    ["a syntax error", "{{#data"],
  ])("leave the title unchanged on %s", (_what, title_template) => {
    expect(created({ title_template })).toMatchObject({ title: "Disk <full>" });
  });

  test.each([
    "{{constructor}}",
    "{{data.constructor.name}}",
    "{{#data.list.map}}x{{/data.list.map}}",
  ])("%s accesses no function", (description_template) => {
    expect(created({ description_template }).description).toBeNull();
  });
});

describe("options are validated on save", () => {
  const fields = (options: Record<string, unknown>) =>
    optionFaults(webhook, options).map(({ field }) => field);
  test("templates and severity maps", () => {
    const wrong = {
      title_template: "{{#a}}",
      description_template: "{{/a}}",
      severity_map: "warning",
    };
    expect(fields(wrong)).toEqual([
      "option_title_template",
      "option_description_template",
      "option_severity_map",
    ]);
    expect(fields({ title_template: "{{a}}", severity_map: "warning=low, 5=critical" })).toEqual(
      [],
    );
    expect(fields({ severity_map: "warning=loud" })).toEqual(["option_severity_map"]);
    expect(fields({ title_template: "x".repeat(16_385) })).toEqual(["option_title_template"]);
  });

  test("a severity map takes precedence over the known severities", () => {
    const labels = { alertname: "A", severity: "Warning" };
    const request = inbound({ status: "firing", groupKey: "g", commonLabels: labels });
    const urgencyOf = (options: Record<string, unknown>) =>
      interpretRequest(prometheus, request, options)[0];
    expect(urgencyOf({})).toMatchObject({ urgency: "medium" });
    expect(urgencyOf({ severity_map: "warning=critical" })).toMatchObject({ urgency: "critical" });
  });
});

describe("expressions", () => {
  const bodyOfAlert = "{host: a, zone: b, link: c, owner: d, team: e, room: f}";
  test.each([
    "a.b",
    "a[].b | [0]",
    "join(' ', [a, b])",
    "a || b",
    "items[?x > `3`].name",
    bodyOfAlert,
    "join(', ', items[?level == 'bad'].[name, value][])",
  ])("%s is accepted", (expression) => expect(expressionFault(expression)).toBeNull());
  test.each([
    ["a.[", "is not a JMESPath expression"],
    ["a".repeat(1_001), "is longer than"],
    ["[@,@,@][]|[@,@,@][]|[@,@,@][]|[@,@,@][]", "builds too much"],
    [`[${"@,".repeat(40)}@]`, "builds too much"],
    ["a[*].{a: @, b: @, c: @, d: @, e: @, f: @, g: @}[].[@, @, @, @, @, @]", "builds too much"],
    ["join(a, b)", "must not use join but with"],
    [`join('${"x".repeat(17)}', b)`, "must not use join but with"],
    [`merge(${"@,".repeat(8)}@)`, "must not use more than 8 arguments"],
    [Array.from({ length: 32 }, () => "a[?b]").join(" || "), "more than 30 steps"],
    [`${"[".repeat(300)}a${"]".repeat(300)}`, "brackets"],
    ["pad_left(a, `100000000`)", "must not use pad_left"],
    ["a[*].[$.a]", "must not use $"],
    ["let $x = a in $x", "must not use"],
  ])("%s is refused", (expression, why) => {
    expect(expressionFault(expression)).toContain(why);
  });
  test("that fail return null", () => {
    expect(createSearch({ a: 3 })("length(a)")).toBeNull();
    expect(createSearch({ a: { b: 7 } })("a.b")).toBe(7);
    expect(createSearch({ a: "x".repeat(300_000) })("a")).toBeNull();
  });
});
