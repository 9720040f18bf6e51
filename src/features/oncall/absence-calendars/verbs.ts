import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { batch, first, type RowOf, select } from "../../../kernel/db/select.ts";
import { commitChange, commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { Previewed } from "../../change/preview.ts";
import { absences } from "../../schema/absences.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { absenceCalendarObject } from "../../stubs.ts";
import { keepServed } from "../absences/absence-rows.ts";
import { readNow } from "../calendar-imports/read-now.ts";
import { ANOTHER_CALENDAR } from "../calendar-imports/reading-rows.ts";
import { type OnCallChange, previewOnCallChange } from "../on-call/preview-on-call-change.ts";
import { accessibleAbsenceCalendars } from "./absence-calendar-scope.ts";
import { givesSource, NO_SOURCE, readSource } from "./absence-calendar-source.ts";
import { changeOfAbsences, changeOfReading, NO_ABSENCES_CHANGE } from "./absence-change.ts";
import { awayPerson, personReference } from "./away-person.ts";
import type { AbsenceCalendar } from "./contract.ts";
import type { CreateAbsenceCalendar, UpdateAbsenceCalendar } from "./parameters.ts";
import { absenceCalendarRecords } from "./rows.ts";

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

const records = absenceCalendarRecords;

const within = (actor: MemberActor, identifier: Identifier): SQL | undefined =>
  and(oneRecord(absenceCalendars, actor.accountId, identifier), accessibleAbsenceCalendars(actor));

const { id, prefixId, updatedAt, accountUserId, url, region, companyHolidays } = absenceCalendars;
const columns = { id, prefixId, updatedAt, accountUserId, url, region, companyHolidays };

type StoredCalendar = RowOf<typeof columns>;

/** The calendar as its verbs read it; no row if the actor may not change it. */
const selectStored = (actor: MemberActor, identifier: Identifier) =>
  select(columns, sql`from ${absenceCalendars} where ${within(actor, identifier)}`);

/**
 * Changes an absence calendar, and reads it if its source is given.
 *
 * @returns the calendar; 404, also for another person's unless the actor is an admin; 422 for a
 *   forbidden URL or an unknown region
 */
export async function updateAbsenceCalendar(
  context: Context<MemberActor>,
  identifier: Identifier,
  body: UpdateAbsenceCalendar,
): Promise<AbsenceCalendar | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const updated = await retryOnConflict(async () => {
    const [[stored], [before]] = await batch(db, [
      selectStored(actor, identifier),
      selectRecord(records, accountId, identifier),
    ]);
    if (!stored || !before) return notFound("absence_calendar");
    const { id } = stored;
    const source = givesSource(body) ? await readSource(env, body, stored) : null;
    if (isRefusal(source)) return source;
    const changes = {
      ...(body.name !== undefined && { name: body.name }),
      ...(body.meta !== undefined && { meta: body.meta }),
      ...(source && { ...source, ...ANOTHER_CALENDAR }),
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const writes = [
      assertUnchanged(absenceCalendars, id, stored.updatedAt),
      build.update(absenceCalendars).set(changes).where(eq(absenceCalendars.id, id)),
    ];
    const previewed = context.preview && {
      onCall: source
        ? await changeOfReading(context, { ...stored, ...source })
        : NO_ABSENCES_CHANGE,
    };
    const change = { verb: "update", records, id, before, writes, ...previewed };
    const { after } = await commitChange(context, change);
    return after ?? notFound("absence_calendar");
  });
  if (isRefusal(updated) || !givesSource(body)) return updated;
  const object = absenceCalendarObject(env, updated.prefix_id);
  return (await readNow(context, records, object, updated.id)) ?? updated;
}

/** Reads an absence calendar now; the calendar, with the result, or 404. */
export async function refreshAbsenceCalendar(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<AbsenceCalendar | Refusal> {
  const { env, db, actor } = context;
  if (context.preview)
    return showPreview(context, identifier, (it) => changeOfReading(context, it));
  const scope = accessibleAbsenceCalendars(actor);
  const record = await first(db, selectRecord(records, actor.accountId, identifier, scope));
  if (!record) return notFound("absence_calendar");
  const object = absenceCalendarObject(env, record.prefix_id);
  return (await readNow(context, records, object, record.id)) ?? notFound("absence_calendar");
}

/** Leaves the verb with the preview of a change of the calendar; or 404. */
async function showPreview(
  context: Context<MemberActor>,
  identifier: Identifier,
  changeOf: (stored: StoredCalendar) => Promise<OnCallChange>,
): Promise<Refusal> {
  const stored = await first(context.db, selectStored(context.actor, identifier));
  if (!stored) return notFound("absence_calendar");
  throw new Previewed(await previewOnCallChange(context, await changeOf(stored)));
}

/** Deletes an absence calendar with the absences that were read from it; null, or 404. */
export async function deleteAbsenceCalendar(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { env, actor, now } = context;
  if (context.preview) {
    return showPreview(context, identifier, (it) =>
      changeOfAbsences(context, [{ ...it, absences: [] }]),
    );
  }
  const scope = accessibleAbsenceCalendars(actor);
  const { before } = await commitUnread(context, {
    verb: "delete",
    records,
    identifier,
    ...(scope && { scope }),
    writes: [
      keepServed(
        sql`${absences.absenceCalendarId} in (select ${id} from ${absenceCalendars}
          where ${within(actor, identifier)})`,
        now,
      ),
      build.delete(absenceCalendars).where(within(actor, identifier)),
    ],
  });
  if (before === null) return notFound("absence_calendar");
  const { id: calendarId, prefix_id } = before;
  // It finds nothing, and empties itself. Otherwise its alarm does so.
  await absenceCalendarObject(env, prefix_id)
    .refresh({ id: calendarId, accountId: actor.accountId })
    .catch(() => undefined);
  return null;
}
