// What the pages of the calendars that are read have in common: asking before a write, reading a
// calendar now, and what a reading ended with.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import type { AbsenceCalendar } from "../../../features/oncall/absence-calendars/contract.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { done, notDone } from "../../../kernel/console/replies.ts";
import type { Reply } from "../../../kernel/console/reply.ts";
import { action, type ConsolePage, idOf, type Visit } from "../../page.ts";
import type { Write } from "../../record-pages.tsx";
import type { Confirmation } from "../events/confirm-changes.tsx";

type CalendarPath = "/calendar_imports" | "/absence_calendars" | "/company_holidays";

/** The preview of a write; null if it is refused: the write is then refused as well, beside its fields. */
export async function previewWrite(
  { api }: Visit,
  path: CalendarPath,
  { id, body }: Write,
): Promise<OnCallPreview | null> {
  const preview = await (id === null
    ? api.preview("POST", path, body ?? {})
    : body === null
      ? api.preview("DELETE", `${path}/:id`, { id })
      : api.preview("PUT", `${path}/:id`, { id, ...body }));
  return isRefusal(preview) ? null : preview;
}

/** What the page that asks before a write says. */
export const questionOf = (
  { body }: Write,
  one: string,
  back: Confirmation["back"],
): Confirmation =>
  body === null
    ? { title: `Delete ${one}`, button: `Delete ${one}`, tone: "danger", back }
    : { title: `Confirm ${one}`, button: `Save ${one}`, back };

/** The response after a write or a reading, at the list; an error of the reading is added. */
export const readingResult =
  (to: string) =>
  (text: string, { last_error: error, failing_since: failingSince }: Reading): Reply => {
    if (error === null) return done(to, text);
    const why = failingSince === null ? error : `the calendar could not be read: ${error}`;
    return { kind: "goto", to, flash: { tone: "bad", text: `${text} But ${why}.` } };
  };

type Reading = Pick<AbsenceCalendar, "last_error" | "failing_since">;

/** The action of a row's button: reads the calendar now. */
export const readNow = (
  path: "/calendar_imports" | "/absence_calendars",
  pages: string,
  listedAt: string,
): ConsolePage =>
  action(`${pages}/:id/refresh`, async (visit) => {
    const read = await visit.api.post(`${path}/:id/refresh`, { id: idOf(visit) });
    return isRefusal(read)
      ? notDone(listedAt, read)
      : readingResult(listedAt)("Calendar read.", read);
  });

/** Of a source all its fields or none: each replaces the others. */
export function withSource(
  changes: Record<string, unknown>,
  body: Readonly<Record<string, unknown>>,
  source: readonly string[],
): Record<string, unknown> {
  if (!source.some((name) => name in changes)) return changes;
  return { ...changes, ...Object.fromEntries(source.map((name) => [name, body[name]])) };
}
