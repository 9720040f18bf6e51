import { eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { calendarImportObject } from "../../stubs.ts";
import type { OnCallChange } from "../on-call/preview-on-call-change.ts";
import type { CalendarImport } from "./contract.ts";
import { changeOfImport, changeOfReading, NO_CHANGES } from "./import-change.ts";
import { sourceFaults, sourceOf, writeText } from "./import-input.ts";
import { calendarImportRecords } from "./import-records.ts";
import { type StoredImport, selectImport } from "./import-rows.ts";
import type { UpdateCalendarImport } from "./parameters.ts";
import { readNow } from "./read-now.ts";
import { ANOTHER_CALENDAR } from "./reading-rows.ts";

/**
 * Changes a calendar import, and reads its calendar if the source or the layer changes (contract 2,
 * Calendar imports).
 *
 * @returns the import; 404; 422 for a forbidden URL or a text that is no calendar
 */
export async function updateCalendarImport(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateCalendarImport,
): Promise<CalendarImport | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const faults = sourceFaults(env, body, false, now);
  if (faults.length > 0) return refuseFields(faults);
  const records = calendarImportRecords({ actor });
  const { url, ical } = sourceOf(body);
  const hasSource = isAnotherSource(body);
  const updated = await retryOnConflict(async () => {
    const [[stored], [before]] = await batch(db, [
      selectImport(oneRecord(calendarImports, accountId, identifier)),
      selectRecord(records, accountId, identifier),
    ]);
    if (!stored || !before) return notFound("calendar_import");
    const { id } = stored;
    const columns = {
      ...plainColumns(calendarImports, body, "url"),
      ...(hasSource && { url, ...ANOTHER_CALENDAR }),
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const writes = [
      assertUnchanged(calendarImports, id, stored.updatedAt),
      build.update(calendarImports).set(columns).where(eq(calendarImports.id, id)),
      ...(hasSource ? writeText(accountId, id, ical) : []),
    ];
    const concerns = sql`select ${before.schedule_id}`;
    const previewed = context.preview && { onCall: await changeOf(context, stored, body) };
    const change = { verb: "update", records, id, before, writes, concerns, ...previewed };
    // The source before is a secret that is not recorded.
    const irreversible = hasSource && ({ irreversible: "calendar" } as const);
    const { after } = await commitChange(context, { ...change, ...irreversible });
    return after ?? notFound("calendar_import");
  });
  if (isRefusal(updated) || (!hasSource && body.layer === undefined)) return updated;
  const object = calendarImportObject(env, updated.prefix_id);
  return (await readNow(context, records, object, updated.id)) ?? updated;
}

/** Whether the parameters name a source of the calendar. */
function isAnotherSource(body: UpdateCalendarImport): boolean {
  const { url, ical } = sourceOf(body);
  return url !== null || ical !== null;
}

/** What the reading after the change does; without one, nothing. */
function changeOf(
  context: Context,
  stored: StoredImport,
  body: UpdateCalendarImport,
): Promise<OnCallChange> {
  const source = isAnotherSource(body) ? sourceOf(body) : {};
  const isRead = isAnotherSource(body) || body.layer !== undefined;
  const after = { ...stored, ...source, layer: body.layer ?? stored.layer };
  return isRead ? changeOfReading(context, after) : changeOfImport(context, after, NO_CHANGES);
}
