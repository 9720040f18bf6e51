import { and, eq, type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import { assertUnchanged, nextUpdatedAt } from "../../../kernel/db/optimistic-retry.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { batch, first, select } from "../../../kernel/db/select.ts";
import type { Decision, Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { absences } from "../../schema/absences.ts";
import { absenceCalendars } from "../../schema/calendar-imports.ts";
import { absenceCalendarObject } from "../../stubs.ts";
import { keepServed } from "../absences/absence-rows.ts";
import { readNow } from "../calendar-imports/read-now.ts";
import { ANOTHER_CALENDAR } from "../calendar-imports/reading-rows.ts";
import { effectOf, NO_EFFECT } from "../on-call/on-call-effect.ts";
import { accessibleAbsenceCalendars } from "./absence-calendar-scope.ts";
import { givesSource, NO_SOURCE, readSource } from "./absence-calendar-source.ts";
import { changeOfAbsences, changeOfReading } from "./absence-change.ts";
import { awayPerson, personReference } from "./away-person.ts";
import type { AbsenceCalendar } from "./contract.ts";
import type { CreateAbsenceCalendar, UpdateAbsenceCalendar } from "./parameters.ts";
import { absenceCalendarRecords } from "./rows.ts";

const records = absenceCalendarRecords;

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
): Promise<Decision<"AbsenceCalendar"> | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const identity = newIdentity("absence_calendar", now, id);
  const object = absenceCalendarObject(env, identity.prefixId);
  const resolved = await resolveReferences(db, accountId, personReference(body));
  const accountUserId = awayPerson(actor, body, resolved);
  if (isRefusal(accountUserId)) return accountUserId;
  const source = await readSource(env, body, NO_SOURCE);
  if (isRefusal(source)) return source;
  const { name, meta = {} } = body;
  const row = { ...identity, accountId, accountUserId, name, ...source, nextReadAt: now, meta };
  return {
    ...{ verb: "create", records, id, before: null },
    writes: [build.insert(absenceCalendars).values(row)],
    effect: async () => effectOf(await changeOfReading(context, row)),
    prepare: () => object.expect({ id, accountId }),
    answer: async ({ after }) =>
      after
        ? ((await readNow(context, records, object, id)) ?? after)
        : notFound("absence_calendar"),
  };
}

const within = (actor: MemberActor, identifier: Identifier): SQL | undefined =>
  and(oneRecord(absenceCalendars, actor.accountId, identifier), accessibleAbsenceCalendars(actor));

const { id, prefixId, updatedAt, accountUserId, url, region, companyHolidays } = absenceCalendars;
const columns = { id, prefixId, updatedAt, accountUserId, url, region, companyHolidays };

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
): Promise<Decision<"AbsenceCalendar"> | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
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
  const { prefixId } = stored;
  return {
    ...{ verb: "update", records, id, before, writes },
    effect: async () =>
      source ? effectOf(await changeOfReading(context, { ...stored, ...source })) : NO_EFFECT,
    answer: async ({ after }) => {
      if (!after) return notFound("absence_calendar");
      if (!source) return after;
      const object = absenceCalendarObject(env, prefixId);
      return (await readNow(context, records, object, id)) ?? after;
    },
  };
}

/** Reads an absence calendar now; the calendar, with the result, or 404. */
export async function refreshAbsenceCalendar(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Unwritten<AbsenceCalendar> | Refusal> {
  const { env, db, actor } = context;
  const stored = await first(db, selectStored(actor, identifier));
  if (!stored) return notFound("absence_calendar");
  const object = absenceCalendarObject(env, stored.prefixId);
  return {
    effect: async () => effectOf(await changeOfReading(context, stored)),
    answer: async () =>
      (await readNow(context, records, object, stored.id)) ?? notFound("absence_calendar"),
  };
}

/** Deletes an absence calendar with the absences that were read from it; null, or 404. */
export async function deleteAbsenceCalendar(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Decision<"AbsenceCalendar", null> | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const [[stored], [before]] = await batch(db, [
    selectStored(actor, identifier),
    selectRecord(records, accountId, identifier),
  ]);
  if (!stored || !before) return notFound("absence_calendar");
  const { id } = stored;
  return {
    ...{ verb: "delete", records, id, before },
    writes: [
      assertUnchanged(absenceCalendars, id, stored.updatedAt),
      keepServed(sql`${absences.absenceCalendarId} = ${id}`, now),
      build.delete(absenceCalendars).where(eq(absenceCalendars.id, id)),
    ],
    effect: async () => effectOf(await changeOfAbsences(context, [{ ...stored, absences: [] }])),
    answer: async () => {
      // It finds nothing, and empties itself. Otherwise its alarm does so.
      await absenceCalendarObject(env, stored.prefixId)
        .refresh({ id, accountId })
        .catch(() => undefined);
      return null;
    },
  };
}
