// Reads a rule's `match` as a list of conditions and writes such a list back. What is nested
// deeper, and operators without a form, are not read: the rule then stays text.
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { equal } from "../conditions/values.ts";
import {
  type ConditionModel,
  type FieldCondition,
  type Join,
  LIST_OPERATORS,
  type Scalar,
  SINGLE_OPERATORS,
  type TextOperator,
} from "./model.ts";

/** A condition with its own part of the document. */
type Piece = { readonly condition: ConditionModel; readonly written: JsonObject };

export type ReadMatch = {
  readonly join: Join;
  readonly pieces: readonly Piece[];
  /** Whether the conditions are items of `$and`. */
  readonly isList: boolean;
};

/** Whether a value is a text, a number, a boolean or null. */
export const isScalarValue = (value: unknown): value is Scalar =>
  value === null || ["string", "number", "boolean"].includes(typeof value);

const isScalarList = (value: unknown): value is readonly Scalar[] =>
  Array.isArray(value) && value.every(isScalarValue);

/** The conditions of a `match`; null if it cannot be shown as one list. */
export function readMatch(match: unknown): ReadMatch | null {
  if (!isJsonObject(match)) return null;
  const keys = Object.keys(match);
  const [only] = keys;
  if (keys.length === 1 && (only === "$or" || only === "$and")) {
    const items = match[only];
    if (!Array.isArray(items) || items.length === 0) return null;
    const pieces = items.map((item) => (isJsonObject(item) ? piecesOf(item) : null));
    if (!pieces.every((it) => it?.length === 1)) return null;
    const all = pieces.flatMap((it) => it ?? []);
    return { join: only === "$or" ? "any" : "all", pieces: all, isList: only === "$and" };
  }
  const pieces = piecesOf(match);
  return pieces && pieces.length > 0 ? { join: "all", pieces, isList: false } : null;
}

/** The conditions of a map, all of which must match. */
function piecesOf(match: JsonObject): readonly Piece[] | null {
  const pieces = Object.entries(match).map(([key, value]) => entryPieces(key, value));
  return pieces.every((it) => it !== null) ? pieces.flat() : null;
}

function entryPieces(key: string, value: unknown): readonly Piece[] | null {
  const one = (condition: ConditionModel | null): readonly Piece[] | null =>
    condition && [{ condition, written: { [key]: value } }];
  if (key === "always") return one(typeof value === "boolean" ? { kind: "always", value } : null);
  if (key === "$timeBetween") return one(timeCondition(value, "between"));
  if (key === "$day") return one(dayCondition(value));
  if (key === "$not") {
    const isTime = isJsonObject(value) && Object.keys(value).join() === "$timeBetween";
    return isTime ? one(timeCondition(value.$timeBetween, "outside")) : null;
  }
  if (!/^(alert|log)\../.test(key)) return null;
  if (isScalarValue(value)) return one({ kind: "field", field: key, operator: "is", value });
  if (!isJsonObject(value)) return null;
  const pieces = operatorParts(value).map((part): Piece | null => {
    const condition = fieldCondition(key, part);
    return condition && { condition, written: { [key]: part } };
  });
  return pieces.length > 0 && pieces.every((it) => it !== null) ? pieces : null;
}

/** The operators of a field one by one; `$options` stays with `$regex`. */
function operatorParts(operators: JsonObject): readonly JsonObject[] {
  return Object.entries(operators).flatMap(([name, operand]) => {
    if (name === "$options" && Object.hasOwn(operators, "$regex")) return [];
    const hasOptions = name === "$regex" && Object.hasOwn(operators, "$options");
    return [{ [name]: operand, ...(hasOptions && { $options: operators.$options }) }];
  });
}

const nameOf = <Name extends string>(words: Readonly<Record<Name, string>>, word: string) =>
  (Object.keys(words) as Name[]).find((name) => words[name] === word);

function fieldCondition(field: string, part: JsonObject): FieldCondition | null {
  const [word = "", operand] = Object.entries(part)[0] ?? [];
  const kind = "field";
  const single = nameOf(SINGLE_OPERATORS, word);
  if (single)
    return isScalarValue(operand) ? { kind, field, operator: single, value: operand } : null;
  const list = nameOf(LIST_OPERATORS, word);
  if (list) return isScalarList(operand) ? { kind, field, operator: list, value: operand } : null;
  if (word === "$exists" && typeof operand === "boolean")
    return { kind, field, operator: operand ? "exists" : "missing", value: null };
  const isNegated = word === "$not" && isJsonObject(operand);
  const text = readPattern(isNegated ? operand : part);
  if (text === null) return null;
  const operator = (isNegated ? `not_${text.operator}` : text.operator) as TextOperator;
  return { kind, field, operator, value: text.value };
}

/** `$regex` and `$options`, and nothing else. */
function readPattern(part: JsonObject) {
  const { $regex: source, $options: options = "", ...others } = part;
  if (typeof source !== "string" || Object.keys(others).length > 0) return null;
  if (options !== "" && options !== "i") return null;
  const literal = source.replace(/\\([\\^$.*+?()[\]{}|])/g, "$1");
  const isLiteral = escapePattern(literal) === source;
  const operator = `${isLiteral ? "contains" : "matches"}${options === "i" ? "_any_case" : ""}`;
  return { operator, value: isLiteral ? literal : source };
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const zoneOf = ({ timezone }: JsonObject): string | null | undefined =>
  timezone === undefined ? null : typeof timezone === "string" ? timezone : undefined;

function timeCondition(value: unknown, operator: "between" | "outside"): ConditionModel | null {
  if (!isJsonObject(value)) return null;
  const { starttime: start, endtime: end } = value;
  const timeZone = zoneOf(value);
  const known = ["starttime", "endtime", "timezone", "timeformat"];
  if (typeof start !== "string" || typeof end !== "string" || timeZone === undefined) return null;
  if (Object.keys(value).some((key) => !known.includes(key))) return null;
  return { kind: "time", operator, start, end, timeZone };
}

const DAY_OPERATORS = { one_of: "$in", none_of: "$nin" } as const;

function dayCondition(value: unknown): ConditionModel | null {
  if (!isJsonObject(value)) return null;
  const { timezone: _, ...operators } = value;
  const timeZone = zoneOf(value);
  const [word = "", operand] = Object.entries(operators)[0] ?? [];
  if (Object.keys(operators).length !== 1 || timeZone === undefined) return null;
  const isSingle = word === "$eq" || word === "$ne";
  const operator = isSingle ? (word === "$eq" ? "one_of" : "none_of") : nameOf(DAY_OPERATORS, word);
  const days: unknown = isSingle ? [operand] : operand;
  const isDays =
    Array.isArray(days) && days.every((it) => Number.isInteger(it) && it >= 1 && it <= 7);
  return operator && isDays ? { kind: "day", operator, days, timeZone } : null;
}

// ── Writing ──

const withZone = (timeZone: string | null) => (timeZone === null ? {} : { timezone: timeZone });

/** The shortest form of a condition. */
function writeCondition(condition: ConditionModel): JsonObject {
  switch (condition.kind) {
    case "always":
      return { always: condition.value };
    case "time": {
      const { start, end, timeZone } = condition;
      const time = { $timeBetween: { ...withZone(timeZone), starttime: start, endtime: end } };
      return condition.operator === "between" ? time : { $not: time };
    }
    case "day": {
      const { operator, days, timeZone } = condition;
      return { $day: { ...withZone(timeZone), [DAY_OPERATORS[operator]]: days } };
    }
    case "field":
      return { [condition.field]: writeField(condition) };
  }
}

function writeField({ operator, value }: FieldCondition): unknown {
  switch (operator) {
    case "is":
      return value;
    case "is_not":
    case "more_than":
    case "at_least":
    case "less_than":
    case "at_most":
      return { [SINGLE_OPERATORS[operator]]: value };
    case "one_of":
    case "none_of":
    case "has_all":
      return { [LIST_OPERATORS[operator]]: value };
    case "exists":
    case "missing":
      return { $exists: operator === "exists" };
    default: {
      const source = operator.includes("contains") ? escapePattern(value) : value;
      const pattern = { $regex: source, ...(operator.endsWith("_any_case") && { $options: "i" }) };
      return operator.startsWith("not_") ? { $not: pattern } : pattern;
    }
  }
}

/**
 * The `match` of conditions.
 *
 * @param before as it was: what did not change is written as before
 */
export function writeMatch(
  join: Join,
  conditions: readonly ConditionModel[],
  before: ReadMatch | null,
): JsonObject {
  const left = [...(before?.pieces ?? [])];
  const written = conditions.map((condition) => {
    const at = left.findIndex((piece) => equal(piece.condition, condition));
    const [same] = at < 0 ? [] : left.splice(at, 1);
    return same?.written ?? writeCondition(condition);
  });
  if (written.length === 0) return { always: true };
  if (join === "any") return { $or: written };
  const together = before?.join === "all" && before.isList ? null : mergeAll(written);
  return together ?? { $and: written };
}

/** One map of all conditions; null if two need the same place. */
function mergeAll(written: readonly JsonObject[]): JsonObject | null {
  const merged = new Map<string, unknown>();
  for (const [key, value] of written.flatMap((it) => Object.entries(it))) {
    const other = merged.get(key);
    if (!merged.has(key)) merged.set(key, value);
    else if (key.startsWith("$") || !isJsonObject(other) || !isJsonObject(value)) return null;
    else if (Object.keys(value).some((name) => Object.hasOwn(other, name))) return null;
    else merged.set(key, { ...other, ...value });
  }
  return Object.fromEntries(merged);
}
