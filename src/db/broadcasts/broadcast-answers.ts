// Answers to a broadcast: one per recipient, over any channel, the last counts (contract 5).
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { type BroadcastStatus, refuseResponse } from "../../domain/broadcasts/broadcast.ts";
import { type Identifier, parseIdentifier } from "../../domain/shared/identifiers.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import type { RawRow } from "../records/attributes.ts";
import { broadcastResponseOptions, broadcastResponses, broadcasts } from "../schema/messages.ts";
import { accountUsers } from "../schema/people.ts";
import { type Connection, statement } from "../shared/database.ts";
import { newIdentity } from "../shared/identifiers.ts";
import { assertUnchanged, retryOnConflict } from "../shared/optimistic-retry.ts";
import { closeIfAllAnswered, isRecipient } from "./broadcast-rows.ts";

export type BroadcastAnswer = {
  readonly accountId: string;
  readonly accountUserId: string;
  /** The broadcast, in either form. */
  readonly broadcast: Identifier;
  /** The option, in either form, as it was sent. */
  readonly option: string;
  /** The channel: `api`, `link`, `sms`. */
  readonly channel: string;
  /** Id of the answer. */
  readonly recordId: string;
  readonly now: number;
};

/** The rows of `also`, and whether this answer closed the broadcast. */
export type BroadcastAnswerResult = {
  readonly rows: readonly RawRow[];
  readonly isClosed: boolean;
};

const NOT_FOUND = refuse("not_found", "no such broadcast");
const NOT_ASKED = refuse("forbidden", "only recipients of the broadcast may answer it");

/** Selects the broadcast, whether the person is a recipient, and the chosen option. */
function selectQuestion({ accountId, accountUserId, broadcast, option }: BroadcastAnswer): SQL {
  const chosen = parseIdentifier("broadcast_response_option", option)?.value ?? "";
  const column = broadcast.form === "id" ? broadcasts.id : broadcasts.prefixId;
  return sql`select ${broadcasts.id} as id, ${broadcasts.updatedAt} as updated_at,
      ${broadcasts.status} as status, ${broadcasts.responseRequested} as response_requested,
      ${broadcasts.responseRequestedBy} as response_requested_by,
      exists (select 1 from ${accountUsers}
        where ${accountUsers.id} = ${accountUserId} and ${isRecipient}) as is_recipient,
      (select ${broadcastResponseOptions.id} from ${broadcastResponseOptions}
        where ${broadcastResponseOptions.broadcastId} = ${broadcasts.id}
          and (${broadcastResponseOptions.id} = ${chosen}
            or ${broadcastResponseOptions.prefixId} = ${chosen})) as option_id
    from ${broadcasts} where ${broadcasts.accountId} = ${accountId} and ${column} = ${broadcast.value}`;
}

/** Inserts a person's answer or replaces their earlier one. */
function putResponse(answer: BroadcastAnswer, broadcastId: string, optionId: string): SQL {
  const { accountId, accountUserId, channel, recordId, now } = answer;
  const { id, prefixId } = newIdentity("broadcast_response", now, recordId);
  return sql`insert into ${broadcastResponses} (id, prefix_id, created_at, updated_at, account_id,
      broadcast_id, account_user_id, broadcast_response_option_id, channel)
    values (${id}, ${prefixId}, ${now}, ${now}, ${accountId}, ${broadcastId},
      ${accountUserId}, ${optionId}, ${channel})
    on conflict (broadcast_id, account_user_id) do update set id = excluded.id,
      prefix_id = excluded.prefix_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
      broadcast_response_option_id = excluded.broadcast_response_option_id, channel = excluded.channel`;
}

/**
 * Answers a broadcast; the last outstanding answer closes it.
 *
 * @param also a select that sees the answer, in the same round trip
 */
export function answerBroadcast(
  db: Connection,
  answer: BroadcastAnswer,
  also: SQLWrapper,
): Promise<BroadcastAnswerResult | Refusal> {
  return retryOnConflict(() => attempt(db, answer, also));
}

async function attempt(
  db: Connection,
  answer: BroadcastAnswer,
  also: SQLWrapper,
): Promise<BroadcastAnswerResult | Refusal> {
  const { now } = answer;
  const row = await statement(db, selectQuestion(answer)).first<RawRow>();
  if (!row) return NOT_FOUND;
  if (row.is_recipient !== 1) return NOT_ASKED;
  const question = {
    status: row.status as BroadcastStatus,
    responseRequested: row.response_requested === 1,
    responseRequestedBy: row.response_requested_by as number | null,
  };
  const refusal = refuseResponse(question, now);
  if (refusal) return refusal;
  if (row.option_id == null) return refuseOption(answer.option);
  const id = String(row.id);
  const results = await db.batch<RawRow>(
    [
      assertUnchanged(broadcasts, id, Number(row.updated_at)),
      putResponse(answer, id, String(row.option_id)),
      closeIfAllAnswered(id, now),
      sql`select ${broadcasts.status} as status from ${broadcasts} where ${broadcasts.id} = ${id}`,
      also,
    ].map((query) => statement(db, query)),
  );
  const isClosed = results.at(-2)?.results[0]?.status === "closed";
  return { rows: results.at(-1)?.results ?? [], isClosed };
}

function refuseOption(option: string): Refusal {
  const name = "broadcast_response_option_id";
  const message = `${name}: no such broadcast response option ${option.slice(0, 64)}`;
  return refuse("invalid", message, name);
}
