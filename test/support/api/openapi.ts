// Reading the document: its references put in their places.

type Json = Record<string, any>;

/**
 * The same with what every `$ref` in it refers to in its place, all the way down. The document's schemas do not
 * refer to themselves.
 */
export function withReferences(value: unknown, document: Json): any {
  if (Array.isArray(value)) return value.map((element) => withReferences(element, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as Json;
  if (typeof $ref === "string") {
    const target = $ref
      .slice(2)
      .split("/")
      .reduce<Json>((held, name) => held[name], document);
    return withReferences({ ...target, ...rest }, document);
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, withReferences(inner, document)]),
  );
}
