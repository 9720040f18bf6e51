// A series as a configuration file describes it, and back: every version with its rule and its
// rosters, and the overrides, the newest last. Identifiers are those of whoever describes it.
import { isSkipping } from "../../../domain/oncall/absences/absence.ts";
import { currentSeries } from "../../../domain/oncall/current-series.ts";
import type { EarlierRoster, OnCallEvent, Roster } from "../../../domain/oncall/on-call-event.ts";
import { rotationOf } from "../../../domain/oncall/recurrence/rotation.ts";
import { rosterOf, rosterOfPositions } from "../../../domain/oncall/rosters/roster-change.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import { isOverride, versionsOf } from "../../../domain/oncall/series-versions.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { blankEvent, withParameters } from "./event-input.ts";
import { showRestrictions } from "./event-records.ts";
import type { WriteSeries } from "./series-parameters.ts";

type Meta = Readonly<Record<string, unknown>>;

/** An event of a series with what is beside its rule. */
export type SeriesEvent = OnCallEvent & {
  readonly scheduleIds: readonly string[];
  readonly meta: Meta;
};

/** How the description names people and schedules; null: it cannot name them. */
export type Naming = {
  readonly person: (id: string) => string | null;
  readonly schedule: (id: string) => string | null;
};

/**
 * Describes what is not over at `now` (epoch ms); null if all of the series is.
 *
 * @param events all events of the series
 */
export function describeSeries(events: readonly SeriesEvent[], naming: Naming, now: number) {
  const current = currentSeries(events, now);
  const [head] = current;
  if (head === undefined) return null;
  const versionAt = versionsOf(current);
  const name = (ids: readonly string[]) => ids.flatMap((id) => naming.schedule(id) ?? []).sort();
  const beside = (it: SeriesEvent, like: SeriesEvent, meta: Meta) => ({
    ...(!isSame(name(it.scheduleIds), name(like.scheduleIds)) && {
      schedules: name(it.scheduleIds),
    }),
    ...(!isSame(unkeyed(it.meta), unkeyed(meta)) && { meta: unkeyed(it.meta) }),
  });
  return {
    schedules: name(head.scheduleIds),
    versions: current
      .filter((it) => !isOverride(it))
      .map((it) => ({ ...describeEvent(it, naming), ...beside(it, head, head.meta) })),
    overrides: current.filter(isOverride).map((it) => {
      const version = current.find(({ id }) => id === versionAt(it, it.startAt)?.id) ?? head;
      const { made_at, ...described } = describeOverride(it, naming);
      return { ...described, ...beside(it, version, {}), made_at };
    }),
  };
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const unkeyed = ({ key: _, ...meta }: Meta): Meta => meta;

/** Describes one version or override. */
export const describeEvent = (event: OnCallEvent, naming: Naming) =>
  isOverride(event) ? describeOverride(event, naming) : describeVersion(event, naming);

const times = ({ startAt, endAt, layer, timeZone }: OnCallEvent) => ({
  start_datetime: formatInstant(startAt),
  end_datetime: formatInstant(endAt),
  layer,
  time_zone: timeZone,
});

/** Fields that say nothing new are left out. */
function describeVersion(event: OnCallEvent, naming: Naming) {
  const { beginsAt, cutAt, continues, repeatEndAt, daysOfWeek, exceptions } = event;
  const { repeat, frequency, frequencyUnit, restrictions = [], priority = 0 } = event;
  return {
    ...(beginsAt != null && { from: formatInstant(beginsAt) }),
    ...(cutAt !== null && { until: formatInstant(cutAt) }),
    ...(continues != null && { turns: continues }),
    ...times(event),
    ...(repeat && { repeat }),
    ...(frequency !== null && { frequency }),
    ...(frequencyUnit !== null && { frequency_unit: frequencyUnit }),
    ...(daysOfWeek.length > 0 && { days_of_week: daysOfWeek }),
    ...(repeatEndAt !== null && { repeat_end_datetime: formatInstant(repeatEndAt) }),
    ...(restrictions.length > 0 && { restrictions: showRestrictions(restrictions) }),
    ...(priority > 0 && { priority }),
    ...(isSkipping(event) && { when_away: "next_in_line" }),
    ...(exceptions.length > 0 && {
      exceptions: exceptions.map(({ startAt }) => formatInstant(startAt)),
    }),
    rosters: describeRosters(event, naming),
  };
}

const describeOverride = (event: OnCallEvent, naming: Naming) => ({
  ...times(event),
  ...(event.leavesEmpty && { leaves_empty: true }),
  rosters: describeRosters(event, naming),
  made_at: formatInstant(event.createdAt),
});

function describeRosters(event: OnCallEvent, naming: Naming) {
  const earlier = earlierRostersOf(event);
  return [...earlier, event].map((roster: Roster, index) => {
    const before = earlier[index - 1];
    const positions = rotationOf(roster).map((people) =>
      people.flatMap(({ attendeeId }) => naming.person(attendeeId) ?? []).sort(),
    );
    return {
      ...(before && { from: formatInstant(before.untilAt) }),
      ...(roster.rotation && { rotation: true }),
      positions,
      ...(before?.cuts && {
        splits: before.cuts.map(({ turn, position }) => ({ turn, position })),
      }),
    };
  });
}

/** What new events need that a description does not say. */
export type Making = {
  readonly seriesId: string;
  readonly newId: () => string;
  readonly now: number;
  /** When overrides were made of which the description does not say it (epoch ms). */
  readonly madeAt: number;
};

/**
 * The events that a description is of: its versions, then its overrides, in their order.
 *
 * @param making makes the ids; the first version gets that of the series
 */
export function eventsOfSeries(body: WriteSeries, making: Making): readonly SeriesEvent[] {
  const { seriesId, now } = making;
  const { key, ...common } = body.meta ?? {};
  const keyed = (meta: Meta): Meta => ({ ...meta, ...(key !== undefined && { key }) });
  const versions = body.versions.map((it, index): SeriesEvent => {
    const id = index === 0 ? seriesId : making.newId();
    const event = withParameters(blankEvent(id), it, now);
    return {
      ...event,
      ...rostersIn(it.rosters, making),
      seriesId,
      createdAt: now,
      beginsAt: it.from ?? null,
      cutAt: it.until ?? null,
      continues: it.turns ?? null,
      exceptions: (it.exceptions ?? []).map((startAt) => ({ id: making.newId(), startAt })),
      scheduleIds: it.schedules ?? body.schedules ?? [],
      meta: keyed(it.meta ?? common),
    };
  });
  const versionAt = versionsOf(versions);
  const written = body.overrides ?? [];
  // Of the same instant, the later one in the list is the newer one.
  const ids = written.map(() => making.newId()).sort();
  const overrides = written.map((it, index): SeriesEvent => {
    const id = ids[index] ?? "";
    const event = { ...withParameters(blankEvent(id), it, now), seriesId, parentId: seriesId };
    const version = versionAt(event, event.startAt);
    return {
      ...event,
      ...rostersIn(it.rosters, making),
      createdAt: it.made_at ?? making.madeAt,
      parentId: version?.id ?? seriesId,
      priority: version?.priority ?? 0,
      leavesEmpty: it.leaves_empty ?? false,
      scheduleIds:
        it.schedules ?? versions.find(({ id: own }) => own === version?.id)?.scheduleIds ?? [],
      meta: it.meta ?? {},
    };
  });
  return [...versions, ...overrides];
}

type Rosters = WriteSeries["versions"][number]["rosters"];

function rostersIn(written: Rosters, { newId }: Making) {
  const rosters = written.map(({ rotation = false, positions }) => {
    const people = positions.map((ids) =>
      [...new Set(ids)].map((attendeeId) => ({
        ...{ id: newId(), attendeeId, attendeeType: "AccountUser" as const, position: 0 },
      })),
    );
    const separate = [...new Map(people.flat().map((it) => [it.attendeeId, [it]])).values()];
    return rosterOf(rosterOfPositions(rotation ?? false, rotation ? people : separate));
  });
  const earlierRosters = written.slice(1).flatMap(({ from, splits }, index): EarlierRoster[] => {
    const roster = rosters[index];
    return roster && from != null ? [{ ...roster, untilAt: from, cuts: splits ?? null }] : [];
  });
  const newest = rosters.at(-1);
  return { ...newest, earlierRosters };
}
