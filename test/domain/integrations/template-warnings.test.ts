// Warnings of template tags that are always empty, and none of tags that may have a value.
import { describe, expect, test } from "vitest";
import { EVENT_NAMES, findEmptyTags } from "../../../src/domain/integrations/template-warnings.ts";
import { routerWarnings } from "../../../src/domain/routing/rules/router-warnings.ts";

describe("an integration's template", () => {
  test.each([
    "{{title}}: {{data.host.name}} {{integration.name}} {{integration.type}}",
    "{{#tags}}[{{.}}]{{/tags}} {{{meta.region}}} {{&params.host}} {{! a note }}",
    "{{#data.alerts}}{{labels.host}}{{/data.alerts}}",
    "{{^description}}none{{/description}}",
  ])("%s has no tag that is always empty", (template) => {
    expect(findEmptyTags(template, EVENT_NAMES)).toEqual([]);
  });

  test.each([
    ["{{titel}} {{title}}", ["{{titel}}"]],
    ["{{integration.nme}} {{integration.name}}", ["{{integration.nme}}"]],
    ["{{alert.title}}", ["{{alert.title}}"]],
    ["{{title.short}}", ["{{title.short}}"]],
    [
      "{{constructor}} {{toString}} {{__proto__}}",
      ["{{constructor}}", "{{toString}}", "{{__proto__}}"],
    ],
    ["{{#hosts}}{{name}}{{/hosts}} {{name}}", ["{{hosts}}", "{{name}}"]],
  ])("%s has the always empty tags %j", (template, expected) => {
    expect(findEmptyTags(template, EVENT_NAMES)).toEqual(expected);
  });
});

// A parser that is not linear takes minutes for these, and the test times out.
test.each(["{{", "{{{", "{{ ", " ", "{{#if ", "{{#a}}", "}}", "{{a "])(
  "parses a template that repeats %j in linear time",
  (part) => {
    expect(findEmptyTags(`{{${part.repeat(50_000)}`, EVENT_NAMES).length).toBeLessThan(3);
  },
);

describe("a router's document", () => {
  const document = (action: object) =>
    JSON.stringify({ rules: [{ match: { always: true }, actions: [action] }] });
  const setval = (title: string, more: object = { handlebars: true }) =>
    document({ type: "setval", map: { title, tags: ["{{log.data.host}}"] }, ...more });

  test("has no warnings if no tag is always empty", () => {
    const title =
      "{{alert.title}} {{integration.name}} {{#if log.data.host}}{{log.data.host}}{{/if}}" +
      "{{#each alert.tags}}{{this}}{{name}}{{/each}}";
    expect(routerWarnings(setval(title))).toEqual([]);
    expect(routerWarnings("rules: []")).toEqual([]);
    expect(routerWarnings("rules: [{{")).toEqual([]);
  });

  test("has a warning that names the always empty tags, also those of a condition", () => {
    expect(routerWarnings(setval("{{title}} {{#if alert.titel}}x{{/if}}"))).toEqual([
      expect.stringContaining("{{title}}, {{alert.titel}} are always empty"),
    ]);
    const incident = document({ type: "incident", message: "{{alrt.title}}", handlebars: true });
    expect(routerWarnings(incident)).toEqual([expect.stringContaining("{{alrt.title}} is always")]);
  });

  test("has a warning if its templates are not enabled", () => {
    expect(routerWarnings(setval("{{alert.title}}", {}))).toEqual([
      expect.stringContaining("write handlebars: true"),
    ]);
  });
});
