// Shifts of people who are away then.
import { counted } from "../../domain/shared/counted.ts";
import type { Absence } from "../../features/oncall/absences/contract.ts";
import type { OnCallEntry } from "../../features/oncall/on-call/contract.ts";
import { Moment } from "../../kernel/console/moment.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { Who } from "../people/person-panels.tsx";
import type { Names } from "../reads.ts";
import { absencePath } from "./absences/absence-list.tsx";
import { hoursStillOnCall } from "./still-on-call.ts";
import { AHEAD } from "./team-layers.tsx";

/** A shift of a person who is away, with the hours that both have in common. */
export type ShownConflict = {
  readonly accountUserId: string;
  readonly layer: number;
  /** ISO 8601, or epoch ms. */
  readonly start: string | number;
  readonly end: string | number;
  readonly reason: string | null;
  readonly absenceId: string;
};

const MOST_SHOWN = 10;

type ConflictsProps = { readonly names: Names; readonly conflicts: readonly ShownConflict[] };

/** A warning that lists the next absences of whose shifts nobody has taken; nothing if there are none. */
export const Conflicts = ({ names, conflicts }: ConflictsProps) => {
  if (conflicts.length === 0) return null;
  const absences = [...Map.groupBy(conflicts, ({ absenceId }) => absenceId).values()];
  const left = absences.length - MOST_SHOWN;
  return (
    <Notice tone="warn" title="Shifts of people who are away.">
      <ul>
        {absences.slice(0, MOST_SHOWN).flatMap(([it, ...others]) =>
          it === undefined ? (
            []
          ) : (
            <li>
              <Who names={names} id={it.accountUserId} /> on step {it.layer},{" "}
              <Moment at={it.start} /> to <Moment at={it.end} />
              {others.length > 0 ? ` and ${counted(others.length, "more time")}` : null}
              {it.reason ? ` (${it.reason})` : null}.{" "}
              <a href={absencePath(it.absenceId)}>Who takes it?</a>
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

/** The shifts of people who are away among those ahead. */
export const conflictsOf = (
  entries: readonly OnCallEntry[],
  absences: readonly Absence[],
  now: number,
): readonly ShownConflict[] =>
  hoursStillOnCall(entries, absences, now, now + AHEAD).map(
    ({ absence, layer, startAt, endAt }) => ({
      ...{ accountUserId: absence.account_user_id, absenceId: absence.id, layer },
      ...{ start: startAt, end: endAt, reason: absence.reason },
    }),
  );
