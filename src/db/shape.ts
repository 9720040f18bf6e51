// What values look like in answers, in the words of JSON Schema (2020-12): plain data, for the reference to be made
// of and for tests to hold every answer against. Nothing here runs when a request is served.

export type Shape = { readonly [keyword: string]: unknown };

export const text: Shape = { type: "string" };
export const integer: Shape = { type: "integer" };
export const number: Shape = { type: "number" };
export const boolean: Shape = { type: "boolean" };
/** ISO 8601, UTC, with milliseconds. */
export const instant: Shape = { type: "string", format: "date-time" };
/** An instant in a query: ISO 8601 with an offset, or `YYYY-MM-DD HH:mm:ss` in UTC. */
export const instantInQuery: Shape = {
  anyOf: [instant, { ...text, pattern: "^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$" }],
};
/** A free hash. */
export const hash: Shape = { type: "object", additionalProperties: true };

export const oneOf = (words: readonly string[]): Shape => ({ type: "string", enum: [...words] });

export const listOf = (items: Shape): Shape => ({ type: "array", items });

/** The same, or null. */
export function orNull(shape: Shape): Shape {
  return {
    ...shape,
    type: [...new Set([shape.type, "null"].flat())],
    ...(Array.isArray(shape.enum) && { enum: [...shape.enum, null] }),
  };
}

/**
 * An object with these properties and no others, all of them there but the `optional` ones.
 *
 * @param title its name in the reference, where it is described once; the same title means the same shape
 */
export function object(
  title: string,
  properties: Readonly<Record<string, Shape>>,
  optional: readonly string[] = [],
): Shape {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { title, type: "object", required, properties };
}

/** The envelope of every list (contract 1, Lists). */
export const envelope = (title: string, items: Shape): Shape =>
  object(title, { data: listOf(items), has_more: boolean, total_count: integer });
