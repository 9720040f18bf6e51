// Reading loosely typed payloads: a text, a list, an object at a path, whatever stands there instead.
// Nothing here throws for any JSON value, and only own properties are looked at.
import { MAX_ITEMS } from "./bounds.ts";
import type { InboundRequest } from "./integration-type.ts";

/** Some of them say nothing, or the same. */
const MOST_TEXTS = 10 * MAX_ITEMS;
/** Twice what is shown of them: some are secrets, or say nothing. */
const MAX_OTHERS = 2 * MAX_ITEMS;

export type Payload = Readonly<Record<string, unknown>>;

/** True for an object that is not a list. */
export function isPayload(value: unknown): value is Payload {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * What stands at a path of keys and list positions; undefined when anything on the way is missing. A key that is missing
 * is found in any other case: users write templates for senders by hand, and an `Id` that is not read as `id` gives an
 * alert that its resolve never finds.
 */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null) return undefined;
    const own = Object.hasOwn(found, key) ? key : keyInOtherCase(found, key);
    if (own === undefined) return undefined;
    found = (found as Record<string | number, unknown>)[own];
  }
  return found;
}

function keyInOtherCase(value: object, key: string | number): string | undefined {
  if (typeof key === "number" || Array.isArray(value)) return undefined;
  const wanted = key.toLowerCase();
  return Object.keys(value).find(
    (own) => own.length === key.length && own.toLowerCase() === wanted,
  );
}

/**
 * A value as trimmed text: numbers and booleans as written, objects and lists as JSON; null for what says
 * nothing (null, blank, an empty list or object). Text that no database keeps as it is (lone
 * surrogates, NUL) is replaced at once, so that an identifier still equals itself after it was stored.
 */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") {
    return value.toWellFormed().replaceAll("\0", "\ufffd").trim() || null;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return null;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value).toWellFormed();
}

/** The text at a path, or null. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  return textOf(valueAt(value, ...path));
}

/** The list at a path; a single value is a list of one, nothing is an empty list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  if (Array.isArray(found)) return found;
  return found === undefined || found === null ? [] : [found];
}

/** The object at a path; an empty one where something else stands. */
export function payloadAt(value: unknown, ...path: readonly (string | number)[]): Payload {
  const found = valueAt(value, ...path);
  return isPayload(found) ? found : {};
}

/**
 * The texts of a list, each once, in order; a single value is a list of one. Of more than any event may carry the
 * first are looked at: there may be a hundred thousand.
 */
export function textsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value.slice(0, MOST_TEXTS) : [value];
  const texts = list.map(textOf).filter((text) => text !== null);
  return [...new Set(texts)];
}

/** Tags: a list as it is; one string is split at its commas or, where it has none, at white space. */
export function tagsOf(value: unknown): readonly string[] {
  if (typeof value !== "string") return textsOf(value);
  return textsOf(value.split(value.includes(",") ? "," : /\s+/, MOST_TEXTS));
}

/** Yes in any of the ways that senders say it: true, 1, "true", "yes", "on". Anything else is no. */
export function isYes(value: unknown): boolean {
  return /^(?:true|t|yes|y|on|1)$/i.test(textOf(value) ?? "");
}

/**
 * A request's fields: the query merged with the body, the body winning, unless it says null: readers take that for not
 * given. A body that is no object (a list, none at all) adds nothing.
 */
export function fieldsOf({ query, body }: InboundRequest): Payload {
  const fields = isPayload(body) ? body : {};
  // Copied only where it must be: an object of thousands of fields takes longer to make than to read.
  const asked = Object.entries(isPayload(query) ? query : {}).filter(
    ([name]) => (valueAt(fields, name) ?? null) === null,
  );
  return asked.length === 0 ? fields : { ...fields, ...Object.fromEntries(asked) };
}

/**
 * The fields that `names` name when they are spelled as `spelled` has them, and some of the others, under those names: of
 * two spellings in one place the first wins, and a null counts as not given. Others are only ever shown, so no more
 * of them are looked at than are shown.
 */
export function fieldsSpelled(
  fields: Payload,
  names: readonly string[],
  spelled: (key: string) => string,
): Payload {
  const found = new Map<string, unknown>();
  let others = 0;
  for (const key of Object.keys(fields)) {
    const name = spelled(key);
    if (!names.includes(name)) {
      if (others >= MAX_OTHERS) continue;
      others += 1;
    }
    const value = fields[key];
    if (value !== null && !found.has(name)) found.set(name, value);
  }
  return Object.fromEntries(found);
}
