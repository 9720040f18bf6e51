// Answers to broadcasts: one of each recipient, the last one counts (`contract.md` 5).
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import { instant, present, type RawRow, reference, string } from "../db/attributes.ts";
import { closeIfAllAnswered, isRecipient } from "../db/broadcast-rows.ts";
import { decideAndWrite, demandUnchanged } from "../db/contention.ts";
import { statement } from "../db/database.ts";
import { newIdentity } from "../db/identifiers.ts";
import { type Records, selectOne } from "../db/records.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../db/schema/messages.ts";
import { accountUsers } from "../db/schema/people.ts";
import { answerRefusal, type BroadcastStatus } from "../domain/broadcast.ts";
import { type Identifier, parseIdentifier } from "../domain/identifiers.ts";
import { isRefusal, refuse } from "../domain/refusal.ts";
import { type Answer, created } from "../http/answers.ts";
import * as field from "../http/fields.ts";
import { listRecords, notFound, oneRecord, pathIdentifier } from "../http/records.ts";
import { type ApiRequest, type Route, route } from "../http/route.ts";
import { made, many } from "../http/shown.ts";
import { broadcastRecords } from "./broadcast-records.ts";

// ── Shape ──

const createResponse = z.object({ broadcast_response_option_id: field.requiredText(64) });
type ResponseRequest = ApiRequest<z.output<typeof createResponse>>;

// ── Rows ──

const { accountId } = broadcastResponses;

export const responseRecords: Records = {
  kind: "broadcast_response",
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

/** The broadcast in the path, what is asked of whom, and the option chosen. */
function selectQuestion({ actor, body }: ResponseRequest, identifier: Identifier): SQL {
  const sent = body.broadcast_response_option_id;
  const option = parseIdentifier("broadcast_response_option", sent)?.value ?? "";
  return sql`select ${broadcasts.id} as id, ${broadcasts.updatedAt} as updated_at,
      ${broadcasts.status} as status, ${broadcasts.responseRequested} as response_requested,
      ${broadcasts.responseRequestedBy} as response_requested_by,
      exists (select 1 from ${accountUsers}
        where ${accountUsers.id} = ${actor.accountUserId} and ${isRecipient}) as is_recipient,
      (select ${broadcastResponseOptions.id} from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id}
          and (${broadcastResponseOptions.id} = ${option}
            or ${broadcastResponseOptions.prefixId} = ${option})) as option_id
    from ${broadcasts} where ${oneRecord(broadcasts, actor.accountId, identifier)}`;
}

/** A person's answer, in the place of the one they gave before. */
function putResponse(
  { actor, now, recordId }: ResponseRequest,
  broadcastId: string,
  option: string,
) {
  const { id, prefixId } = newIdentity("broadcast_response", now, recordId);
  return sql`insert into ${broadcastResponses} (id, prefix_id, created_at, updated_at, account_id,
      broadcast_id, account_user_id, broadcast_response_option_id, channel)
    values (${id}, ${prefixId}, ${now}, ${now}, ${actor.accountId}, ${broadcastId},
      ${actor.accountUserId}, ${option}, 'api')
    on conflict (broadcast_id, account_user_id) do update set id = excluded.id,
      prefix_id = excluded.prefix_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
      broadcast_response_option_id = excluded.broadcast_response_option_id, channel = excluded.channel`;
}

// ── Rules ──

const NOT_ASKED = refuse("forbidden", "only recipients of the broadcast may answer it");

// ── Routes ──

async function create(request: ResponseRequest, identifier: Identifier): Promise<Answer> {
  const { db, actor, now, body, recordId } = request;
  const row = await statement(db, selectQuestion(request, identifier)).first<RawRow>();
  if (!row) return notFound("broadcast");
  if (row.is_recipient !== 1) return NOT_ASKED;
  const question = {
    status: row.status as BroadcastStatus,
    responseRequested: row.response_requested === 1,
    responseRequestedBy: row.response_requested_by as number | null,
  };
  const refusal = answerRefusal(question, now);
  if (refusal) return refusal;
  if (row.option_id == null) return noSuchOption(body.broadcast_response_option_id);
  const broadcastId = String(row.id);
  const results = await db.batch<RawRow>(
    [
      demandUnchanged(broadcasts, broadcastId, Number(row.updated_at)),
      putResponse(request, broadcastId, String(row.option_id)),
      closeIfAllAnswered(broadcastId, now),
      selectOne(responseRecords, actor.accountId, { form: "id", value: recordId }),
    ].map((query) => statement(db, query)),
  );
  return created(present(responseRecords.attributes, results.at(-1)?.results[0] as RawRow));
}

function noSuchOption(sent: string) {
  const name = "broadcast_response_option_id";
  const message = `${name}: no such broadcast response option ${sent.slice(0, 64)}`;
  return refuse("invalid", message, name);
}

export const broadcastResponseRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/broadcasts/:id/responses",
    operation: "listBroadcastResponses",
    summary: "List a broadcast's responses",
    shows: many(responseRecords),
    allow: "everyone",
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
    summary: "Answer a broadcast",
    shows: made(responseRecords),
    allow: "everyone",
    body: createResponse,
    makes: responseRecords,
    handle: async (request) => {
      const identifier = pathIdentifier(request, "broadcast");
      if (isRefusal(identifier)) return identifier;
      return decideAndWrite(() => create(request, identifier));
    },
  }),
];
