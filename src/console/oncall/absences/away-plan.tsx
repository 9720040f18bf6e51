// What an absence would do, beside its form: who would be on call instead, and the shifts that the
// person still has.
import type { Interval } from "../../../domain/oncall/override-precedence.ts";
import { counted } from "../../../domain/shared/counted.ts";
import { parseInstant } from "../../../domain/shared/parse-time.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { OnCallEntry, OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { Panel } from "../../../kernel/console/panel.tsx";
import { refusalText } from "../../../kernel/console/reply.ts";
import { fieldText, listOf, type Values } from "../../../kernel/console/values.ts";
import type { Visit } from "../../page.ts";
import { allOf, type Names } from "../../reads.ts";
import { readPlan } from "../rotation/plan.ts";
import { TitledPlan } from "../rotation/plan-panel.tsx";
import type { RotationPlan } from "../rotation/planned-shifts.ts";
import { AbsenceWarnings, spanText } from "./absence-list.tsx";

type DrawnAbsence = {
  readonly preview: OnCallPreview;
  /** The schedules on which somebody else would be on call. */
  readonly plans: readonly { readonly name: string; readonly plan: RotationPlan }[];
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
            {spanText(it, visit)}, step {it.layer}
          </li>
        ))}
        {left.length > MOST_LEFT ? (
          <li>and {counted(left.length - MOST_LEFT, "more time")}</li>
        ) : null}
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
        <TitledPlan {...{ name, plan, names, zone }} />
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

/** The times of a body (epoch ms); null while they are not filled in. */
function hoursOf(body: Values): readonly [from: number, until: number] | null {
  const from = parseInstant(fieldText(body, "start_datetime"));
  const until = parseInstant(fieldText(body, "end_datetime"));
  return from === null || until === null || until <= from ? null : [from, until];
}

async function readShifts(
  { api }: Visit,
  person: string,
  body: Values,
): Promise<readonly OnCallEntry[] | Refusal> {
  const [start, end] = ["start_datetime", "end_datetime"].map((name) => fieldText(body, name));
  return api.get("/account_users/:id/window_events", { id: person, start, end });
}

/**
 * With whom a request to everybody of the rotation is filled in where no rotation is named: that of
 * the person's first shift in the hours.
 */
export async function withRotation(visit: Visit, person: string, body: Values): Promise<Values> {
  const isOpen = body.instead === "ask" && body.event_id === undefined;
  if (!isOpen || listOf(body, "account_user_ids").length > 0 || hoursOf(body) === null) return body;
  const shifts = await readShifts(visit, person, body);
  const [first] = isRefusal(shifts) ? [] : shifts;
  if (first === undefined) return body;
  const { account_user_ids: _, ...others } = body;
  return { ...others, event_id: first.event_id };
}

/** The hours of the absence in which the person would still be on call, in the schedules that it names. */
function leftIn(
  preview: OnCallPreview,
  person: string,
  shifts: readonly OnCallEntry[],
  body: Values,
  [from, until]: readonly [from: number, until: number],
): DrawnAbsence["left"] {
  const named = listOf(body, "schedule_ids");
  const isNamed = (id: string) => named.length === 0 || named.includes(id);
  const changed = preview.schedules.map(({ schedule_id }) => schedule_id);
  const planned = preview.schedules
    .filter(({ schedule_id: id }) => isNamed(id))
    .flatMap((it) => it.shifts.filter(({ account_user_ids: ids }) => ids.includes(person)));
  const present = shifts.filter(({ schedule_id: id }) => isNamed(id) && !changed.includes(id));
  return [...planned, ...present]
    .map(({ layer, start_time: start, end_time: end }) => ({
      layer,
      startAt: Math.max(Date.parse(start), from),
      endAt: Math.min(Date.parse(end), until),
    }))
    .filter(({ startAt, endAt }) => startAt < endAt)
    .toSorted((one, other) => one.startAt - other.startAt);
}

/**
 * What an absence would do.
 *
 * @param preview of the very call that the form makes when it is saved
 */
export async function drawAbsence(
  visit: Visit,
  person: string,
  body: Values,
  preview: (body: Values) => Promise<OnCallPreview | Refusal>,
): Promise<Drawn> {
  const hours = hoursOf(body);
  if (hours === null) return null;
  const read = await allOf(
    preview(body),
    readShifts(visit, person, body),
    visit.api.every("/schedules"),
  );
  if (isRefusal(read)) return read;
  const [previewed, shifts, schedules] = read;
  const changed = previewed.schedules.filter(({ changes }) => changes.length > 0);
  const plans = await Promise.all(
    changed.map(async ({ schedule_id: id }) => {
      const name = schedules.find((it) => it.id === id)?.name ?? "Schedule";
      const plan = await readPlan(visit, id, [], [previewed]);
      return isRefusal(plan) ? [] : [{ name, plan }];
    }),
  );
  return {
    preview: previewed,
    plans: plans.flat(),
    left: leftIn(previewed, person, shifts, body, hours),
    person,
    asked: body.instead === "ask" ? listOf(body, "account_user_ids") : null,
  };
}
