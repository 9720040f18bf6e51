// The dashboard and the alert rules use metrics that exist, with labels that they have; every metric
// is on the dashboard, and described in the manual.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { INVARIANTS } from "../../../src/domain/operations/invariants.ts";
import { METRICS } from "../../../src/domain/shared/metrics/metrics.ts";
import { root } from "../../support/source/source-files.ts";

const read = (file: string) => readFileSync(join(root, file), "utf8");

type Rule = {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly description: string };
  readonly labels: { readonly severity: string };
};
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] };
type Panel = { readonly title: string; readonly targets: readonly { readonly expr: string }[] };

const rules = (parse(read("src/setup/monitoring/alerts.yml")) as Rules).groups.flatMap(
  (group) => group.rules,
);
const { panels } = JSON.parse(read("src/setup/monitoring/dashboard.json")) as {
  readonly panels: readonly Panel[];
};

/** The metrics of an expression, without what a histogram's series add. */
const metricsOf = (expression: string) =>
  [...expression.matchAll(/\btocsin_\w+/g)].map(([name]) =>
    name in METRICS ? name : name.replace(/_(?:bucket|sum|count)$/, ""),
  );

const LABELS = new Set(["le", "job", ...Object.values(METRICS).flatMap(({ labels }) => labels)]);

const expressions = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

test.each(expressions)("%s uses known metrics and labels", (_, expression) => {
  expect(metricsOf(expression).filter((name) => !(name in METRICS))).toEqual([]);
  const matched = [...expression.matchAll(/(\w+)\s*(?:=~|!=|=)\s*"/g)].map(([, label]) => label);
  const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((label) => label.trim()),
  );
  expect([...matched, ...grouped].filter((label) => !LABELS.has(label ?? ""))).toEqual([]);
});

test("every rule says what is wrong, and each has its own name", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { annotations, labels } of rules) {
    expect(annotations.summary).not.toBe("");
    expect(annotations.description).not.toBe("");
    expect(["critical", "warning", "info"]).toContain(labels.severity);
  }
});

describe("every metric", () => {
  const shown = new Set(
    panels.flatMap(({ targets }) => targets.flatMap((it) => metricsOf(it.expr))),
  );
  const manual = read("src/reference/manual/monitoring.md");

  test.each(Object.keys(METRICS))("%s is on the dashboard and in the manual", (name) => {
    expect(shown).toContain(name);
    expect(manual).toContain(`\`${name}\``);
  });

  test.each(Object.keys(INVARIANTS))("the invariant %s is in the manual", (name) => {
    expect(manual).toContain(`\`${name}\``);
  });
});
