// Reads loosely typed payloads: a text, list or object at a path, whatever the sender put there.
// Never throws for a JSON value; reads own properties only.

import {
  followPath,
  isJsonObject,
  type JsonObject,
  type JsonPath,
} from "../../domain/shared/json.ts";
import type { InboundRequest } from "../integration-type.ts";
import { MAX_ITEMS } from "./bounds.ts";

/** Limit on list entries read; some are blank or duplicates. */
const MAX_TEXTS = 10 * MAX_ITEMS;
/** Limit on other fields read: twice what is shown, because some are secrets or blank. */
const MAX_OTHERS = 2 * MAX_ITEMS;

/** What a sender sent, or an object in it. */
export type Payload = JsonObject;

/**
 * The value at a path of keys and list indexes; undefined if a step is missing. A missing key is
 * matched case-insensitively: users write senders' templates by hand, and if `Id` were not read as
 * `id`, the alert could never be resolved.
 */
export const valueAt = (value: unknown, ...path: JsonPath): unknown =>
  followPath(value, path, (inner, key) =>
    Object.hasOwn(inner, key) ? key : keyInOtherCase(inner, key),
  );

function keyInOtherCase(value: object, key: string | number): string | undefined {
  if (typeof key === "number" || Array.isArray(value)) return undefined;
  const lowered = key.toLowerCase();
  return Object.keys(value).find(
    (own) => own.length === key.length && own.toLowerCase() === lowered,
  );
}

/**
 * A value as trimmed text: numbers and booleans as written, objects and lists as JSON; null for
 * null, blank text and empty lists or objects. Lone surrogates and NUL, which the database cannot
 * store, are written as JSON escapes here, so that an identifier equals its stored form, and
 * different ones stay different.
 */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") {
    return (isStorable(value) ? value : escaped(value)).trim() || null;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return null;
  return Object.keys(value).length === 0 ? null : JSON.stringify(value).toWellFormed();
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0");

const escaped = (text: string): string =>
  [...text]
    .map((one) => {
      const code = one.charCodeAt(0).toString(16).padStart(4, "0");
      return isStorable(one) ? one : `\\u${code}`;
    })
    .join("");

/** The text at a path, or null. */
export function textAt(value: unknown, ...path: JsonPath): string | null {
  return textOf(valueAt(value, ...path));
}

/** The list at a path; a single value becomes a list of one, a missing one an empty list. */
export function listAt(value: unknown, ...path: JsonPath): readonly unknown[] {
  const found = valueAt(value, ...path);
  if (Array.isArray(found)) return found;
  return found === undefined || found === null ? [] : [found];
}

/** The object at a path; empty if there is none. */
export function payloadAt(value: unknown, ...path: JsonPath): Payload {
  const found = valueAt(value, ...path);
  return isJsonObject(found) ? found : {};
}

/**
 * The distinct texts of a list, in order; a single value becomes a list of one. Only the first
 * `MAX_TEXTS` entries are read: a payload can have a hundred thousand.
 */
export function textsOf(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value.slice(0, MAX_TEXTS) : [value];
  const texts = list.map(textOf).filter((text) => text !== null);
  return [...new Set(texts)];
}

/** Tags: a list, or one string split at commas or, without commas, at white space. */
export function tagsOf(value: unknown): readonly string[] {
  if (typeof value !== "string") return textsOf(value);
  return textsOf(value.split(value.includes(",") ? "," : /\s+/, MAX_TEXTS));
}

/** Whether a value means yes: true, 1, "true", "t", "yes", "y", "on", in any case. */
export function meansYes(value: unknown): boolean {
  return /^(?:true|t|yes|y|on|1)$/i.test(textOf(value) ?? "");
}

/**
 * A request's fields: the query merged with the body. The body takes precedence, except for null,
 * which counts as absent. A body that is not an object adds nothing.
 */
export function fieldsOf({ query, body }: InboundRequest): Payload {
  const fields = isJsonObject(body) ? body : {};
  // Copied only if needed: copying thousands of fields takes longer than reading them.
  const parameters = Object.entries(isJsonObject(query) ? query : {}).filter(
    ([name]) => (valueAt(fields, name) ?? null) === null,
  );
  return parameters.length === 0 ? fields : { ...fields, ...Object.fromEntries(parameters) };
}

/**
 * The fields in `names`, normalized by `spelled`, and a bounded number of other fields. Of two
 * spellings of a name the first wins; null counts as absent. Other fields are only shown, so no
 * more are read than can be shown.
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
