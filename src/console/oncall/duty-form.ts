// What an event's form holds, as it is filled in for a new one or from one there is, and as the API takes it.
import type { Event } from "../../contract/oncall/event.ts";
import type { EventOccurrence } from "../../contract/oncall/event-occurrence.ts";
import { HOUR } from "../../domain/shared/time.ts";
import { textOf, textsOf } from "../page.ts";
import { instantText, wallOf } from "./on-call-window.ts";

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

/** In the place of a person: nobody's turn. */
export const NOBODY = "nobody";

/** The form of a stored event: as it began, or, given one of its occurrences, from that one on. */
export function formOf(duty: Event, occurrence: EventOccurrence | null = null): DutyForm {
  const zone = duty.time_zone;
  const last = duty.repeat_end_datetime;
  return {
    start: wallOf(Date.parse(occurrence?.start_time ?? duty.start_datetime), zone),
    end: wallOf(Date.parse(occurrence?.end_time ?? duty.end_datetime), zone),
    zone,
    layer: String(duty.layer),
    people: duty.account_user_ids.map((id) => id ?? NOBODY),
    repeat: duty.repeat,
    frequency: String(duty.frequency ?? 1),
    unit: duty.frequency_unit ?? "weekly",
    days: duty.days_of_week.map(String),
    last: last ? wallOf(Date.parse(last), zone).slice(0, 10) : "",
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
 * The parameters in which a sent form differs from the form as it was shown. A field that nobody
 * touched is not sent: a wall-clock time, a date and a blank say less than what is stored.
 */
export function changesOf(sent: DutyForm, shown: DutyForm): Record<string, unknown> {
  const before = new Map<string, unknown>(Object.entries(bodyOf(shown)));
  return Object.fromEntries(
    Object.entries(bodyOf(sent)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
    ),
  );
}

/** An occurrence's `at` as its address gives it: epoch ms, or null where there is none. */
export function atOf(text: string): number | null {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}
