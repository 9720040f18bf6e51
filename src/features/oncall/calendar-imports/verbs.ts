import { eq, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { decideImport } from "../../../domain/oncall/imports/import-decision.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  refuseConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import type { Decision, Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { calendarImportObject } from "../../stubs.ts";
import { effectOf, NO_EFFECT } from "../on-call/on-call-effect.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import type { CalendarImport } from "./contract.ts";
import { changeOfImport, changeOfReading, NO_CHANGES } from "./import-change.ts";
import { referencesOf, sourceFaults, sourceOf, writeText } from "./import-input.ts";
import {
  calendarImportRecords,
  type StoredImport,
  selectImport,
  selectImportedShifts,
  selectStoredImport,
} from "./import-rows.ts";
import {
  readOverriddenFamilies,
  recordedImport,
  releaseShifts,
  writeImportChanges,
} from "./imported-event-rows.ts";
import type { CreateCalendarImport, UpdateCalendarImport } from "./parameters.ts";
import { readNow } from "./read-now.ts";
import { ANOTHER_CALENDAR } from "./reading-rows.ts";

/**
 * Creates a calendar import and reads its calendar (contract 2, Calendar imports).
 *
 * @param id the ULID of the new import
 * @returns the import after the first reading, also if that failed; 422 for an unknown schedule, a
 *   forbidden URL or a text that is no calendar
 */
export async function createCalendarImport(
  context: Context<MemberActor>,
  id: string,
  body: CreateCalendarImport,
): Promise<Decision<"CalendarImport"> | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const faults = sourceFaults(env, body, true, now);
  const identity = newIdentity("calendar_import", now, id);
  const object = calendarImportObject(env, identity.prefixId);
  const records = calendarImportRecords({ actor });
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const { url, ical } = sourceOf(body);
  const row = {
    ...identity,
    accountId,
    scheduleId: resolved.idsOf("schedule_id")[0] ?? "",
    ...plainColumns(calendarImports, body, "url"),
    name: body.name,
    layer: body.layer ?? 1,
    url,
    nextReadAt: now,
  };
  const writes = [
    build.insert(calendarImports).values(row),
    ...(ical === null ? [] : writeText(accountId, id, ical)),
  ];
  return {
    ...{ verb: "create", records, id, before: null, writes },
    concerns: sql`select ${row.scheduleId}`,
    effect: async () => effectOf(await changeOfReading(context, { ...row, ical })),
    // It is read even if this worker fails after the write.
    prepare: () => object.expect({ id, accountId }),
    answer: async ({ after }) =>
      after
        ? ((await readNow(context, records, object, id)) ?? after)
        : notFound("calendar_import"),
  };
}

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
): Promise<Decision<"CalendarImport"> | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const faults = sourceFaults(env, body, false, now);
  if (faults.length > 0) return refuseFields(faults);
  const records = calendarImportRecords({ actor });
  const { url, ical } = sourceOf(body);
  const hasSource = isAnotherSource(body);
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
  const object = calendarImportObject(env, stored.prefixId);
  const isRead = hasSource || body.layer !== undefined;
  return {
    ...{ verb: "update", records, id, before, writes },
    concerns: sql`select ${before.schedule_id}`,
    // The source before is a secret that is not recorded.
    ...(hasSource && { irreversible: "calendar" }),
    effect: async () => effectOf(await changeOf(context, stored, body)),
    answer: async ({ after }) => {
      if (!after) return notFound("calendar_import");
      const read = isRead ? await readNow(context, records, object, id) : null;
      return read ?? after;
    },
  };
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
): Promise<PreviewedChange> {
  const source = isAnotherSource(body) ? sourceOf(body) : {};
  const isRead = isAnotherSource(body) || body.layer !== undefined;
  const after = { ...stored, ...source, layer: body.layer ?? stored.layer };
  return isRead ? changeOfReading(context, after) : changeOfImport(context, after, NO_CHANGES);
}

/**
 * Deletes a calendar import with its shifts that have not begun. The running one ends now; past
 * shifts stay, as ordinary ones (contract 2, Calendar imports).
 *
 * @returns null; 404
 */
export async function deleteCalendarImport(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Decision<"CalendarImport", null> | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const records = calendarImportRecords({ actor });
  const before = await first(db, selectRecord(records, accountId, identifier));
  if (!before) return notFound("calendar_import");
  const { id } = before;
  const [[stored], shifts] = await batch(db, [
    selectStoredImport(accountId, id),
    selectImportedShifts(id, now),
  ]);
  if (!stored) return notFound("calendar_import");
  const changes = decideImport(shifts, [], now);
  const families = await readOverriddenFamilies(db, accountId, changes, now);
  const writes = [
    assertUnchanged(calendarImports, id, stored.updatedAt),
    ...writeImportChanges(stored, changes, families, now),
    releaseShifts(accountId, id),
    build.delete(calendarImports).where(eq(calendarImports.id, id)),
  ];
  const { touches, concerns } = recordedImport(id, stored.scheduleId, now);
  const { prefixId } = stored;
  return {
    ...{ verb: "delete", records, id, before, writes, touches, concerns },
    effect: async () => effectOf(await changeOfImport(context, stored, changes)),
    answer: async () => {
      // It finds nothing, and empties itself. Otherwise its alarm does so.
      await calendarImportObject(env, prefixId)
        .refresh({ id, accountId })
        .catch(() => undefined);
      return null;
    },
  };
}

/** Reads the calendar of an import now; the import, with the result; 404; 409. */
export async function refreshCalendarImport(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Unwritten<CalendarImport> | Refusal> {
  const { env, db, actor, stillAllowed } = context;
  const records = calendarImportRecords({ actor });
  const read = selectRecord(records, actor.accountId, identifier);
  const found = await batch(db, [read, ...stillAllowed]).catch(refuseConflict);
  if (isRefusal(found)) return found;
  const [[record]] = found;
  if (!record) return notFound("calendar_import");
  const { id } = record;
  const object = calendarImportObject(env, record.prefix_id);
  return {
    effect: async () => {
      const stored = await first(db, selectStoredImport(actor.accountId, id));
      return stored ? effectOf(await changeOfReading(context, stored)) : NO_EFFECT;
    },
    answer: async () =>
      (await readNow(context, records, object, id)) ?? notFound("calendar_import"),
  };
}
