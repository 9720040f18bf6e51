// The schemas of request bodies: zod's JSON Schema of the schemas that validate them, simplified.
import * as z from "zod";
import { mapped, plain, type Shape } from "./json-schema.ts";

/** The input schema of a body, with its `meta` applied (`kernel/contract/parameters.ts`). */
export function bodyShape(body: z.ZodType): Shape {
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return plain(applyMeta(schema as Shape));
}

const stringList = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

/** Translates `meta` into JSON Schema, recursively. */
function applyMeta({ typeOptions: _, omit, needs, needsOneOf, required, ...schema }: Shape): Shape {
  const { anyOf, properties, items, ...rest } = schema;
  const omitted = stringList(omit);
  const requiredNames = [...stringList(required), ...stringList(needs)].filter(
    (it) => !omitted.includes(it),
  );
  const remaining = Object.entries(properties ?? {}).filter(([name]) => !omitted.includes(name));
  return {
    ...rest,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(applyMeta) }),
    ...(properties && { properties: mapped(Object.fromEntries(remaining), applyMeta) }),
    ...(items && { items: applyMeta(items) }),
    ...atLeastOneOf(stringList(needsOneOf)),
    ...(requiredNames.length > 0 && { required: requiredNames }),
  };
}

/**
 * Requires at least one of these properties. An equivalent `anyOf` would turn the whole body into
 * `Any` in generated clients, which ignore `not`.
 */
const atLeastOneOf = (names: readonly string[]): Shape =>
  names.length === 0
    ? {}
    : { not: { allOf: names.map((name) => ({ not: { required: [name] } })) } };

/** The properties of which a body needs at least one. */
export const neededOneOf = (body: z.ZodType): readonly string[] =>
  stringList(body.meta()?.needsOneOf);

/** Whether a body takes the options of integration types, each as `option_<key>`. */
export const takesTypeOptions = (body: z.ZodType): boolean => body.meta()?.typeOptions === true;
