import type { PersonActor } from "../../../domain/access/actor.ts";
import { notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newId, newIdentity } from "../../../kernel/db/identifiers.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { broadcasts } from "../../schema/messages.ts";
import { broadcastObject } from "../../stubs.ts";
import { changeOptions } from "../responses/response-option-changes.ts";
import { destinationsOf, faultsOf, NOTHING_STORED, referencesOf } from "./broadcast-input.ts";
import { broadcastRecords } from "./broadcast-records.ts";
import { columnsOf, wakeBroadcast, writeOptions } from "./broadcast-writes.ts";
import type { Broadcast } from "./contract.ts";
import type { CreateBroadcast } from "./parameters.ts";

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
