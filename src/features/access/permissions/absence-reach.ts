// Who may say that a person is away, and who is on call instead (contract 2, Absences). Everybody may
// say that they are away themselves, and ask others. To say who is on call instead gives hours of events
// to others, so it needs what an override of each of them needs: team admins may for schedules that only
// their teams use.
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { INSTEAD, type Instead } from "../../../domain/oncall/absences/absence-record.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { absences } from "../../schema/absences.ts";
import { eventAttendees, eventRosters, eventSchedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import {
  type AttemptedRequest,
  administersNamed,
  normalized,
  selectAdministered,
  type TeamReach,
} from "./team-reach.ts";

/** Anything but an identifier names nobody. */
const namedBy = z.object({
  account_user_id: field.identifier.catch("nobody"),
  schedule_ids: field.identifiers.optional().catch(undefined),
  instead: field.optionalChoice(INSTEAD).catch(undefined),
});

/** `active_until` after which an event still concerns a new absence; the database's clock, in ms. */
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

/** True if the actor administers all schedules of the events that a person serves in some, or in all. */
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

const isSelf = (actor: MemberActor, person: SQL): SQL => sql`${person} = ${actor.accountUserId}`;

/** Whether the actor may give an absence of a person this `instead`. */
function mayDecide(
  actor: MemberActor,
  instead: Instead,
  person: SQL,
  named: readonly string[],
): SQL {
  if (instead === "nobody_yet") return isSelf(actor, person);
  const administers = administersServed(actor, person, named);
  return instead === "ask" ? sql`(${isSelf(actor, person)} or ${administers})` : administers;
}

/** For a new absence. */
export const addsAbsence: TeamReach = ({ actor, body }) => {
  const { account_user_id: person, schedule_ids: named, instead } = namedBy.parse(body);
  const id = person == null ? sql`${actor.accountUserId}` : personNamed(actor, person);
  return sql`(${mayDecide(actor, instead ?? "nobody_yet", id, named ?? [])})`;
};

/** True if there is the absence in the path, and a condition on its row holds. */
const ofStored = ({ actor, params }: AttemptedRequest, condition: SQL): SQL =>
  sql`exists (select 1 from ${absences} where ${absences.accountId} = ${actor.accountId}
    and (${absences.id} = ${params.id} or ${absences.prefixId} = ${params.id}) and (${condition}))`;

const person = sql`${absences.accountUserId}`;

/** Whether a row says nothing about others: nobody serves instead by it. */
const isOpen = sql`(${absences.instead} = 'nobody_yet'
  or ${absences.instead} = 'ask' and ${absences.askingStatus} <> 'accepted')`;

/** Whether a row is not for its person or an account admin alone. */
const isDecided = sql`${absences.instead} <> 'nobody_yet'`;

/** True if the actor administers all schedules that a row concerns. */
function administersConcerned(actor: MemberActor): SQL {
  const isIn = sql`(${absences.scheduleIds} is null
    or here.schedule_id in (select value from json_each(${absences.scheduleIds})))`;
  const served = schedulesServed(actor.accountId, person, isIn);
  return administersAll(
    actor,
    sql`select value as schedule_id from json_each(${absences.scheduleIds})
      union select schedule_id from (${served})`,
  );
}

/** The parameters that say who is on call instead, or whom to ask. */
const DECIDING: readonly string[] = [
  ...["instead", "covering_account_user_id", "account_user_ids", "event_id", "in_return"],
  "expires_at",
];

/** Whether a body says nothing but who is on call instead: not that somebody is away, or when. */
const onlyDecides = (body: unknown): boolean =>
  typeof body === "object" &&
  body !== null &&
  Object.keys(body).every((name) => DECIDING.includes(name));

/**
 * For an absence that is changed: what it says before and after. Who may say who is on call instead may
 * do so where nobody has yet, and take it back.
 */
export const changesAbsence: TeamReach = (attempt) => {
  const { actor, body } = attempt;
  const { account_user_id: named, schedule_ids: scheduleIds, instead } = namedBy.parse(body ?? {});
  const administers = administersConcerned(actor);
  const isOwn = sql`${isOpen} and ${isSelf(actor, person)}`;
  if (named == null && scheduleIds === undefined) {
    const isForAll = instead == null || instead === "nobody_yet" || instead === "ask";
    const isTakenBack = instead === "nobody_yet";
    const mayDecideIt = onlyDecides(body)
      ? administers
      : sql`${administers} and (${isOwn} or ${isTakenBack ? sql`0` : isDecided})`;
    return ofStored(attempt, isForAll ? sql`${isOwn} or ${mayDecideIt}` : mayDecideIt);
  }
  const next = named == null ? person : personNamed(actor, named);
  const places = scheduleIds ?? [];
  const isAsBefore = sql`(${isOpen} and ${isSelf(actor, next)}
    or ${isDecided} and ${administersServed(actor, next, places)})`;
  const after = instead == null ? isAsBefore : mayDecide(actor, instead, next, places);
  return ofStored(attempt, sql`(${isOwn} or ${isDecided} and ${administers}) and ${after}`);
};

/** For an absence that is taken back: the person's own, or one that the actor may decide. */
export const takesAbsenceBack: TeamReach = (attempt) => {
  const { actor } = attempt;
  const administers = administersConcerned(actor);
  return ofStored(attempt, sql`${isSelf(actor, person)} or ${isDecided} and ${administers}`);
};
