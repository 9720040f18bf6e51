// What may be sent, from the very schemas that check it: zod's JSON Schema of the input, made plain.
import * as z from "zod";
import { mapped, plain, type Shape } from "./json-schema.ts";

/** The schema of a body as its caller writes it, with what its `meta` says (`contract/shared/parameters.ts`). */
export function bodyShape(body: z.ZodType): Shape {
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return plain(asWritten(schema as Shape));
}

const namesIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

/** What `meta` says of an object, said in the words of JSON Schema, throughout. */
function asWritten({ typeOptions: _, omit, needs, needsOneOf, required, ...schema }: Shape): Shape {
  const { anyOf, properties, items, ...rest } = schema;
  const omitted = namesIn(omit);
  const named = [...namesIn(required), ...namesIn(needs)].filter((it) => !omitted.includes(it));
  const kept = Object.entries(properties ?? {}).filter(([name]) => !omitted.includes(name));
  return {
    ...rest,
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(asWritten) }),
    ...(properties && { properties: mapped(Object.fromEntries(kept), asWritten) }),
    ...(items && { items: asWritten(items) }),
    ...atLeastOneOf(namesIn(needsOneOf)),
    ...(named.length > 0 && { required: named }),
  };
}

/**
 * The condition that one of these properties is there. As `anyOf` it would turn the whole body into `Any` in generated
 * clients, which ignore `not`; to a validator the two are the same.
 */
const atLeastOneOf = (names: readonly string[]): Shape =>
  names.length === 0
    ? {}
    : { not: { allOf: names.map((name) => ({ not: { required: [name] } })) } };

/** The properties of which a body needs at least one. */
export const neededOneOf = (body: z.ZodType): readonly string[] => namesIn(body.meta()?.needsOneOf);

/** Whether a body takes the options of integration types, each as `option_<key>`. */
export const takesTypeOptions = (body: z.ZodType): boolean => body.meta()?.typeOptions === true;
