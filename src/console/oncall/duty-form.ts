// The form of an on-call event: blank, filled in from an event, and as an API request.
import type { Event } from "../../contract/oncall/event.ts";
import type { EventOccurrence } from "../../contract/oncall/event-occurrence.ts";
import { HOUR } from "../../domain/shared/time.ts";
import { textOf, textsOf } from "../page.ts";
import { instantText, wallOf } from "./on-call-window.ts";

type Fields = Readonly<Record<string, unknown>>;

export type DutyForm = {
  /** Wall-clock time in the zone, in the format of a `datetime-local` field. */
  readonly start: string;
  readonly end: string;
  readonly zone: string;
  readonly layer: string;
  readonly people: readonly string[];
  readonly repeat: boolean;
  readonly frequency: string;
  readonly unit: string;
  readonly days: readonly string[];
  /** The last day as `YYYY-MM-DD`; empty if the event has no end. */
  readonly last: string;
  readonly rotation: boolean;
};

/** A new event's form, filled in from the query string. */
export function blankForm(query: URLSearchParams, zone: string, now: number): DutyForm {
  const next = Math.ceil(now / HOUR) * HOUR;
  const start = query.get("start") ?? wallOf(next, zone);
  const begins = Date.parse(instantText(start, zone));
  const end = query.get("end") ?? wallOf((begins || next) + 12 * HOUR, zone);
  return {
    start: start.slice(0, 16),
    end: end.slice(0, 16),
    zone,
    layer: query.get("layer") ?? "1",
    people: [],
    repeat: false,
    frequency: "1",
    unit: "weekly",
    days: [],
    last: "",
    rotation: false,
  };
}

/** The value of a position without a person. */
export const NOBODY = "nobody";

/** The form of a stored event: from its start, or from one of its occurrences on. */
export function formOf(event: Event, occurrence: EventOccurrence | null = null): DutyForm {
  const zone = event.time_zone;
  const last = event.repeat_end_datetime;
  return {
    start: wallOf(Date.parse(occurrence?.start_time ?? event.start_datetime), zone),
    end: wallOf(Date.parse(occurrence?.end_time ?? event.end_datetime), zone),
    zone,
    layer: String(event.layer),
    people: event.account_user_ids.map((id) => id ?? NOBODY),
    repeat: event.repeat,
    frequency: String(event.frequency ?? 1),
    unit: event.frequency_unit ?? "weekly",
    days: event.days_of_week.map(String),
    last: last ? wallOf(Date.parse(last), zone).slice(0, 10) : "",
    rotation: event.rotation,
  };
}

/** The submitted form. */
export const sentForm = (form: Fields): DutyForm => ({
  start: textOf(form, "start_datetime"),
  end: textOf(form, "end_datetime"),
  zone: textOf(form, "time_zone"),
  layer: textOf(form, "layer"),
  people: textsOf(form, "account_user_ids").filter((id) => id !== ""),
  repeat: textOf(form, "repeat") === "true",
  frequency: textOf(form, "frequency"),
  unit: textOf(form, "frequency_unit"),
  days: textsOf(form, "days_of_week"),
  last: textOf(form, "repeat_end_datetime"),
  rotation: textOf(form, "rotation") === "true",
});

const takesDays = (unit: string) => unit === "daily" || unit === "weekly";

/** The API request body: every attribute of an event except its schedules. */
export function bodyOf(form: DutyForm) {
  return {
    start_datetime: instantText(form.start, form.zone),
    end_datetime: instantText(form.end, form.zone),
    time_zone: form.zone,
    layer: form.layer,
    account_user_ids: form.people.map((id) => (id === NOBODY ? null : id)),
    repeat: form.repeat,
    ...(form.repeat && { frequency: form.frequency, frequency_unit: form.unit }),
    days_of_week: form.repeat && takesDays(form.unit) ? form.days : [],
    repeat_end_datetime:
      form.repeat && form.last !== "" ? instantText(`${form.last} 00:00`, form.zone) : null,
    rotation: form.rotation,
  };
}

/**
 * The parameters that differ between the submitted and the rendered form. An unchanged field is not
 * sent, because wall-clock times, dates and blanks are less precise than the stored values.
 */
export function changesOf(sent: DutyForm, shown: DutyForm): Record<string, unknown> {
  const before = new Map<string, unknown>(Object.entries(bodyOf(shown)));
  return Object.fromEntries(
    Object.entries(bodyOf(sent)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
    ),
  );
}

/**
 * Parses an occurrence's `at` from the query string; epoch ms, or null if it is missing or invalid.
 */
export function atOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
