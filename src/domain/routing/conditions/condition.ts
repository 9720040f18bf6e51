// Compiles conditions: MongoDB-style queries over an alert, the request that created it, and the
// time. An unlisted operator (notably `$where`) is a fault; user input is never executed as code.
import { COMPARISONS, compileEquality, type FieldTest } from "./comparisons.ts";
import type { Condition } from "./evaluation.ts";
import {
  type Fault,
  fault,
  type Located,
  type LocatedMap,
  type MapEntry,
  plain,
  shorten,
} from "./located.ts";
import { compileDay, compileNow, compileTimeBetween } from "./time-conditions.ts";
import { lookUp, partsOf } from "./values.ts";

const MAX_PARTS = 32;

/** A rule's top level, or below `$elemMatch`, where paths start at the element. */
type Position = "rule" | "element";

/** Compiles the condition of a rule; null if invalid. Paths start with `alert.` or `log.`. */
export function compileMatch(node: Located, faults: Fault[]): Condition | null {
  return compileDocument(node, faults, "rule");
}

function compileDocument(node: Located, faults: Fault[], position: Position): Condition | null {
  if (node.kind !== "map") {
    fault(faults, node, "must be a map of conditions");
    return null;
  }
  if (node.entries.length === 0) {
    fault(faults, node, "is empty; write `always: true` for a rule that always matches");
    return null;
  }
  return conjunction(node.entries.map((entry) => compileEntry(entry, faults, position)));
}

/** The conjunction of conditions; null if one is invalid. */
function conjunction(conditions: readonly (Condition | null)[]): Condition | null {
  const all = conditions.filter((condition) => condition !== null);
  if (all.length < conditions.length) return null;
  return (evaluation) => all.every((condition) => condition(evaluation));
}

function compileEntry(entry: MapEntry, faults: Fault[], position: Position): Condition | null {
  const { key, place, value } = entry;
  if (key.startsWith("$")) return compileTopOperator(entry, faults, position);
  if (position === "rule" && key === "always") {
    const always = plain(value);
    if (typeof always === "boolean") return () => always;
    fault(faults, value, "must be true or false");
    return null;
  }
  const parts = pathOf(key, position);
  if (typeof parts === "string") {
    fault(faults, place, parts);
    return null;
  }
  const test = compileField(value, faults);
  return test && (({ view, work }) => test(lookUp(view, parts, work), work));
}

/** The parts of a condition's path, or an error message. Header names are lowercased. */
function pathOf(key: string, position: Position): readonly string[] | string {
  const parts = partsOf(key);
  if (parts.length > MAX_PARTS) return `has more than ${MAX_PARTS} parts`;
  if (parts.includes("")) return "has an empty part";
  if (position === "element") return parts;
  const [root, second] = parts;
  if (root !== "alert" && root !== "log")
    return `${shorten(key)} is no path: begin with alert. or log., or write always`;
  if (second === undefined) return `name what of the ${root} is meant, as in ${root}.title`;
  if (root === "log" && second === "headers") return parts.map((part) => part.toLowerCase());
  return parts;
}

function compileTopOperator(
  entry: MapEntry,
  faults: Fault[],
  position: Position,
): Condition | null {
  const { key, place, value } = entry;
  switch (key) {
    case "$and":
    case "$or":
    case "$nor": {
      const items = listOf(value, faults);
      const conditions = items.map((item) => compileDocument(item, faults, position));
      const all = conditions.filter((condition) => condition !== null);
      if (items.length === 0 || all.length < items.length) return null;
      return combine(key, all);
    }
    case "$not": {
      const condition = compileDocument(value, faults, position);
      return condition && ((evaluation) => !condition(evaluation));
    }
  }
  if (position === "rule") {
    if (key === "$timeBetween") return compileTimeBetween(value, faults);
    if (key === "$day") return compileDay(value, faults, compileOperators);
    if (key === "$now") return compileNow(value, faults, compileOperators);
  }
  const known = COMPARISONS.has(key) || key === "$elemMatch";
  const message = known
    ? `${key} compares a field: write it below one, as in alert.title`
    : `unknown operator ${shorten(key)}`;
  fault(faults, place, message);
  return null;
}

function combine<Argument>(
  operator: "$and" | "$or" | "$nor",
  all: readonly ((argument: Argument) => boolean)[],
): (argument: Argument) => boolean {
  switch (operator) {
    case "$and":
      return (argument) => all.every((one) => one(argument));
    case "$or":
      return (argument) => all.some((one) => one(argument));
    case "$nor":
      return (argument) => !all.some((one) => one(argument));
  }
}

function listOf(node: Located, faults: Fault[]): readonly Located[] {
  if (node.kind === "list" && node.items.length > 0) return node.items;
  fault(faults, node, "must be a list of at least one condition");
  return [];
}

/** Compiles the value of a path: operators, or a literal to equal. */
function compileField(node: Located, faults: Fault[]): FieldTest | null {
  if (node.kind !== "map") return compileEquality(node, faults);
  if (node.entries.some(({ key }) => key.startsWith("$"))) return compileOperators(node, faults);
  const unprefixed = node.entries.find(({ key }) => isOperator(`$${key}`));
  if (unprefixed) {
    fault(faults, unprefixed.place, `write $${unprefixed.key} for the operator`);
    return null;
  }
  return compileEquality(node, faults);
}

const FIELD_OPERATORS = ["$and", "$or", "$nor", "$not", "$elemMatch"];
const TIME_OPERATORS = ["$timeBetween", "$day", "$now"];
/** All keywords of conditions; the rule reference has an example of each. */
export const CONDITION_WORDS: readonly string[] = [
  "always",
  ...COMPARISONS.keys(),
  ...FIELD_OPERATORS,
  ...TIME_OPERATORS,
];
const isOperator = (name: string) => COMPARISONS.has(name) || FIELD_OPERATORS.includes(name);

/** Compiles a map of operators on one field, all of which must match. */
function compileOperators(node: LocatedMap, faults: Fault[]): FieldTest | null {
  const tests = node.entries.map((entry) => compileOperator(entry, node, faults));
  const all = tests.filter((test) => test !== null);
  if (all.length < tests.length) return null;
  return (found, work) => all.every((test) => test(found, work));
}

function compileOperator(entry: MapEntry, beside: LocatedMap, faults: Fault[]): FieldTest | null {
  const { key, place, value } = entry;
  const comparison = COMPARISONS.get(key);
  if (comparison) return comparison(value, faults, beside);
  switch (key) {
    case "$and":
    case "$or":
    case "$nor": {
      const items = listOf(value, faults);
      const tests = items.map((item) => compileField(item, faults));
      const all = tests.filter((test) => test !== null);
      if (items.length === 0 || all.length < items.length) return null;
      return (found, work) =>
        combine(
          key,
          all.map((test) => () => test(found, work)),
        )(null);
    }
    case "$not": {
      const test = compileField(value, faults);
      return test && ((found, work) => !test(found, work));
    }
    case "$elemMatch":
      return compileElemMatch(value, faults);
  }
  fault(faults, place, `unknown operator ${shorten(key)}`);
  return null;
}

/** Compiles `$elemMatch`: one list element must match the whole condition. */
function compileElemMatch(node: Located, faults: Fault[]): FieldTest | null {
  const test =
    node.kind === "map" && appliesToElement(node)
      ? compileOperators(node, faults)
      : applyToElement(compileDocument(node, faults, "element"));
  return (
    test &&
    ((found, work) =>
      found.some((list) => Array.isArray(list) && list.some((element) => test([element], work))))
  );
}

/** Whether a map's operators apply to the element itself rather than to its fields. */
function appliesToElement(node: Located): boolean {
  if (node.kind === "scalar") return true;
  if (node.kind === "list") return node.items.some(appliesToElement);
  return node.entries.some(
    ({ key, value }) =>
      COMPARISONS.has(key) || key === "$elemMatch" || (isOperator(key) && appliesToElement(value)),
  );
}

/** Applies a condition to an element. `now` is unused: time conditions are for the top level. */
function applyToElement(condition: Condition | null): FieldTest | null {
  return condition && (([view], work) => condition({ view, now: 0, work }));
}
