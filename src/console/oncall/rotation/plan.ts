// Reads what the drawing beside a form shows: the plan of its changes, as the API previews them.
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import type { Names } from "../../names.ts";
import type { Visit } from "../../page.ts";
import { plannedHours } from "./planned-hours.ts";
import { changesIn, type Plan, type PlannedChange, planOf, shiftsIn } from "./planned-shifts.ts";

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
): Promise<Plan | Refusal> {
  const shifts = shiftsIn(previews, scheduleId);
  const present = presentOf(previews, now);
  const window = [present, now + AHEAD_MS] as const;
  if (previews.some(({ schedules }) => schedules.length > 0)) {
    const changes = changesIn(previews, scheduleId);
    const plan = planOf(shifts, changes, layers, windowOf(changes, previews, window));
    return { ...plan, hours: plannedHours(previews, scheduleId) };
  }
  const [start, end] = window.map(formatInstant);
  const current = await api.get("/schedules/:id/window_events", { id: scheduleId, start, end });
  if (isRefusal(current)) return current;
  const entries = current.map(({ layer, start_time, end_time, attendees }) => ({
    ...{ layer, start_time, end_time },
    account_user_ids: attendees.map(({ attendee_id }) => attendee_id),
  }));
  return planOf(entries, [], layers, window);
}

type Window = readonly [from: number, to: number];

/**
 * The next six weeks; the six weeks around changes that are all later; or until the end of what was
 * compared if some are later.
 */
function windowOf(
  changes: readonly PlannedChange[],
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
