// The absences beside a change of the history: what it did to them, and those that stayed.
import * as z from "zod";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import { INSTEAD, type Instead, servedBy } from "../../../domain/oncall/absences/absence-record.ts";
import { FORMER_KINDS } from "../../../domain/oncall/changes/history-entry.ts";
import type { StoredChange } from "./rows.ts";

type Entry = Pick<
  StoredChange,
  "createdAt" | "kind" | "verb" | "recordId" | "recordBefore" | "recordAfter"
>;

/** `covered_by` of a former version as `instead`. */
const FORMER: Readonly<Record<string, Instead>> = { nobody: "empty" };

/** The images that the history stores of absences, and of what they were in former versions. */
const image = z.object({
  account_user_id: z.string(),
  start_datetime: z.number(),
  end_datetime: z.number(),
  instead: z.enum(INSTEAD).optional(),
  status: z.string().default(""),
  covered_by: z
    .string()
    .transform((word) => FORMER[word] ?? word)
    .pipe(z.enum(INSTEAD))
    .default("nobody_yet"),
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
  const covering = record.covering_account_user_id ?? null;
  const instead = record.instead ?? record.covered_by;
  const absence = servedBy({
    id,
    accountUserId: record.account_user_id,
    startAt: Math.max(record.start_datetime, createdAt),
    endAt: record.end_datetime,
    instead,
    coveringAccountUserId: covering,
    scheduleIds: ids.length > 0 ? ids : null,
    decidedAt: createdAt,
    asking:
      instead === "ask" ? { status: askingStatusOf(record.status, covering), expiresAt: 0 } : null,
  });
  return absence && absence.startAt < absence.endAt ? [absence] : [];
}

/** As far as it matters for who is on call. */
function askingStatusOf(status: string, covering: string | null) {
  if (status === "cancelled") return "cancelled";
  return covering === null ? "open" : "accepted";
}

/** The absences before and after a change, by those that there are now. */
export function absencesAround(entry: Entry, present: readonly Absence[]) {
  const { kind, verb, recordId, createdAt } = entry;
  const kinds: readonly string[] = ["absence", ...FORMER_KINDS];
  if (!kinds.includes(kind)) return { before: present, after: present };
  // Accepting has made those with hours in return; in former versions, all of them.
  const isMade = ({ instead, decidedAt }: Absence) =>
    instead === "person" && decidedAt === createdAt;
  if (kind === "cover_request") {
    return { before: present.filter((it) => !isMade(it)), after: present };
  }
  const others = present.filter((it) => it.id !== recordId && it.decidedAt <= createdAt);
  return {
    before: [
      ...others.filter((it) => verb !== "accept" || !isMade(it)),
      ...readImage(entry.recordBefore, entry),
    ],
    after: [...others, ...readImage(entry.recordAfter, entry)],
  };
}
