// Checks and columns of the parameters of a calendar import.
import { type SQLWrapper, sql } from "drizzle-orm";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import { importWindow } from "../../../domain/oncall/imports/reading-times.ts";
import { type FieldError, isRefusal } from "../../../domain/shared/refusal.ts";
import type { Reference } from "../../../kernel/db/references.ts";
import { readCalendar } from "../../../products/calendars/read-calendar.ts";
import { calendarImportTexts } from "../../schema/calendar-imports.ts";
import { HIDDEN, type UpdateCalendarImport } from "./parameters.ts";

type Body = UpdateCalendarImport & { readonly schedule_id?: string };

/** The records that the parameters name. */
export const referencesOf = ({ schedule_id }: Body): Reference[] => [
  { field: "schedule_id", kind: "schedule", ids: schedule_id ? [schedule_id] : [] },
];

const isGiven = (text: string | null | undefined): text is string =>
  text !== undefined && text !== null && text.trim() !== "" && text !== HIDDEN;

/** Where the calendar comes from, as the parameters say: one of both, or neither. */
export const sourceOf = ({ url, ical }: Body) => ({
  url: isGiven(url) ? url : null,
  ical: isGiven(ical) ? ical : null,
});

/**
 * Errors of the calendar's source.
 *
 * @param now epoch ms
 */
export function sourceFaults(
  env: Cloudflare.Env,
  body: Body,
  isRequired: boolean,
  now: number,
): FieldError[] {
  const { url, ical } = sourceOf(body);
  if (url !== null && ical !== null) {
    return [{ field: "ical", message: "ical cannot be given with a url" }];
  }
  if (url !== null) {
    const fault = outboundUrlFault(url, allowedHosts(env.ALLOWED_HOSTS));
    return fault === null ? [] : [{ field: "url", message: `url ${fault}` }];
  }
  if (ical !== null) {
    const reading = readCalendar(ical, importWindow(now));
    if (!isRefusal(reading)) return [];
    return [{ field: "ical", message: `ical ${reading.errors[0]?.message}` }];
  }
  // A URL that is cleared, not just left out.
  const isCleared = body.url?.trim() === "" && body.ical !== HIDDEN;
  return isRequired || isCleared
    ? [{ field: "url", message: "url can't be blank, unless ical is given" }]
    : [];
}

/** The statements that store a text, or remove it. */
export function writeText(accountId: string, id: string, ical: string | null): SQLWrapper[] {
  const clear = sql`delete from ${calendarImportTexts}
    where ${calendarImportTexts.importId} = ${id}`;
  if (ical === null) return [clear];
  return [
    clear,
    sql`insert into ${calendarImportTexts} (import_id, account_id, ical)
      values (${id}, ${accountId}, ${ical})`,
  ];
}
