// Distinguishes an unavailable database, after which clients retry, from a failing statement, which
// is a bug.
import type { DailyLimit } from "../../domain/shared/daily-limits.ts";
import { refuse } from "../../domain/shared/refusal.ts";

/** What a client is answered then. */
export const OUTAGE = refuse("unavailable", "the database cannot be reached; try again");

/** Messages of D1, with any prefix, when it is unreachable, overloaded, restarting or too slow. */
const UNREACHED =
  /network connection lost|overloaded|queued for too long|too many requests|timeout|timed out|transient|caused object to be reset|was reset|reset because|SQLITE_BUSY/i;

/**
 * Messages of D1 about the statement or its values. Every other `D1_ERROR` is an outage: its texts
 * are not listed anywhere, and a new one must not make clients give up.
 */
const STATEMENT =
  /SQLITE_(?:ERROR|CONSTRAINT|TOOBIG|MISMATCH|MISUSE|RANGE|AUTH)\b|_TYPE_ERROR|no such (?:table|column|function|index)|syntax error|constraint failed|parameter bindings|at least one statement/i;

/**
 * Messages of D1 when the database has reached its maximum size. Reads and deletions still work, and
 * writes do again once the sweep has freed space.
 */
const FULL = /maximum (DB|database) size|database or disk is full|SQLITE_FULL/i;

/**
 * Messages of the platform when an account on the free plan has used up a day's limit: of D1, of objects and of queues.
 * It refuses everything of that kind until 00:00 UTC. The names are those of the limits in `daily-limits.ts`.
 */
const USED_UP: readonly (readonly [RegExp, DailyLimit])[] = [
  [/exceeded D1's free tier daily row read limit/i, "D1 rows read"],
  [/exceeded D1's free tier daily row writ/i, "D1 rows written"],
  [/exceeded allowed rows read in Durable Objects free tier/i, "object rows read"],
  [/exceeded allowed rows written in Durable Objects free tier/i, "object rows written"],
  [/exceeded allowed duration in Durable Objects free tier/i, "object GB-s"],
  [/exceeded allowed .+ in Durable Objects free tier/i, "object calls"],
  [/exceeded the daily .+ limit in Queues free tier/i, "queue operations"],
];

/** Messages of D1 when it rejects a value for good. */
const REFUSED = /SQLITE_CONSTRAINT|SQLITE_TOOBIG|SQLITE_MISMATCH|D1_TYPE_ERROR/;

const messagesOf = (error: unknown): string[] =>
  error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];

const isOfDatabase = (message: string) => /\bD1\b|D1_/.test(message);

/** Whether D1 refused a write because the database is full. */
export function isFull(error: unknown): boolean {
  return messagesOf(error).some((message) => isOfDatabase(message) && FULL.test(message));
}

/** The limit of the free plan that the platform says is used up; null for any other error. */
export function usedUpLimit(error: unknown): DailyLimit | null {
  const messages = messagesOf(error);
  return USED_UP.find(([words]) => messages.some((it) => words.test(it)))?.[1] ?? null;
}

const isOutageMessage = (message: string) =>
  isOfDatabase(message) &&
  (UNREACHED.test(message) || (message.includes("D1_ERROR") && !STATEMENT.test(message)));

/** Whether the platform could not reach an object: it marks such errors, whatever they say. */
function isUnreachedObject(error: unknown): boolean {
  const marks = error as { readonly retryable?: unknown; readonly overloaded?: unknown } | null;
  return marks?.retryable === true || marks?.overloaded === true;
}

/**
 * Whether an error is an outage: D1 is unreachable, failed by itself or full, an object is, or a day's limit of the free
 * plan is used up.
 */
export function isOutage(error: unknown): boolean {
  if (isUnreachedObject(error) || messagesOf(error).some(isOutageMessage)) return true;
  return isFull(error) || usedUpLimit(error) !== null;
}

/**
 * Whether an error is caused by the content itself, so that retries are pointless: a value that D1
 * rejects or our code cannot process. False if anything else may be the cause.
 */
export function isRefusedContent(error: unknown): boolean {
  if (isOutage(error) || (error as { remote?: unknown } | null)?.remote) return false;
  if ([TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind)) return true;
  return messagesOf(error).some((message) => REFUSED.test(message));
}
