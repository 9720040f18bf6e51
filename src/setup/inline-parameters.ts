// Inlines parameters into statements, for `wrangler d1 execute`, which takes no parameters.

export type BoundStatement = { readonly sql: string; readonly params: readonly unknown[] };

/** Formats a value as an SQLite literal. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string" && !value.includes("\0")) return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError(`a ${typeof value} that SQL has no literal for`);
}

/** Quoted names and strings, which may contain a question mark, and the placeholders. */
const TOKENS = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\?/g;

/** Replaces each `?` with its value. Throws if their numbers differ. */
export function inlineParameters({ sql, params }: BoundStatement): string {
  let index = 0;
  const text = sql.replace(TOKENS, (token) => {
    if (token !== "?") return token;
    if (index === params.length) throw new RangeError("more question marks than values");
    return literal(params[index++]);
  });
  if (index !== params.length) throw new RangeError("more values than question marks");
  return text;
}
