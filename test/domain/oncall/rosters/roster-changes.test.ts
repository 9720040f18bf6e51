/**
 * Random changes of rosters against a slow reference: who was on call stays, who is on call serves
 * on, and the turn goes on fairly.
 */
import { describe, expect, it } from "vitest";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import {
  type EffectiveAt,
  effectiveInstant,
} from "../../../../src/domain/oncall/rosters/effective-at.ts";
import { changeRoster } from "../../../../src/domain/oncall/rosters/roster-change.ts";
import { removeFromRosters } from "../../../../src/domain/oncall/rosters/roster-departure.ts";
import { expectEqual } from "../../../support/generated/expect-equal.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { event as newEvent } from "../../../support/oncall/oncall-makers.ts";
import {
  lineOf,
  pick,
  type Random,
  type RandomSeries,
  randomRoster,
  randomSeries,
  randomWhen,
  rosterOfLine,
} from "../../../support/oncall/roster-random.ts";
import {
  type ReferenceChange,
  type ReferenceRoster,
  type Standing,
  walk,
} from "../../../support/oncall/roster-reference.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const PEOPLE = [..."ABCDEFGH"];
const CHANGES = 6;
const CASES = sized(300, 17_000);
/** Of the comparison with the reference: in all a quarter of a million changes at full size. */
const COMPARED = sized(300, 40_000);

const nameOf = (ids: readonly string[]) => ids.toSorted().join("");

/** Who is on call, from when until when, in parts as they are shown. */
const shown = (event: OnCallEvent, from: number, to: number) =>
  onCallBetween(scheduleOf([event]), from, to)
    .map(({ startAt, endAt, attendees }) => ({
      startAt,
      endAt,
      who: nameOf(attendees.map(({ attendeeId }) => attendeeId)),
    }))
    .sort(byStart);

type Shift = { startAt: number; endAt: number; who: string };
const byStart = (one: Shift, other: Shift) =>
  one.startAt - other.startAt || one.endAt - other.endAt || (one.who < other.who ? -1 : 1);

/** The same by the reference. */
const expected = (model: Model, { occurrences, until }: RandomSeries) =>
  walk(model.first, occurrences, model.changes)
    .shifts.filter((it) => it.who !== "" && it.startAt < until && it.endAt > it.startAt)
    .map(({ startAt, endAt, who }) => ({ startAt, endAt, who }))
    .sort(byStart);

type Model = { readonly first: ReferenceRoster; readonly changes: readonly ReferenceChange[] };

/** When a change applies, by the reference. */
function instantOf(
  { occurrences }: RandomSeries,
  model: Model,
  when: EffectiveAt,
  now: number,
): number {
  if (typeof when === "number") return when;
  const { standing } = walk(model.first, occurrences, model.changes, now + 1);
  if (standing.turn === null) return occurrences[0]?.startAt ?? now;
  if (when === "now") return now;
  const turn = standing.turn + 1 + (when === "next_handoff" ? 0 : turnsLeft(standing));
  return occurrences.find((it) => it.startAt > now && it.turn >= turn)?.startAt ?? now;
}

/** How many turns of the cycle follow the present one. */
const turnsLeft = ({ rotates, line, position }: Standing) =>
  rotates && line.length > 0 ? line.length - 1 - position : 0;

function randomChange(
  random: Random,
  drawn: RandomSeries,
  event: OnCallEvent,
  model: Model,
  now: number,
) {
  if (random() < 0.2) {
    const person = pick(random, PEOPLE);
    const without = (it: ReferenceChange | ReferenceRoster) =>
      it.line.flatMap((people) =>
        people.join() === person ? [] : [people.filter((id) => id !== person)],
      );
    const { standing } = walk(model.first, drawn.occurrences, model.changes, now);
    const past = model.changes.filter(({ at }) => at < now);
    const planned = model.changes.filter(({ at }) => at >= now);
    const left = { at: now, rotates: standing.rotates, line: without(standing) };
    return {
      event: removeFromRosters(event, new Set([person]), now),
      changes: [...past, left, ...planned.map((it) => ({ ...it, line: without(it) }))],
    };
  }
  const roster = randomRoster(random, PEOPLE);
  const when = randomWhen(random, now);
  const at = instantOf(drawn, model, when, now);
  expect(effectiveInstant(event, when, now)).toBe(at);
  const change = { at, rotates: roster.rotation, line: lineOf(roster) };
  return {
    event: changeRoster(event, roster, at),
    changes: [...model.changes.filter((it) => it.at < at), change],
  };
}

describe("random changes of a roster", () => {
  it("agree with the reference, and leave the past as it was", () => {
    const random = randomGenerator();
    for (let run = 0; run < COMPARED; run++) {
      const drawn = randomSeries(random, PEOPLE);
      let event = drawn.series;
      let model: Model = {
        first: { rotates: event.rotation, line: lineOf(event) },
        changes: [],
      };
      let now = event.startAt - 3 * 86_400_000;
      for (let step = 0; step < CHANGES; step++) {
        now += Math.floor(random() * ((drawn.until - now) / 4)) + 1;
        const before = event;
        const changed = randomChange(random, drawn, event, model, now);
        ({ event } = changed);
        model = { ...model, changes: changed.changes };
        const past = (it: OnCallEvent) =>
          shown(it, 0, now)
            .map((shift) => ({ ...shift, endAt: 0 }))
            .sort(byStart);
        expectEqual(past(event), past(before), () => `run ${run}, step ${step}`);
      }
      expectEqual(shown(event, 0, drawn.until), expected(model, drawn), () => `run ${run}`);
    }
  });

  it("are fair: everybody has one turn in each full cycle after the change", () => {
    const random = randomGenerator();
    for (let run = 0; run < CASES / 2; run++) {
      const drawn = randomSeries(random, PEOPLE);
      const line = PEOPLE.slice(0, 2 + Math.floor(random() * 5)).map((id) => [id]);
      const at = drawn.series.startAt + Math.floor(random() * 12 * 86_400_000);
      const event = changeRoster(drawn.series, rosterOfLine(line, true), at);
      const turns = drawn.occurrences.filter((it) => it.startAt >= at);
      const whole = turns.filter(({ turn }) => turn > (turns[0]?.turn ?? 0));
      const order = [...new Map(whole.map((it) => [it.turn, it])).values()]
        .filter((it) => !it.isRemoved)
        .map((it) => [it.turn, ofOccurrence(event, it.startAt)] as const);
      for (const [turn, who] of order) {
        const next = order.filter(([other]) => other > turn && other < turn + line.length);
        const again = next.filter(([, name]) => name === who);
        expectEqual(again, [], () => `run ${run}`);
      }
    }
  });

  it("lose no override", () => {
    const random = randomGenerator();
    for (let run = 0; run < CASES / 2; run++) {
      const { series, occurrences, until } = randomSeries(random, PEOPLE);
      const shifts = occurrences.filter((it) => !it.isRemoved && it.startAt < until);
      // Of adjacent shifts one is overridden: the hours of the overrides do not overlap.
      const overrides = shifts
        .filter((_, index) => index % 3 === 0 && random() < 0.5)
        .map(({ startAt, endAt }) => overrideOf(series, startAt, (startAt + endAt) / 2));
      let changed: OnCallEvent = series;
      for (let step = 0, now = series.startAt; step < 4; step++) {
        now += Math.floor(random() * ((until - now) / 3)) + 1;
        const when = effectiveInstant(changed, randomWhen(random, now), now);
        changed =
          random() < 0.2
            ? removeFromRosters(changed, new Set([pick(random, PEOPLE)]), now)
            : changeRoster(changed, randomRoster(random, PEOPLE), when);
      }
      const all = onCallBetween(scheduleOf([changed, ...overrides]), 0, until);
      const kept = all.filter((it) => it.attendees.some(({ attendeeId }) => attendeeId === "Z"));
      const hours = (it: { startAt: number; endAt: number }) => `${it.startAt} ${it.endAt}`;
      expectEqual(kept.map(hours).sort(), overrides.map(hours).sort(), () => `run ${run}`);
      const own = all.filter((it) => it.eventId === series.id);
      const isOverridden = (it: { startAt: number; endAt: number }) =>
        overrides.some((by) => by.startAt < it.endAt && it.startAt < by.endAt);
      expectEqual(own.filter(isOverridden), [], () => `run ${run}`);
    }
  });

  it("are undone by the roster of before", () => {
    const random = randomGenerator();
    for (let run = 0; run < CASES; run++) {
      const { series, until } = randomSeries(random, PEOPLE);
      const at = series.startAt + Math.floor(random() * 12 * 86_400_000);
      const changed = changeRoster(series, randomRoster(random, PEOPLE), at);
      const undone = changeRoster(changed, series, at);
      expectEqual(shown(undone, 0, until), shown(series, 0, until), () => `run ${run}`);
    }
  });
});

/** Zoe takes an occurrence until an instant within it. */
const overrideOf = (series: OnCallEvent, startAt: number, endAt: number) =>
  newEvent({
    ...{ id: `override-${startAt}`, seriesId: series.seriesId, parentId: series.id },
    ...{ startAt, endAt, who: "Z", createdAt: 1 },
  });

const ofOccurrence = (event: OnCallEvent, startAt: number) =>
  shown(event, startAt, startAt + 1).find((it) => it.startAt === startAt)?.who;
