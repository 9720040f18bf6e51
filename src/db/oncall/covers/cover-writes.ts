// Writes the overrides of covers, all of a plan in a fixed number of statements.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { absencesOf, type TimeAway } from "../../../domain/oncall/covers/absences.ts";
import type { Cover } from "../../../domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../domain/oncall/covers/cover-parts.ts";
import { type CoverPlan, planCovers } from "../../../domain/oncall/covers/cover-plan.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { covers } from "../../schema/calendars/covers.ts";
import { eventAttendees, eventSchedules, events } from "../../schema/oncall.ts";
import { newId, newIdentity } from "../../shared/identifiers.ts";
import { rewriteOverrides } from "../events/event-patch.ts";
import {
  deleteByIds,
  extendOverlapping,
  placeInSchedules,
  placementOf,
} from "../events/event-rows.ts";
import { type CoverState, toCover } from "./cover-state.ts";

/** Whether storing a plan changes anything. */
export const isEmptyPlan = ({ removed, changed, added }: CoverPlan): boolean =>
  removed.length + changed.length + added.length === 0;

/** The writes of a plan. `now` in epoch ms. */
export function writePlan(accountId: string, plan: CoverPlan, now: number): readonly SQLWrapper[] {
  const { removed, changed, added, after } = plan;
  const byId = new Map(after.events.map((event) => [event.id, event]));
  const place = (event: OnCallEvent) => placementOf(event, byId.get(event.parentId ?? "") ?? null);
  const touched = [...changed, ...added].map(({ id }) => id);
  return [
    ...(changed.length > 0 ? [rewriteOverrides(changed, now)] : []),
    ...(removed.length > 0 ? [deleteByIds(removed)] : []),
    ...placeInSchedules(accountId, changed.map(place), undefined),
    ...(added.length > 0 ? insertOverrides(accountId, added, after, place, now) : []),
    ...(touched.length > 0 ? [extendOverlapping(accountId, touched)] : []),
  ];
}

/** Inserts single shifts with their people and schedules. `now` in epoch ms: when they are made. */
export function insertOverrides(
  accountId: string,
  added: readonly OnCallEvent[],
  { schedulesOf }: PlacedEvents,
  place: (event: OnCallEvent) => { readonly id: string; readonly until: number },
  now: number,
): readonly SQL[] {
  const rows = added.map((event) => ({ ...event, ...newIdentity("event", now, event.id) }));
  const attendees = added.flatMap((event) =>
    event.attendees.map((attendee) => ({ ...attendee, eventId: event.id })),
  );
  const places = added.flatMap((event) =>
    (schedulesOf.get(event.id) ?? []).map((scheduleId) => ({ ...place(event), scheduleId })),
  );
  return [
    sql`insert into ${events} (id, prefix_id, created_at, updated_at, account_id, parent_id,
        overridden_start_at, start_at, end_at, layer, time_zone, priority, cover_id,
        leaves_empty, absent_account_user_id)
      select value ->> 'id', value ->> 'prefixId', ${now}, ${now}, ${accountId},
        value ->> 'parentId', value ->> 'overriddenStartAt', value ->> 'startAt',
        value ->> 'endAt', value ->> 'layer', value ->> 'timeZone', value ->> 'priority',
        value ->> 'coverId', value ->> 'leavesEmpty',
        value ->> 'absentAccountUserId' from json_each(${JSON.stringify(rows)})`,
    sql`insert into ${eventAttendees} (id, account_id, event_id, account_user_id, position)
      select value ->> 'id', ${accountId}, value ->> 'eventId', value ->> 'attendeeId',
        value ->> 'position' from json_each(${JSON.stringify(attendees)})`,
    sql`insert into ${eventSchedules} (account_id, schedule_id, event_id, active_until)
      select ${accountId}, value ->> 'scheduleId', value ->> 'id', value ->> 'until'
      from json_each(${JSON.stringify(places)})`,
  ];
}

/** What a decision changes in the state that was read. */
type StateChange = {
  readonly covers?: readonly Cover[];
  readonly unavailable?: readonly TimeAway[];
};

/** Decides the covers of a state, or of its changed form, anew. `now` in epoch ms. */
export function planStored(
  state: CoverState,
  now: number,
  {
    covers: decided = state.covers.map(toCover),
    unavailable = state.unavailable,
  }: StateChange = {},
): CoverPlan {
  return planCovers(state.placed, decided, now, () => newId(now), absencesOf(unavailable));
}

/** What a cover has stays when it is deleted: its past overrides are ordinary ones from then on. */
export const releaseOverrides = (accountId: string, coverIds: SQL): SQL =>
  sql`update ${events} set cover_id = null
    where ${events.accountId} = ${accountId} and ${events.coverId} in (${coverIds})`;

/** Notes that the override of a cover was deleted by hand, before it is. `now` in epoch ms. */
export const noteReleased = (accountId: string, eventId: SQL, now: number): SQL =>
  sql`with recursive above(id, parent_id) as (
      select id, parent_id from ${events}
        where account_id = ${accountId} and id = (${eventId}) and cover_id is not null
      union select ${events.id}, ${events.parentId} from above
        join ${events} on ${events.id} = above.parent_id)
    update ${covers} set
      released = json_insert(released, '$[#]', json_object(
        'eventId', (select id from above where parent_id is null),
        'startAt', override.start_at, 'endAt', override.end_at)),
      updated_at = max(${covers.updatedAt} + 1, ${now})
    from ${events} as override where override.account_id = ${accountId}
      and override.id = (${eventId}) and override.parent_id is not null
      and ${covers.id} = override.cover_id`;
