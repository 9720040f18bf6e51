// Templates render only the data that they name: no methods and no code, with bounded output.
import { describe, expect, test } from "vitest";
import {
  newWorkBudget,
  withinWorkBudget,
} from "../../../../src/domain/routing/conditions/work-budget.ts";
import { compileTemplate, MAX_OUTPUT } from "../../../../src/domain/routing/rules/template.ts";

const view = {
  alert: {
    title: "Disk <full>",
    tags: ["db", "eu"],
    incident: true,
    empty: [],
    zero: 0,
    none: null,
  },
  log: {
    data: {
      items: [
        { name: "a", up: true },
        { name: "b", up: false },
      ],
      "a.b": 1,
    },
  },
};

function render(source: string, of: unknown = view): string {
  const result = compileTemplate(source);
  if (!result.ok) throw new Error(result.message);
  return result.template(of, newWorkBudget());
}

describe("a template", () => {
  test.each([
    ["", ""],
    ["plain } text { here", "plain } text { here"],
    ["[{{alert.title}}]", "[Disk <full>]"],
    ["{{{alert.title}}} {{& alert.title }}", "Disk <full> Disk <full>"],
    ["{{alert.tags}}", "db, eu"],
    ["{{alert.tags.0}} {{alert.tags.[1]}}", "db eu"],
    ["{{alert.none}}{{alert.absent.deep}}{{alert}}", ""],
    ["{{log.data.a.b}} {{alert.zero}}", "1 0"],
    ["{{#if alert.incident}}yes{{else}}no{{/if}}", "yes"],
    ["{{#if alert.zero}}yes{{else}}no{{/if}}", "no"],
    ["{{#unless alert.empty}}none{{/unless}}", "none"],
    ["{{#each alert.tags}}<{{this}}>{{/each}}", "<db><eu>"],
    ["{{#each alert.empty}}x{{else}}none{{/each}}", "none"],
    ["{{#each log.data.items}}{{name}}{{#if up}}+{{/if}} {{/each}}", "a+ b "],
    ["{{#log.data.items}}{{this.name}}{{/log.data.items}}", "ab"],
    ["{{#alert}}{{title}}{{/alert}}", "Disk <full>"],
    ["{{^alert.empty}}empty{{/alert.empty}}", "empty"],
    ["a{{! a comment }}b{{!-- with }} in it --}}c", "abc"],
    ["{{log.data.items.name}}", "a, b"],
  ])("%s renders %j", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test.each([
    ["{{alert.title", "is not closed"],
    ["{{#if alert.title}}", "{{#if}} is not closed"],
    ["{{/if}}", "closes nothing"],
    ["{{#if a}}{{/each}}", "closes nothing"],
    ["{{else}}", "stands in no section"],
    ["{{> partial}}", "is not supported"],
    ["{{lookup alert 'title'}}", "is not supported"],
    ["{{#with alert}}{{/with}}", "is not supported"],
    ["{{../title}}", "is not supported"],
    ["{{@index}}", "is not supported"],
    ["{{}}", "is not supported"],
    ["{{#a}}".repeat(20), "nest too deeply"],
  ])("%s: %s", (source, message) => {
    const result = compileTemplate(source);
    expect(result.ok ? "" : result.message).toContain(message);
  });

  test("accesses nothing but the data", () => {
    for (const path of [
      "constructor",
      "alert.constructor",
      "alert.title.padEnd",
      "alert.tags.concat",
    ]) {
      expect(render(`{{${path}}}`)).toBe("");
      expect(render(`{{#${path}}}900000000{{/${path}}}`)).toBe("");
    }
    expect(render("{{alert.__proto__}}")).toBe("");
  });

  test("has bounded output and work in nested loops", () => {
    const many = { x: Array.from({ length: 1000 }, () => "x".repeat(100)) };
    expect(
      render("{{#each x}}{{#each x}}{{this}}{{/each}}{{/each}}", many).length,
    ).toBeLessThanOrEqual(MAX_OUTPUT);
    const result = compileTemplate("{{#each x}}{{#each x}}{{#each x}}{{/each}}{{/each}}{{/each}}");
    if (!result.ok) throw new Error(result.message);
    const work = newWorkBudget();
    expect(withinWorkBudget(work, () => result.template(many, work))).toBeNull();
  });
});
