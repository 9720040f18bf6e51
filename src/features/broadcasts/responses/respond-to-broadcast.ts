import { sql } from "drizzle-orm";
import type { PersonActor } from "../../../domain/access/actor.ts";
import { refuseResponse } from "../../../domain/broadcasts/broadcast.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { assertUnchanged, retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { broadcasts } from "../../schema/messages.ts";
import { wakeBroadcast } from "../broadcasts/broadcast-writes.ts";
import { closeIfAllAnswered } from "../broadcasts/rows.ts";
import type { BroadcastResponse } from "./contract.ts";
import type { CreateBroadcastResponse } from "./parameters.ts";
import { broadcastResponseRecords, putResponse, selectQuestion, selectResponseOf } from "./rows.ts";

/** The channel of a response, by who responds. */
const CHANNELS: Readonly<Record<PersonActor["kind"], string>> = {
  key: "api",
  session: "api",
  link: "link",
  phone: "sms",
};

const NOT_ASKED = refuse("forbidden", "only recipients of the broadcast may answer it");

function refuseOption(option: string): Refusal {
  const name = "broadcast_response_option_id";
  const message = `${name}: no such broadcast response option ${option.slice(0, 64)}`;
  return refuse("invalid", message, name);
}

/**
 * Responds to a broadcast as the actor, instead of their earlier response; the last outstanding
 * response closes the broadcast (contract 5).
 *
 * @param id the ULID of the response
 * @returns the response; 403 for anyone but a recipient; 404; 409 if no response is accepted (any
 *   more); 422 for an option of another broadcast
 */
export function respondToBroadcast(
  context: Context<PersonActor>,
  identifier: Identifier,
  id: string,
  body: CreateBroadcastResponse,
): Promise<BroadcastResponse | Refusal> {
  const { db, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const person = { accountId, accountUserId };
  const option = body.broadcast_response_option_id;
  return retryOnConflict(async () => {
    const [[question], [earlier]] = await batch(db, [
      selectQuestion(person, identifier, option),
      selectResponseOf(person, identifier),
    ]);
    if (!question) return notFound("broadcast");
    if (!question.isRecipient) return NOT_ASKED;
    const refusal = refuseResponse(question, now);
    if (refusal) return refusal;
    const { id: broadcastId, optionId } = question;
    if (optionId === null) return refuseOption(option);
    const channel = CHANNELS[actor.kind];
    const writes = [
      assertUnchanged(broadcasts, broadcastId, question.updatedAt),
      putResponse({ ...person, id, broadcastId, optionId, channel }, now),
      closeIfAllAnswered(broadcastId, now),
    ];
    const before = earlier ?? null;
    const change = { verb: "respond", records: broadcastResponseRecords, id, before, writes };
    const { after, rows } = await commitChange(context, change, [
      select(
        { status: broadcasts.status },
        sql`from ${broadcasts} where ${broadcasts.id} = ${broadcastId}`,
      ),
    ]);
    const [[broadcast]] = rows;
    if (broadcast?.status === "closed") wakeBroadcast(context, identifier);
    return after ?? notFound("broadcast_response");
  });
}
