// The fields of a route's body, read from its schema, so that new parameters are included.

export type FieldPath = readonly (string | 0)[];

/** zod's internal definition of a schema, which has no public type. */
type Described = any;

/** The path of every field of a body; `0` stands for an element of a list. */
export function fieldsOf(schema: Described, path: FieldPath = []): FieldPath[] {
  const definition = schema?._zod?.def;
  switch (definition?.type) {
    case "object":
      return Object.entries(definition.shape).flatMap(([name, field]) => [
        [...path, name],
        ...fieldsOf(field, [...path, name]),
      ]);
    case "array":
      return fieldsOf(definition.element, [...path, 0]);
    case "pipe": {
      const { in: before, out: after } = definition;
      return fieldsOf(before._zod.def.type === "transform" ? after : before, path);
    }
    case "optional":
    case "nullable":
    case "default":
    case "nonoptional":
      return fieldsOf(definition.innerType, path);
    default:
      return [];
  }
}

/** A copy of a body with a value at a path; missing lists and objects are created. */
export function withField(body: unknown, path: FieldPath, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === 0) return [withField(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const fields = (body ?? {}) as Record<string, unknown>;
  return { ...fields, [name]: withField(fields[name], rest, value) };
}
