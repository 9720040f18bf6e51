// Reads what the drawing beside a form shows: the plan of its changes, as the API previews them.

import { uniteHours } from "../../../domain/oncall/intervals.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant, HOUR, MINUTE } from "../../../domain/shared/time.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import type { Visit } from "../../page.ts";
import type { Names } from "../../reads.ts";
import {
  changesIn,
  type HoursDifference,
  type PlannedHours,
  plannedEntry,
  planOf,
  type RotationPlan,
  type ShownChange,
  schedulesIn,
  shiftsIn,
} from "./planned-shifts.ts";

/** The time ahead that a preview compares. */
const AHEAD_MS = 42 * DAY;
/** What is drawn before changes that are later. */
const WEEK_BEFORE_MS = 7 * DAY;
/** The time back. */
const BACK_MS = 28 * DAY;

/** The latest instant at which the previews were made: each is calculated at its own. */
const presentOf = (previews: readonly OnCallPreview[], now: number): number =>
  Math.max(now, ...previews.map(({ window }) => Date.parse(window.start) + BACK_MS));

/**
 * The plan of a schedule after changes; without changes, what is planned now.
 *
 * @param scheduleId the schedule's ULID
 * @param layers the layers that the form is about
 */
export async function readPlan(
  { api, now }: Visit,
  scheduleId: string,
  layers: readonly number[],
  previews: readonly OnCallPreview[],
): Promise<RotationPlan | Refusal> {
  const shifts = shiftsIn(previews, scheduleId);
  const present = presentOf(previews, now);
  const window = [present, now + AHEAD_MS] as const;
  if (previews.some(({ schedules }) => schedules.length > 0)) {
    const changes = changesIn(previews, scheduleId);
    const plan = planOf(shifts, changes, layers, windowOf(changes, previews, window));
    // Several previews have each its own change only: their shifts are a sum unless one takes somebody off.
    const isSum = previews.length === 1 || changes.every(({ before }) => before.length === 0);
    const doubles = isSum ? plan.doubles : [];
    return { ...plan, doubles, hours: plannedHours(previews, scheduleId) };
  }
  const [start, end] = window.map(formatInstant);
  const current = await api.get("/schedules/:id/window_events", { id: scheduleId, start, end });
  if (isRefusal(current)) return current;
  return planOf(current.map(plannedEntry), [], layers, window);
}

type Window = readonly [from: number, to: number];

/**
 * The next six weeks; the six weeks around changes that are all later; or until the end of what was
 * compared if some are later.
 */
function windowOf(
  changes: readonly ShownChange[],
  previews: readonly OnCallPreview[],
  next: Window,
): Window {
  const ends = previews.map(({ window }) => Date.parse(window.end));
  const starts = previews.map(({ window }) => Date.parse(window.start) + BACK_MS + AHEAD_MS);
  const near = Math.max(...starts);
  const begins = changes.map(({ from }) => from);
  const [first, last] = [Math.min(...begins), Math.max(...begins)];
  if (changes.length === 0 || last < near) return next;
  if (first < near) return [next[0], Math.min(...ends)];
  const from = first - WEEK_BEFORE_MS;
  return [from, Math.min(from + AHEAD_MS, ...ends)];
}

/** The members of the teams that use a schedule, by name: whom its forms offer. */
export function membersOf(names: Names, scheduleId: string): readonly string[] {
  const ids = names.teams
    .filter((team) => team.schedule_id === scheduleId)
    .flatMap((team) => team.member_account_user_ids);
  return names.people.map(({ id }) => id).filter((id) => ids.includes(id));
}

/**
 * The hours after changes of one schedule that are previewed one by one; null without a preview. Hours
 * that several changes give to one person count once.
 */
export function plannedHours(
  previews: readonly OnCallPreview[],
  scheduleId: string,
): PlannedHours | null {
  const schedules = schedulesIn(previews, scheduleId);
  const [first] = schedules;
  const [preview] = previews;
  if (!first || !preview) return null;
  const [from, to] = [preview.window.start, preview.window.end].map(Date.parse) as [number, number];
  // Each is calculated at its own instant, and may look further ahead.
  const isSameWindow = previews.every(
    ({ window }) => Math.abs(Date.parse(window.end) - to) < MINUTE,
  );
  if (!isSameWindow) return null;
  const alone = hoursOf(first.shifts);
  const together = hoursOf(schedules.flatMap(({ shifts }) => shifts));
  const ids = new Set(
    schedules.flatMap(({ hours }) => hours.map(({ account_user_id }) => account_user_id)),
  );
  const people = [...ids].map((id) => {
    const own = first.hours.find(({ account_user_id }) => account_user_id === id);
    const { before, after } = own ?? { before: 0, after: 0 };
    // The first preview has its own change only: the others add what is not yet in it.
    const added = (together.get(id) ?? 0) - (alone.get(id) ?? 0);
    return { id, before, after: after + added };
  });
  return { from, to, people: people.sort(byChange) };
}

const byChange = (one: HoursDifference, other: HoursDifference): number =>
  Math.abs(other.after - other.before) - Math.abs(one.after - one.before) ||
  other.after - one.after;

type Shift = OnCallPreview["schedules"][number]["shifts"][number];

/** The hours of each person, by id, on all layers; overlapping ones count once. */
function hoursOf(shifts: readonly Shift[]): ReadonlyMap<string, number> {
  const intervals = new Map<string, { startAt: number; endAt: number }[]>();
  for (const { start_time, end_time, account_user_ids } of shifts) {
    for (const id of account_user_ids) {
      const known = intervals.get(id) ?? [];
      known.push({ startAt: Date.parse(start_time), endAt: Date.parse(end_time) });
      intervals.set(id, known);
    }
  }
  return new Map(
    [...intervals].map(([id, own]) => [
      id,
      uniteHours(own).reduce((sum, { startAt, endAt }) => sum + endAt - startAt, 0) / HOUR,
    ]),
  );
}
