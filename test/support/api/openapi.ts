// Resolves references in the OpenAPI document.

type Json = Record<string, any>;

/**
 * Replaces every `$ref` by its target, recursively. The document's schemas are not recursive.
 */
export function withReferences(value: unknown, document: Json): any {
  if (Array.isArray(value)) return value.map((element) => withReferences(element, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as Json;
  if (typeof $ref === "string") {
    const target = $ref
      .slice(2)
      .split("/")
      .reduce<Json>((node, name) => node[name], document);
    return withReferences({ ...target, ...rest }, document);
  }
  return Object.fromEntries(
    Object.entries(rest).map(([name, inner]) => [name, withReferences(inner, document)]),
  );
}
