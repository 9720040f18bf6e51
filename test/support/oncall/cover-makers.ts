/** Covers for the tests of absences, and random accounts that they are planned in. */

import type { Cover } from "../../../src/domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../src/domain/oncall/covers/cover-parts.ts";
import type { OnCallEvent } from "../../../src/domain/oncall/on-call-event.ts";
import { at, event, people } from "./oncall-makers.ts";
import { pick, type Random, randomSeries } from "./roster-random.ts";

type CoverOptions = Partial<Cover> & { readonly start: string; readonly end: string };

/** A cover of A in all schedules, by default by Z. */
export function cover({ start, end, ...fields }: CoverOptions): Cover {
  return {
    id: "cover",
    accountUserId: "A",
    startAt: at(start),
    endAt: at(end),
    coveredBy: "person",
    coveringAccountUserId: "Z",
    scheduleIds: null,
    decidedAt: 1_000,
    released: [],
    ...fields,
  };
}

/** Events of one schedule, `skd`. */
export const inOneSchedule = (...events: readonly OnCallEvent[]): PlacedEvents => ({
  events,
  schedulesOf: new Map(events.map(({ id }) => [id, ["skd"]])),
});

/** Ids that are new on each call. */
export function counter(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${String(++count).padStart(6, "0")}`;
}

export const eventsIn = ({ events, schedulesOf }: PlacedEvents, scheduleId: string) =>
  events.filter(({ id }) => schedulesOf.get(id)?.includes(scheduleId));

const HOUR = 3_600_000;
const PLACES = [["one"], ["two"], ["one", "two"]];

/** Series, and overrides made by hand, in two schedules. */
export function randomPlacedEvents(random: Random, names: readonly string[]): PlacedEvents {
  const events: OnCallEvent[] = [];
  const schedulesOf = new Map<string, readonly string[]>();
  const count = 1 + Math.floor(random() * 4);
  for (let index = 0; index < count; index++) {
    const { series, occurrences } = randomSeries(random, names);
    const id = `series-${index}`;
    const priority = random() < 0.2 ? 1 + Math.floor(random() * 2) : 0;
    const restrictions =
      random() < 0.2 ? [{ daysOfWeek: [], startMinute: 600, endMinute: 1_320 }] : [];
    const layer = 1 + Math.floor(random() * 2);
    const places = pick(random, PLACES);
    events.push({ ...series, id, layer, priority, restrictions });
    schedulesOf.set(id, places);
    for (const occurrence of occurrences.slice(0, 10)) {
      if (occurrence.isRemoved || random() > 0.15) continue;
      const override = event({
        id: `by-hand-${events.length}`,
        createdAt: events.length,
        parentId: id,
        overriddenStartAt: occurrence.startAt,
        startAt: occurrence.startAt + Math.floor(random() * 4) * HOUR,
        endAt: occurrence.startAt + (5 + Math.floor(random() * 6)) * HOUR,
        layer,
        priority,
      });
      events.push({ ...override, attendees: people(pick(random, names)) });
      schedulesOf.set(override.id, places);
    }
  }
  return { events, schedulesOf };
}
