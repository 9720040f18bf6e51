// Untyped JSON, from senders, providers and API clients: its checks, and how a value in it is read.
// Never throws for a JSON value; reads own properties only.

/** Maximum nesting of a JSON body: far beyond real senders, far below a stack overflow. */
const MAX_DEPTH = 64;

/** True if the text contains only JSON whitespace. */
export const isBlankJson = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

/** True if a parsed value nests deeper than `MAX_DEPTH`. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  return Object.values(value).some((inner) => nestsTooDeep(inner, depth + 1));
}

/** The value of a JSON text; null if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Keys of objects and indexes of lists, from the outside in. */
export type JsonPath = readonly (string | number)[];

/** Whether a value is an object and not a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as an object; anything else as an empty one. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** A value as a text; anything else as an empty one. */
export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * The value at a path; undefined if a step is missing.
 *
 * @param keyIn the own key of an object or list that a step means; undefined if there is none
 */
export function followPath(
  value: unknown,
  path: JsonPath,
  keyIn: (inner: object, step: string | number) => string | number | undefined,
): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null) return undefined;
    const key = keyIn(found, step);
    if (key === undefined) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

const exactKey = (inner: object, step: string | number) =>
  Object.hasOwn(inner, step) ? step : undefined;

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, ...path: JsonPath): unknown =>
  followPath(value, path, exactKey);

/** The text at a path; empty if there is none. */
export const stringAt = (value: unknown, ...path: JsonPath): string =>
  stringOf(valueAt(value, ...path));
