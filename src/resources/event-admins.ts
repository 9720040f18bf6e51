// Who may write an on-call event, beside the account's admins: the admins of a team whose active
// schedule holds it.
import { type SQL, sql } from "drizzle-orm";
import { eventSchedules, events, schedules, teamPeople, teams } from "../db/schema/oncall.ts";
import { parseIdentifier } from "../domain/identifiers.ts";
import type { Actor } from "../http/actor.ts";
import type { ApiRequest } from "../http/route.ts";

/** The active schedules of the teams that the actor administers. */
const administered = (actor: Actor): SQL => sql`select ${teams.scheduleId} from ${teams}
  join ${teamPeople} on ${teamPeople.teamId} = ${teams.id} and ${teamPeople.relation} = 'admin'
  where ${teams.accountId} = ${actor.accountId} and ${teams.scheduleId} is not null
    and ${teamPeople.accountUserId} = ${actor.accountUserId}`;

/**
 * True when the actor administers every one of the schedules named (in either form); there must be
 * some.
 */
function administersNamed(actor: Actor, ids: readonly string[]): SQL {
  const given = JSON.stringify(ids.map((id) => parseIdentifier("schedule", id)?.value ?? ""));
  return sql`(json_array_length(${given}) > 0 and not exists (select 1 from json_each(${given}) as named
    where not exists (select 1 from ${schedules} where ${schedules.accountId} = ${actor.accountId}
      and (${schedules.id} = named.value or ${schedules.prefixId} = named.value)
      and ${schedules.id} in (${administered(actor)}))))`;
}

/**
 * For a new event: the actor administers every schedule that it is to stand in; an override's are
 * its parent's.
 */
export function administersNewEvent(
  request: ApiRequest<{
    readonly parent_id?: string | null | undefined;
    readonly schedule_ids?: readonly string[] | undefined;
  }>,
): SQL {
  const { actor, body } = request;
  if (body.parent_id == null) return administersNamed(actor, body.schedule_ids ?? []);
  const id = parseIdentifier("event", body.parent_id)?.value ?? "";
  return administersEvent({ ...request, params: { id } });
}

/**
 * For the event in the path, where the body names no schedules: the actor administers every one it
 * stands in.
 */
export function administersPlacedEvent(request: ApiRequest<unknown>): SQL {
  return administersEvent({ ...request, body: {} });
}

/**
 * For the event in the path: the actor administers every schedule that it stands in, or is to stand
 * in.
 */
export function administersEvent(
  request: ApiRequest<{ readonly schedule_ids?: readonly string[] | undefined }>,
): SQL {
  const { actor, params, body } = request;
  const named = body.schedule_ids ?? [];
  const standsIn = sql`select ${eventSchedules.scheduleId} from ${eventSchedules}
    join ${events} on ${events.id} = ${eventSchedules.eventId}
    where ${events.accountId} = ${actor.accountId}
      and (${events.id} = ${params.id} or ${events.prefixId} = ${params.id})`;
  return sql`(exists (${standsIn})
    and not exists (${standsIn} and ${eventSchedules.scheduleId} not in (${administered(actor)}))
    and ${named.length === 0 ? sql`1` : administersNamed(actor, named)})`;
}
