// A new rotation from a stored one: its people, turns and hours, on the next layer.
import { lastOccurrence } from "../../../domain/oncall/recurrence/occurrences.ts";
import type { Event, EventWithClockChanges } from "../../../features/oncall/events/contract.ts";
import type { OnCallEntry } from "../../../features/oncall/on-call/contract.ts";
import type { Values } from "../../../kernel/console/values.ts";
import { wallOf } from "../on-call-window.ts";
import { peopleAt } from "./planned-people.tsx";
import type { Positions } from "./positions.ts";
import { seriesOfRecord } from "./rotation-change.ts";
import { ANCHOR, isRotation, rotationValues } from "./rotation-form.ts";

/** Whether a rotation can be copied. Imported shifts come from their calendar. */
export const isCopied = (event: Event): boolean =>
  isRotation(event) && event.import_id === null && event.schedule_ids.length > 0;

/** The form of the copy, in the same schedule. */
export const copyPath = ({ id, schedule_ids: [scheduleId] }: Event): string =>
  `/schedules/${scheduleId}/rotations/new?copy=${id}`;

const remainder = (value: number, count: number) => ((value % count) + count) % count;

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((id) => other.includes(id));

/**
 * The form of a rotation on the layer after a stored one's. Its people are a turn ahead, so that
 * nobody is on call on both layers at once, and its turns hand off with those of the stored one.
 *
 * @param entries who is on call on the schedule from now on, for some turns
 * @param now epoch ms
 */
export function copiedRotation(
  event: EventWithClockChanges,
  entries: readonly OnCallEntry[],
  now: number,
): Values {
  const series = seriesOfRecord(event);
  const running = lastOccurrence(series, now + 1);
  const first = Date.parse(event.begins_at ?? event.start_datetime);
  const startAt = running?.startAt ?? first;
  // Not those of a later change that is planned.
  const positions = peopleAt(event, now);
  const current = running === null ? 0 : currentPosition(event, positions, entries, now);
  const next = remainder(current + 1, Math.max(1, positions.length));
  const people = [...positions.slice(next), ...positions.slice(0, next)];
  return {
    ...rotationValues(event, startAt, people),
    layer: String(event.layer + 1),
    start: running === null ? wallOf(first, event.time_zone) : "",
    [ANCHOR]: new Date(startAt).toISOString(),
  };
}

/**
 * The index of the position whose turn it is: the one from which on most of the coming shifts are
 * those of the positions in order. Overrides and people in several positions fit elsewhere too.
 */
function currentPosition(
  event: Event,
  positions: Positions,
  entries: readonly OnCallEntry[],
  now: number,
): number {
  const series = seriesOfRecord(event);
  const turnAt = (at: number) => lastOccurrence(series, at + 1)?.turn ?? 0;
  const turn = turnAt(now);
  const served = entries
    .filter(({ event_id }) => event_id === event.id)
    .map(({ start_time, attendees }) => ({
      ahead: turnAt(Math.max(now, Date.parse(start_time))) - turn,
      people: attendees.map(({ attendee_id }) => attendee_id),
    }));
  const fitting = positions.map(
    (_, at) =>
      served.filter(({ ahead, people }) =>
        isSame(people, positions[remainder(at + ahead, positions.length)] ?? []),
      ).length,
  );
  return Math.max(0, fitting.indexOf(Math.max(...fitting)));
}
