import type { CoverRequestWithHours } from "../../../contract/oncall/requests/cover-request.ts";
import { selectCoverState, toCoverState } from "../../../db/oncall/absences/cover-rows.ts";
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
  const [[stored], [record], covers, events, absences] = await batch(db, [
    selectRequest(accountId, identifier),
    selectRecord(coverRequestRecords, accountId, identifier),
    ...selectCoverState(scope),
  ]);
  if (!stored || !record) return notFound("cover_request");
  const { schedules } = toCoverState(scope, covers, events, absences);
  const hours = hoursOf(stored, schedules, now).map((it) => ({
    event_id: it.eventId,
    layer: it.layer,
    start_time: formatInstant(it.startAt),
    end_time: formatInstant(it.endAt),
    schedule_ids: [...it.scheduleIds],
  }));
  return { ...record, hours };
}
