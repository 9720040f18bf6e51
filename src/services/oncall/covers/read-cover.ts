import { sql } from "drizzle-orm";
import type { CoverWithShifts } from "../../../contract/oncall/covers/cover.ts";
import { coverRecords, selectCoverShifts } from "../../../db/oncall/covers/cover-records.ts";
import { selectCoverState, toCover, toCoverState } from "../../../db/oncall/covers/cover-state.ts";
import { planStored } from "../../../db/oncall/covers/cover-writes.ts";
import { selectId, selectRecord } from "../../../db/records/records.ts";
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
  const id = selectId(coverRecords, accountId, identifier);
  const [stored, events, away, [record], shifts] = await batch(db, [
    ...selectCoverState(scope),
    selectRecord(coverRecords, accountId, identifier),
    selectCoverShifts(accountId, sql`${id}`),
  ]);
  const state = toCoverState(scope, stored, events, away);
  const cover = state.covers.find((it) => it.id === record?.id);
  if (!record || !cover) return notFound("cover");
  const decided = planStored(state, now).decided.get(cover.id);
  return showCover(record, shifts, {
    cover,
    covers: state.covers.map(toCover),
    decided: decided ?? { parts: [], unfilled: [], isOverLimit: false },
    placed: state.placed,
    now,
  });
}
