// Decides what a text of an import's calendar changes in its shifts: for a reading, and for the
// preview of one.
import {
  decideImport,
  type ImportChanges,
} from "../../../domain/oncall/imports/import-decision.ts";
import { matchPeople, namesIn } from "../../../domain/oncall/imports/match-people.ts";
import { fitImport, importWindow } from "../../../domain/oncall/imports/reading-times.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch } from "../../../kernel/db/select.ts";
import { readCalendar } from "../../../products/calendars/read-calendar.ts";
import { readKnownPeople, selectImportedShifts } from "./import-rows.ts";

/** The most titles of entries without people that are shown. */
const MOST_UNMATCHED = 50;

type ReadImport = {
  /** Of an import that is not made yet: nothing is stored for it. */
  readonly id: string;
  readonly accountId: string;
  readonly layer: number;
};

export type DecidedReading = {
  readonly changes: ImportChanges;
  readonly shiftCount: number;
  readonly unmatched: readonly string[];
  /** Epoch ms. */
  readonly importedUntil: number;
};

/**
 * Decides what a calendar changes.
 *
 * @param text an iCalendar text
 * @param now epoch ms
 * @returns the changes, or why the text cannot be read: a sentence without an end
 */
export async function decideReading(
  db: Connection,
  { id, accountId, layer }: ReadImport,
  text: string,
  now: number,
): Promise<DecidedReading | { readonly reason: string }> {
  const window = importWindow(now);
  const reading = readCalendar(text, window);
  if (isRefusal(reading)) return { reason: `the calendar ${reading.errors[0]?.message}` };
  const known = await readKnownPeople(db, accountId, namesIn(reading.entries));
  const matched = matchPeople(reading.entries, known, layer);
  const { shifts, until } = fitImport(matched.shifts, window);
  const [before] = await batch(db, [selectImportedShifts(id, now)]);
  return {
    changes: decideImport(before, shifts, now),
    shiftCount: shifts.length,
    unmatched: [...matched.unmatched, ...reading.unreadable].slice(0, MOST_UNMATCHED),
    importedUntil: until,
  };
}
