// Each person's hours on call before and after what a form would do.
import { uniteHours } from "../../../domain/oncall/intervals.ts";
import { HOUR, MINUTE } from "../../../domain/shared/time.ts";
import type { OnCallPreview } from "../../../features/oncall/on-call/contract.ts";
import { type PersonHours, type PlannedHours, schedulesIn } from "./planned-shifts.ts";

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

const byChange = (one: PersonHours, other: PersonHours): number =>
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
