// Which errors of D1 are an outage, after which clients repeat, and which are about the statement.
import { describe, expect, test } from "vitest";
import { isFull, isOutage, isRefusedContent, usedUpLimit } from "../../../src/kernel/db/outage.ts";

/** What the platform says when a day's limit of its free plan is used up. */
const USED_UP = {
  "D1_ERROR: Your account has exceeded D1's free tier daily row read limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.":
    "D1 rows read",
  "Your account has exceeded D1's free tier daily row write limit. Upgrade to a paid plan or wait until tomorrow (midnight UTC) to continue.":
    "D1 rows written",
  "Exceeded allowed rows read in Durable Objects free tier.": "object rows read",
  "Exceeded allowed rows written in Durable Objects free tier.": "object rows written",
  "Exceeded allowed duration in Durable Objects free tier.": "object GB-s",
  "Exceeded allowed volume of requests in Durable Objects free tier.": "object calls",
  "You have exceeded the daily write operations limit in Queues free tier (10253)":
    "queue operations",
};

const OUTAGES = [
  "D1_ERROR: Network connection lost.",
  "D1_ERROR: D1 DB is overloaded. Requests queued for too long.",
  "D1_ERROR: D1 DB is overloaded. Too many requests queued.",
  "D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.",
  "D1_ERROR: D1 DB reset because its code was updated.",
  "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
  "D1_ERROR: D1 DB exceeded its CPU time limit and was reset.",
  "D1_ERROR: Internal error in D1 DB storage caused object to be reset.",
  "D1_ERROR: Internal error while starting up D1 DB storage caused object to be reset.",
  "D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.",
  "D1_ERROR: Failed to get session commit token: internal error; reference = 1f4",
  "D1_ERROR: internal error",
  "D1_ERROR: internal error; reference = a1b2c3",
  "D1_ERROR: Failed to parse body as JSON, got: error code: 1105",
  "D1_ERROR: HTTP error! status: 500",
  "D1_ERROR: something that D1 says since today",
  "D1_ERROR: database is locked: SQLITE_BUSY",
  "D1_ERROR: database is locked: SQLITE_BUSY (extended: SQLITE_BUSY_SNAPSHOT)",
  "D1_ERROR: database table is locked: SQLITE_LOCKED",
  "D1_ERROR: disk I/O error: SQLITE_IOERR (extended: SQLITE_IOERR_READ)",
  "D1_ERROR: unable to open database file: SQLITE_CANTOPEN",
  "D1_ERROR: database disk image is malformed: SQLITE_CORRUPT",
  "D1_ERROR: attempt to write a readonly database: SQLITE_READONLY",
  "D1_ERROR: out of memory: SQLITE_NOMEM",
  "D1_ERROR: interrupted: SQLITE_INTERRUPT",
  "D1_ERROR: locking protocol: SQLITE_PROTOCOL",
  "D1_ERROR: database or disk is full: SQLITE_FULL",
  "D1_ERROR: Exceeded maximum DB size",
  ...Object.keys(USED_UP),
];
const STATEMENTS = [
  "D1_ERROR: UNIQUE constraint failed: alerts.id: SQLITE_CONSTRAINT",
  "D1_ERROR: NOT NULL constraint failed: users.name: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_NOTNULL)",
  "D1_ERROR: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT",
  "D1_ERROR: no such table: alerts: SQLITE_ERROR",
  "D1_ERROR: no such table: alerts",
  "D1_ERROR: no such column: urgncy at offset 7: SQLITE_ERROR",
  'D1_ERROR: near "selct": syntax error at offset 0: SQLITE_ERROR',
  "D1_ERROR: malformed JSON: SQLITE_ERROR",
  "D1_ERROR: too many SQL variables at offset 411: SQLITE_ERROR",
  "D1_ERROR: string or blob too big: SQLITE_TOOBIG",
  "D1_ERROR: statement too long: SQLITE_TOOBIG",
  "D1_ERROR: datatype mismatch: SQLITE_MISMATCH",
  "D1_ERROR: not authorized: SQLITE_AUTH",
  "D1_ERROR: column index out of range: SQLITE_RANGE",
  "D1_ERROR: Wrong number of parameter bindings for SQL query.",
  "D1_ERROR: A prepared SQL statement must contain at least one statement",
  "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
  "D1_COLUMN_NOTFOUND: Column not found",
];
const OTHERS = [
  "Cannot read properties of undefined (reading 'id')",
  "internal error; reference = a1b2c3",
  "the alert answered unavailable",
];

/** The error as it arrives: of D1 itself, of Drizzle, and of an object that met it. */
const forms = (message: string): readonly Error[] => [
  new Error(message),
  new Error("Failed query: select 1", { cause: new Error(message) }),
  new Error(`Error: ${message}`),
];

describe("an error of D1", () => {
  test.each(OUTAGES)("%s is an outage", (message) => {
    for (const error of forms(message)) {
      expect([isOutage(error), isRefusedContent(error)]).toEqual([true, false]);
    }
  });
  test.each([...STATEMENTS, ...OTHERS])("%s is none", (message) => {
    for (const error of forms(message))
      expect([isOutage(error), isFull(error)]).toEqual([false, false]);
  });
});

test.each(["retryable", "overloaded"])("an object's error marked %s is an outage", (mark) => {
  const error = Object.assign(new Error("internal error; reference = a1"), { [mark]: true });
  expect([isOutage(error), isRefusedContent(error)]).toEqual([true, false]);
});

test("the limit that is used up is named, in each form, and no other error names one", () => {
  for (const [message, limit] of Object.entries(USED_UP)) {
    for (const error of forms(message)) expect(usedUpLimit(error), message).toBe(limit);
  }
  const others = [...OUTAGES.filter((it) => !(it in USED_UP)), ...STATEMENTS, ...OTHERS];
  for (const message of others) expect(usedUpLimit(new Error(message)), message).toBeNull();
});
