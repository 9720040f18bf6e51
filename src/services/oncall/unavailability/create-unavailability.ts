import type { Unavailability } from "../../../contract/calendars/unavailability.ts";
import type { CreateUnavailability } from "../../../contract/calendars/unavailability-parameters.ts";
import { selectCoverState, toCoverState } from "../../../db/oncall/absences/cover-rows.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { unavailabilities } from "../../../db/schema/calendars/calendar-imports.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import { awayPerson, personReference } from "./away-person.ts";
import { commitUnavailability } from "./commit-unavailability.ts";
import { intervalFaults } from "./interval-faults.ts";

/**
 * Creates an unavailability (contract 2, Unavailability).
 *
 * @param id the ULID of the new unavailability
 * @returns the unavailability; 403 for another person's without the role admin; 422 for an unknown
 *   person or an end that is not after the start
 */
export function createUnavailability(
  context: Context<MemberActor>,
  id: string,
  body: CreateUnavailability,
): Promise<Unavailability | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const scope = { accountId, now, people: [body.account_user_id ?? actor.accountUserId] };
    const reads = selectCoverState(scope);
    const { resolved, rows } = await resolveWith(db, accountId, personReference(body), reads);
    const accountUserId = awayPerson(actor, body, resolved);
    if (isRefusal(accountUserId)) return accountUserId;
    const interval = { startAt: body.start_datetime, endAt: body.end_datetime };
    const faults = intervalFaults(interval);
    if (faults.length > 0) return refuseFields(faults);
    const row = {
      ...newIdentity("unavailability", now, id),
      accountId,
      accountUserId,
      ...interval,
      servesFrom: now,
      reason: body.reason?.trim() || null,
      meta: body.meta ?? {},
    };
    const writes = [build.insert(unavailabilities).values(row)];
    const state = toCoverState(scope, rows[0], rows[1], rows[2]);
    const time = { accountUserId, ...interval };
    const change = { verb: "create", id, before: null, writes, state, time } as const;
    return commitUnavailability(context, change);
  });
}
