// Looks up an untrusted name in a plain object. Only own properties count: an object also answers
// to names of its prototype (`constructor`, `toString`).

/** The table's own value of that name, or undefined. */
export function own<Value>(
  table: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
