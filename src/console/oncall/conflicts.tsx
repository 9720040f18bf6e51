// Shifts of people who are away then.
import { counted } from "../../domain/shared/counted.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import type { Absence, ShiftConflict } from "../../features/oncall/absences/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { Who } from "../people/person-panels.tsx";
import type { Names } from "../reads.ts";
import { absencePath, type StillOnCall } from "./absences/absence-list.tsx";
import { AHEAD } from "./team-layers.tsx";

/** A shift of a person who is away, with the hours that both have in common. */
type ShownConflict = Pick<
  ShiftConflict,
  "account_user_id" | "absence_id" | "layer" | "reason" | "start_time" | "end_time"
>;

const MOST_SHOWN = 10;

type ConflictsProps = { readonly names: Names; readonly conflicts: readonly ShownConflict[] };

/** A warning that lists the next absences of whose shifts nobody has taken; nothing if there are none. */
export const Conflicts = ({ names, conflicts }: ConflictsProps) => {
  if (conflicts.length === 0) return null;
  const absences = [...Map.groupBy(conflicts, ({ absence_id: id }) => id).values()];
  const left = absences.length - MOST_SHOWN;
  return (
    <Notice tone="warn" title="Shifts of people who are away.">
      <ul>
        {absences.slice(0, MOST_SHOWN).flatMap(([it, ...others]) =>
          it === undefined ? (
            []
          ) : (
            <li>
              <Who names={names} id={it.account_user_id} /> on step {it.layer},{" "}
              <Moment at={it.start_time} /> to <Moment at={it.end_time} />
              {others.length > 0 ? ` and ${counted(others.length, "more time")}` : null}
              {it.reason ? ` (${it.reason})` : null}.{" "}
              <a href={absencePath(it.absence_id)}>Who takes it?</a>
            </li>
          ),
        )}
        {left > 0 ? (
          <li>
            <a href="/absences">and {left} more absences</a>
          </li>
        ) : null}
      </ul>
    </Notice>
  );
};

export const conflictsOf = (
  entries: readonly OnCallEntry[],
  absences: readonly Absence[],
  now: number,
): readonly ShownConflict[] =>
  hoursStillOnCall(entries, absences, now, now + AHEAD).map(
    ({ absence: { account_user_id, id, reason }, layer, startAt, endAt }) => ({
      ...{ account_user_id, absence_id: id, reason, layer },
      ...{ start_time: formatInstant(startAt), end_time: formatInstant(endAt) },
    }),
  );

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
