// The words of JSON Schema (2020-12) that the document is written in.
import * as z from "zod";

export type Shape = { readonly [keyword: string]: unknown };

export const text: Shape = { type: "string" };
export const integer: Shape = { type: "integer" };

export const isShape = (value: unknown): value is Shape =>
  typeof value === "object" && value !== null;

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
export function plain({ anyOf, ...schema }: Shape): Shape {
  const choices = anyOf as readonly Shape[] | undefined;
  const other = choices?.find((choice) => choice.type !== "null");
  const kept = Object.entries(schema).filter(
    ([name, value]) => !UNSAID.includes(name) && !isBoundless(value),
  );
  const { additionalProperties, properties, items, ...rest } = Object.fromEntries(kept);
  const made = {
    ...rest,
    ...(isShape(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, it]) => [name, plain(it as Shape)]),
      ),
    }),
    ...(isShape(items) && { items: plain(items) }),
    ...(isShape(additionalProperties) && { additionalProperties: true }),
  };
  if (!choices) return made;
  const isNullable = choices.length === 2 && choices.some((choice) => choice.type === "null");
  return other && isNullable
    ? { ...orNull(plain(other)), ...made }
    : { ...made, anyOf: choices.map(plain) };
}

/** The schemas of zod objects by name, each name where it stands within another as a reference to it. */
export function schemasOf(named: Readonly<Record<string, z.ZodType>>): ReadonlyMap<string, Shape> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => referenceTo(id).$ref });
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, plain(schema)]));
}

export const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
