import type { Unavailability } from "../../../contract/calendars/unavailability.ts";
import type { CreateUnavailability } from "../../../contract/calendars/unavailability-parameters.ts";
import { unavailabilityRecords } from "../../../db/oncall/unavailability/unavailability-records.ts";
import { resolveReferences } from "../../../db/records/references.ts";
import { unavailabilities } from "../../../db/schema/calendars/calendar-imports.ts";
import { build } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { awayPerson, personReference } from "./away-person.ts";
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
  const records = unavailabilityRecords({ actor });
  return retryOnConflict(async () => {
    const resolved = await resolveReferences(db, accountId, personReference(body));
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
      reason: body.reason?.trim() || null,
      meta: body.meta ?? {},
    };
    const writes = [build.insert(unavailabilities).values(row)];
    const change = { verb: "create", records, id, before: null, writes };
    const { after } = await commitChange(context, change);
    return after ?? notFound("unavailability");
  });
}
