// The shifts of people who are away: the hours of an absence in which they are still on call.
import type { Interval } from "../../domain/oncall/override-precedence.ts";
import type { Absence } from "../../features/oncall/absences/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";

export type StillOnCall = Interval & { readonly absence: Absence; readonly layer: number };

const concerns = ({ schedule_ids: ids }: Absence, { schedule_id: id }: OnCallEntry): boolean =>
  ids.length === 0 || ids.includes(id);

/**
 * The hours of absences within [from, to) (epoch ms) in which their people are still on call, by
 * start; a shift that several teams have counts once.
 */
export function hoursStillOnCall(
  entries: readonly OnCallEntry[],
  absences: readonly Absence[],
  from: number,
  to: number,
): readonly StillOnCall[] {
  const shifts = new Map(entries.map((it) => [`${it.event_id} ${it.start_time}`, it]));
  const away = absences.filter(({ status }) => status !== "cancelled");
  const byPerson = Map.groupBy(away, ({ account_user_id: id }) => id);
  return [...shifts.values()]
    .flatMap((entry) =>
      [...new Set(entry.attendees.map(({ attendee_id: id }) => id))]
        .flatMap((id) => byPerson.get(id) ?? [])
        .filter((absence) => concerns(absence, entry))
        .map((absence) => ({
          absence,
          layer: entry.layer,
          startAt: Math.max(from, ...startsOf(entry, absence)),
          endAt: Math.min(to, ...endsOf(entry, absence)),
        })),
    )
    .filter(({ startAt, endAt }) => startAt < endAt)
    .toSorted((one, other) => one.startAt - other.startAt);
}

const startsOf = ({ start_time: shift }: OnCallEntry, { start_datetime: absence }: Absence) =>
  [shift, absence].map(Date.parse);

const endsOf = ({ end_time: shift }: OnCallEntry, { end_datetime: absence }: Absence) =>
  [shift, absence].map(Date.parse);
