import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { plainColumns } from "../../../kernel/db/plain-columns.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { calendarImportObject } from "../../stubs.ts";
import type { CalendarImport } from "./contract.ts";
import { changeOfReading } from "./import-change.ts";
import { referencesOf, sourceFaults, sourceOf, writeText } from "./import-input.ts";
import { calendarImportRecords } from "./import-records.ts";
import type { CreateCalendarImport } from "./parameters.ts";
import { readNow } from "./read-now.ts";

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
): Promise<CalendarImport | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const faults = sourceFaults(env, body, true, now);
  const identity = newIdentity("calendar_import", now, id);
  const object = calendarImportObject(env, identity.prefixId);
  const records = calendarImportRecords({ actor });
  const made = await retryOnConflict(async () => {
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
    const concerns = sql`select ${row.scheduleId}`;
    const previewed = context.preview && {
      onCall: await changeOfReading(context, { ...row, ical }),
    };
    // It is read even if this worker fails after the write.
    if (!context.preview) await object.expect({ id, accountId });
    const change = { verb: "create", records, id, before: null, writes, concerns, ...previewed };
    const { after } = await commitChange(context, change);
    return after ?? notFound("calendar_import");
  });
  if (isRefusal(made)) return made;
  return (await readNow(context, records, object, id)) ?? made;
}
