// Responses to broadcasts: one per recipient; a new response replaces the previous one (contract
// 5).
import { sql } from "drizzle-orm";
import { CreateBroadcastResponse } from "../../contract/broadcasts/broadcast-response-parameters.ts";
import { answerBroadcast } from "../../db/broadcasts/broadcast-answers.ts";
import { instant, type RawRow, reference, string } from "../../db/records/attributes.ts";
import { presentRecord, type Records, selectOne } from "../../db/records/records.ts";
import { broadcastResponses, broadcasts } from "../../db/schema/messages.ts";
import { accountUsers } from "../../db/schema/people.ts";
import { type Identifier, objectNameOf } from "../../domain/shared/identifiers.ts";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { type Answer, created } from "../../http/answers.ts";
import { listRecords, pathIdentifier } from "../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { made, many } from "../../http/shown.ts";
import { broadcastObject } from "../../objects/shared/stubs.ts";
import { broadcastRecords } from "./broadcast-records.ts";

// ── Shape ──

type ResponseRequest = ApiRequest<CreateBroadcastResponse>;

// ── Rows ──

const { accountId } = broadcastResponses;

const responseRecords: Records<"BroadcastResponse"> = {
  kind: "broadcast_response",
  shows: "BroadcastResponse",
  from: broadcastResponses,
  accountId,
  id: broadcastResponses.id,
  prefixId: broadcastResponses.prefixId,
  attributes: {
    id: string(broadcastResponses.id),
    prefix_id: string(broadcastResponses.prefixId),
    account_id: string(accountId),
    created_at: instant(broadcastResponses.createdAt),
    updated_at: instant(broadcastResponses.updatedAt),
    broadcast_id: reference(broadcastResponses.broadcastId, accountId, broadcasts),
    account_user_id: reference(broadcastResponses.accountUserId, accountId, accountUsers),
    broadcast_response_option_id: string(broadcastResponses.broadcastResponseOptionId),
    channel: string(broadcastResponses.channel),
  },
  search: [],
  total: "broadcast_responses",
};

// ── Routes ──

async function create(request: ResponseRequest, identifier: Identifier): Promise<Answer> {
  const { env, db, actor, now, body, recordId, waitUntil } = request;
  const answer = {
    accountId: actor.accountId,
    accountUserId: actor.accountUserId,
    broadcast: identifier,
    option: body.broadcast_response_option_id,
    channel: "api",
    recordId,
    now,
  };
  const own = selectOne(responseRecords, actor.accountId, { form: "id", value: recordId });
  const answered = await answerBroadcast(db, answer, own);
  if (isRefusal(answered)) return answered;
  if (answered.isClosed) {
    const object = broadcastObject(env, objectNameOf("broadcast", identifier));
    waitUntil(object.look().catch(() => {}));
  }
  return created(presentRecord(responseRecords, answered.rows[0] as RawRow));
}

export const broadcastResponseRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/broadcasts/:id/responses",
    operation: "listBroadcastResponses",
    summary: "List a broadcast's responses",
    shows: many(responseRecords),
    handle: async (request) => {
      const identifier = pathIdentifier(request, "broadcast");
      if (isRefusal(identifier)) return identifier;
      return listRecords(request, responseRecords, {
        below: {
          parent: broadcastRecords,
          identifier,
          scope: (broadcastId) => sql`${broadcastResponses.broadcastId} = (${broadcastId})`,
        },
      });
    },
  }),
  route({
    method: "POST",
    path: "/broadcasts/:id/responses",
    operation: "createBroadcastResponse",
    summary: "Respond to a broadcast",
    shows: made(responseRecords),
    body: CreateBroadcastResponse,
    makes: responseRecords,
    handle: async (request) => {
      const identifier = pathIdentifier(request, "broadcast");
      if (isRefusal(identifier)) return identifier;
      return create(request, identifier);
    },
  }),
];
