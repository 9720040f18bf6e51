// Declines, cancels and changes requests for cover.
import { eq, type SQLWrapper } from "drizzle-orm";
import type { CoverRequest } from "../../../contract/oncall/requests/cover-request.ts";
import type { UpdateCoverRequest } from "../../../contract/oncall/requests/cover-request-parameters.ts";
import { coverRequestRecords } from "../../../db/oncall/requests/request-records.ts";
import {
  nameIn,
  type StoredRequest,
  selectRequest,
} from "../../../db/oncall/requests/request-rows.ts";
import { writeState } from "../../../db/oncall/requests/request-writes.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { coverRequests } from "../../../db/schema/calendars/cover-requests.ts";
import { build } from "../../../db/shared/database.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../db/shared/optimistic-retry.ts";
import { batch } from "../../../db/shared/select.ts";
import type { PersonActor } from "../../../domain/access/actor.ts";
import {
  latestExpiry,
  type RequestAction,
  type RequestState,
  transition,
} from "../../../domain/oncall/requests/cover-request.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { ANSWER_CHANNEL } from "./accept-cover-request.ts";
import { expiryFaults } from "./request-faults.ts";

/** A verb by which a person answers a request. */
export type AnswerCoverRequest = (
  context: Context<PersonActor>,
  identifier: Identifier,
) => Promise<CoverRequest | Refusal>;

/**
 * Declines a request as the actor. Once everybody has, it is over; until then they may still accept.
 *
 * @returns the request; 403 for anyone who is not asked; 404; 409 if it is over, or already declined
 */
export function declineCoverRequest(
  context: Context<PersonActor>,
  identifier: Identifier,
): Promise<CoverRequest | Refusal> {
  const { accountUserId, kind } = context.actor;
  const action = { type: "decline", accountUserId, channel: ANSWER_CHANNEL[kind] } as const;
  return change(context, identifier, "decline", action, (stored, next) =>
    writeState(stored, next, context.now),
  );
}

/**
 * Cancels a request.
 *
 * @returns the request; 404; 409 if it is over
 */
export const cancelCoverRequest = (
  context: Context,
  identifier: Identifier,
): Promise<CoverRequest | Refusal> =>
  change(context, identifier, "cancel", { type: "cancel" }, (stored, next) =>
    writeState(stored, next, context.now),
  );

/**
 * Changes until when a request waits, or its reason. Nobody is notified of it.
 *
 * @returns the request; 404; 409 if it is over; 422 for an expiry that is past or too late
 */
export const updateCoverRequest = (
  context: Context,
  identifier: Identifier,
  body: UpdateCoverRequest,
): Promise<CoverRequest | Refusal> =>
  change(context, identifier, "update", { type: "change" }, (stored) => {
    const faults = expiryFaults(body.expires_at, stored, context.now);
    if (faults.length > 0) return refuseFields(faults);
    const expiresAt = body.expires_at === null ? latestExpiry(stored) : body.expires_at;
    return [
      build
        .update(coverRequests)
        .set({
          updatedAt: nextUpdatedAt(stored.updatedAt, context.now),
          ...(expiresAt !== undefined && { expiresAt }),
          ...(body.reason !== undefined && { reason: body.reason || null }),
          ...(body.meta !== undefined && { meta: body.meta }),
        })
        .where(eq(coverRequests.id, stored.id)),
    ];
  });

function change(
  context: Context,
  identifier: Identifier,
  verb: string,
  action: RequestAction,
  writesOf: (stored: StoredRequest, next: RequestState) => readonly SQLWrapper[] | Refusal,
): Promise<CoverRequest | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const [[stored], [before]] = await batch(db, [
      selectRequest(accountId, identifier),
      selectRecord(coverRequestRecords, accountId, identifier),
    ]);
    if (!stored || !before) return notFound("cover_request");
    const next = transition(stored, action, now, (person) => nameIn(stored, person));
    if (isRefusal(next)) return next;
    const written = writesOf(stored, next);
    if (isRefusal(written)) return written;
    const { id } = stored;
    const writes = [assertUnchanged(coverRequests, id, stored.updatedAt), ...written];
    const committed = { verb, records: coverRequestRecords, id, before, writes };
    const { after } = await commitChange(context, committed);
    return after ?? notFound("cover_request");
  });
}
