// The form of an absence: its values, blank or of a stored one, and the body that it submits. Times
// are on the viewer's clock.
import { parseInstant } from "../../../domain/shared/parse-time.ts";
import { formatInstant, HOUR } from "../../../domain/shared/time.ts";
import type { Absence } from "../../../features/oncall/absences/contract.ts";
import { fieldText, listOf, type Values } from "../../../kernel/console/values.ts";
import type { Visit } from "../../page.ts";
import { calendarTime, exactInstant, instantText, wallOf } from "../on-call-window.ts";

/** The fields with times: each has a hidden one with the exact instant that it shows. */
export const TIME_FIELDS = [
  ...["start_datetime", "end_datetime"],
  ...["return_start", "return_end", "expires_at"],
] as const;

export const shownField = (name: string): string => `shown_${name}`;

/** The instant of a field (as text) in the format of a `datetime-local` field; else as entered. */
export function wallText(values: Values, name: string, zone: string): string {
  const text = fieldText(values, name);
  const at = parseInstant(text);
  return at === null ? text : wallOf(at, zone);
}

/** The path of the form in which somebody says that they cannot serve a shift, filled in. */
export const shiftAbsencePath = (shift: {
  readonly event_id: string;
  readonly schedule_id: string;
  readonly start_time: string;
  readonly end_time: string;
}): string =>
  `/absences?${new URLSearchParams({
    add: "1",
    ...{ event: shift.event_id, schedule: shift.schedule_id },
    ...{ from: shift.start_time, until: shift.end_time },
  })}`;

/** The form of a new absence, with what a link to it names. */
export function blankAbsence({ query, now, session }: Visit): Values {
  const time = (name: string) => calendarTime(query, name, session.timeZone);
  const [from, until] = [time("from"), time("until")];
  const event = query.get("event") ?? "";
  // Hours that have begun cannot be given away: from the next hour on.
  const next = Math.ceil((now + 1) / HOUR) * HOUR;
  const start = from !== null && event !== "" ? Math.max(from, next) : from;
  return {
    account_user_id: query.get("person") ?? session.actor.accountUserId,
    start_datetime: start === null ? "" : formatInstant(start),
    end_datetime: until === null ? "" : formatInstant(until),
    schedule_ids: query.getAll("schedule"),
    instead: event === "" ? "nobody_yet" : "ask",
    event,
  };
}

export const absenceValues = (absence: Absence): Values => ({
  ...absence,
  return_start: absence.in_return?.start_datetime ?? "",
  return_end: absence.in_return?.end_datetime ?? "",
  expires_at: absence.expires_at ?? "",
});

/** The instant of a submitted field; empty, or no time: as it was entered, for the API to refuse. */
function instantOf(form: Values, name: string, zone: string): string {
  const [text, shown] = [fieldText(form, name), fieldText(form, shownField(name))];
  return parseInstant(shown) === null ? instantText(text, zone) : exactInstant(text, zone, shown);
}

/** The hours in return; null: none. Without an end they are as long as the absence. */
function returnOf(form: Values, zone: string, [start, end]: readonly [string, string]) {
  const from = instantOf(form, "return_start", zone);
  const until = instantOf(form, "return_end", zone);
  if (from === "" && until === "") return null;
  const length = Date.parse(end) - Date.parse(start);
  const begins = parseInstant(from);
  const isAsLong = until === "" && begins !== null && length > 0;
  return { start_datetime: from, end_datetime: isAsLong ? formatInstant(begins + length) : until };
}

/** Whom the form asks; without anybody, all people of the rotation. */
function askedOf(form: Values) {
  const ids = listOf(form, "account_user_ids");
  const event = fieldText(form, "event");
  return ids.length === 0 && event !== "" ? { event_id: event } : { account_user_ids: ids };
}

/** The body that a submitted form means: who takes it decides which of the other fields count. */
export function absenceBody(form: Values, zone: string): Values {
  const hours = [
    instantOf(form, "start_datetime", zone),
    instantOf(form, "end_datetime", zone),
  ] as const;
  const instead = fieldText(form, "instead");
  return {
    ...(form.account_user_id !== undefined && {
      account_user_id: fieldText(form, "account_user_id"),
    }),
    start_datetime: hours[0],
    end_datetime: hours[1],
    instead,
    ...(instead === "person" && {
      covering_account_user_id: fieldText(form, "covering_account_user_id"),
    }),
    ...(instead === "ask" && {
      ...askedOf(form),
      in_return: returnOf(form, zone, hours),
      expires_at: instantOf(form, "expires_at", zone),
    }),
    schedule_ids: listOf(form, "schedule_ids"),
    reason: fieldText(form, "reason"),
  };
}
