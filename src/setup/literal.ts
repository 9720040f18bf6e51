// Statements with their values written into them, for `wrangler d1 execute`, which takes no parameters.

export type Bound = { readonly sql: string; readonly params: readonly unknown[] };

/** One value as SQLite reads it. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value === "string" && !value.includes("\0")) return `'${value.replaceAll("'", "''")}'`;
  throw new TypeError(`a ${typeof value} that SQL has no literal for`);
}

/** Quoted names and texts, which may hold a question mark, and the question marks that stand for values. */
const TOKENS = /"(?:[^"]|"")*"|'(?:[^']|'')*'|\?/g;

/** The statement with each `?` replaced by its value; throws when there are more or fewer of either. */
export function withLiterals({ sql, params }: Bound): string {
  let used = 0;
  const text = sql.replace(TOKENS, (token) => {
    if (token !== "?") return token;
    if (used === params.length) throw new RangeError("more question marks than values");
    return literal(params[used++]);
  });
  if (used !== params.length) throw new RangeError("more values than question marks");
  return text;
}
