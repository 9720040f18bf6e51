// Shift reminders: who goes off or on call at a boundary, with their shift, and when the reminder
// is due, which may be earlier. Pure.
import type { OnCallSchedule } from "./absences/absence.ts";
import { nextBoundary, type OnCallEntry, onCallAt } from "./oncall.ts";
import { handoffsAt } from "./shift-handoff.ts";

export type ShiftChange = {
  readonly goes: "on" | "off";
  readonly accountUserId: string;
  /** Time of the change (epoch ms). */
  readonly at: number;
  /** The shift that ends or starts then. */
  readonly shift: OnCallEntry;
};

/** The changes at a boundary (epoch ms), layer by layer; off call before on call. */
export function shiftChanges(schedule: OnCallSchedule, at: number): readonly ShiftChange[] {
  const shifts = { off: onCallAt(schedule, at - 1), on: onCallAt(schedule, at) };
  return handoffsAt(schedule, at).flatMap((handoff) =>
    (["off", "on"] as const).flatMap((goes) =>
      handoff[goes].flatMap((accountUserId): ShiftChange[] => {
        const shift = shifts[goes].find(
          (it) =>
            it.layer === handoff.layer &&
            it.attendees.some((attendee) => attendee.attendeeId === accountUserId),
        );
        return shift === undefined ? [] : [{ goes, accountUserId, at, shift }];
      }),
    ),
  );
}

/**
 * When the next reminder is due (epoch ms), after `now`.
 *
 * @param leads how long before a boundary each reminder is sent (ms)
 */
export function nextReminderAt(
  schedule: OnCallSchedule,
  leads: readonly number[],
  now: number,
): number | null {
  const times = leads.flatMap((lead) => {
    const boundary = nextBoundary(schedule, now + lead);
    return boundary === null ? [] : [boundary - lead];
  });
  return times.length === 0 ? null : Math.min(...times);
}

/** The boundaries whose reminders, `lead` ms before, are due in [from, to] (epoch ms). */
export function boundariesDue(
  schedule: OnCallSchedule,
  lead: number,
  from: number,
  to: number,
  limit: number,
): readonly number[] {
  const due: number[] = [];
  let boundary = nextBoundary(schedule, from + lead - 1);
  while (boundary !== null && boundary <= to + lead && due.length < limit) {
    due.push(boundary);
    boundary = nextBoundary(schedule, boundary);
  }
  return due;
}
