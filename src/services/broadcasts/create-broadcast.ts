import type { Broadcast } from "../../contract/broadcasts/broadcast.ts";
import type { CreateBroadcast } from "../../contract/broadcasts/broadcast-parameters.ts";
import { broadcastRecords } from "../../db/broadcasts/broadcast-records.ts";
import { resolveReferences } from "../../db/records/references.ts";
import { broadcasts } from "../../db/schema/messages.ts";
import { build } from "../../db/shared/database.ts";
import { newId, newIdentity } from "../../db/shared/identifiers.ts";
import type { PersonActor } from "../../domain/access/actor.ts";
import { notFound, type Refusal, refuseFields } from "../../domain/shared/refusal.ts";
import { broadcastObject } from "../../objects/shared/stubs.ts";
import { commitChange } from "../shared/commit.ts";
import type { Context } from "../shared/context.ts";
import { destinationsOf, faultsOf, NOTHING_STORED, referencesOf } from "./broadcast-parameters.ts";
import { columnsOf, wakeBroadcast, writeOptions } from "./broadcast-writes.ts";
import { changeOptions } from "./response-option-changes.ts";

/**
 * Sends a broadcast (contract 5).
 *
 * @param id the ULID of the new broadcast
 * @returns the broadcast; 422 for unknown destinations or none, and for invalid response options
 */
export async function createBroadcast(
  context: Context<PersonActor>,
  id: string,
  body: CreateBroadcast,
): Promise<Broadcast | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const entries = body.broadcast_response_options_attributes ?? [];
  const options = changeOptions([], entries, () => newId(now));
  const resolved = await resolveReferences(db, accountId, referencesOf(body));
  const faults = faultsOf(body, NOTHING_STORED, options);
  if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
  if (faults.length > 0) return refuseFields(faults);
  const row = {
    ...newIdentity("broadcast", now, id),
    accountId,
    accountUserId,
    ...columnsOf(body, destinationsOf(body, resolved, NOTHING_STORED)),
    title: body.title,
  };
  const writes = [
    build.insert(broadcasts).values(row),
    ...writeOptions(accountId, id, options, now),
  ];
  // The object is called before the write: if this worker fails after the write, it still sends.
  await broadcastObject(env, row.prefixId).expect({ id, accountId });
  const change = { verb: "create", records: broadcastRecords, id, before: null, writes };
  const { after } = await commitChange(context, change);
  wakeBroadcast(context, { form: "id", value: id });
  return after ?? notFound("broadcast");
}
