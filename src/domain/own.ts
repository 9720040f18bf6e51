// Looks up a name that came from outside in a plain object. An object also answers to the names of its prototype
// (`constructor`, `toString`): only its own properties count.

/** The table's own value of that name, else undefined. */
export function own<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
