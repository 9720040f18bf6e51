/**
 * Validates the rule of an on-call event; errors name its API parameters. Pure; does not check
 * attendees or the schedule.
 */

import type { FieldError } from "../../shared/refusal.ts";
import { DAY, HOUR } from "../../shared/time.ts";
import type { FrequencyUnit, OnCallEvent } from "../on-call-event.ts";
import { nextOccurrence } from "../recurrence/occurrences.ts";
import { seriesOf } from "../recurrence/recurrence.ts";

/** The minimum length of one repetition (ms). */
const MIN_PERIOD_MS: Record<FrequencyUnit, number> = {
  hourly: HOUR,
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 28 * DAY,
  yearly: 365 * DAY,
};

/** Limit on simultaneous occurrences of one event: beyond practical use, and cheap to compute. */
const MAX_CONCURRENT = 400;

/** All validation errors of an event's rule; empty if it is valid. */
export function validateEventRule(event: OnCallEvent): FieldError[] {
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
  if (event.endAt - event.startAt > MAX_CONCURRENT * frequency * MIN_PERIOD_MS[frequencyUnit]) {
    faults.push(
      fault("end_datetime", `is over ${MAX_CONCURRENT} repetitions after start_datetime`),
    );
  }
  if (faults.length === 0 && hasNoOccurrence(event)) {
    const field = event.repeatEndAt === null ? "days_of_week" : "repeat_end_datetime";
    faults.push(fault(field, "must leave at least one occurrence"));
  }
  return faults;
}

/** Whether the rule alone, ignoring exceptions and a cut, has no occurrence. */
function hasNoOccurrence(event: OnCallEvent): boolean {
  const series = seriesOf({ ...event, cutAt: null, exceptions: [] });
  return nextOccurrence(series, event.startAt) === null;
}

function fault(field: string, message: string): FieldError {
  return { field, message: `${field} ${message}` };
}
