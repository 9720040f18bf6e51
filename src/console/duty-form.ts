// What an event's form holds, as it is filled in for a new one or from one there is, and as the API takes it.
import { HOUR } from "../domain/time.ts";
import type { Duty } from "./configuration-records.ts";
import { instantText, wallOf } from "./on-call-window.ts";
import { textOf, textsOf } from "./page.ts";

type Fields = Readonly<Record<string, unknown>>;

export type DutyForm = {
  /** On the zone's clock, as a browser's field has it. */
  readonly start: string;
  readonly end: string;
  readonly zone: string;
  readonly layer: string;
  readonly people: readonly string[];
  readonly repeat: boolean;
  readonly frequency: string;
  readonly unit: string;
  readonly days: readonly string[];
  /** `YYYY-MM-DD`, the last day; empty = without end. */
  readonly last: string;
  readonly rotation: boolean;
};

/** A new event's form; what the address says of it stands in it already. */
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

/** The form of an event there is: as it began, or, given an occurrence, from that one on. */
export function formOf(duty: Duty, at: number | null = null): DutyForm {
  const length = Date.parse(duty.end_datetime) - Date.parse(duty.start_datetime);
  const start = at ?? Date.parse(duty.start_datetime);
  const last = duty.repeat_end_datetime;
  return {
    start: wallOf(start, duty.time_zone),
    end: wallOf(start + length, duty.time_zone),
    zone: duty.time_zone,
    layer: String(duty.layer),
    people: duty.account_user_ids,
    repeat: duty.repeat,
    frequency: String(duty.frequency ?? 1),
    unit: duty.frequency_unit ?? "weekly",
    days: duty.days_of_week.map(String),
    last: last ? wallOf(Date.parse(last), duty.time_zone).slice(0, 10) : "",
    rotation: duty.rotation,
  };
}

/** The form as it was sent. */
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

/** What the API is given of it: all of an event but the schedules it stands in. */
export function bodyOf(form: DutyForm) {
  return {
    start_datetime: instantText(form.start, form.zone),
    end_datetime: instantText(form.end, form.zone),
    time_zone: form.zone,
    layer: form.layer,
    account_user_ids: form.people,
    repeat: form.repeat,
    ...(form.repeat && { frequency: form.frequency, frequency_unit: form.unit }),
    days_of_week: form.repeat && takesDays(form.unit) ? form.days : [],
    repeat_end_datetime:
      form.repeat && form.last !== "" ? instantText(`${form.last} 00:00`, form.zone) : null,
    rotation: form.rotation,
  };
}

/** An event's own parameters, to make another like it. */
export const parametersOf = (duty: Duty) => ({
  start_datetime: duty.start_datetime,
  end_datetime: duty.end_datetime,
  time_zone: duty.time_zone,
  layer: duty.layer,
  account_user_ids: duty.account_user_ids,
  schedule_ids: duty.schedule_ids,
  repeat: duty.repeat,
  frequency: duty.frequency,
  frequency_unit: duty.frequency_unit,
  days_of_week: duty.days_of_week,
  repeat_end_datetime: duty.repeat_end_datetime,
  rotation: duty.rotation,
});

/** The same people in the same turns, beginning with whose turn it is. */
export function turnedTo(people: readonly string[], first: string | undefined): readonly string[] {
  const at = first === undefined ? -1 : people.indexOf(first);
  return at <= 0 ? people : [...people.slice(at), ...people.slice(0, at)];
}

/** An occurrence's `at` as its address gives it: epoch ms, or null where there is none. */
export function atOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
