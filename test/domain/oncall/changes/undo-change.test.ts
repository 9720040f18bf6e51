/**
 * Random changes of random series, undone at a random later time. Whatever they do, who was on call
 * before each of them stays, and from then on it is as they say.
 */
import { describe, expect, it } from "vitest";
import {
  type Absence,
  absencesIn,
  inOrder,
  isSkipping,
  type OnCallSchedule,
  SERVED_INSTEAD,
  withSkipping,
} from "../../../../src/domain/oncall/absences/absence.ts";
import {
  type AddedPast,
  keepPast,
  type PlacedEvents,
  type PlacedPast,
} from "../../../../src/domain/oncall/changes/keep-past.ts";
import { decideUndo } from "../../../../src/domain/oncall/changes/undo-change.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallAt, onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { changeRoster } from "../../../../src/domain/oncall/rosters/roster-change.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { event } from "../../../support/oncall/oncall-makers.ts";
import {
  pick,
  type Random,
  randomRoster,
  randomSeries,
} from "../../../support/oncall/roster-random.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const PEOPLE = [..."ABCDEF"];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CASES = sized(100, 1_200);

type Family = readonly OnCallEvent[];
type Places = ReadonlyMap<string, readonly string[]>;

const SCHEDULES = ["x", "y"];

/** Schedules of events: all of a series are in the same ones. */
function randomPlaces(
  random: Random,
  events: Family,
  known: Places,
  moved: ReadonlySet<string>,
): Places {
  const draw = () => pick(random, [["x"], ["x"], ["y"], ["x", "y"]]);
  const bySeries = Map.groupBy(events, ({ seriesId }) => seriesId);
  return new Map(
    [...bySeries.values()].flatMap((series) => {
      const before = series.find(({ id }) => !moved.has(id) && known.has(id));
      const places = known.get(before?.id ?? "") ?? draw();
      return series.map(({ id }) => [id, places] as const);
    }),
  );
}

/** Who is on call at an instant, by layer. */
const at = (schedule: OnCallSchedule, instant: number) => {
  const people = onCallAt(schedule, instant).flatMap(({ layer, attendees }) =>
    attendees.map(({ attendeeId }) => `${layer}${attendeeId}`),
  );
  return [...new Set(people)].sort().join();
};

const edgesOf = (schedule: OnCallSchedule, from: number, to: number) =>
  onCallBetween(schedule, from, to).flatMap(({ startAt, endAt }) => [startAt, endAt]);

function makers(random: Random) {
  let count = 0;
  const newId = () => `new${String(count++).padStart(6, "0")}`;
  const hours = (from: number, to: number) => {
    const startAt = from + Math.floor((random() * (to - from)) / HOUR) * HOUR;
    return { startAt, endAt: startAt + (1 + Math.floor(random() * 60)) * HOUR };
  };
  const series = (): OnCallEvent => {
    const id = newId();
    return {
      ...randomSeries(random, PEOPLE).series,
      ...{ id, seriesId: id },
      layer: pick(random, [1, 1, 2]),
      priority: pick(random, [0, 0, 0, 1, 2]),
      skipChanges: random() < 0.5 ? [0] : [],
    };
  };
  const single = (from: number, to: number, parent: OnCallEvent | null, now: number) => {
    const who = PEOPLE.filter(() => random() < 0.3).join("");
    const made = event({ ...hours(from, to), who, layer: pick(random, [1, 1, 2]) });
    const leavesEmpty = parent !== null && who === "" && random() < 0.5;
    const id = newId();
    const belongs = { seriesId: parent?.seriesId ?? id, parentId: parent?.id ?? null };
    return { ...made, ...belongs, leavesEmpty, id, createdAt: now };
  };
  /** The event until an instant, and another version of its series from then on. */
  const versions = (it: OnCallEvent, at: number, now: number): readonly OnCallEvent[] => {
    const fields = {
      layer: pick(random, [1, 2]),
      priority: pick(random, [0, it.priority ?? 0, 2]),
    };
    const next = { ...it, ...fields, id: newId(), beginsAt: at, createdAt: now };
    return [{ ...it, cutAt: at }, next];
  };
  const absence = (from: number, to: number, now: number): Absence => {
    const instead = pick(random, SERVED_INSTEAD);
    return {
      ...{ id: newId(), accountUserId: pick(random, PEOPLE), ...hours(from, to), instead },
      coveringAccountUserId: instead === "person" ? "Z" : null,
      scheduleIds: pick(random, [null, null, ["x"], ["y"]]),
      decidedAt: now,
    };
  };
  return { newId, series, single, versions, absence };
}

/** Any change of some of the events: what verbs do, and what none of them does. */
function randomChange(
  random: Random,
  family: Family,
  now: number,
  make: ReturnType<typeof makers>,
) {
  const touched = new Set<string>();
  const until = now + 20 * DAY;
  let after = [...family];
  for (let step = 0; step < 1 + Math.floor(random() * 3); step++) {
    const chosen = pick(random, after);
    if (!chosen || random() < 0.25) {
      const roots = after.filter(({ parentId }) => parentId === null);
      const parent = random() < 0.7 ? (pick(random, roots) ?? null) : null;
      const added = random() < 0.3 ? make.series() : make.single(now - 5 * DAY, until, parent, now);
      after.push({ ...added, createdAt: now });
      touched.add(added.id);
      continue;
    }
    touched.add(chosen.id);
    const changed = changedEvent(random, chosen, now, make);
    after = after.flatMap((it) => (it.id === chosen.id ? changed : [it]));
    // Without a version, a series has no overrides.
    const going = new Set(after.filter((it) => it.seriesId === chosen.seriesId));
    const isLeft = [...going].some(({ parentId }) => parentId === null);
    for (const { id } of isLeft ? changed : going) touched.add(id);
    if (!isLeft) after = after.filter((it) => !going.has(it));
  }
  return { after, touched };
}

function changedEvent(
  random: Random,
  chosen: OnCallEvent,
  now: number,
  make: ReturnType<typeof makers>,
): readonly OnCallEvent[] {
  const when = now + Math.floor(random() * 10 * 24) * HOUR - 2 * DAY;
  const moved = make.single(now - 3 * DAY, now + 20 * DAY, null, now);
  switch (Math.floor(random() * 10)) {
    case 0:
      return [];
    case 1:
    case 2:
      return [changeRoster(chosen, randomRoster(random, PEOPLE), Math.max(now, when))];
    case 3:
      return [{ ...chosen, cutAt: when }];
    case 4:
      return [{ ...chosen, layer: 3 - chosen.layer }];
    case 5:
      if (!chosen.repeat) return [{ ...chosen, startAt: moved.startAt, endAt: moved.endAt }];
      return [{ ...chosen, startAt: chosen.startAt + 5 * HOUR, endAt: chosen.endAt + 5 * HOUR }];
    case 6: {
      const [removed] = onCallBetween(scheduleOf([chosen]), now, now + 5 * DAY);
      const exception = removed && { id: make.newId(), startAt: removed.startAt };
      return [{ ...chosen, exceptions: [...chosen.exceptions, ...(exception ? [exception] : [])] }];
    }
    case 7:
      return [{ ...chosen, skipChanges: withSkipping(chosen, !isSkipping(chosen), now) }];
    case 8:
      return chosen.repeat ? make.versions(chosen, when, now) : [chosen];
    default:
      // An override that becomes a plain shift.
      return chosen.parentId === null ? [chosen] : [{ ...chosen, ...ownSeries(chosen) }];
  }
}

const ownSeries = ({ id }: OnCallEvent) => ({ seriesId: id, parentId: null, leavesEmpty: false });

/** What is kept, as if it had been stored. */
const stored = (added: readonly AddedPast[], name: string) =>
  added.map((it, index) => ({ ...it, id: `${name}${index}` }));

describe("a random change, and its undo", () => {
  it("keep who was on call before them", () => {
    const random = randomGenerator();
    let kept = 0;
    for (let run = 0; run < CASES; run++) {
      const make = makers(random);
      const first = make.series();
      const start = first.startAt;
      const changedAt = start + Math.floor(random() * 20 * 24) * HOUR + pick(random, [0, HOUR / 4]);
      const splitAt = start + Math.floor(random() * 30 * 24) * HOUR;
      const family: OnCallEvent[] =
        random() < 0.4 ? [...make.versions(first, splitAt, start - DAY)] : [first];
      for (let step = 0; step < Math.floor(random() * 5); step++) {
        const parent = random() < 0.8 ? pick(random, family) : null;
        family.push(make.single(start, changedAt + 20 * DAY, parent, start - DAY + step));
      }
      const { after, touched } = randomChange(random, family, changedAt, make);
      const now =
        changedAt + Math.floor(random() * 12 * 24) * HOUR + pick(random, [MINUTE, HOUR / 3]);
      const isMoved = random() < 0.3;
      // Overrides are where their series is: a move changes all of them.
      if (isMoved) for (const { id } of family) touched.add(id);
      const before = family.filter(({ id }) => touched.has(id));
      // Another override of an event that the change left alone.
      const parent = family.find(({ id }) => !touched.has(id));
      const madeAt = changedAt + Math.floor((now - changedAt) / 2);
      const later =
        parent && random() < 0.3 ? [make.single(madeAt, now + 9 * DAY, parent, madeAt)] : [];
      const current = [...after, ...later];
      const wasIn = randomPlaces(random, family, new Map(), new Set());
      const isIn = randomPlaces(random, current, wasIn, isMoved ? touched : new Set());
      const left = new Set(random() < 0.2 ? [pick(random, PEOPLE)] : []);
      const absences = inOrder(
        Array.from({ length: Math.floor(random() * 4) }, () =>
          make.absence(start, now + 9 * DAY, start + pick(random, [0, 1, 2, 3])),
        ),
      );
      const served = { events: family, schedulesOf: wasIn };
      const changed = { events: after, schedulesOf: isIn };
      const present = { events: current, schedulesOf: isIn };
      const made = stored(
        keepPast({ before: served, after: changed, past: [], absences }, changedAt),
        "made",
      );
      const undo = decideUndo({ before, touchedIds: touched, current, left }, now);
      const undone = [...undo.restored, ...undo.kept];
      const restored = { events: undone, schedulesOf: new Map([...isIn, ...wasIn]) };
      const change = { before: present, after: restored, past: made, absences };
      const past = [
        ...made,
        ...stored(keepPast({ ...change, keptFrom: changedAt }, now), "undone"),
      ];
      kept += past.length;
      expect(new Set(undone.map(({ id }) => id)).size).toBe(undone.length);
      // Events of other families, which hide and are hidden.
      const others = [make.series(), make.single(start, now + 20 * DAY, null, start)];
      const [from, to] = [start - DAY, now + 25 * DAY];
      for (const schedule of SCHEDULES) {
        const inIt = ({ events, schedulesOf }: PlacedEvents, kept: readonly PlacedPast[] = []) => ({
          ...scheduleOf(
            [...events.filter(({ id }) => schedulesOf.get(id)?.includes(schedule)), ...others],
            absencesIn(absences, schedule),
          ),
          past: kept.filter(({ scheduleId }) => scheduleId === schedule),
        });
        const was = inIt({
          events: [...family, ...later],
          schedulesOf: new Map([...isIn, ...wasIn]),
        });
        const is = inIt(present);
        const [changedIs, then] = [inIt(changed, made), inIt(restored, past)];
        const edges = [was, is, then].flatMap((it) => edgesOf(it, from, to));
        const instants = [...new Set([from, changedAt, changedAt - 1, now, now - 1, ...edges])];
        for (const instant of instants.filter((it) => it >= from && it < to)) {
          const label = `run ${run} at ${instant - changedAt} of ${now - changedAt} ${[...left]}`;
          if (later.length === 0) {
            const expected = instant < changedAt ? was : is;
            expect(at(changedIs, instant), `${label}, changed`).toBe(at(expected, instant));
          }
          if (left.size > 0 && instant >= now) continue;
          const isServed = instant >= changedAt && instant < now;
          expect(at(then, instant), label).toBe(at(isServed ? is : was, instant));
        }
      }
      for (const person of left) {
        const ahead = onCallBetween(scheduleOf(undo.restored), now, to).flatMap(
          ({ attendees }) => attendees,
        );
        expect(ahead.map(({ attendeeId }) => attendeeId)).not.toContain(person);
      }
    }
    expect(kept).toBeGreaterThan(CASES / 2);
  });
});
