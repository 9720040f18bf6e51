// Telling a database that is down from a statement that is wrong: the one passes, and callers are asked to come
// again; the other is ours to mend.

/** How D1 says that it cannot answer now: unreachable, overloaded, restarting, too slow. */
const OUTAGE =
  /network connection lost|overloaded|queued for too long|too many requests|timeout|timed out|transient|caused object to be reset|was reset|reset because|SQLITE_BUSY/i;

const messagesOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];

/** Whether an error that was thrown while a request was served is D1's being down. */
export function isOutage(error: unknown): boolean {
  return messagesOf(error).some((message) => /\bD1\b|D1_/.test(message) && OUTAGE.test(message));
}
