// Reminders of a person's own shifts: when each is due, before the shift begins. Pure.
import type { Channel } from "../../people/contact.ts";
import { MESSENGERS } from "../../people/messengers.ts";
import { DAY, MINUTE } from "../../shared/time.ts";
import type { PersonHours } from "./person-hours.ts";

/** The channels that a person may choose for a reminder. */
export const REMINDER_CHANNELS = [
  "push",
  "email",
  "sms",
  "voice",
  ...MESSENGERS,
] as const satisfies readonly Channel[];

/** The longest time before a shift, in minutes: a week. */
export const MAX_REMINDER_MINUTES = (7 * DAY) / MINUTE;

/** The most reminders of one shift. */
export const MAX_REMINDERS = 5;

/** A reminder that a person gets of each of their shifts, as stored. */
export type ShiftReminder = {
  readonly minutes_before: number;
  /** Null: the channels on which the person is usually notified. */
  readonly channel: (typeof REMINDER_CHANNELS)[number] | null;
};

/** The reminders that people want, by account user id. */
export type RemindersByPerson = ReadonlyMap<string, readonly ShiftReminder[]>;

export type DueReminder = {
  readonly accountUserId: string;
  readonly reminder: ShiftReminder;
  readonly layer: number;
  /** The shift, with those that follow it without a pause (epoch ms). */
  readonly startAt: number;
  readonly endAt: number;
  readonly dueAt: number;
};

/**
 * The reminders that are due in (from, to] (epoch ms), by time.
 *
 * @param people hours that keep their start, from before `from`
 */
export function remindersDue(
  people: PersonHours,
  wanted: RemindersByPerson,
  from: number,
  to: number,
): DueReminder[] {
  return allReminders(people, wanted)
    .filter(({ dueAt }) => dueAt > from && dueAt <= to)
    .sort((a, b) => a.dueAt - b.dueAt);
}

/** When the next reminder is due after `now` (epoch ms); null: none is known. */
export function nextReminderAt(
  people: PersonHours,
  wanted: RemindersByPerson,
  now: number,
): number | null {
  const times = allReminders(people, wanted)
    .map(({ dueAt }) => dueAt)
    .filter((at) => at > now);
  return times.length === 0 ? null : Math.min(...times);
}

function allReminders(people: PersonHours, wanted: RemindersByPerson): DueReminder[] {
  return [...wanted].flatMap(([accountUserId, reminders]) =>
    Object.entries(people[accountUserId] ?? {}).flatMap(([layer, hours]) =>
      hours.flatMap(({ startAt, endAt }) =>
        reminders.map((reminder) => ({
          ...{ accountUserId, reminder, layer: Number(layer), startAt, endAt },
          dueAt: startAt - reminder.minutes_before * MINUTE,
        })),
      ),
    ),
  );
}
