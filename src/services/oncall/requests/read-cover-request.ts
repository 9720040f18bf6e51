import type { CoverRequestWithHours } from "../../../contract/oncall/requests/cover-request.ts";
import { selectCoverState, toCoverState } from "../../../db/oncall/covers/cover-state.ts";
import { coverRequestRecords } from "../../../db/oncall/requests/request-records.ts";
import { selectRequest, selectRequester } from "../../../db/oncall/requests/request-rows.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { batch } from "../../../db/shared/select.ts";
import { hoursOf } from "../../../domain/oncall/requests/acceptance.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Context } from "../../shared/context.ts";

/** Reads a request with the hours in which its person is on call now; or 404. */
export async function readCoverRequest(
  { db, actor, now }: Pick<Context, "db" | "actor" | "now">,
  identifier: Identifier,
): Promise<CoverRequestWithHours | Refusal> {
  const { accountId } = actor;
  const scope = { accountId, now, peopleIn: selectRequester(accountId, identifier) };
  const [[stored], [record], covers, events, away] = await batch(db, [
    selectRequest(accountId, identifier),
    selectRecord(coverRequestRecords, accountId, identifier),
    ...selectCoverState(scope),
  ]);
  if (!stored || !record) return notFound("cover_request");
  const { placed } = toCoverState(scope, covers, events, away);
  const hours = hoursOf(stored, placed, now).map(({ event, startAt, endAt }) => ({
    event_id: event.id,
    layer: event.layer,
    start_time: formatInstant(startAt),
    end_time: formatInstant(endAt),
    schedule_ids: placed.schedulesOf.get(event.id) ?? [],
  }));
  return { ...record, hours };
}
