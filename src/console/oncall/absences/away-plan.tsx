// What an absence would do, beside its form: who would be on call instead, and the shifts that the
// person still has.
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import type { Refusal } from "../../../domain/shared/refusal.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { Panel } from "../../../kernel/console/panel.tsx";
import { refusalText } from "../../../kernel/console/replies.ts";
import type { Names } from "../../names.ts";
import type { Visit } from "../../page.ts";
import { PlanView, planTitle } from "../rotation/plan-panel.tsx";
import type { Plan } from "../rotation/planned-shifts.ts";
import { spanText } from "./absence-list.tsx";
import { AbsenceWarnings } from "./absence-warnings.tsx";

export type DrawnAbsence = {
  readonly preview: OnCallPreview;
  /** The schedules on which somebody else would be on call. */
  readonly plans: readonly { readonly name: string; readonly plan: Plan }[];
  /** The hours in which the person would still be on call. */
  readonly left: readonly (Interval & { readonly layer: number })[];
  readonly person: string;
  /** The people who are asked; null: nobody is. */
  readonly asked: readonly string[] | null;
};

/** Null: the form is not filled in yet. */
export type Drawn = DrawnAbsence | Refusal | null;

type Shown = { readonly visit: Visit; readonly names: Names };

const MOST_LEFT = 6;

const Left = ({ visit, names, drawn }: Shown & { readonly drawn: DrawnAbsence }) => {
  const { left, person, plans } = drawn;
  if (left.length === 0) return null;
  return (
    <>
      <h3 class="gap-text">{`${names.of(person)} ${plans.length > 0 ? "still is" : "stays"} on call`}</h3>
      <ul class="plan-words">
        {left.slice(0, MOST_LEFT).map((it) => (
          <li>
            {spanText(it, visit)}, layer {it.layer}
          </li>
        ))}
        {left.length > MOST_LEFT ? <li>and {left.length - MOST_LEFT} more times</li> : null}
      </ul>
    </>
  );
};

const Effects = ({ visit, names, drawn }: Shown & { readonly drawn: DrawnAbsence }) => {
  const { preview, plans, left, asked } = drawn;
  const zone = visit.session.timeZone;
  const [only] = asked ?? [];
  const who = asked?.length === 1 && only ? names.of(only) : "the first of those who are asked";
  return (
    <>
      {/* What is left is listed below. */}
      <AbsenceWarnings
        warnings={(preview.warnings ?? []).filter(({ reason }) => reason !== "nobody_yet")}
      />
      {asked === null ? null : <p>{`If ${who} accepts:`}</p>}
      {plans.length === 0 && left.length === 0 ? <p>Nobody is on call differently.</p> : null}
      <Left {...{ visit, names, drawn }} />
      {plans.map(({ name, plan }) => (
        <>
          <h3>
            {name}. {planTitle({ plan, zone, now: visit.now })}
          </h3>
          <PlanView {...{ plan, names, zone, now: visit.now }} />
        </>
      ))}
    </>
  );
};

/** The panel that is drawn again while somebody types. */
export const AwayPlan = ({ visit, names, drawn }: Shown & { readonly drawn: Drawn }) => (
  <div id="plan">
    <Panel title="What changes">
      {drawn === null ? (
        <p class="soft">The preview shows who would be on call.</p>
      ) : "errors" in drawn ? (
        <p class="soft">{refusalText(drawn)}</p>
      ) : (
        <Effects {...{ visit, names, drawn }} />
      )}
    </Panel>
  </div>
);
