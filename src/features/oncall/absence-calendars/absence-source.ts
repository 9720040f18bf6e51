// Reads the absences of a calendar from where it has them: a URL, or holidays.

import type { CalendarAbsence } from "../../../domain/oncall/absences/calendar-absences.ts";
import { fitImport, importWindow } from "../../../domain/oncall/imports/reading-times.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { readCalendar } from "../../../products/calendars/read-calendar.ts";
import type { PreviewedAbsences } from "../../rpc.ts";
import { fetchCalendar } from "../calendar-imports/fetch-calendar.ts";
import type { Validators } from "../calendar-imports/reading-rows.ts";
import { type AbsencesRead, readHolidayAbsences } from "./holiday-absences.ts";

type AbsencesOfSource =
  | ({
      readonly kind: "read";
      readonly absences: readonly CalendarAbsence[];
      /** Epoch ms. */
      readonly until: number;
      readonly unreadable: readonly string[];
    } & Validators)
  | { readonly kind: "unchanged" }
  /** `reason`: a sentence without an end. */
  | { readonly kind: "failed"; readonly reason: string };

const failed = (reason: string) => ({ kind: "failed", reason }) as const;

/**
 * Reads the absences of a source.
 *
 * @param known as of `fetchCalendar`; holidays are always read
 * @param begin awaited before a calendar's text is read
 */
export async function readAbsenceSource(
  env: Cloudflare.Env,
  source: PreviewedAbsences,
  known: Validators | null,
  begin: () => Promise<void>,
): Promise<AbsencesOfSource> {
  if (source.url === "") {
    const read = await readHolidayAbsences(env, source, Date.now());
    if ("reason" in read) return failed(read.reason);
    return { kind: "read", ...read, etag: null, lastModified: null };
  }
  const fetched = await fetchCalendar(env, source.url, known);
  if (fetched.kind !== "read") return fetched;
  await begin();
  const window = importWindow(Date.now());
  const reading = readCalendar(fetched.text, window);
  if (isRefusal(reading)) return failed(`the calendar ${reading.errors[0]?.message}`);
  const away = reading.entries.filter(({ isFree }) => !isFree);
  const { shifts, until } = fitImport(away, window);
  const absences = shifts.map((it) => ({
    key: it.key,
    startAt: it.startAt,
    endAt: it.endAt,
    reason: it.summary === "" ? null : it.summary,
  }));
  const { etag, lastModified } = fetched;
  const { unreadable } = reading;
  return { kind: "read", absences, until, unreadable, etag, lastModified };
}

/** What a reading of a source finds, without a change. */
export async function previewAbsences(
  env: Cloudflare.Env,
  source: PreviewedAbsences,
): Promise<AbsencesRead> {
  const read = await readAbsenceSource(env, source, null, async () => {});
  switch (read.kind) {
    case "failed":
      return { reason: read.reason };
    case "unchanged":
      // Without validators the whole calendar is sent.
      return { reason: "the calendar was not sent" };
    case "read":
      return { absences: read.absences, until: read.until, unreadable: read.unreadable };
  }
}
