import type { CoverWithShifts } from "../../../contract/oncall/covers/cover.ts";
import { coverRecords } from "../../../db/oncall/absences/cover-records.ts";
import { selectCoverState, toCover, toCoverState } from "../../../db/oncall/absences/cover-rows.ts";
import { selectRecord } from "../../../db/records/records.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../shared/context.ts";
import { showCover } from "./show-cover.ts";

/** Reads a cover with the hours that are covered and those that are not; or 404. */
export async function readCover(
  { db, actor, now }: Pick<Context, "db" | "actor" | "now">,
  identifier: Identifier,
): Promise<CoverWithShifts | Refusal> {
  const { accountId } = actor;
  const scope = { accountId, now, cover: identifier };
  const [stored, events, absences, [record]] = await batch(db, [
    ...selectCoverState(scope),
    selectRecord(coverRecords, accountId, identifier),
  ]);
  const state = toCoverState(scope, stored, events, absences);
  const cover = state.covers.find((it) => it.id === record?.id);
  if (!record || !cover) return notFound("cover");
  return showCover(record, { ...state, cover: toCover(cover), now });
}
