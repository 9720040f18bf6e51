// Names a statement by what it does, so that counts of many statements can be read.

/**
 * The verb and the first table of a statement: `insert notifications`. For a statement that begins
 * with `with`, those of its main part.
 */
export function nameStatement(sql: string): string {
  const text = sql.replace(/'(?:[^']|'')*'/g, "''").replace(/--[^\n]*/g, " ");
  const main = withoutParentheses(text);
  const verb = /\b(insert|replace|update|delete|select|create|drop|pragma)\b/i.exec(main);
  if (!verb) return text.trim().split(/\s/)[0]?.toLowerCase() ?? "";
  const name = verb[0].toLowerCase();
  const table = tableOf(name, main.slice(verb.index)) ?? tableOf(name, text);
  return [name, table].filter(Boolean).join(" ");
}

const TABLE = String.raw`["\`]?([a-z_0-9]+)`;

const PATTERNS: Readonly<Record<string, RegExp>> = {
  insert: new RegExp(String.raw`\binto\s+${TABLE}`, "i"),
  replace: new RegExp(String.raw`\binto\s+${TABLE}`, "i"),
  update: new RegExp(String.raw`\bupdate\s+(?:or\s+\w+\s+)?${TABLE}`, "i"),
  create: new RegExp(
    String.raw`\b(?:table|index|trigger|view)\s+(?:if\s+not\s+exists\s+)?${TABLE}`,
    "i",
  ),
  drop: new RegExp(String.raw`\b(?:table|index|trigger|view)\s+(?:if\s+exists\s+)?${TABLE}`, "i"),
  pragma: new RegExp(String.raw`\bpragma\s+${TABLE}`, "i"),
};

const FROM = new RegExp(String.raw`\bfrom\s+${TABLE}`, "i");

const tableOf = (verb: string, text: string): string | undefined =>
  (PATTERNS[verb] ?? FROM).exec(text)?.[1]?.toLowerCase();

/** The text outside all parentheses: the main statement, without its subqueries. */
function withoutParentheses(text: string): string {
  let [depth, kept] = [0, ""];
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (depth === 0) kept += letter;
    if (letter === ")") depth -= 1;
  }
  return kept;
}
