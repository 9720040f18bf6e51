// Undoes a change of a schedule: in general by restoring the events' rows, changes of absences and of
// settings by the verbs for these.
import * as z from "zod";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { INSTEAD } from "../../../domain/oncall/absences/absence-record.ts";
import { isUndoneByEvents } from "../../../domain/oncall/changes/history-entry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { newIdOf } from "../../../kernel/db/identifiers.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { type Decided, isWritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { createAbsence, deleteAbsence, updateAbsence } from "../absences/verbs.ts";
import { deleteCalendarImport, updateCalendarImport } from "../calendar-imports/verbs.ts";
import { updateSchedule } from "../schedules/verbs.ts";
import type { ScheduleChange } from "./contract.ts";
import { changeRecords, type StoredChange, selectEntry } from "./rows.ts";
import { selectChange } from "./select-change.ts";
import { undoEvents } from "./undo-events.ts";
import { undoTeam } from "./undo-team.ts";

/**
 * Undoes a change, from now on (contract 4, History).
 *
 * @param schedule the schedule in whose history it is
 * @returns the entry of the undo; 404; 409 if it cannot be undone, or a later change depends on it
 */
export async function undoChange(
  context: Context<MemberActor>,
  schedule: Identifier,
  change: Identifier,
): Promise<Decided<ScheduleChange>> {
  const { db, actor } = context;
  const { accountId } = actor;
  const { record, id } = selectChange(accountId, schedule, change);
  const [[shown], [entry]] = await batch(db, [record, selectEntry(accountId, id)]);
  if (!shown || !entry) return notFound("change");
  if (!shown.undoable) {
    return refuse("conflict", `the change cannot be undone: ${shown.not_undoable_reason}`);
  }
  const undo = await decideUndo(context, entry);
  if (isRefusal(undo)) return undo;
  if (!isWritten(undo)) throw new Error("an undo changes a record");
  return {
    ...undo,
    undoes: entry.id,
    answer: async (committed) => {
      const answered = await undo.answer(committed);
      return isRefusal(answered) ? answered : readUndo(context, entry.id);
    },
  };
}

/** The entry of the undo of a change. */
async function readUndo(
  { db, actor }: Context,
  undoneId: string,
): Promise<ScheduleChange | Refusal> {
  const read = (value: string) =>
    first(db, selectRecord(changeRecords, actor.accountId, { form: "id", value }));
  const by = (await read(undoneId))?.undone_by_id;
  const entry = by == null ? null : await read(by);
  return entry ?? notFound("change");
}

async function decideUndo(
  context: Context<MemberActor>,
  entry: StoredChange,
): Promise<Decided<unknown>> {
  const { kind, verb } = entry;
  const record = { form: "id", value: entry.recordId } as const;
  if (isUndoneByEvents(kind, verb, entry.eventIds)) {
    return { ...(await undoEvents(context, entry)), answer: () => null };
  }
  switch (kind) {
    case "absence":
      return undoAbsence(context, entry, record);
    case "calendar_import": {
      if (verb === "create") return deleteCalendarImport(context, record);
      const before = importBefore.parse(JSON.parse(entry.recordBefore ?? "{}"));
      return updateCalendarImport(context, record, before);
    }
    case "team":
      return undoTeam(context, entry);
    case "schedule": {
      const before = scheduleBefore.parse(JSON.parse(entry.recordBefore ?? "{}"));
      return updateSchedule(context, record, before);
    }
    default:
      return refuse("conflict", "the change cannot be undone");
  }
}

const json = z.string().transform((text): unknown => JSON.parse(text));

const importBefore = z.object({
  name: z.string(),
  layer: z.number(),
  meta: json.pipe(z.record(z.string(), z.unknown())),
});

const scheduleBefore = z.object({
  name: z.string(),
  meta: json.pipe(z.record(z.string(), z.unknown())),
});

const absenceBefore = z.object({
  account_user_id: z.string(),
  start_datetime: z.number(),
  end_datetime: z.number(),
  instead: z.enum(INSTEAD),
  covering_account_user_id: z.string().nullish(),
  schedule_ids: json.pipe(z.array(z.string())).nullish(),
  meta: json.pipe(z.record(z.string(), z.unknown())),
});

const BEYOND_REACH = refuse(
  "forbidden",
  "the absence is not only for schedules of your teams: ask an account admin",
);

/** An absence that was made is taken back; one that was changed or taken back is as before again. */
async function undoAbsence(
  context: Context<MemberActor>,
  { recordBefore, scheduleIds }: StoredChange,
  identifier: Identifier,
): Promise<Decided<unknown>> {
  if (recordBefore === null) return deleteAbsence(context, identifier);
  const before = absenceBefore.parse(JSON.parse(recordBefore));
  const body = {
    ...before,
    covering_account_user_id: before.covering_account_user_id ?? undefined,
    schedule_ids: before.schedule_ids ?? [],
  };
  // Permission was checked for the schedules that the change concerned.
  const isWithin =
    body.schedule_ids.length > 0 && body.schedule_ids.every((id) => scheduleIds.includes(id));
  if (!context.actor.roles.admin && !isWithin) return BEYOND_REACH;
  const updated = await updateAbsence(context, identifier, body);
  if (!isRefusal(updated) || updated.reason !== "not_found") return updated;
  return createAbsence(context, newIdOf("absence", context.now), body);
}
