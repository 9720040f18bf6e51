// What the covers of absent people do once events have changed, for previews of the change.
import { newId } from "../../../db/shared/identifiers.ts";
import type { Absence } from "../../../domain/oncall/covers/absences.ts";
import type { Cover } from "../../../domain/oncall/covers/cover.ts";
import { seriesOfOverride } from "../../../domain/oncall/covers/cover-parts.ts";
import { planCovers } from "../../../domain/oncall/covers/cover-plan.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";

/** The events of schedules by schedule id. */
type EventsOfSchedules = ReadonlyMap<string, readonly OnCallEvent[]>;

type AfterCovers = {
  readonly schedules: EventsOfSchedules;
  /** The ids of the schedules in which covers change something. */
  readonly touched: readonly string[];
};

/**
 * The events of schedules after a change and what covers then do, and rotations that skip who is
 * unavailable.
 *
 * @param schedules those that the change or any cover concerns: an event may be in several, and a
 *   cover follows it in all of them
 * @param now epoch ms
 */
export function withCovers(
  schedules: EventsOfSchedules,
  covers: readonly Cover[],
  absences: readonly Absence[],
  now: number,
): AfterCovers {
  const events = new Map<string, OnCallEvent>();
  const schedulesOf = new Map<string, readonly string[]>();
  for (const [scheduleId, own] of schedules) {
    for (const event of own) {
      events.set(event.id, event);
      schedulesOf.set(event.id, [...(schedulesOf.get(event.id) ?? []), scheduleId]);
    }
  }
  const placed = { events: [...events.values()], schedulesOf };
  const plan = planCovers(placed, covers, now, () => newId(now), absences);
  const { after } = plan;
  const placesOf = (id: string) => after.schedulesOf.get(id) ?? [];
  const isIn = (scheduleId: string) => (event: OnCallEvent) =>
    placesOf(event.id).includes(scheduleId);
  const overrides = [...plan.changed, ...plan.added].map(({ id }) => id);
  return {
    schedules: new Map([...schedules.keys()].map((id) => [id, after.events.filter(isIn(id))])),
    touched: [...plan.removed, ...overrides].flatMap(placesOf),
  };
}

/** The covers after overrides of theirs were deleted by hand: they leave those hours alone. */
export function afterDeletion(
  covers: readonly Cover[],
  stored: readonly OnCallEvent[],
  deletedIds: readonly string[],
): readonly Cover[] {
  const byId = new Map(stored.map((event) => [event.id, event]));
  const deleted = deletedIds.flatMap((id) => byId.get(id) ?? []);
  return covers.map((cover) => {
    const own = deleted.filter(({ coverId }) => coverId === cover.id);
    const released = own.map((override) => {
      const { startAt, endAt } = override;
      return { eventId: seriesOfOverride(override, byId).id, startAt, endAt };
    });
    return { ...cover, released: [...cover.released, ...released] };
  });
}

/** The covers after an undo has restored overrides of theirs: those hours belong to them again. */
export const afterRestoration = (
  covers: readonly Cover[],
  restored: readonly OnCallEvent[],
): readonly Cover[] =>
  covers.map((cover) => {
    const own = restored.filter(({ coverId }) => coverId === cover.id);
    const isBack = ({ startAt, endAt }: Interval) =>
      own.some((override) => override.startAt === startAt && override.endAt === endAt);
    return { ...cover, released: cover.released.filter((hours) => !isBack(hours)) };
  });

/** The covers after somebody has left the account: theirs are gone, and they cover for nobody. */
export const afterDeparture = (covers: readonly Cover[], leaver: string | null): readonly Cover[] =>
  covers
    .filter(({ accountUserId }) => accountUserId !== leaver)
    .map((cover) =>
      cover.coveringAccountUserId === leaver ? { ...cover, coveringAccountUserId: null } : cover,
    );

type Interval = Pick<OnCallEvent, "startAt" | "endAt">;
