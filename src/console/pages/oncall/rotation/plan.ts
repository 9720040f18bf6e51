// Reads what the drawing beside a form shows: the plan of its changes, as the API previews them.
import type { OnCallPreview } from "../../../../contract/oncall/on-call-preview.ts";
import { isRefusal, type Refusal } from "../../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../../domain/shared/time.ts";
import { changesIn, type Plan, planOf, shiftsIn } from "../../../oncall/rotation/planned-shifts.ts";
import type { Visit } from "../../../page.ts";
import type { Names } from "../../../shared/names.ts";

/** The time ahead that a preview compares. */
const AHEAD_MS = 42 * DAY;
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
    return planOf(shifts, changesIn(previews, scheduleId), layers, window);
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

/** The members of the teams that use a schedule, by name: whom its forms offer. */
export function membersOf(names: Names, scheduleId: string): readonly string[] {
  const ids = names.teams
    .filter((team) => team.schedule_id === scheduleId)
    .flatMap((team) => team.member_account_user_ids);
  return names.people.map(({ id }) => id).filter((id) => ids.includes(id));
}
