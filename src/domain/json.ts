// JSON as senders and callers write it.

/** How deep a JSON body may nest: far beyond any real sender, far below what would exhaust a stack. */
const MAX_DEPTH = 64;

/** Nothing but what JSON takes for white space. */
export const isBlankJson = (text: string): boolean => /^[ \t\r\n]*$/.test(text);

/** True when a parsed value nests deeper than any caller has reason to. */
export function nestsTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth >= MAX_DEPTH) return true;
  return Object.values(value).some((inner) => nestsTooDeep(inner, depth + 1));
}
