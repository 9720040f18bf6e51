// What a route's body may name: read from its own schema, so that a new parameter is found by itself.

export type FieldPath = readonly (string | 0)[];

/** zod's own description of a schema, which has no type. */
type Described = any;

/** Every field of a body by its path; `0` stands for an element of a list. */
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

/** A copy of a body with a value at a path; lists and objects on the way are made where they are not. */
export function withField(body: unknown, path: FieldPath, value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === 0) return [withField(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const held = (body ?? {}) as Record<string, unknown>;
  return { ...held, [name]: withField(held[name], rest, value) };
}
