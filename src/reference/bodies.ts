// What may be sent, from the very schemas that check it: zod's JSON Schema of the input, made plain.
import * as z from "zod";
import { orNull, type Shape } from "../db/shape.ts";

/** Bounds that zod notes for every whole number. */
const BOUNDLESS = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * The schema of a body as its caller writes it. Beside JSON Schema, `meta` of an object may say `omit` (properties
 * that only exist after reading) and `needs` (properties that a later check asks for).
 */
export function bodyShape(body: z.ZodType): Shape {
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: "input", unrepresentable: "any" });
  return plain(schema as Shape);
}

function plain(schema: Shape): Shape {
  const { propertyNames: _, anyOf, omit = [], needs = [], ...rest } = schema;
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
    ...(required.length > 0 && { required: required.filter((name) => !omitted.includes(name)) }),
  };
}

const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null;

const isBoundless = (value: unknown) => typeof value === "number" && BOUNDLESS.includes(value);

const plainAll = (properties: Shape, omitted: readonly string[]): Shape =>
  Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !omitted.includes(name))
      .map(([name, schema]) => [name, plain(schema as Shape)]),
  );
