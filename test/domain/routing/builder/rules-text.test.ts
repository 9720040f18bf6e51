// The builder's changes of a document's text: what a change does not concern stays character for
// character, and the rules evaluate as the form says.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConditionModel, ShownRule } from "../../../../src/domain/routing/builder/model.ts";
import { applyChange, readBuilder } from "../../../../src/domain/routing/builder/rules-text.ts";
import { readSource, ruleRanges } from "../../../../src/domain/routing/builder/source.ts";
import { newWorkBudget } from "../../../../src/domain/routing/conditions/work-budget.ts";
import { readRouterRules } from "../../../../src/domain/routing/rules/router-rules.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { action, condition, documentText } from "./documents.ts";
import { expects } from "./expected.ts";

/** A case parses its document several times. */
const RUNS = { numRuns: sized(50, 600) };

const TEAM = "tem_0000000000000A";

const rulesOf = (text: string) => {
  const document = readBuilder(text, "router");
  if (document.kind === "text") throw new Error(document.reason);
  return document.rules;
};

/** The text of each rule. */
const textsOf = (text: string) => {
  const source = readSource(text);
  if (typeof source === "string") throw new Error(source);
  return ruleRanges(source).map(([start, end]) => text.slice(start, end));
};

const toTeam = { type: "assign", receiver: TEAM } as const;
const shown = (
  conditions: readonly ConditionModel[],
  more: Partial<ShownRule> = {},
): ShownRule => ({
  ...{ kind: "shown", join: "all", conditions, actions: [toTeam], types: null },
  ...more,
});
const isCritical = {
  kind: "field",
  field: "alert.urgency",
  operator: "is",
  value: "critical",
} as const;

const shownRule = fc.record({
  kind: fc.constant("shown" as const),
  join: fc.constantFrom("all" as const, "any" as const),
  conditions: fc.array(condition, { minLength: 1, maxLength: 4 }),
  actions: fc.array(action, { minLength: 1, maxLength: 1 }),
  types: fc.constant(null),
});

const VIEWS = [
  {
    alert: { urgency: "critical", title: "crit a.b", tags: ["a", "1"] },
    log: { data: { n: 2, "a b": "x" } },
  },
  { alert: { urgency: "low", title: "CRIT [x]", tags: [] }, log: { data: { n: "b" } } },
  {
    alert: { urgency: null, title: "1+1", tags: ["critical", true] },
    log: { data: { n: 0, "a b": 1 } },
  },
  { alert: {}, log: {} },
];
/** A Monday and a Saturday. */
const TIMES = ["2031-03-03T09:00:00Z", "2031-03-08T23:30:00Z"].map(Date.parse);

describe("a document", () => {
  test("whose rules are written back unchanged has the same text", () => {
    fc.assert(
      fc.property(documentText, (text) => {
        for (const [at, rule] of rulesOf(text).entries()) {
          if (rule.kind === "shown")
            expect(applyChange(text, { kind: "edit", at, rule })).toBe(text);
        }
      }),
      RUNS,
    );
  });

  test("of which one rule changes has the others' text, and the rule as the form says", () => {
    fc.assert(
      fc.property(documentText, fc.nat(), shownRule, (text, n, rule) => {
        const before = textsOf(text);
        const at = n % before.length;
        const changed = applyChange(text, { kind: "edit", at, rule }) ?? "";
        expect(textsOf(changed).toSpliced(at, 1)).toEqual(before.toSpliced(at, 1));
        expect(rulesOf(changed)[at]).toEqual(
          rule.join === "any" ? rule : expect.objectContaining({ actions: rule.actions }),
        );
        const read = readRouterRules(changed);
        if (!read.ok) throw new Error(JSON.stringify(read.faults));
        for (const view of VIEWS) {
          for (const now of TIMES) {
            const matched = read.rules[at]?.match({ view, now, work: newWorkBudget() });
            expect([rule, view, matched]).toEqual([rule, view, expects(rule, view, now)]);
          }
        }
      }),
      RUNS,
    );
  });

  test("to which a rule is added, or of which one is moved or removed, has the others' text", () => {
    fc.assert(
      fc.property(documentText, fc.nat(), fc.nat(), shownRule, (text, n, m, rule) => {
        const before = textsOf(text);
        const at = n % (before.length + 1);
        const added = applyChange(text, { kind: "add", at, rule }) ?? "";
        expect(textsOf(added).toSpliced(at, 1)).toEqual(before);
        const [from, to] = [n % before.length, m % before.length];
        const moved = applyChange(text, { kind: "move", from, to }) ?? "";
        const [one = ""] = before.slice(from, from + 1);
        expect(textsOf(moved)).toEqual(before.toSpliced(from, 1).toSpliced(to, 0, one));
        const removed = applyChange(text, { kind: "remove", at: from }) ?? "";
        expect(textsOf(removed)).toEqual(before.toSpliced(from, 1));
      }),
      RUNS,
    );
  });

  test("with the house's style changes in the place of the change only", () => {
    const text = `# Ours
rules:
  # The pager
  - match: { alert.urgency: 'critical', "log.data.n": {$gt: 1} } # both
    actions:
      # First
      - { type: assign,   receiver: ${TEAM} } # the team

  - match:
      $or: [ { alert.a: 1 }, { $and: [ { alert.b: 1 } ] } ]
    actions: [ { type: ignore } ]
`;
    const [first, second] = rulesOf(text);
    expect(second?.kind).toBe("text");
    if (first?.kind !== "shown") throw new Error("not shown");
    const [urgency, more] = first.conditions as [ConditionModel, ConditionModel];
    const edit = (rule: Partial<ShownRule>) =>
      applyChange(text, { kind: "edit", at: 0, rule: { ...first, ...rule } });
    const low = { ...isCritical, value: "low" };
    expect(edit({ conditions: [low, more] })).toBe(text.replace("'critical'", "'low'"));
    expect(edit({ conditions: [urgency] })).toBe(text.replace(`, "log.data.n": {$gt: 1}`, ""));
    expect(edit({ actions: [{ ...toTeam, delay: "5m" }] })).toBe(
      text.replace(`${TEAM} }`, `${TEAM}, delay: 5m }`),
    );
    expect(edit({ actions: [{ type: "setval", map: { urgency: "low" } }, toTeam] })).toContain(
      `      - type: setval
        map:
          urgency: low
      - { type: assign,   receiver: ${TEAM} } # the team
`,
    );
    const moved = applyChange(text, { kind: "move", from: 0, to: 1 }) ?? "";
    expect(moved.indexOf("# The pager")).toBeGreaterThan(moved.indexOf("ignore"));
  });

  test("without rules gets its first one", () => {
    const rule = shown([isCritical]);
    for (const text of [
      "",
      "# Only a comment",
      "rules:\n",
      "rules: # none\n",
      "rules: []\n",
      '{"rules": []}',
      "---\n",
      "rules: null\n",
    ]) {
      const added = applyChange(text, { kind: "add", at: 0, rule });
      expect([text, added && rulesOf(added)]).toEqual([text, [rule]]);
      const kept = text.replace(/(\[\]|null)\W*$/, "");
      expect(added?.startsWith(kept)).toBe(true);
    }
  });

  test("that the builder cannot change safely is text", () => {
    for (const text of [
      "rules:\n  - &a { match: { always: true }, actions: [ { type: ignore } ] }\n  - *a\n",
      "rules: []\n---\nrules: []\n",
      "rules: !!seq []\n",
      "rules: {}\n",
      "- a\n",
      "rules: []\nother: 1\n",
      "rules: [",
      "rules: []\nrules: []\n",
      "~",
    ]) {
      expect([text, readBuilder(text, "router").kind]).toEqual([text, "text"]);
      expect(applyChange(text, { kind: "remove", at: 0 })).toBeNull();
    }
  });

  test("of a notification rule has its events, which a router's has not", () => {
    const text = `rules:
  - match: { always: true }
    types: alert.open
    actions: [ { type: notify, channels: [push], channel_options: { sms: secondary } }, { type: hold, until: "08:00" } ]
`;
    expect(readBuilder(text, "router")).toMatchObject({ rules: [{ kind: "text" }] });
    const read = readBuilder(text, "notification_rule");
    expect(read).toMatchObject({ rules: [{ kind: "shown", types: ["alert.open"] }] });
    const rule = read.kind === "rules" ? (read.rules[0] as ShownRule) : shown([]);
    const edit = (types: readonly string[] | null) =>
      applyChange(text, { kind: "edit", at: 0, rule: { ...rule, types } });
    expect(edit(["alert.open"])).toBe(text);
    expect(edit(["alert.open", "alert.resolved"])).toBe(
      text.replace("types: alert.open", "types: [ alert.open, alert.resolved ]"),
    );
    expect(edit(null)).toBe(text.replace("    types: alert.open\n", ""));
  });

  test("refuses positions that it has not", () => {
    const text = "rules: []";
    expect(applyChange(text, { kind: "remove", at: 0 })).toBeNull();
    expect(applyChange(text, { kind: "move", from: 0, to: 1 })).toBeNull();
    expect(applyChange(text, { kind: "add", at: 1, rule: shown([]) })).toBeNull();
  });
});
