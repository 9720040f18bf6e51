import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { absenceCalendarObject } from "../../stubs.ts";
import { readNow } from "../calendar-imports/read-now.ts";
import { absenceCalendarRecords } from "./absence-calendar-records.ts";
import { NO_SOURCE, readSource } from "./absence-calendar-source.ts";
import { changeOfReading } from "./absence-change.ts";
import { awayPerson, personReference } from "./away-person.ts";
import type { AbsenceCalendar } from "./contract.ts";
import type { CreateAbsenceCalendar } from "./parameters.ts";

/**
 * Creates an absence calendar and reads it (contract 2, Absence calendars).
 *
 * @param id the ULID of the new calendar
 * @returns the calendar after the first reading, also if that failed; 403 for another person's
 *   without the role admin; 422 for an unknown person or region, or a forbidden URL
 */
export async function createAbsenceCalendar(
  context: Context<MemberActor>,
  id: string,
  body: CreateAbsenceCalendar,
): Promise<AbsenceCalendar | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const identity = newIdentity("absence_calendar", now, id);
  const object = absenceCalendarObject(env, identity.prefixId);
  const records = absenceCalendarRecords;
  const made = await retryOnConflict(async () => {
    const resolved = await resolveReferences(db, accountId, personReference(body));
    const accountUserId = awayPerson(actor, body, resolved);
    if (isRefusal(accountUserId)) return accountUserId;
    const source = await readSource(env, body, NO_SOURCE);
    if (isRefusal(source)) return source;
    const { name, meta = {} } = body;
    const row = { ...identity, accountId, accountUserId, name, ...source, nextReadAt: now, meta };
    const writes = [build.insert(absenceCalendars).values(row)];
    const previewed = context.preview && { onCall: await changeOfReading(context, row) };
    if (!context.preview) await object.expect({ id, accountId });
    const change = { verb: "create", records, id, before: null, writes, ...previewed };
    const { after } = await commitChange(context, change);
    return after ?? notFound("absence_calendar");
  });
  if (isRefusal(made)) return made;
  return (await readNow(context, records, object, id)) ?? made;
}
