// Reads what the drawing beside the form of an absence shows.

import { parseInstant } from "../../../domain/shared/parse-time.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { OnCallEntry, OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { fieldText, listOf, type Values } from "../../../kernel/console/values.ts";
import { allOf } from "../../api.ts";
import type { Visit } from "../../page.ts";
import { readPlan } from "../rotation/plan.ts";
import type { Drawn, DrawnAbsence } from "./away-plan.tsx";

/** The times of a body (epoch ms); null while they are not filled in. */
function hoursOf(body: Values): readonly [from: number, until: number] | null {
  const from = parseInstant(fieldText(body, "start_datetime"));
  const until = parseInstant(fieldText(body, "end_datetime"));
  return from === null || until === null || until <= from ? null : [from, until];
}

/** The shifts of the person in the hours of an absence. */
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
