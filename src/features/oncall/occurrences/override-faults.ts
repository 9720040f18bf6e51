// Errors in the parameters of overrides: events that replace an occurrence of another event for a
// time (contract 4, Overrides). They do not repeat, and are always in the schedules of their parent.
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { Resolved } from "../../../kernel/db/references.ts";
import type { EventFamily } from "../events/event-family.ts";
import type { UpdateEvent } from "../events/parameters.ts";

const fault = (field: string, message: string): FieldError => ({
  field,
  message: `${field} ${message}`,
});

/** Limits the occurrences of the parent that one override splits. */
const LONGEST_DAYS = 366;

/** Errors for an override that is too long. `end` is the name of its end in the body. */
export function lengthFaults({ startAt, endAt }: OnCallEvent, end: string): FieldError[] {
  const isTooLong = endAt - startAt > LONGEST_DAYS * DAY;
  return isTooLong ? [fault(end, `is over ${LONGEST_DAYS} days after the override's start`)] : [];
}

/**
 * Errors for parameters that do not apply to overrides.
 *
 * @param family that of the override, or of the event to override: both have the same schedules
 */
export function overrideFaults(
  family: EventFamily,
  body: UpdateEvent,
  resolved: Resolved,
): FieldError[] {
  const faults: FieldError[] = [];
  if (body.repeat) faults.push(fault("repeat", "is not for overrides"));
  if (body.rotation) faults.push(fault("rotation", "is not for overrides"));
  if (body.schedule_ids !== undefined && resolved.ok) {
    const named = resolved.idsOf("schedule_ids").toSorted().join();
    if (named !== family.scheduleIds.toSorted().join()) {
      faults.push(fault("schedule_ids", "of an override are its parent's: leave them out"));
    }
  }
  return faults;
}
