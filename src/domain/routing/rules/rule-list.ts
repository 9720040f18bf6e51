// Parses the common structure of router and notification rules: `rules: [{match, actions, …}]`,
// with limits. Reports all faults at once.
import { compileMatch } from "../conditions/condition.ts";
import type { Condition } from "../conditions/evaluation.ts";
import {
  allowKeys,
  entryOf,
  type Fault,
  fault,
  type Located,
  type LocatedMap,
  plain,
  shorten,
} from "../conditions/located.ts";
import { parseRules } from "./parse.ts";

const MAX_RULES = 200;
const MAX_ACTIONS = 20;

/** The common part of a rule. `source` is its condition as written, for the timeline. */
export type Rule<Action> = {
  readonly line: number;
  readonly match: Condition;
  readonly source: string;
  readonly actions: readonly Action[];
};

export type RuleResult<Rules> =
  | { readonly ok: true; readonly rules: Rules }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/** Reads one action of the given `type`; null if invalid. */
type ReadAction<Action> = (type: string, node: LocatedMap, faults: Fault[]) => Action | null;

/** What is specific to one kind of rules document. */
export type Dialect<Action, Extra> = {
  readonly actionTypes: readonly string[];
  readonly readAction: ReadAction<Action>;
  /** Additional keys of a rule, and their reader. */
  readonly extraKeys: readonly string[];
  readonly readExtra: (rule: LocatedMap, faults: Fault[]) => Extra;
  /** Validates the sequence of a rule's actions. */
  readonly checkActions: (actions: readonly LocatedAction<Action>[], faults: Fault[]) => void;
};

export type LocatedAction<Action> = { readonly action: Action; readonly node: LocatedMap };

/** The actions up to the first of these types, which ends the rule. */
export function reachedActions<Action extends { readonly type: string }>(
  actions: readonly LocatedAction<Action>[],
  endings: readonly Action["type"][],
): readonly LocatedAction<Action>[] {
  const end = actions.findIndex(({ action }) => endings.includes(action.type));
  return end < 0 ? actions : actions.slice(0, end + 1);
}

/**
 * Rejects an action that never runs.
 *
 * @param effect what the action before it does, for the message
 */
export function checkReached<Action extends { readonly type: string }>(
  actions: readonly LocatedAction<Action>[],
  endings: readonly Action["type"][],
  effect: string,
  faults: Fault[],
): void {
  const reached = reachedActions(actions, endings);
  const [ending, next] = [reached.at(-1), actions[reached.length]];
  if (ending === undefined || next === undefined) return;
  fault(faults, next.node, `never runs: ${ending.action.type} before it ${effect}`);
}

/** Parses the rules of a document; an empty text has none. */
export function readRuleList<Action, Extra>(
  text: string,
  dialect: Dialect<Action, Extra>,
): RuleResult<readonly (Rule<Action> & Extra)[]> {
  const { root, faults: found } = parseRules(text);
  if (found.length > 0) return { ok: false, faults: found };
  const faults: Fault[] = [];
  const rules = rulesOf(root, faults).map((node) => readRule(node, dialect, faults));
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, rules: rules.filter((rule) => rule !== null) };
}

function rulesOf(root: Located | null, faults: Fault[]): readonly Located[] {
  if (root === null || (root.kind === "scalar" && root.value === null)) return [];
  const rules = root.kind === "map" ? entryOf(root, "rules")?.value : undefined;
  if (root.kind !== "map" || rules === undefined) {
    fault(faults, root, "the document must be a map with the key rules");
    return [];
  }
  allowKeys(root, ["rules"], faults);
  if (rules.kind === "scalar" && rules.value === null) return [];
  if (rules.kind !== "list") {
    fault(faults, rules, "rules must be a list");
    return [];
  }
  if (rules.items.length > MAX_RULES) {
    fault(faults, rules, `has more than ${MAX_RULES} rules`);
    return [];
  }
  return rules.items;
}

function readRule<Action, Extra>(
  node: Located,
  dialect: Dialect<Action, Extra>,
  faults: Fault[],
): (Rule<Action> & Extra) | null {
  if (node.kind !== "map") {
    fault(faults, node, "a rule must be a map with match and actions");
    return null;
  }
  allowKeys(node, ["match", "actions", ...dialect.extraKeys], faults);
  const matchNode = entryOf(node, "match")?.value;
  if (!matchNode) fault(faults, node, "a rule needs match");
  const match = matchNode ? compileMatch(matchNode, faults) : null;
  const located = actionNodes(node, faults).map((action) => readAction(action, dialect, faults));
  const actions = located.filter((action) => action !== null);
  dialect.checkActions(actions, faults);
  const extra = dialect.readExtra(node, faults);
  if (match === null || !matchNode) return null;
  return {
    line: node.line,
    match,
    source: shorten(JSON.stringify(plain(matchNode))),
    actions: actions.map(({ action }) => action),
    ...extra,
  };
}

function actionNodes(rule: LocatedMap, faults: Fault[]): readonly Located[] {
  const actions = entryOf(rule, "actions")?.value;
  if (actions?.kind !== "list" || actions.items.length === 0) {
    fault(faults, actions ?? rule, "a rule needs actions: a list of at least one");
    return [];
  }
  if (actions.items.length > MAX_ACTIONS) {
    fault(faults, actions, `has more than ${MAX_ACTIONS} actions`);
    return [];
  }
  return actions.items;
}

function readAction<Action, Extra>(
  node: Located,
  dialect: Dialect<Action, Extra>,
  faults: Fault[],
): LocatedAction<Action> | null {
  const typeNode = node.kind === "map" ? entryOf(node, "type")?.value : undefined;
  const type = typeNode && plain(typeNode);
  if (node.kind !== "map" || typeof type !== "string" || !dialect.actionTypes.includes(type)) {
    const known = dialect.actionTypes.join(", ");
    fault(faults, typeNode ?? node, `an action needs a type, one of ${known}`);
    return null;
  }
  const action = dialect.readAction(type, node, faults);
  return action && { action, node };
}
