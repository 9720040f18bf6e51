// What a decision about covers reads: the covers of an account that have not ended, and the events of
// the schedules that they may concern. Every write must have the preconditions that both are
// unchanged.
import { type SQL, sql } from "drizzle-orm";
import type { Cover } from "../../../domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../domain/oncall/covers/cover-parts.ts";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../records/identified.ts";
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
import { type RowOf, select } from "../../shared/select.ts";
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

/** A cover as it is stored. */
export type StoredCover = RowOf<typeof coverColumns>;

export type CoverState = {
  /** Those that have not ended, and the one that was asked for. */
  readonly covers: readonly StoredCover[];
  readonly placed: PlacedEvents;
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
};

const isRead = ({ accountId, now, cover }: Scope): SQL => sql`${covers.accountId} = ${accountId}
  and (${covers.endAt} > ${now} ${cover ? sql`or ${identified(covers, cover)}` : sql``})`;

/** Selects the ids of the people whose schedules are read. */
function selectPeople(scope: Scope): SQL {
  const people = (scope.people ?? []).map((id) => parseIdentifier("account_user", id)?.value ?? "");
  const named = JSON.stringify(people);
  return sql`select ${covers.accountUserId} from ${covers} where ${isRead(scope)}
    union select ${accountUsers.id} from ${accountUsers}
      where ${accountUsers.accountId} = ${scope.accountId}
        and (${accountUsers.id} in (select value from json_each(${named}))
          or ${accountUsers.prefixId} in (select value from json_each(${named})))`;
}

/** The events of the schedules in which these people, or overrides of covers, may serve. */
function fromEvents(scope: Scope): SQL {
  const { accountId, now } = scope;
  const people = selectPeople(scope);
  const ids = sql`select ${covers.id} from ${covers} where ${isRead(scope)}`;
  return sql`from ${eventSchedules} join ${events} on ${events.id} = ${eventSchedules.eventId}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${now}
      and ${eventSchedules.scheduleId} in (select ${schedules.id} from ${schedules}
        where ${schedules.accountId} = ${accountId} and exists (
          select 1 from ${eventSchedules} as placed
            join ${events} as concerned on concerned.id = placed.event_id
          where placed.account_id = ${accountId} and placed.schedule_id = ${schedules.id}
            and placed.active_until > ${now} and (concerned.cover_id in (${ids})
              or exists (select 1 from ${eventAttendees}
                where ${eventAttendees.eventId} = placed.event_id
                  and ${eventAttendees.accountUserId} in (${people}))
              or exists (select 1 from ${eventRosters}, json_each(${eventRosters.attendees}) as one
                where ${eventRosters.eventId} = placed.event_id
                  and ${eventRosters.activeUntil} > ${now}
                  and one.value ->> 'attendeeId' in (${people})))))
    order by ${eventSchedules.scheduleId}, ${events.id}`;
}

/** Selects the covers that have not ended. */
export const selectCovers = (scope: Scope) =>
  select(coverColumns, sql`from ${covers} where ${isRead(scope)} order by ${covers.id}`);

/** The two reads for `toCoverState`. */
export const selectCoverState = (scope: Scope) =>
  [selectCovers(scope), select(eventColumns(scope.now), fromEvents(scope))] as const;

export function toCoverState(
  scope: Scope,
  stored: readonly StoredCover[],
  rows: readonly EventRow[],
): CoverState {
  const placed = toPlacedEvents(rows);
  const coverLines = stored.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  const eventLines = rows.map((row) => `${row.scheduleId} ${row.id} ${row.updatedAt}`).join();
  return {
    covers: stored,
    placed,
    unchanged: [
      assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
        select ${covers.id} || ' ' || ${covers.updatedAt} as line from ${covers}
        where ${isRead(scope)} order by ${covers.id})) = ${coverLines}`),
      assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
        select ${eventSchedules.scheduleId} || ' ' || ${events.id} || ' ' || ${events.updatedAt} as line
        ${fromEvents(scope)})) = ${eventLines}`),
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
