// Every invariant and every alert rule has its page of the runbook, and every page has one of them, or is of a situation
// that nothing measures.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { INVARIANT_NAMES } from "../../../src/domain/operations/invariants.ts";
import { root } from "../../support/source/source-files.ts";

const FOLDER = join(root, "src/reference/runbook");

/** What no invariant and no rule finds. */
const SITUATIONS = [
  "bad-deployment",
  "cloudflare-down",
  "flood",
  "last-admin-left",
  "provider-key-expired",
  "restore",
];

/** In this order, each once. */
const PARTS = ["How it looks.", "What is safe.", "What to do.", "It is over"];

type Rules = {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly annotations: { readonly runbook_url?: string };
    }[];
  }[];
};

const text = (path: string) => readFileSync(path, "utf8");
const pages = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ""));
const rules = (parse(text(join(root, "src/setup/monitoring/alerts.yml"))) as Rules).groups.flatMap(
  (group) => group.rules,
);

const PATH = /^https:\/\/pager\.example\.com\/docs\/runbook\/(.+)$/;

/** The names of a rule's pages: of each invariant where its label names one. */
function pagesOf({ annotations }: (typeof rules)[number]): readonly string[] {
  const [, name = "none"] = PATH.exec(annotations.runbook_url ?? "") ?? [];
  return name === "{{ $labels.invariant }}" ? INVARIANT_NAMES : [name];
}

test("every invariant has its page", () => {
  expect(INVARIANT_NAMES.filter((name) => !pages.includes(name))).toEqual([]);
});

test.each(rules)("the rule $alert leads to a page", (rule) => {
  expect(pagesOf(rule).filter((name) => !pages.includes(name))).toEqual([]);
});

test("every page has an invariant, a rule, or is of a known situation", () => {
  const known = new Set([...INVARIANT_NAMES, ...rules.flatMap(pagesOf), ...SITUATIONS]);
  expect(pages.filter((name) => !known.has(name))).toEqual([]);
  expect([...known].filter((name) => !pages.includes(name))).toEqual([]);
});

test.each(pages)("%s says how it looks, what is safe, what to do, and when it is over", (name) => {
  const page = text(join(FOLDER, `${name}.md`));
  expect([...page.matchAll(/^\*\*(.+?)\*\*/gm)].map(([, part]) => part)).toEqual(PARTS);
  // Something to do, in steps.
  expect(page).toMatch(/^1\. /m);
});
