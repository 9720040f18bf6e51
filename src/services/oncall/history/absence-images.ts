// The absences beside a change of the history: what it did to them, and those that stayed.
import * as z from "zod";
import type { StoredEntry } from "../../../db/oncall/history/undo-rows.ts";
import { type Absence, INSTEAD } from "../../../domain/oncall/absences/absence.ts";

type Entry = Pick<StoredEntry, "createdAt" | "kind" | "recordId" | "recordBefore" | "recordAfter">;

/** The images that the history stores of covers and unavailabilities. */
const image = z.object({
  account_user_id: z.string(),
  start_datetime: z.number(),
  end_datetime: z.number(),
  covered_by: z.enum(INSTEAD).default("default"),
  covering_account_user_id: z.string().nullish(),
  schedule_ids: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.array(z.string()))
    .nullish(),
});

function readImage(text: string | null, { recordId: id, createdAt }: Entry): readonly Absence[] {
  if (text === null) return [];
  const record = image.parse(JSON.parse(text));
  const ids = record.schedule_ids ?? [];
  const absence = {
    id,
    accountUserId: record.account_user_id,
    startAt: Math.max(record.start_datetime, createdAt),
    endAt: record.end_datetime,
    instead: record.covered_by,
    coveringAccountUserId: record.covering_account_user_id ?? null,
    scheduleIds: ids.length > 0 ? ids : null,
    decidedAt: createdAt,
  };
  return absence.startAt < absence.endAt ? [absence] : [];
}

/** The absences before and after a change, by those that there are now. */
export function absencesAround(entry: Entry, present: readonly Absence[]) {
  const { kind, recordId, createdAt } = entry;
  if (kind === "cover_request") {
    // Accepting has made them.
    const isMade = (it: Absence) => it.instead === "person" && it.decidedAt === createdAt;
    return { before: present.filter((it) => !isMade(it)), after: present };
  }
  if (kind !== "cover" && kind !== "unavailability") return { before: present, after: present };
  const others = present.filter((it) => it.id !== recordId && it.decidedAt <= createdAt);
  return {
    before: [...others, ...readImage(entry.recordBefore, entry)],
    after: [...others, ...readImage(entry.recordAfter, entry)],
  };
}
