// What may be sent, from the very schemas that check it: zod's JSON Schema of the input, made plain.
import * as z from "zod";
import { orNull, type Shape } from "../db/shape.ts";

/** Bounds that zod notes for every whole number. */
const BOUNDLESS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * The schema of a body as its caller writes it. Beside JSON Schema, `meta` of an object may say `omit` (properties
 * that only exist after reading), `needs` (properties that a later check requires) and `needsOneOf` (properties of
 * which a later check requires at least one).
 */
export function bodyShape(body: z.ZodType): Shape {
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return plain(schema as Shape);
}

function plain(schema: Shape): Shape {
  const { propertyNames: _, typeOptions: ___, anyOf, omit = [], needs = [], ...all } = schema;
  const { needsOneOf = [], ...rest } = all;
  const choices = anyOf as readonly Shape[] | undefined;
  const other = choices?.find((choice) => choice.type !== "null");
  if (choices?.length === 2 && other && choices.some((choice) => choice.type === "null")) {
    return { ...orNull(plain(other)), ...rest };
  }
  const omitted = omit as readonly string[];
  const required = [...((rest.required as readonly string[]) ?? []), ...(needs as string[])];
  const { required: __, ...kept } = rest;
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([, value]) => !isBoundless(value))),
    ...(choices && { anyOf: choices }),
    ...(isShape(rest.properties) && { properties: plainAll(rest.properties, omitted) }),
    ...(isShape(rest.items) && { items: plain(rest.items) }),
    ...(isShape(rest.additionalProperties) && { additionalProperties: true }),
    ...atLeastOneOf(needsOneOf as readonly string[]),
    ...(required.length > 0 && { required: required.filter((name) => !omitted.includes(name)) }),
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
export const neededOneOf = (body: z.ZodType): readonly string[] =>
  (body.meta()?.needsOneOf ?? []) as readonly string[];

/** Whether a body takes the options of integration types, each as `option_<key>`. */
export const takesTypeOptions = (body: z.ZodType): boolean => body.meta()?.typeOptions === true;

const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null;

const isBoundless = (value: unknown) => typeof value === "number" && BOUNDLESS.includes(value);

const plainAll = (properties: Shape, omitted: readonly string[]): Shape =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !omitted.includes(name))
      .map(([name, schema]) => [name, plain(schema as Shape)]),
  );
