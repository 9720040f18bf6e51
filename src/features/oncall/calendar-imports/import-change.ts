// What a reading of an import's calendar, or its end, does to who is on call, for previews.
import type { ImportChanges } from "../../../domain/oncall/imports/import-decision.ts";
import { eventsAfterReading } from "../../../domain/oncall/imports/imported-events.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { all } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { calendarImportObject } from "../../stubs.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import { selectImportedEvents } from "./imported-event-rows.ts";
import type { CalendarReading } from "./reading-contract.ts";

type Import = { readonly id: string; readonly prefixId: string; readonly scheduleId: string };

type Source = Import & {
  readonly layer: number;
  readonly url: string | null;
  readonly ical: string | null;
};

/** Of a reading that finds what is stored. */
export const NO_CHANGES: ImportChanges = { added: [], changed: [], removed: [], ended: [] };

/**
 * What changes of an import's shifts do.
 *
 * @param owner an import that is not made yet has no events
 */
export async function changeOfImport(
  { db, actor, now }: Context,
  { id, scheduleId }: Import,
  changes: ImportChanges,
): Promise<PreviewedChange> {
  const stored = await all(db, selectImportedEvents(actor.accountId, id, now));
  const change = { changes, now, newId: () => newId(now) };
  return {
    replacedIds: stored.map((event) => event.id),
    events: eventsAfterReading(stored, change),
    schedulesBefore: [scheduleId],
    schedulesAfter: [scheduleId],
  };
}

/** Reads the calendar of an import, and says what this would do. A failure changes no shift. */
export async function changeOfReading(context: Context, source: Source): Promise<PreviewedChange> {
  const { env, actor } = context;
  const { id, prefixId, layer, url, ical } = source;
  const read = { id, accountId: actor.accountId, layer, url, ical };
  const decided = await calendarImportObject(env, prefixId).preview(read);
  if ("reason" in decided) {
    const change = await changeOfImport(context, source, NO_CHANGES);
    return { ...change, calendar: unread(decided.reason) };
  }
  const { changes, shiftCount, unmatched, importedUntil } = decided;
  const calendar: CalendarReading = {
    error: null,
    shift_count: shiftCount,
    unmatched: [...unmatched],
    imported_until: formatInstant(importedUntil),
  };
  return { ...(await changeOfImport(context, source, changes)), calendar };
}

const unread = (error: string): CalendarReading => ({
  error,
  shift_count: 0,
  unmatched: [],
  imported_until: null,
});
