// Creates and changes a whole series: its versions with their people, and its overrides, as a
// configuration file lists them. What was served stays, as with every write (contract 4, The past).
import { isSkipping, withSkipping } from "../../../domain/oncall/absences/absence.ts";
import { validateEventRule } from "../../../domain/oncall/changes/event-validation.ts";
import { currentSeries } from "../../../domain/oncall/current-series.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import { beginOf, isOverride } from "../../../domain/oncall/series-versions.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  type FieldError,
  isRefusal,
  notFound,
  type Refusal,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { refuseImported } from "../calendar-imports/refuse-imported.ts";
import { newestOf } from "../occurrences/create-override.ts";
import { lengthFaults } from "../occurrences/override-faults.ts";
import { effectOf } from "../on-call/on-call-effect.ts";
import { describeEvent, eventsOfSeries, type SeriesEvent } from "./described-series.ts";
import { assertFamilyUnchanged, type EventFamily } from "./event-family.ts";
import { eventRecords } from "./event-records.ts";
import { readFamily } from "./read-family.ts";
import type { WriteSeries } from "./series-parameters.ts";
import { writesOfSeries } from "./series-rows.ts";

/** Creates a series; `id` is the ULID of its first version. 422 for an invalid rule, or unknown records. */
export async function createSeries(
  context: Context,
  id: string,
  body: WriteSeries,
): Promise<Decision<"Event"> | Refusal> {
  const { actor, now } = context;
  const added = await readSeries(context, body, id, now);
  if (isRefusal(added)) return added;
  const writes = writesOfSeries(
    actor.accountId,
    { stored: [], changed: [], added, removedIds: [] },
    now,
  );
  const schedulesOf = new Map(added.map((it) => [it.id, it.scheduleIds]));
  return {
    ...{ verb: "create", records: eventRecords, id, before: null, writes },
    onCall: effectOf({
      replacedIds: [],
      events: added.map(toEvent),
      known: { members: [], absences: [], past: [] },
      schedulesBefore: [],
      schedulesAfter: [...new Set([...schedulesOf.values()].flat())],
      schedulesOf,
    }),
    answer: ({ after }) => after ?? notFound("event"),
  };
}

/**
 * Makes a series what the body says, from now on. Versions and overrides that it does not list go;
 * what is over stays as it is.
 *
 * @param identifier any event of the series
 * @returns the event; 404; 409 for a calendar import's, or when the series changes at the same time; 422
 *   for an invalid rule, or unknown records
 */
export async function changeSeries(
  context: Context,
  identifier: Identifier,
  body: WriteSeries,
): Promise<Decision<"Event"> | Refusal> {
  const { actor, now } = context;
  const { accountId } = actor;
  const { stored: read } = await readFamily(context, identifier);
  if (!read) return notFound("event");
  const { family, record: before } = read;
  const imported = refuseImported(family);
  if (imported) return imported;
  const { event, whole, schedulesOf } = family;
  const metaOf = new Map(whole.members.map(({ id, meta }) => [id, meta]));
  const were = currentSeries(family.series, now).map(
    (it): SeriesEvent => ({
      ...it,
      scheduleIds: schedulesOf.get(it.id) ?? [],
      meta: metaOf.get(it.id) ?? {},
    }),
  );
  const kept = { ...body, meta: body.meta ?? { ...were[0]?.meta } };
  const described = await readSeries(context, kept, event.seriesId, newestOf(family, now));
  if (isRefusal(described)) return described;
  const { pairs, removedIds } = matchEvents(were, described, family, now);
  const changed = pairs.flatMap(({ is, was }) =>
    was && textOf(was) !== textOf(is) ? [withOver(is, was, family.series, now)] : [],
  );
  const added = pairs.flatMap(({ is, was }) => (was ? [] : [is]));
  const written = [...changed, ...added];
  const replacedIds = [...removedIds, ...changed.map(({ id }) => id)];
  const placed = new Map(written.map((it) => [it.id, it.scheduleIds]));
  const writes = writesOfSeries(
    accountId,
    { stored: whole.members, changed, added, removedIds },
    now,
  );
  return {
    ...{ verb: "update", records: eventRecords, id: event.id, before },
    writes: [assertFamilyUnchanged(accountId, family), ...writes],
    onCall: effectOf({
      replacedIds,
      events: written.map(toEvent),
      known: whole,
      schedulesBefore: [...new Set(replacedIds.flatMap((id) => schedulesOf.get(id) ?? []))],
      schedulesAfter: [...new Set([...schedulesOf.values(), ...placed.values()].flat())],
      schedulesOf: placed,
    }),
    answer: ({ after }) => after ?? notFound("event"),
  };
}

const toEvent = ({ scheduleIds: _, meta: __, ...event }: SeriesEvent): OnCallEvent => event;

/** What the description says of one event. */
function textOf(event: SeriesEvent): string {
  const same = (id: string) => id;
  const described = describeEvent(event, { person: same, schedule: same });
  return JSON.stringify([described, event.scheduleIds.toSorted(), event.meta]);
}

/**
 * The events that the body describes, without what is over, with resolved people and schedules; or
 * why they cannot be.
 *
 * @param seriesId the ULID of the series, and of its first event if it is new
 * @param madeAt when overrides were made of which the body does not say it (epoch ms)
 */
async function readSeries(
  { db, actor, now }: Context,
  body: WriteSeries,
  seriesId: string,
  madeAt: number,
): Promise<readonly SeriesEvent[] | Refusal> {
  const all = [...body.versions, ...(body.overrides ?? [])];
  const positions = all.flatMap(({ rosters }) => rosters.flatMap((it) => it.positions));
  const named = {
    rosters: [...new Set(positions.flat())],
    schedules: [...new Set([body, ...all].flatMap((it) => it.schedules ?? []))],
  };
  const resolved = await resolveReferences(db, actor.accountId, [
    { field: "rosters", kind: "account_user", ids: named.rosters, repeats: true },
    { field: "schedules", kind: "schedule", ids: named.schedules, repeats: true },
  ]);
  const events = eventsOfSeries(body, { seriesId, now, madeAt, newId: () => newId(now) });
  const faults = [...faultsOfSeries(events), ...(resolved.ok ? [] : resolved.errors)];
  const current = currentSeries(events, now);
  const [first] = current;
  if (first === undefined) faults.push({ field: "versions", message: "versions are all over" });
  if (faults.length > 0 || first === undefined || !resolved.ok) return refuseFields(faults);
  const idsOf = (field: keyof typeof named) => {
    const found = resolved.idsOf(field);
    const ids = new Map(named[field].map((sent, index) => [sent, found[index] ?? sent]));
    return (sent: string) => ids.get(sent) ?? sent;
  };
  const [person, schedule] = [idsOf("rosters"), idsOf("schedules")];
  const own = (id: string) => (id === first.id ? seriesId : id);
  const attendees = (list: OnCallEvent["attendees"]) =>
    list.map((it) => ({ ...it, attendeeId: person(it.attendeeId) }));
  return current.map((it) => ({
    ...it,
    id: own(it.id),
    parentId: it.parentId && own(it.parentId),
    attendees: attendees(it.attendees),
    earlierRosters: earlierRostersOf(it).map((roster) => ({
      ...roster,
      attendees: attendees(roster.attendees),
    })),
    scheduleIds: [...new Set(it.scheduleIds.map(schedule))],
  }));
}

/** All errors of the events, each at its place in the body. */
function faultsOfSeries(events: readonly SeriesEvent[]): FieldError[] {
  const versions = events.filter((it) => !isOverride(it));
  const overrides = events.filter(isOverride);
  const at = (place: string, faults: readonly FieldError[]): readonly FieldError[] =>
    faults.map(({ field, message }) => ({
      field: `${place}.${field}`,
      message: `${place}.${message}`,
    }));
  const misplaced = (it: SeriesEvent, index: number): readonly FieldError[] => {
    const before = versions[index - 1];
    if (before === undefined || beginOf(before) < beginOf(it)) return [];
    return [{ field: "from", message: "from must be later than that of the version before" }];
  };
  return [
    ...versions.flatMap((it, index) =>
      at(`versions[${index}]`, [...validateEventRule(it), ...misplaced(it, index)]),
    ),
    ...overrides.flatMap((it, index) =>
      at(`overrides[${index}]`, [...validateEventRule(it), ...lengthFaults(it, "end_datetime")]),
    ),
  ];
}

/** A described event, and the stored one that it is; null: it is new. */
type Pair = { readonly is: SeriesEvent; readonly was: SeriesEvent | null };

/**
 * Finds the stored events that the described ones are: versions by when they begin, then in their
 * order; overrides by their hours and when they were made.
 */
function matchEvents(
  were: readonly SeriesEvent[],
  described: readonly SeriesEvent[],
  { series }: EventFamily,
  now: number,
): { readonly pairs: readonly Pair[]; readonly removedIds: readonly string[] } {
  const unmatched = new Set(were);
  const take = (isMeant: (was: SeriesEvent) => boolean): SeriesEvent | null => {
    const found = [...unmatched].find(isMeant) ?? null;
    if (found) unmatched.delete(found);
    return found;
  };
  const exact = described.map((it) => take((was) => placeOf(was) === placeOf(it)));
  const pairs = described.map((it, index) => ({
    is: it,
    was: exact[index] ?? (isOverride(it) ? null : take((was) => !isOverride(was))),
  }));
  const taken = new Set(series.map(({ id }) => id));
  const idOf = new Map(
    pairs.map(({ is, was }) => [is.id, was?.id ?? (taken.has(is.id) ? newId(now) : is.id)]),
  );
  return {
    pairs: pairs.map(({ is, was }) => ({
      was,
      is: {
        ...is,
        id: idOf.get(is.id) ?? is.id,
        parentId: is.parentId && (idOf.get(is.parentId) ?? is.parentId),
      },
    })),
    removedIds: [...unmatched].map(({ id }) => id),
  };
}

/** What tells an event of a series from the others. */
const placeOf = (event: SeriesEvent): string =>
  isOverride(event)
    ? `override ${[event.startAt, event.endAt, event.createdAt]}`
    : `version ${event.beginsAt ?? null}`;

/** A stored event as it is described, with what is over of it. */
function withOver(
  event: SeriesEvent,
  was: SeriesEvent,
  series: readonly OnCallEvent[],
  now: number,
): SeriesEvent {
  const stored = series.find(({ id }) => id === was.id) ?? was;
  const all = earlierRostersOf(stored);
  const over = all.slice(0, all.length - earlierRostersOf(was).length);
  const current = new Set(was.exceptions.map(({ startAt }) => startAt));
  return {
    ...event,
    createdAt: stored.createdAt,
    parentId: stored.parentId,
    skipChanges: withSkipping(stored, isSkipping(event), now),
    earlierRosters: [...over, ...earlierRostersOf(event)],
    exceptions: [
      ...stored.exceptions.filter(({ startAt }) => !current.has(startAt)),
      ...event.exceptions,
    ],
  };
}
