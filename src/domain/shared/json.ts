// Checks on JSON from senders and API clients.

/** Maximum nesting of a JSON body: far beyond real senders, far below a stack overflow. */
const MAX_DEPTH = 64;

/** True if the text contains only JSON whitespace. */
export const isBlankJson = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

/** True if a parsed value nests deeper than `MAX_DEPTH`. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  return Object.values(value).some((inner) => nestsTooDeep(inner, depth + 1));
}
