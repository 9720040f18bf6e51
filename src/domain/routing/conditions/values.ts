// Looks up JSON values by dotted paths, for conditions and templates. Only own properties are
// visible, so that no path reaches built-in objects.
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { spendWork, type WorkBudget } from "./work-budget.ts";

/** The values at a path; `undefined` where there is none. */
export type PathValues = readonly unknown[];

/** Splits a dotted path. */
export function partsOf(path: string): readonly string[] {
  return path.split(".");
}

/**
 * All values at a path. A list on the path is entered at every element, or at one by its index. A
 * key that contains dots (`labels.app.kubernetes.io/name`) is found as well.
 */
export function lookUp(document: unknown, parts: readonly string[], work: WorkBudget): PathValues {
  const found: unknown[] = [];
  walk(document, parts, 0, found, work);
  return found;
}

/** False if there is no work left. */
function walk(
  value: unknown,
  parts: readonly string[],
  depth: number,
  found: unknown[],
  work: WorkBudget,
): boolean {
  if (!spendWork(work, 1)) return false;
  const part = parts[depth];
  if (part === undefined) {
    found.push(value);
    return true;
  }
  if (Array.isArray(value)) {
    return /^\d{1,9}$/.test(part)
      ? walk(value[Number(part)], parts, depth + 1, found, work)
      : value.every((element) => walk(element, parts, depth, found, work));
  }
  if (isJsonObject(value)) return walkInto(value, parts, depth, found, work);
  found.push(undefined);
  return true;
}

function walkInto(
  value: JsonObject,
  parts: readonly string[],
  depth: number,
  found: unknown[],
  work: WorkBudget,
): boolean {
  let key = "";
  for (let end = depth; end < parts.length; end += 1) {
    key = end === depth ? (parts[end] ?? "") : `${key}.${parts[end]}`;
    if (Object.hasOwn(value, key)) {
      return walk(value[key], parts, end + 1, found, work);
    }
  }
  found.push(undefined);
  return true;
}

/** True if one of the values passes or, where a value is a list, one of its elements. */
export function anyOf(
  found: PathValues,
  passes: (value: unknown) => boolean,
  work: WorkBudget,
): boolean {
  for (const value of found) {
    if (Array.isArray(value)) {
      if (!spendWork(work, value.length)) return false;
      if (value.some(passes)) return true;
    }
    if (!spendWork(work, 1)) return false;
    if (passes(value)) return true;
  }
  return false;
}

/** Deep equality. Undefined and null are equal. */
export function equal(literal: unknown, value: unknown): boolean {
  if (literal === null || literal === undefined) return value === null || value === undefined;
  if (Array.isArray(literal)) {
    return (
      Array.isArray(value) &&
      literal.length === value.length &&
      literal.every((item, i) => equal(item, value[i]))
    );
  }
  if (isJsonObject(literal)) {
    if (!isJsonObject(value)) return false;
    const keys = Object.keys(literal);
    return (
      keys.length === Object.keys(value).length &&
      keys.every((key) => Object.hasOwn(value, key) && equal(literal[key], value[key]))
    );
  }
  return literal === value;
}

/** The type names of `$type`, each with its test. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  int: (value) => Number.isInteger(value),
  double: (value) => typeof value === "number" && !Number.isInteger(value),
  bool: (value) => typeof value === "boolean",
  boolean: (value) => typeof value === "boolean",
  object: isJsonObject,
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
};
export const TYPE_NAMES: readonly string[] = Object.keys(TYPES);

/** The test of a type name; null if unknown. */
export function typeTest(name: string): ((value: unknown) => boolean) | null {
  return Object.hasOwn(TYPES, name) ? (TYPES[name] ?? null) : null;
}
