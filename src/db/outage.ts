// Telling a database that is down from a statement that is wrong: the one passes, and callers are asked to come
// again; the other is ours to mend.

/** How D1 says that it cannot answer now: unreachable, overloaded, restarting, too slow. */
const OUTAGE =
  /network connection lost|overloaded|queued for too long|too many requests|timeout|timed out|transient|caused object to be reset|was reset|reset because|SQLITE_BUSY/i;

/** How D1 says that a value is wrong, today and for ever. */
const REFUSED = /SQLITE_CONSTRAINT|SQLITE_TOOBIG|SQLITE_MISMATCH|D1_TYPE_ERROR/;

const messagesOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];

/** Whether an error that was thrown while a request was served is D1's being down. */
export function isOutage(error: unknown): boolean {
  return messagesOf(error).some((message) => /\bD1\b|D1_/.test(message) && OUTAGE.test(message));
}

/**
 * Whether an error is what the content at hand leads to, however often it is tried: a value that D1 refuses or that our
 * code cannot work on. False whenever anything else might be to blame.
 */
export function isRefusedContent(error: unknown): boolean {
  if (isOutage(error) || (error as { remote?: unknown } | null)?.remote) return false;
  if ([TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind)) return true;
  return messagesOf(error).some((message) => REFUSED.test(message));
}
