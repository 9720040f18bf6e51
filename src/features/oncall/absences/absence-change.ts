// Writes an absence. Nothing else is stored for it: who is on call is calculated from it.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import {
  type AbsenceRecord,
  decides,
  MOST_DECIDED,
  overlappingDecision,
  servedBy,
} from "../../../domain/oncall/absences/absence-record.ts";
import {
  type AbsenceChange,
  absencesAfter,
  coveredHours,
  type OnCallSchedules,
  withAbsences,
} from "../../../domain/oncall/absences/absent-hours.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import type { PreviewedChange } from "../on-call/preview-on-call-change.ts";
import { absenceRecords } from "./absence-rows.ts";
import { ABSENCE_ATTEMPTS, type AbsenceState } from "./absence-state.ts";
import type { Absence as AbsenceAnswer, AbsenceWithShifts } from "./contract.ts";
import { showAbsence, warningsOf } from "./show-absence.ts";

type AbsenceWrite = {
  readonly verb: "create" | "update";
  /** The record as it was read; null for a new absence. */
  readonly before: AbsenceAnswer | null;
  /** The absence with the change. */
  readonly record: AbsenceRecord;
  readonly state: AbsenceState;
  /** Write the absence's row, once the precondition holds. */
  readonly writes: readonly SQLWrapper[];
  /** Where people are asked: what the preview shows instead of the change itself. */
  readonly ifAccepted?: (() => PreviewedChange) | undefined;
};

/** The change that creates or changes an absence. */
export function writeAbsence(
  context: Context<MemberActor>,
  { verb, before, record, state, writes, ifAccepted }: AbsenceWrite,
): Decision<"Absence", AbsenceWithShifts> {
  const { now } = context;
  const served = servedBy(record);
  const change = { replacedIds: [record.id], absences: served ? [served] : [] };
  const absences = absencesAfter(state.absences, change, now);
  const decided = { record, absences, schedules: withAbsences(state.schedules, absences), now };
  const was = state.decided.find(({ id }) => id === record.id);
  const people = [record.accountUserId, ...(was ? [was.accountUserId] : [])];
  const until = Math.max(record.endAt, was?.endAt ?? 0);
  const isAsking = [before?.instead, record.instead].includes("ask");
  return {
    ...{ verb, records: absenceRecords(context), id: record.id, before },
    writes: [state.unchanged, ...writes],
    concerns: selectConcerned(state.schedules, decided.schedules, [record]),
    onCall: effectOf({
      ...onCallChangeOf(change, people, until),
      warnings: warningsOf(decided),
    }),
    ...(ifAccepted && { effect: async () => effectOf(ifAccepted()) }),
    ...(isAsking && { irreversible: "asked" }),
    attempts: ABSENCE_ATTEMPTS,
    answer: ({ after }) => (after ? showAbsence(after, decided) : notFound("absence")),
  };
}

/** What a change of absences does to who is on call, for its preview. */
export const onCallChangeOf = (
  change: AbsenceChange,
  people: readonly string[],
  until: number,
): PreviewedChange => ({
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
  absences: readonly (Pick<Absence, "id" | "accountUserId"> &
    Pick<AbsenceRecord, "startAt" | "endAt">)[],
): SQL {
  const hours = absences.flatMap((it) => [
    ...coveredHours({ ...it, scheduleIds: null }, before),
    ...coveredHours({ ...it, scheduleIds: null }, after),
  ]);
  const ids = [...new Set(hours.flatMap(({ scheduleIds }) => scheduleIds))];
  return sql`select value from json_each(${JSON.stringify(ids)})`;
}

const TOO_MANY = refuse(
  "invalid",
  `an account may have ${MOST_DECIDED} absences that have not ended and say who is on call instead`,
);

/**
 * The refusal of an absence beside those that decide; null if it may be.
 *
 * @param decided those that there are: one with its id is it before a change
 * @param now epoch ms
 */
export function refuseBeside(
  record: AbsenceRecord,
  decided: readonly AbsenceRecord[],
  now: number,
): Refusal | null {
  if (!decides(record, now)) return null;
  const same = overlappingDecision(record, decided, now);
  if (same) {
    const message = `the person already has an absence that says who is on call instead, ${overlapText(same)}: change that one`;
    return refuse("invalid", message, "start_datetime");
  }
  const others = decided.filter((it) => it.id !== record.id && decides(it, now));
  return others.length >= MOST_DECIDED ? TOO_MANY : null;
}

/** `from … to … (abs_…)`. */
export const overlapText = ({ id, startAt, endAt }: AbsenceRecord): string =>
  `from ${formatInstant(startAt)} to ${formatInstant(endAt)} (${prefixIdOf("absence", id)})`;
