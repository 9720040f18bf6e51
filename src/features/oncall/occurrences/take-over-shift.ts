import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { TAKE_OVER } from "../../../domain/oncall/changes/history-entry.ts";
import { decideTakeOver, NOBODY_SERVES } from "../../../domain/oncall/changes/take-over.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { selectId } from "../../../kernel/db/records.ts";
import { batch, first, select } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { eventSchedules } from "../../schema/oncall.ts";
import { assertFamilyUnchanged, selectFamily, toFamily } from "../events/event-family.ts";
import { eventRecords } from "../events/event-records.ts";
import type { TakeOverShift } from "../events/parameters.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { overrideOf, writeOverride } from "./create-override.ts";

/**
 * Puts the actor on call instead of whoever serves what is left of a part of an occurrence (contract
 * 4, Taking over). Of several who take it at the same time, one gets it.
 *
 * @param id the ULID of the override
 * @returns the override; 404; 409 when the event's overrides change at the same time; 422 when nobody
 *   serves the part any more, it begins too late, or the actor is on call in it
 */
export async function takeOverShift(
  context: Context<MemberActor>,
  identifier: Identifier,
  id: string,
  { action_time: actionAt, meta }: TakeOverShift,
): Promise<Decision<"Event"> | Refusal> {
  const { actor, now } = context;
  const { accountUserId: by } = actor;
  const read = await readServed(context, identifier);
  if (read === null) return notFound("event");
  const { family, schedules, unchanged } = read;
  const { event } = family;
  const request = { actionAt, by };
  const decisions = schedules.map((it) => decideTakeOver(event, it, request, now));
  // An event that has ended is in no schedule any more.
  const taken = decisions.find((it) => !isRefusal(it)) ?? decisions[0] ?? NOBODY_SERVES;
  if (isRefusal(taken)) return taken;
  const body = {
    ...{ start_datetime: taken.startAt, end_datetime: taken.endAt, account_user_ids: [by] },
    ...{ layer: event.layer, time_zone: event.timeZone },
  };
  const override = overrideOf(family, { id, body, people: [by] }, now);
  const { relieved } = taken;
  return writeOverride(context, family, override, {
    ...{ verb: TAKE_OVER, unchanged, relieved },
    ...(meta && { meta }),
  });
}

/**
 * Reads an event's family, the events of each of its schedules from now on, and the precondition that
 * no event above or below it changes; null if there is no such event.
 */
async function readServed(
  { db, actor: { accountId }, now }: Context<MemberActor>,
  identifier: Identifier,
) {
  const named = select(
    { id: sql<string>`id` },
    sql`from (${selectId(eventRecords, accountId, identifier)})`,
  );
  const found = await first(db, named);
  if (!found) return null;
  const places = sql`select ${eventSchedules.scheduleId} from ${eventSchedules}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.eventId} = ${found.id}`;
  const [members, away, kept, rows, absences, past] = await batch(db, [
    ...selectFamily(accountId, identifier, now),
    ...selectOnCall(accountId, places, now),
  ]);
  const family = toFamily({ members, absences: away, past: kept }, identifier);
  return (
    family && {
      family,
      schedules: [...toOnCallSchedules(rows, absences, past).values()],
      unchanged: assertFamilyUnchanged(accountId, family),
    }
  );
}
