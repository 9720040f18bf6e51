/**
 * What previews announce: the windows in which a change makes a difference and everybody's hours,
 * against a slow reference that looks at every hour, for random changes of every kind.
 */
import { describe, expect, it } from "vitest";
import {
  compareAsked,
  compareOnCall,
  firstDifference,
} from "../../../../src/domain/oncall/changes/on-call-comparison.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallAt } from "../../../../src/domain/oncall/oncall.ts";
import { effectiveInstant } from "../../../../src/domain/oncall/rosters/effective-at.ts";
import { changeRoster } from "../../../../src/domain/oncall/rosters/roster-change.ts";
import { removeFromRosters } from "../../../../src/domain/oncall/rosters/roster-departure.ts";
import { seriesIdsOf } from "../../../../src/domain/oncall/series-versions.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { event } from "../../../support/oncall/oncall-makers.ts";
import {
  pick,
  type Random,
  randomRoster,
  randomSeries,
  randomWhen,
} from "../../../support/oncall/roster-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PEOPLE = [..."ABCD"];
const CASES = sized(150, 4_000);
const DAYS = 6;

const hours = (random: Random, most: number) => Math.floor(random() * most) * HOUR;

function randomEvents(random: Random): OnCallEvent[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => ({
    ...randomSeries(random, PEOPLE).series,
    ...{ id: `series-${index}`, seriesId: `series-${index}` },
    layer: pick(random, [1, 1, 2]),
    priority: pick(random, [0, 0, 0, 1]),
  }));
}

/** An override of the shift that runs at an instant, or a shift of its own. */
function randomSingle(random: Random, events: readonly OnCallEvent[], at: number): OnCallEvent {
  const [running] = onCallAt(scheduleOf(events), at);
  const startAt = at;
  return event({
    id: `single-${at}`,
    createdAt: at,
    startAt,
    endAt: startAt + HOUR + hours(random, 48),
    layer: pick(random, [1, 2]),
    who: pick(random, ["A", "D", "BC"]),
    ...(running && { seriesId: seriesIdsOf(events)(running.eventId), parentId: running.eventId }),
  });
}

const KINDS = [
  ...["people", "departure", "layer", "priority", "end", "removal"],
  ...["override", "deletion", "creation", "move", "nothing"],
] as const;

/** The events after a random change, each kind of which the API has. */
function changed(random: Random, events: readonly OnCallEvent[], kind: string, now: number) {
  const target = pick(random, events);
  const replace = (by: readonly OnCallEvent[]) =>
    events.flatMap((it) => (it === target ? by : [it]));
  const only = (fields: Partial<OnCallEvent>) => replace([{ ...target, ...fields }]);
  const [running] = onCallAt(scheduleOf([target]), now);
  switch (kind) {
    case "people": {
      const at = effectiveInstant(target, randomWhen(random, now), now);
      return replace([changeRoster(target, randomRoster(random, PEOPLE), at)]);
    }
    case "departure":
      return replace([removeFromRosters(target, new Set([pick(random, PEOPLE)]), now)]);
    case "layer":
      return only({ layer: 3 - target.layer });
    case "priority":
      return only({ priority: target.priority ? 0 : 1 });
    case "end":
      return only({ cutAt: now });
    case "removal": {
      const startAt = running?.startAt ?? now;
      return only({ exceptions: [...target.exceptions, { id: "removed", startAt }] });
    }
    case "override":
      return [...events, randomSingle(random, [target], now)];
    case "deletion":
      return replace([]);
    case "creation":
      return [...events, { ...randomSeries(random, PEOPLE).series, id: "new", seriesId: "new" }];
    case "move":
      return only({ startAt: target.startAt + 5 * HOUR, endAt: target.endAt + 5 * HOUR });
    default:
      return [...events];
  }
}

const LAYERS = [1, 2];

/** By hour, then by layer: who is on call. All times in the test are whole hours. */
function sample(events: readonly OnCallEvent[], from: number, to: number) {
  return Array.from({ length: (to - from) / HOUR }, (_, hour) => {
    const entries = onCallAt(scheduleOf(events), from + hour * HOUR);
    return LAYERS.map((layer) => {
      const own = entries.filter((it) => it.layer === layer);
      return [
        ...new Set(own.flatMap((it) => it.attendees.map(({ attendeeId }) => attendeeId))),
      ].sort();
    });
  });
}

type Sample = ReturnType<typeof sample>;

/** The layers that policies ask. */
const ASKED: readonly (readonly number[])[] = [[], [1], [2], [2, 1], [1, 3]];

const onLayers = (sampled: Sample, layers: readonly number[]): Sample =>
  sampled.map((lanes) =>
    lanes.map((people, lane) => (layers.includes(LAYERS[lane] ?? 0) ? people : [])),
  );

function reference(before: Sample, after: Sample, from: number) {
  type Times = { layer: number; startAt: number; endAt: number };
  type Window = Times & { before: string[]; after: string[] };
  const windows: Window[] = [];
  for (const [lane, layer] of LAYERS.entries()) {
    for (const [hour, lanes] of before.entries()) {
      const [was, is] = [lanes[lane] ?? [], after[hour]?.[lane] ?? []];
      const at = from + hour * HOUR;
      if (was.join() === is.join()) continue;
      const last = windows.at(-1);
      const isSame = last?.before.join() === was.join() && last.after.join() === is.join();
      if (last?.layer === layer && last.endAt === at && isSame) last.endAt = at + HOUR;
      else windows.push({ layer, startAt: at, endAt: at + HOUR, before: was, after: is });
    }
  }
  return windows;
}

/** Everybody's hours: a person on two layers at once is counted once. */
function hoursOf(sampled: Sample) {
  const counted = new Map<string, number>();
  for (const lanes of sampled) {
    for (const name of new Set(lanes.flat())) counted.set(name, (counted.get(name) ?? 0) + HOUR);
  }
  return counted;
}

describe("a comparison of who is on call", () => {
  it("finds every difference and hour of a random change", () => {
    const random = randomGenerator();
    const differing = new Set<string>();
    for (let run = 0; run < CASES; run++) {
      const drawn = randomEvents(random);
      const [{ startAt: base } = { startAt: 0 }] = drawn;
      const singles =
        random() < 0.5 ? [randomSingle(random, drawn, base + hours(random, 240))] : [];
      const before = [...drawn, ...singles];
      const now = base + hours(random, 12 * 24);
      const kind = KINDS[run % KINDS.length] ?? "nothing";
      const after = changed(random, before, kind, now);
      const from = Math.max(base - DAY, now - hours(random, 4 * 24));
      const to = from + DAYS * DAY;
      const { windows, people: times } = compareOnCall(
        scheduleOf(before),
        scheduleOf(after),
        from,
        to,
      );
      const [were, are] = [sample(before, from, to), sample(after, from, to)];
      const expected = reference(were, are, from);
      expect(windows, `run ${run}, ${kind}`).toEqual(expected);
      const first = expected.length > 0 ? Math.min(...expected.map((it) => it.startAt)) : null;
      const step = pick(random, [DAY, 3 * DAY, 30 * DAY]);
      expect(
        firstDifference(scheduleOf(before), scheduleOf(after), [from, to], step),
        `run ${run}`,
      ).toBe(first);
      const [served, planned] = [hoursOf(were), hoursOf(are)];
      const counted = times.map((it) => [it.attendeeId, it.beforeMs, it.afterMs]);
      expect(counted, `run ${run}`).toEqual(
        [...new Set([...served.keys(), ...planned.keys()])]
          .sort()
          .map((id) => [id, served.get(id) ?? 0, planned.get(id) ?? 0]),
      );
      if (expected.length > 0) differing.add(kind);
      const [askedBefore, askedAfter] = [pick(random, ASKED), pick(random, ASKED)];
      const asked = compareAsked(
        { schedule: scheduleOf(before), layers: askedBefore },
        { schedule: scheduleOf(after), layers: askedAfter },
        from,
        to,
      );
      expect(asked, `run ${run}`).toEqual(
        reference(onLayers(were, askedBefore), onLayers(are, askedAfter), from),
      );
    }
    expect(differing.size, [...differing].join()).toBeGreaterThanOrEqual(sized(7, 10));
    expect(differing).not.toContain("nothing");
  });
});
