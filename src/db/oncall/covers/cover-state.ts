// What a decision about covers reads: the covers of an account that have not ended, when people of
// rotations that skip who is unavailable are so, and the events of the schedules that these may
// concern. Every write must have the preconditions that all of them are unchanged.
import { type SQL, sql } from "drizzle-orm";
import type { Cover } from "../../../domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../domain/oncall/covers/cover-parts.ts";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../records/identified.ts";
import { unavailabilities } from "../../schema/calendars/calendar-imports.ts";
import { covers } from "../../schema/calendars/covers.ts";
import {
  eventAttendees,
  eventRosters,
  eventSchedules,
  events,
  schedules,
} from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { assertPrecondition } from "../../shared/precondition.ts";
import { type RowOf, select, truth } from "../../shared/select.ts";
import { onCallColumns } from "../oncall-rows.ts";

/** All covers of an account are decided together: those made at the same time wait for each other. */
export const COVER_ATTEMPTS = 20;

const coverColumns = {
  id: covers.id,
  accountUserId: covers.accountUserId,
  startAt: covers.startAt,
  endAt: covers.endAt,
  coveredBy: covers.coveredBy,
  coveringAccountUserId: covers.coveringAccountUserId,
  scheduleIds: covers.scheduleIds,
  decidedAt: covers.decidedAt,
  released: covers.released,
  updatedAt: covers.updatedAt,
};

const eventColumns = (now: number) => ({
  ...onCallColumns(now),
  scheduleId: eventSchedules.scheduleId,
  updatedAt: events.updatedAt,
});

type EventRow = RowOf<ReturnType<typeof eventColumns>>;

const awayColumns = {
  id: unavailabilities.id,
  accountUserId: unavailabilities.accountUserId,
  startAt: unavailabilities.startAt,
  endAt: unavailabilities.endAt,
  updatedAt: unavailabilities.updatedAt,
  absenceCalendarId: unavailabilities.absenceCalendarId,
};

/** An unavailability as a decision reads it. */
export type StoredTimeAway = RowOf<typeof awayColumns>;

/** A cover as it is stored. */
export type StoredCover = RowOf<typeof coverColumns>;

export type CoverState = {
  /** Those that have not ended, and the one that was asked for. */
  readonly covers: readonly StoredCover[];
  readonly placed: PlacedEvents;
  /** When people of rotations that skip who is unavailable are so. */
  readonly unavailable: readonly StoredTimeAway[];
  /** The preconditions that nothing has changed since. */
  readonly unchanged: readonly SQL[];
};

type Scope = {
  readonly accountId: string;
  /** Epoch ms. */
  readonly now: number;
  /** A cover to read also if it has ended. */
  readonly cover?: Identifier | undefined;
  /** Account users, in either form of the identifier, whose schedules to read too. */
  readonly people?: readonly string[] | undefined;
  /** Selects the ids of further account users. */
  readonly peopleIn?: SQL | undefined;
  /** Account users, in either form of the identifier, who become unavailable. */
  readonly absentees?: readonly string[] | undefined;
  /** An unavailability that changes. */
  readonly absence?: Identifier | undefined;
};

const isRead = ({ accountId, now, cover }: Scope): SQL => sql`${covers.accountId} = ${accountId}
  and (${covers.endAt} > ${now} ${cover ? sql`or ${identified(covers, cover)}` : sql``})`;

/** Selects the ids of account users that are named in either form. */
function selectNamed({ accountId }: Scope, ids: readonly string[]): SQL {
  const people = ids.map((id) => parseIdentifier("account_user", id)?.value ?? "");
  const named = JSON.stringify(people);
  return sql`select ${accountUsers.id} from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId}
      and (${accountUsers.id} in (select value from json_each(${named}))
        or ${accountUsers.prefixId} in (select value from json_each(${named})))`;
}

/** Selects the ids of the people whose schedules are read. */
const selectPeople = (scope: Scope): SQL =>
  sql`select ${covers.accountUserId} from ${covers} where ${isRead(scope)}
    union ${selectNamed(scope, scope.people ?? [])}
    ${scope.peopleIn ? sql`union ${scope.peopleIn}` : sql``}`;

/** Selects everyone in a rotation that skips who is unavailable. */
const selectSkippable = ({ accountId, now }: Scope): SQL =>
  sql`select ${eventAttendees.accountUserId} from ${events}
      join ${eventAttendees} on ${eventAttendees.eventId} = ${events.id}
      where ${events.accountId} = ${accountId} and skip_unavailable = 1
    union select one.value ->> 'attendeeId' from ${events}
      join ${eventRosters} on ${eventRosters.eventId} = ${events.id}
        and ${eventRosters.activeUntil} > ${now}, json_each(${eventRosters.attendees}) as one
      where ${events.accountId} = ${accountId} and skip_unavailable = 1`;

/** The unavailabilities of people of rotations that skip them, and of further people by id. */
function fromUnavailable(scope: Scope, further: readonly string[] = []): SQL {
  const people = sql`${selectSkippable(scope)}
    union select value from json_each(${JSON.stringify(further)})`;
  return sql`from ${unavailabilities} where ${unavailabilities.accountId} = ${scope.accountId}
    and ${unavailabilities.endAt} > ${scope.now}
    and ${unavailabilities.accountUserId} in (${people})`;
}

/**
 * Selects when people of rotations that skip who is unavailable are so, from now on.
 *
 * @param further ids of account users who are to be in such a rotation
 */
export const selectUnavailable = (scope: Scope, further?: readonly string[]) =>
  select(awayColumns, sql`${fromUnavailable(scope, further)} order by ${unavailabilities.id}`);

/** Selects the ids of the people who are to be skipped, and of those asked for. */
const selectAbsentees = (scope: Scope): SQL =>
  sql`select ${unavailabilities.accountUserId} ${fromUnavailable(scope)}
    union ${selectNamed(scope, scope.absentees ?? [])}
    ${scope.absence ? sql`union ${selectPersonOf(scope, scope.absence)}` : sql``}`;

const selectPersonOf = ({ accountId }: Scope, absence: Identifier): SQL =>
  sql`select ${unavailabilities.accountUserId} from ${unavailabilities}
    where ${unavailabilities.accountId} = ${accountId} and ${identified(unavailabilities, absence)}`;

/** Whether a decision may change anything. */
export const selectIsDecided = (scope: Scope) =>
  select(
    {
      isDecided: truth(sql`exists (select 1 from ${covers} where ${isRead(scope)})
        or exists (select 1 ${fromUnavailable(scope)})
        or exists (select 1 from ${events} where ${events.accountId} = ${scope.accountId}
          and absent_account_user_id is not null and ${events.endAt} > ${scope.now})`),
    },
    sql``,
  );

/** The condition that people may serve the event \`placed\`. */
const isServedBy = (people: SQL, now: number): SQL => sql`(exists (select 1 from ${eventAttendees}
    where ${eventAttendees.eventId} = placed.event_id
      and ${eventAttendees.accountUserId} in (${people}))
  or exists (select 1 from ${eventRosters}, json_each(${eventRosters.attendees}) as one
    where ${eventRosters.eventId} = placed.event_id and ${eventRosters.activeUntil} > ${now}
      and one.value ->> 'attendeeId' in (${people})))`;

/** Selects the ids of the schedules that covers, or the absences of people, concern. */
export function selectConcernedSchedules(scope: Scope): SQL {
  const { accountId, now } = scope;
  const ids = sql`select ${covers.id} from ${covers} where ${isRead(scope)}`;
  return sql`select ${schedules.id} from ${schedules}
    where ${schedules.accountId} = ${accountId} and exists (
      select 1 from ${eventSchedules} as placed
        join ${events} as concerned on concerned.id = placed.event_id
      where placed.account_id = ${accountId} and placed.schedule_id = ${schedules.id}
        and placed.active_until > ${now} and (concerned.cover_id in (${ids})
          or concerned.absent_account_user_id is not null
          or ${isServedBy(selectPeople(scope), now)}
          or (concerned.skip_unavailable
            and ${isServedBy(selectAbsentees(scope), now)})))`;
}

/** The events of the schedules that covers, or the absences of people, concern. */
function fromEvents(scope: Scope): SQL {
  const { accountId, now } = scope;
  return sql`from ${eventSchedules} join ${events} on ${events.id} = ${eventSchedules.eventId}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${now}
      and ${eventSchedules.scheduleId} in (${selectConcernedSchedules(scope)})
    order by ${eventSchedules.scheduleId}, ${events.id}`;
}

/** Selects the covers that have not ended. */
export const selectCovers = (scope: Scope) =>
  select(coverColumns, sql`from ${covers} where ${isRead(scope)} order by ${covers.id}`);

/** The three reads for `toCoverState`. */
export const selectCoverState = (scope: Scope) =>
  [
    selectCovers(scope),
    select(eventColumns(scope.now), fromEvents(scope)),
    selectUnavailable(scope),
  ] as const;

export function toCoverState(
  scope: Scope,
  stored: readonly StoredCover[],
  rows: readonly EventRow[],
  unavailable: readonly StoredTimeAway[],
): CoverState {
  const placed = toPlacedEvents(rows);
  const coverLines = stored.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  const eventLines = rows.map((row) => `${row.scheduleId} ${row.id} ${row.updatedAt}`).join();
  const awayLines = unavailable.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  return {
    covers: stored,
    placed,
    unavailable,
    unchanged: [
      assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
        select ${covers.id} || ' ' || ${covers.updatedAt} as line from ${covers}
        where ${isRead(scope)} order by ${covers.id})) = ${coverLines}`),
      assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
        select ${eventSchedules.scheduleId} || ' ' || ${events.id} || ' ' || ${events.updatedAt} as line
        ${fromEvents(scope)})) = ${eventLines}`),
      assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
        select ${unavailabilities.id} || ' ' || ${unavailabilities.updatedAt} as line
        ${fromUnavailable(scope)} order by ${unavailabilities.id})) = ${awayLines}`),
    ],
  };
}

function toPlacedEvents(rows: readonly EventRow[]): PlacedEvents {
  const byId = new Map<string, PlacedEvents["events"][number]>();
  const schedulesOf = new Map<string, readonly string[]>();
  for (const { scheduleId, updatedAt: _, ...event } of rows) {
    byId.set(event.id, event);
    schedulesOf.set(event.id, [...(schedulesOf.get(event.id) ?? []), scheduleId]);
  }
  return { events: [...byId.values()], schedulesOf };
}

/** The cover without what only its row says. */
export const toCover = ({ updatedAt: _, ...cover }: StoredCover): Cover => cover;
