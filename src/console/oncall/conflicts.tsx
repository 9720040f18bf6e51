// Shifts of people who are away then.
import { Moment } from "../../kernel/console/moment.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import type { Names } from "../names.ts";
import type { Visit } from "../page.ts";
import { Who } from "../people/person-panels.tsx";
import { absencePath } from "./absences/absence-list.tsx";

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

type ConflictsProps = {
  readonly visit: Visit;
  readonly names: Names;
  readonly conflicts: readonly ShownConflict[];
};

/** A warning that lists the next absences of whose shifts nobody has taken; nothing if there are none. */
export const Conflicts = ({ visit, names, conflicts }: ConflictsProps) => {
  if (conflicts.length === 0) return null;
  const time = { zone: visit.session.timeZone, now: visit.now };
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
              <Who names={names} id={it.accountUserId} /> on layer {it.layer},{" "}
              <Moment at={it.start} {...time} /> to <Moment at={it.end} {...time} />
              {others.length > 0 ? ` and ${others.length} more times` : null}
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
