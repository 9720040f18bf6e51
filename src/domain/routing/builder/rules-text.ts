// The builder between a form and the text of a rules document: reads the rules that a form can
// show, and applies one change of the form to the text. What the change does not concern stays as
// it is, character for character.
import { isJsonObject } from "../../shared/json.ts";
import { equal } from "../conditions/values.ts";
import { readActions } from "./actions.ts";
import { readMatch, writeMatch } from "./conditions.ts";
import type { BuilderDocument, BuilderRule, RulesChange, RulesKind, ShownRule } from "./model.ts";
import { addRule, moveRule, removeRule } from "./rule-list-text.ts";
import { isFlow, plainOf, type RulesSource, readSource, ruleRanges } from "./source.ts";
import { applyEdits, spliceNode } from "./splice.ts";
import { blockText, flowText } from "./written.ts";

/** The rules of a document as the builder shows them. Never throws. */
export function readBuilder(text: string, kind: RulesKind): BuilderDocument {
  const source = readSource(text);
  if (typeof source === "string") return { kind: "text", reason: source };
  const ranges = ruleRanges(source);
  const rules = (source.rules?.items ?? []).map((node, i): BuilderRule => {
    const [start, end] = ranges[i] ?? [0, 0];
    return readRule(plainOf(node), kind) ?? { kind: "text", text: text.slice(start, end) };
  });
  return { kind: "rules", rules };
}

/** Null if a form cannot show the rule. */
function readRule(rule: unknown, kind: RulesKind): ShownRule | null {
  if (!isJsonObject(rule)) return null;
  const { match, actions: listed, types: named, ...others } = rule;
  const read = readMatch(match);
  const actions = readActions(kind, listed);
  const types = Object.hasOwn(rule, "types") ? readTypes(named) : null;
  const isKnown = types === null || (kind === "notification_rule" && types !== undefined);
  if (!read || !actions || !isKnown || Object.keys(others).length > 0) return null;
  const conditions = read.pieces.map(({ condition }) => condition);
  return { kind: "shown", join: read.join, conditions, actions, types: types ?? null };
}

const readTypes = (types: unknown): readonly string[] | undefined => {
  const list = Array.isArray(types) ? types : [types];
  return list.every((it) => typeof it === "string") ? list : undefined;
};

/** The rule as a value; `before` is its value in the text, of which the unchanged parts stay. */
function writeRule(rule: ShownRule, before: unknown): Readonly<Record<string, unknown>> {
  const was = isJsonObject(before) ? before : {};
  const match = writeMatch(rule.join, rule.conditions, readMatch(was.match));
  const hasSameTypes = rule.types !== null && equal(readTypes(was.types) ?? null, rule.types);
  return {
    ...(rule.types && { types: hasSameTypes ? was.types : rule.types }),
    match,
    actions: rule.actions,
  };
}

/**
 * Applies a change to the text.
 *
 * @returns null if the document cannot be changed so; it is then edited as text
 */
export function applyChange(text: string, change: RulesChange): string | null {
  const source = readSource(text);
  if (typeof source === "string") return null;
  const before = (source.rules?.items ?? []).map(plainOf);
  const after = changedRules(before, change);
  if (after === null) return null;
  return attempts(source, change, after).find((it) => it !== null && has(it, after)) ?? null;
}

/** The rules as values after the change; null if a position is not in the list. */
function changedRules(before: readonly unknown[], change: RulesChange): readonly unknown[] | null {
  const isRule = (at: number) => at >= 0 && at < before.length;
  switch (change.kind) {
    case "edit":
      if (!isRule(change.at)) return null;
      return before.with(change.at, writeRule(change.rule, before[change.at]));
    case "add":
      if (change.at < 0 || change.at > before.length) return null;
      return before.toSpliced(change.at, 0, writeRule(change.rule, null));
    case "remove":
      return isRule(change.at) ? before.toSpliced(change.at, 1) : null;
    case "move": {
      if (!isRule(change.from) || !isRule(change.to)) return null;
      const rest = before.toSpliced(change.from, 1);
      return rest.toSpliced(change.to, 0, before[change.from]);
    }
  }
}

/** The texts that may be the result, the one closest to the present text first. */
function attempts(
  source: RulesSource,
  change: RulesChange,
  after: readonly unknown[],
): readonly (string | null)[] {
  switch (change.kind) {
    case "edit": {
      const node = source.rules?.items[change.at];
      const inFlow = isFlow(source.rules);
      const value = after[change.at];
      const edits = spliceNode(source, node, value, inFlow);
      return [applyEdits(source.text, edits), rewriteRule(source, change.at, value)];
    }
    case "add":
      return [addRule(source, change.at, after[change.at])];
    case "remove":
      return [removeRule(source, change.at)];
    case "move":
      return [moveRule(source, change.from, change.to)];
  }
}

/** Writes the whole rule anew. */
function rewriteRule(source: RulesSource, at: number, value: unknown): string | null {
  const { text, rules } = source;
  const [start, end] = ruleRanges(source)[at] ?? [0, 0];
  if (isFlow(rules)) return applyEdits(text, [{ start, end, text: flowText(value, source) }]);
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  const written = `- ${blockText(value, column + 2, source)}`;
  return applyEdits(text, [{ start, end, text: written }]);
}

/** Whether a text has exactly these rules. */
function has(text: string, rules: readonly unknown[]): boolean {
  const source = readSource(text);
  return typeof source !== "string" && equal(source.rules ? plainOf(source.rules) : [], rules);
}
