// Writes a cover. Nothing else is stored for it: who is on call is calculated from it.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type {
  Cover as CoverRecord,
  CoverWithShifts,
} from "../../../contract/oncall/covers/cover.ts";
import { coverRecords } from "../../../db/oncall/absences/cover-records.ts";
import { type CoverState, toCover } from "../../../db/oncall/absences/cover-rows.ts";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import {
  type AbsenceChange,
  absencesAfter,
  coveredHours,
  type OnCallSchedules,
  withAbsences,
} from "../../../domain/oncall/absences/absent-hours.ts";
import { type Cover, isOverlapping } from "../../../domain/oncall/absences/cover.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  notFound,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import type { OnCallChange } from "../preview/preview-on-call-change.ts";
import { showCover, warningsOf } from "./show-cover.ts";

type CoverChange = {
  readonly verb: string;
  /** The record as it was read; null for a new cover. */
  readonly before: CoverRecord | null;
  /** The cover with the change. */
  readonly cover: Cover;
  readonly state: CoverState;
  /** Write the cover's row, once the precondition holds. */
  readonly writes: readonly SQLWrapper[];
};

/**
 * Creates or changes a cover.
 *
 * @returns the cover; 422 if another one of the person overlaps it
 */
export async function commitCover(
  context: Context,
  { verb, before, cover, state, writes }: CoverChange,
): Promise<CoverWithShifts | Refusal> {
  const { now } = context;
  const others = state.covers.filter(({ id }) => id !== cover.id).map(toCover);
  const faults = overlapFaults(cover, others);
  if (faults.length > 0) return refuseFields(faults);
  const change = { replacedIds: [cover.id], absences: [cover] };
  const absences = absencesAfter(state.absences, change, now);
  const decided = { cover, absences, schedules: withAbsences(state.schedules, absences), now };
  const was = state.covers.find(({ id }) => id === cover.id);
  const people = [cover.accountUserId, ...(was ? [was.accountUserId] : [])];
  const until = Math.max(cover.endAt, was?.endAt ?? 0);
  const { after } = await commitChange(context, {
    ...{ verb, records: coverRecords, id: cover.id, before },
    writes: [state.unchanged, ...writes],
    concerns: selectConcerned(state.schedules, decided.schedules, [cover]),
    onCall: { ...onCallChangeOf(change, people, until), warnings: warningsOf(decided) },
  });
  return after ? showCover(after, decided) : notFound("cover");
}

/** What a change of absences does to who is on call, for its preview. */
export const onCallChangeOf = (
  change: AbsenceChange,
  people: readonly string[],
  until: number,
): OnCallChange => ({
  replacedIds: [],
  events: [],
  schedulesBefore: [],
  schedulesAfter: [],
  absences: { ...change, people },
  until,
});

/** Selects the schedules in which absences serve or served, for the history. */
export function selectConcerned(
  before: OnCallSchedules,
  after: OnCallSchedules,
  absences: readonly Absence[],
): SQL {
  const hours = absences.flatMap((it) => [
    ...coveredHours({ ...it, scheduleIds: null }, before),
    ...coveredHours({ ...it, scheduleIds: null }, after),
  ]);
  const ids = [...new Set(hours.flatMap(({ scheduleIds }) => scheduleIds))];
  return sql`select value from json_each(${JSON.stringify(ids)})`;
}

function overlapFaults(cover: Cover, others: readonly Cover[]): FieldError[] {
  const same = others.find(
    (it) => it.accountUserId === cover.accountUserId && isOverlapping(cover, it),
  );
  if (!same) return [];
  const [from, to] = [formatInstant(same.startAt), formatInstant(same.endAt)];
  const name = prefixIdOf("cover", same.id);
  const message = `the person is already covered from ${from} to ${to} by ${name}: change that cover`;
  return [{ field: "start_datetime", message }];
}
