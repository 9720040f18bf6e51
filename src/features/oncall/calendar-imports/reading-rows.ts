// Records the readings of calendars, of imports and of absences alike. `updated_at` stays: nobody
// changed the record.
import { type SQL, sql } from "drizzle-orm";
import { select } from "../../../kernel/db/select.ts";
import type { absenceCalendars, calendarImports } from "../../schema/calendar-imports.ts";

export type CalendarTable = typeof calendarImports | typeof absenceCalendars;

/** What a server sent to ask it later whether the calendar has changed. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

/** The columns to set when a calendar gets another source: its readings begin anew. */
export const ANOTHER_CALENDAR = {
  completeAt: null,
  etag: null,
  lastModified: null,
  lastError: null,
  failingSince: null,
  failures: 0,
};

/**
 * Records that the whole calendar was read. Instants in epoch ms.
 *
 * @param error what in it could not be read; the rest was
 */
export const recordComplete = (
  table: CalendarTable,
  id: string,
  { etag, lastModified }: Validators,
  nextReadAt: number,
  now: number,
  error: string | null = null,
): SQL =>
  sql`update ${table} set last_read_at = ${now}, last_error = ${error}, failing_since = null,
      failures = 0, complete_at = ${now}, etag = ${etag}, last_modified = ${lastModified},
      next_read_at = ${nextReadAt}
    where id = ${id}`;

/** Records that the calendar is unchanged: what could not be read of it cannot be read still. */
export const recordUnchanged = (
  table: CalendarTable,
  id: string,
  nextReadAt: number,
  now: number,
): SQL =>
  sql`update ${table} set last_read_at = ${now}, failing_since = null,
      last_error = case when failing_since is null then last_error end,
      failures = 0, next_read_at = ${nextReadAt}
    where id = ${id}`;

export type ReadFailure = {
  readonly error: string;
  readonly failures: number;
  readonly failingSince: number;
  readonly nextReadAt: number;
};

/** Records a failure. What was imported stays. */
export const recordFailure = (
  table: CalendarTable,
  id: string,
  { error, failures, failingSince, nextReadAt }: ReadFailure,
): SQL =>
  sql`update ${table} set last_error = ${error}, failures = ${failures},
      failing_since = ${failingSince}, next_read_at = ${nextReadAt}
    where id = ${id}`;

/** Selects calendars whose reading is overdue since `before` (epoch ms), at most `most`. */
export const selectOverdueCalendars = (table: CalendarTable, before: number, most: number) =>
  select(
    { id: table.id, accountId: table.accountId, name: table.prefixId },
    sql`from ${table} where ${table.nextReadAt} < ${before} limit ${most}`,
  );
