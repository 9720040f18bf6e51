// What the schema of a request body says of its parameters: what a form needs for their fields.
import * as z from "zod";

export type Parameter = {
  readonly kind: "text" | "number" | "flag" | "list";
  readonly required: boolean;
  /** The values of a text that is one of several. */
  readonly values?: readonly string[];
  readonly maxlength?: number;
  readonly min?: number;
  readonly max?: number;
  /** The format of JSON Schema, such as `date-time`. */
  readonly format?: string;
};

type ShapeOf<Body> =
  Body extends z.ZodObject<infer Shape>
    ? Shape
    : Body extends z.ZodPipe<infer Before, infer After>
      ? ShapeOf<Before extends z.core.$ZodTransform ? After : Before>
      : never;

/** The names of a body's parameters. */
export type ParameterName<Body extends z.ZodType> = keyof ShapeOf<Body> & string;

/** The schema that a caller's value meets: a pipe begins or ends with a transformation. */
function mainPart({ def }: z.ZodPipe): z.ZodType {
  return (def.in instanceof z.ZodTransform ? def.out : def.in) as z.ZodType;
}

/** The limits in a schema's `meta`, where refinements are documented. */
function limitsOf(schema: z.ZodType) {
  const { maxLength, minimum, maximum, format } = schema.meta() ?? {};
  return {
    ...(typeof maxLength === "number" && { maxlength: maxLength }),
    ...(typeof minimum === "number" && { min: minimum }),
    ...(typeof maximum === "number" && { max: maximum }),
    ...(typeof format === "string" && { format }),
  };
}

/** Describes a parameter. Objects and unknown values are described as text. */
function readParameter(schema: z.ZodType): Parameter {
  if (schema instanceof z.ZodPipe) {
    return { ...readParameter(mainPart(schema)), ...limitsOf(schema) };
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = readParameter(schema.unwrap() as z.ZodType);
    return { ...inner, ...limitsOf(schema), required: false };
  }
  const described = { required: true, ...limitsOf(schema) };
  if (schema instanceof z.ZodNumber) return { kind: "number", ...described };
  if (schema instanceof z.ZodBoolean) return { kind: "flag", ...described };
  if (schema instanceof z.ZodArray) return { kind: "list", ...described };
  if (!(schema instanceof z.ZodEnum)) return { kind: "text", ...described };
  return { kind: "text", values: schema.options.map(String), ...described };
}

/** Describes every parameter of a body. */
export function readParameters(body: z.ZodType): ReadonlyMap<string, Parameter> {
  if (body instanceof z.ZodPipe) return readParameters(mainPart(body));
  const shape = body instanceof z.ZodObject ? (body.shape as Record<string, z.ZodType>) : {};
  return new Map(Object.entries(shape).map(([name, schema]) => [name, readParameter(schema)]));
}
