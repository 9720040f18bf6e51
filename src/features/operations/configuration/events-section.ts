import { sql } from "drizzle-orm";
import { currentSeries } from "../../../domain/oncall/current-series.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { isJsonObject, objectOf } from "../../../domain/shared/json.ts";
import { END_OF_TIME } from "../../../domain/shared/time.ts";
import { mapped, select } from "../../../kernel/db/select.ts";
import { imageOfEvents, readImages } from "../../change/event-images.ts";
import {
  describeSeries,
  eventsOfSeries,
  type SeriesEvent,
} from "../../oncall/events/described-series.ts";
import { WriteSeries } from "../../oncall/events/series-parameters.ts";
import { changeSeries, createSeries } from "../../oncall/events/write-series.ts";
import { eventSchedules, events } from "../../schema/oncall.ts";
import {
  byId,
  declareSection,
  type Entry,
  type Finder,
  type KeyOf,
  type Parameters,
  validated,
} from "./section.ts";

/**
 * The series of on-call events, whole: a list of versions with their people, and the overrides. The
 * past was served and is in no file; shifts of calendar imports are read from their calendars.
 */
export const eventsSection = declareSection({
  name: "events",
  kind: "event",
  fields: ["schedules", "versions", "overrides"],
  select: selectSeries,
  isOver: ({ series }) => series.length === 0,
  settle,
  show: ({ series, now }, keyOf) => describe(series, keyOf, now) ?? {},
  parametersOf,
  create: validated(WriteSeries, createSeries),
  update: validated(WriteSeries, (context, id, body) => changeSeries(context, byId(id), body)),
});

/** The series that are not over at `now` (epoch ms), in the order of their ids. */
function selectSeries(accountId: string, now: number) {
  const active = sql`select ${eventSchedules.eventId} from ${eventSchedules}
    where ${eventSchedules.accountId} = ${accountId} and ${eventSchedules.activeUntil} > ${now}`;
  const own = sql`select one.id from ${events} as one where one.account_id = ${accountId}
    and one.series_id = current.series_id and one.id in (${active})`;
  const query = select(
    {
      seriesId: sql<string>`current.series_id`,
      images: sql<string>`${imageOfEvents(accountId, own)}`,
    },
    sql`from (select distinct it.series_id from ${events} as it where it.account_id = ${accountId}
      and it.import_id is null and it.id in (${active})) as current order by current.series_id`,
  );
  return mapped(query, ({ seriesId, images }) => {
    const series = currentSeries(readImages(images), now);
    const [head] = series;
    return {
      id: head?.id ?? seriesId,
      prefix_id: prefixIdOf("event", seriesId),
      meta: head?.meta ?? {},
      ...{ series, now },
    };
  });
}

const describe = (series: readonly SeriesEvent[], keyOf: KeyOf, now: number) =>
  describeSeries(
    series,
    {
      person: (id) => keyOf("account_user", id),
      schedule: (id) => keyOf("schedule", id),
    },
    now,
  );

/** An invalid entry stays as it is: the verb says what is wrong with it. */
function settle(entry: Entry, stored: Entry | null, now: number) {
  const written = withAges({ ...stored, ...entry }, stored);
  const parsed = WriteSeries.safeParse(
    named(written, {
      person: (email) => (typeof email === "string" ? email.trim().toLowerCase() : email),
      schedule: (key) => key,
    }),
  );
  if (!parsed.success) return { written, shown: written };
  let made = 0;
  const newId = () => String(++made).padStart(6, "0");
  const making = { seriesId: "", newId, now, madeAt: END_OF_TIME };
  const series = eventsOfSeries(parsed.data, making);
  const same = (id: string) => id;
  const described = describeSeries(series, { person: same, schedule: same }, now);
  if (described === null) return null;
  const overrides = described.overrides.map(({ made_at: at, ...it }) =>
    Date.parse(at) === END_OF_TIME ? it : { ...it, made_at: at },
  );
  return { written, shown: { ...written, ...described, overrides } };
}

/** The entry, its overrides with when they were made if the stored series has some of the same hours. */
function withAges(entry: Entry, stored: Entry | null): Entry {
  const { overrides } = entry;
  if (!Array.isArray(overrides) || !Array.isArray(stored?.overrides)) return entry;
  const hoursOf = (it: unknown) => {
    const { start_datetime: start, end_datetime: end } = objectOf(it);
    return `${Date.parse(String(start))} ${Date.parse(String(end))}`;
  };
  const listed: readonly unknown[] = overrides;
  const named = new Set(listed.map((it) => objectOf(it).made_at));
  const known = (stored.overrides as readonly Entry[]).filter((it) => !named.has(it.made_at));
  return {
    ...entry,
    overrides: listed.map((it) => {
      if (!isJsonObject(it) || it.made_at != null) return it;
      const at = known.findIndex((other) => hoursOf(other) === hoursOf(it));
      const [same] = at < 0 ? [] : known.splice(at, 1);
      return same ? { ...it, made_at: same.made_at } : it;
    }),
  };
}

function parametersOf(entry: Entry, find: Finder, place: string): Parameters {
  const { schedules, versions, overrides } = named(entry, {
    person: (email, at) => find.idOf("account_user", email, `${place}.${at}`),
    schedule: (key, at) => find.idOf("schedule", key, `${place}.${at}`),
  });
  return { schedules, versions, ...(overrides !== undefined && { overrides }) };
}

type Naming = Readonly<Record<"person" | "schedule", (key: unknown, at: string) => unknown>>;

/** The entry with other names of its people and schedules. What is not as it should be stays. */
function named(entry: Entry, { person, schedule }: Naming): Entry {
  const each = (list: unknown, at: string, change: (it: unknown, at: string) => unknown) =>
    Array.isArray(list) ? list.map((it: unknown, index) => change(it, `${at}[${index}]`)) : list;
  const placed = (it: Entry, at: string): Entry =>
    it.schedules === undefined
      ? it
      : { ...it, schedules: each(it.schedules, `${at}schedules`, schedule) };
  const roster = (it: unknown, at: string) =>
    isJsonObject(it)
      ? {
          ...it,
          positions: each(it.positions, `${at}.positions`, (people, place) =>
            each(people, place, person),
          ),
        }
      : it;
  const event = (it: unknown, at: string) =>
    isJsonObject(it)
      ? { ...placed(it, `${at}.`), rosters: each(it.rosters, `${at}.rosters`, roster) }
      : it;
  return {
    ...placed(entry, ""),
    versions: each(entry.versions, "versions", event),
    ...(entry.overrides !== undefined && {
      overrides: each(entry.overrides, "overrides", event),
    }),
  };
}
