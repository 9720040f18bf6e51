// What team admins may cover (contract 2, Covers): absences in schedules that only their teams use.
// A cover gives hours of events to others, so it needs what an override of each of them needs. Everybody
// may ask for cover of themselves.
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import * as field from "../../contract/shared/parameters.ts";
import { coverRequests } from "../../db/schema/calendars/cover-requests.ts";
import { covers } from "../../db/schema/calendars/covers.ts";
import { eventAttendees, eventRosters, eventSchedules } from "../../db/schema/oncall.ts";
import { accountUsers } from "../../db/schema/people.ts";
import type { MemberActor } from "../../domain/access/actor.ts";
import { administersNamed, normalized, selectAdministered, type TeamReach } from "./team-reach.ts";

const namedByCover = z.object({
  account_user_id: field.identifier.catch(undefined),
  schedule_ids: field.identifiers.optional().catch(undefined),
});

/** `active_until` after which an event still concerns a new cover; the database's clock, in ms. */
const NOW = sql`(unixepoch() * 1000)`;

/**
 * The schedules of the events that a person may serve, as far as those events are in one of some
 * schedules.
 *
 * @param isIn a condition on `here`, the event in a schedule
 */
const schedulesServed = (accountId: string, person: SQL, isIn: SQL): SQL =>
  sql`select there.schedule_id from ${eventSchedules} as here
    join ${eventSchedules} as there on there.event_id = here.event_id
    where here.account_id = ${accountId} and here.active_until > ${NOW} and ${isIn}
      and (exists (select 1 from ${eventAttendees} where ${eventAttendees.eventId} = here.event_id
          and ${eventAttendees.accountUserId} = ${person})
        or exists (select 1 from ${eventRosters}, json_each(${eventRosters.attendees}) as one
          where ${eventRosters.eventId} = here.event_id and ${eventRosters.activeUntil} > ${NOW}
            and one.value ->> 'attendeeId' = ${person}))`;

/** True if the select has schedules, and the actor administers all of them. */
const administersAll = (actor: MemberActor, selected: SQL): SQL =>
  sql`(exists (${selected}) and not exists (select 1 from (${selected}) as one
    where one.schedule_id not in (${selectAdministered("schedule", actor)})))`;

const personNamed = (actor: MemberActor, id: string): SQL => {
  const named = normalized("account_user", id);
  return sql`(select ${accountUsers.id} from ${accountUsers}
    where ${accountUsers.accountId} = ${actor.accountId}
      and (${accountUsers.id} = ${named} or ${accountUsers.prefixId} = ${named}))`;
};

/** True if the actor administers all schedules of the events of a person's cover. */
function administersServed(actor: MemberActor, person: SQL, named: readonly string[]): SQL {
  const { accountId } = actor;
  if (named.length === 0) {
    return administersAll(actor, schedulesServed(accountId, person, sql`true`));
  }
  const ids = JSON.stringify(named.map((id) => normalized("schedule", id)));
  const isIn = sql`here.schedule_id in (select value from json_each(${ids}))`;
  const served = schedulesServed(accountId, person, isIn);
  return sql`(${administersNamed(actor, named)} and not exists (select 1 from (${served}) as one
    where one.schedule_id not in (${selectAdministered("schedule", actor)})))`;
}

/**
 * For a new cover: the actor administers all schedules of the events that the person may serve; with
 * `schedule_ids`, those, and all schedules of the person's events in them.
 */
export const administersNewCover: TeamReach = ({ actor, body }) => {
  const { account_user_id: person, schedule_ids: named } = namedByCover.parse(body);
  return administersServed(actor, personNamed(actor, person ?? ""), named ?? []);
};

/**
 * For the cover in the path: the same before and after the change.
 */
export const administersCover: TeamReach = ({ actor, params, body }) => {
  const { accountId } = actor;
  const { account_user_id: person, schedule_ids: named } = namedByCover.parse(body ?? {});
  const own = sql`from ${covers} where ${covers.accountId} = ${accountId}
    and (${covers.id} = ${params.id} or ${covers.prefixId} = ${params.id})`;
  const stored = sql`(select ${covers.scheduleIds} ${own})`;
  const isIn = sql`(${stored} is null
    or here.schedule_id in (select value from json_each(${stored})))`;
  const concerned = sql`select value as schedule_id from json_each(${stored})
    union select schedule_id from (${schedulesServed(accountId, sql`(select ${covers.accountUserId} ${own})`, isIn)})`;
  const isOwn = administersAll(actor, concerned);
  if (person == null && named === undefined) return isOwn;
  const next =
    person == null ? sql`(select ${covers.accountUserId} ${own})` : personNamed(actor, person);
  return sql`(${isOwn} and ${administersServed(actor, next, named ?? [])})`;
};

/** Anything but an identifier names nobody. */
const namedByRequest = z.object({
  account_user_id: field.identifier.catch("nobody"),
  schedule_ids: field.identifiers.optional().catch(undefined),
});

/** For a new request for cover: of the actor, or of a person whom the actor may cover. */
export const administersNewRequest: TeamReach = ({ actor, body }) => {
  const { account_user_id: person, schedule_ids: named } = namedByRequest.parse(body);
  if (person == null) return sql`1`;
  const id = personNamed(actor, person);
  return sql`(${id} = ${actor.accountUserId} or ${administersServed(actor, id, named ?? [])})`;
};

/** For the request for cover in the path: the actor's, or of a person whom the actor may cover. */
export const administersRequest: TeamReach = ({ actor, params }) => {
  const own = sql`from ${coverRequests} where ${coverRequests.accountId} = ${actor.accountId}
    and (${coverRequests.id} = ${params.id} or ${coverRequests.prefixId} = ${params.id})`;
  const person = sql`(select ${coverRequests.accountUserId} ${own})`;
  const stored = sql`(select ${coverRequests.scheduleIds} ${own})`;
  const isIn = sql`(${stored} is null
    or here.schedule_id in (select value from json_each(${stored})))`;
  const concerned = sql`select value as schedule_id from json_each(${stored})
    union select schedule_id from (${schedulesServed(actor.accountId, person, isIn)})`;
  return sql`(${person} = ${actor.accountUserId} or ${administersAll(actor, concerned)})`;
};
