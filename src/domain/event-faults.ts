/**
 * What is wrong with the rule of an on-call event, in the names of its parameters. Pure; says nothing of who
 * attends it or where it stands.
 */

import { nextOccurrence } from "./occurrences.ts";
import type { FrequencyUnit, OnCallEvent } from "./oncall.ts";
import { seriesOf } from "./recurrence.ts";
import type { FieldError } from "./refusal.ts";
import { DAY, HOUR } from "./time.ts";

/** The least time that one repetition takes, ms. */
const PERIOD: Record<FrequencyUnit, number> = {
  hourly: HOUR,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 28 * DAY,
  yearly: 365 * DAY,
};

/** How many occurrences of one event may run at once: far beyond any use, and cheap enough to work out. */
const MOST_AT_ONCE = 400;

/** Every fault of an event's rule; empty when it may be stored. */
export function faultsOf(event: OnCallEvent): FieldError[] {
  if (event.endAt <= event.startAt) {
    return [fault("end_datetime", "must be after start_datetime")];
  }
  return event.repeat ? repetitionFaults(event) : [];
}

function repetitionFaults(event: OnCallEvent): FieldError[] {
  const { frequency, frequencyUnit, daysOfWeek } = event;
  const faults: FieldError[] = [];
  if (frequency === null) faults.push(fault("frequency", "can't be blank when repeat is true"));
  if (frequencyUnit === null) {
    faults.push(fault("frequency_unit", "can't be blank when repeat is true"));
  }
  if (frequency === null || frequencyUnit === null) return faults;
  if (daysOfWeek.length > 0 && frequencyUnit !== "daily" && frequencyUnit !== "weekly") {
    faults.push(fault("days_of_week", "is only for daily and weekly events"));
  }
  if (event.endAt - event.startAt > MOST_AT_ONCE * frequency * PERIOD[frequencyUnit]) {
    faults.push(fault("end_datetime", `is over ${MOST_AT_ONCE} repetitions after start_datetime`));
  }
  if (faults.length === 0 && neverHappens(event)) {
    const field = event.repeatEndAt === null ? "days_of_week" : "repeat_end_datetime";
    faults.push(fault(field, "must leave at least one occurrence"));
  }
  return faults;
}

/** Whether the rule by itself, before any exception or cut, never puts anyone on call. */
function neverHappens(event: OnCallEvent): boolean {
  const series = seriesOf({ ...event, cutAt: null, exceptions: [] });
  return nextOccurrence(series, event.startAt) === null;
}

function fault(field: string, message: string): FieldError {
  return { field, message: `${field} ${message}` };
}
