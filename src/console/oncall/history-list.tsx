// Parts of the history of a schedule: who made a change, and whose hours it changed.
import { formatInstant, HOUR } from "../../domain/shared/time.ts";
import type {
  ScheduleChange,
  ScheduleChangeWithHours,
} from "../../features/oncall/history/contract.ts";
import { Button, Form } from "../../kernel/console/form.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { Notice } from "../../kernel/console/panel.tsx";
import { mayUndo } from "../access/reach.ts";
import { Who } from "../people/person-panels.tsx";
import type { WithNames, WithVisit } from "../reads.ts";
import { wordsOf } from "./events/change-words.ts";

/** Who made a change: a person, whether by an API key, or the service itself. */
export const Author = ({ change, names }: WithNames<{ change: ScheduleChange }>) =>
  change.account_user_id === null ? (
    <span class="soft">Tocsin</span>
  ) : (
    <span>
      <Who names={names} id={change.account_user_id} />
      {change.actor_kind === "key" ? <span class="soft"> by API key</span> : null}
    </span>
  );

const signed = (hours: number) => `${hours > 0 ? "+" : "−"}${lengthOf(hours * HOUR)}`;

/** The hours on call that people got or lost in the six weeks from the change on. */
export const ChangedHours = ({ change, names }: WithNames<{ change: ScheduleChangeWithHours }>) => {
  if (!change.hours_known) return <span class="soft">too large to show</span>;
  if (change.hours.length === 0) return <span class="soft">none</span>;
  return (
    <ul>
      {change.hours.map((it) => (
        <li>
          <Who names={names} id={it.account_user_id} /> {signed(it.after - it.before)}
        </li>
      ))}
    </ul>
  );
};

type UndoProps = {
  /** The schedule's page. */
  readonly path: string;
  readonly change: ScheduleChange;
};

/** The button that leads to the confirmation of an undo. */
export const UndoButton = ({ path, change }: UndoProps) => (
  <Form to={`${path}/changes/${change.prefix_id}/undo`}>
    <Button tone="plain">{change.verb === "undo" ? "Redo" : "Undo"}</Button>
  </Form>
);

/** How long after a change the schedule's page offers to undo it (ms). */
const OFFERED_MS = 60_000;

/** The query of the changes that may still be offered; most often there are none. `now` in epoch ms. */
export const recentChanges = (now: number) => ({
  created_at: formatInstant(now - OFFERED_MS),
  ops: "created_at:gte",
  limit: 3,
});

type JustChangedProps = WithVisit<{
  path: string;
  /** Whether the person may change the schedule. */
  mayChange: boolean;
  /** Of the last minute: those of `recentChanges`. */
  changes: readonly ScheduleChange[];
}>;

/** Offers to undo the change that the person has just made. */
export const JustChanged = ({ visit, path, mayChange, changes }: JustChangedProps) => {
  const own = changes.find(
    (it) =>
      it.account_user_id === visit.session.actor.accountUserId &&
      it.undoable &&
      mayUndo(visit, it, mayChange),
  );
  if (!own) return null;
  return (
    <Notice tone="neutral" title={`${wordsOf(own)}.`}>
      <UndoButton path={path} change={own} />
    </Notice>
  );
};
