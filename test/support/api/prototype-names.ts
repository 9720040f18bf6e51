// The names that every object inherits from its prototype, which a lookup without an own-property
// check finds.

export const PROTOTYPE_NAMES: readonly string[] = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
];

/** An object with these own properties, `__proto__` among them, before those of `base`. */
export function withPrototypeNames(base: unknown, value: (name: string) => unknown): object {
  const object = {};
  const own = (name: string, it: unknown) =>
    Object.defineProperty(object, name, { value: it, enumerable: true, configurable: true });
  for (const name of PROTOTYPE_NAMES) own(name, value(name));
  if (typeof base === "object" && base !== null) {
    for (const [name, it] of Object.entries(base)) own(name, it);
  }
  return object;
}

/** A JSON value with the names as further properties of each object in it. */
export function withNamesWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNamesWithin);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withNamesWithin(inner)]);
  return withPrototypeNames(Object.fromEntries(entries), (name) => name);
}

/** A JSON value with this text in place of one of its texts at a time. */
export function withTextAtEachPlace(value: unknown, text: string): unknown[] {
  if (typeof value === "string") return [text];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    withTextAtEachPlace(inner, text).map((changed) =>
      Array.isArray(value)
        ? value.map((it, i) => (String(i) === key ? changed : it))
        : { ...value, [key]: changed },
    ),
  );
}
