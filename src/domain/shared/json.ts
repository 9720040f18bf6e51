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

/** The value of a JSON text; null if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
