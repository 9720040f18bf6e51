/**
 * Decides which hours a person takes over from whoever is on call (contract 4, Taking over). Pure:
 * callers store the override.
 */

import { type Refusal, refuse } from "../../shared/refusal.ts";
import { DAY } from "../../shared/time.ts";
import type { OnCallSchedule } from "../absences/absence.ts";
import { NOTICE_WINDOW_MS } from "../notices/shift-changes.ts";
import type { OnCallEvent } from "../on-call-event.ts";
import { onCallBetween } from "../oncall.ts";

/** The hours of the override, epoch ms. */
export type TakeOver = {
  readonly kind: "take_over";
  readonly startAt: number;
  readonly endAt: number;
  /** The account users who are on call in these hours without it. */
  readonly relieved: readonly string[];
};

const invalid = (message: string) => refuse("invalid", message, "action_time");

/** The refusal of a part that has ended, is empty, or that an override has. */
export const NOBODY_SERVES = invalid(
  "nobody is on call by this event from action_time on any more",
);

/**
 * What is left of a part of an occurrence, from now on.
 *
 * @param schedule a schedule of the event, as `onCallBetween` reads it from `now` on
 * @param actionAt the start of the part, epoch ms
 * @param by the account user who takes it over
 * @returns the hours; 422 if nobody is on call by the event in the part any more, it begins later than
 *   people are notified, or the person is on call in it
 */
export function decideTakeOver(
  event: OnCallEvent,
  schedule: OnCallSchedule,
  { actionAt, by }: { readonly actionAt: number; readonly by: string },
  now: number,
): TakeOver | Refusal {
  const at = Math.max(actionAt, now);
  const part = onCallBetween(schedule, at, at + 1).find(
    ({ eventId, startAt, endAt }) =>
      eventId === event.id && startAt <= actionAt && actionAt < endAt,
  );
  if (!part) return NOBODY_SERVES;
  const relieved = part.attendees.map(({ attendeeId }) => attendeeId);
  if (relieved.includes(by)) return invalid("you are on call in this shift");
  if (part.startAt > now + NOTICE_WINDOW_MS) {
    const days = NOTICE_WINDOW_MS / DAY;
    return invalid(`the shift begins in more than ${days} days: ask an admin of the team`);
  }
  return {
    kind: "take_over",
    startAt: Math.max(now, part.startAt),
    endAt: part.endAt,
    relieved,
  };
}
