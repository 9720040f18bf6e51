// The words of JSON Schema (2020-12) that the document is written in.
import * as z from "zod";

export type Shape = {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
};

export const text: Shape = { type: "string" };
export const integer: Shape = { type: "integer" };

/** The same made of every value. */
export const mapped = (
  shapes: Readonly<Record<string, Shape>>,
  made: (shape: Shape, name: string) => Shape,
): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(shapes).map(([name, it]) => [name, made(it, name)]));

/** The same, or null. */
function orNull(shape: Shape): Shape {
  return {
    ...shape,
    type: [...new Set([shape.type, "null"].flat())],
    ...(Array.isArray(shape.enum) && { enum: [...shape.enum, null] }),
  };
}

/** Bounds that zod notes for every whole number. */
const BOUNDLESS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const isBoundless = (value: unknown) => typeof value === "number" && BOUNDLESS.includes(value);

/** What stands in zod's JSON Schema and says nothing to a reader of the document. */
const UNSAID = ["$schema", "$id", "propertyNames", "readOnly"];

/** zod's JSON Schema made plain: null as a type of its own, free hashes open, nothing that goes without saying. */
export function plain({ anyOf, properties, items, additionalProperties, ...schema }: Shape): Shape {
  const kept = Object.entries(schema).filter(
    ([name, value]) => !UNSAID.includes(name) && !isBoundless(value),
  );
  const made: Shape = {
    ...Object.fromEntries(kept),
    ...(properties && { properties: mapped(properties, plain) }),
    ...(items && { items: plain(items) }),
    // Without it the schema of an object has `false`, with it what the values are, which is anything.
    ...(typeof additionalProperties === "object" && { additionalProperties: true }),
  };
  if (!Array.isArray(anyOf)) return made;
  const choices: readonly Shape[] = anyOf.map(plain);
  const [first, second, ...more] = choices.toSorted((a) => (a.type === "null" ? 1 : -1));
  const isNullable = second?.type === "null" && more.length === 0;
  return first && isNullable ? { ...orNull(first), ...made } : { ...made, anyOf: choices };
}

/** The schemas of zod objects by name, each name where it stands within another as a reference to it. */
export function schemasOf(named: Readonly<Record<string, z.ZodType>>): ReadonlyMap<string, Shape> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => referenceTo(id).$ref });
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, plain(schema as Shape)]));
}

export const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
