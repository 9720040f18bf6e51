// Reads untrusted JSON of chat products.

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null && Object.hasOwn(inner, key)
        ? new Map(Object.entries(inner)).get(String(key))
        : undefined,
    value,
  );
}

/** The text at a path; empty if there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
}
