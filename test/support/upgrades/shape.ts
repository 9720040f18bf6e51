// The shape of a value: names and types, without what differs between two records.

/** The type of each attribute; of a list, those of its elements without repetition. */
export function shapeOf(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) {
    const shapes = new Map(value.map((it) => [JSON.stringify(shapeOf(it)), shapeOf(it)]));
    return [...shapes.values()];
  }
  if (typeof value !== "object") return typeof value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, it]) => [name, shapeOf(it)]));
}
