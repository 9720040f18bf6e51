// The parts of JSON Schema (2020-12) that the document uses.
import * as z from "zod";

export type Shape = {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
};

export const text: Shape = { type: "string" };
export const integer: Shape = { type: "integer" };

/** Maps every value. */
export const mapped = (
  shapes: Readonly<Record<string, Shape>>,
  change: (shape: Shape, name: string) => Shape,
): Readonly<Record<string, Shape>> =>
  Object.fromEntries(Object.entries(shapes).map(([name, it]) => [name, change(it, name)]));

/** Makes a schema nullable. */
function orNull(shape: Shape): Shape {
  return {
    ...shape,
    type: [...new Set([shape.type, "null"].flat())],
    ...(Array.isArray(shape.enum) && { enum: [...shape.enum, null] }),
  };
}

/** Bounds that zod sets for every integer. */
const BOUNDLESS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const isBoundless = (value: unknown) => typeof value === "number" && BOUNDLESS.includes(value);

/** Keywords of zod's JSON Schema that the document omits. */
const OMITTED = ["$schema", "$id", "propertyNames", "readOnly"];

/** Simplifies zod's JSON Schema: null as a type, open objects, no redundant keywords. */
export function plain({ anyOf, properties, items, additionalProperties, ...schema }: Shape): Shape {
  const keywords = Object.entries(schema).filter(
    ([name, value]) => !OMITTED.includes(name) && !isBoundless(value),
  );
  const simplified: Shape = {
    ...Object.fromEntries(keywords),
    ...(properties && { properties: mapped(properties, plain) }),
    ...(items && { items: plain(items) }),
    // zod writes `false` or the schema of the values; the schemas here accept any value.
    ...(typeof additionalProperties === "object" && { additionalProperties: true }),
  };
  if (!Array.isArray(anyOf)) return simplified;
  const choices: readonly Shape[] = anyOf.map(plain);
  const [first, second, ...more] = choices.toSorted((a) => (a.type === "null" ? 1 : -1));
  const isNullable = second?.type === "null" && more.length === 0;
  return first && isNullable
    ? { ...orNull(first), ...simplified }
    : { ...simplified, anyOf: choices };
}

/** The schemas of zod objects by name; nested named objects become references. */
export function schemasOf(named: Readonly<Record<string, z.ZodType>>): ReadonlyMap<string, Shape> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => referenceTo(id).$ref });
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, plain(schema as Shape)]));
}

export const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
