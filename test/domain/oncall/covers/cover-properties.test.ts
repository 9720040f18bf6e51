// Thousands of random schedules: a cover changes only the absent person's hours, in its window.
import { describe, expect, test } from "vitest";
import { compareOnCall } from "../../../../src/domain/oncall/changes/on-call-comparison.ts";
import { COVERED_BY, type Cover } from "../../../../src/domain/oncall/covers/cover.ts";
import {
  absentSegments,
  type PlacedEvents,
} from "../../../../src/domain/oncall/covers/cover-parts.ts";
import { planCovers } from "../../../../src/domain/oncall/covers/cover-plan.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import {
  counter,
  cover,
  eventsIn,
  randomPlacedEvents,
} from "../../../support/oncall/cover-makers.ts";
import { patience } from "../../../support/oncall/oncall-random.ts";
import { pick, type Random } from "../../../support/oncall/roster-random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5, 9);
const NAMES = ["A", "B", "C", "D", "E"];
const SCHEDULES = ["one", "two"];
const FROM = START - DAY;
const TO = START + 40 * DAY;
const CASES = sized(200, 8_000);

const within = (random: Random, from: number, most: number) =>
  from + Math.floor(random() * most) * HOUR;

function randomCover(random: Random, id: string): Cover {
  const startAt = within(random, START - DAY, 20 * 24);
  const coveredBy = pick(random, COVERED_BY);
  return cover({
    id,
    accountUserId: pick(random, NAMES),
    start: new Date(startAt).toISOString(),
    end: new Date(within(random, startAt + HOUR, 15 * 24)).toISOString(),
    coveredBy,
    coveringAccountUserId: coveredBy === "person" ? "Z" : null,
    scheduleIds: random() < 0.2 ? [pick(random, SCHEDULES)] : null,
  });
}

/** The windows that differ, of all schedules. */
const differences = (before: PlacedEvents, after: PlacedEvents, from = FROM, to = TO) =>
  SCHEDULES.flatMap((id) =>
    compareOnCall(eventsIn(before, id), eventsIn(after, id), from, to).windows.map((it) => ({
      ...it,
      scheduleId: id,
    })),
  );

const nothing = { removed: [], changed: [], added: [] };
const writesOf = ({ removed, changed, added }: ReturnType<typeof planCovers>) => ({
  removed,
  changed,
  added,
});

describe("random schedules", () => {
  test("one cover", patience, () => {
    const random = randomGenerator();
    let covered = 0;
    for (let run = 0; run < CASES; run++) {
      const placed = randomPlacedEvents(random, NAMES);
      const absence = randomCover(random, "cover");
      const now = random() < 0.5 ? FROM : within(random, START, 20 * 24);
      const plan = planCovers(placed, [absence], now, counter("new"));
      const person = absence.accountUserId;
      const unfilled = plan.decided.get("cover")?.unfilled ?? [];
      for (const it of differences(placed, plan.after)) {
        covered += it.endAt - it.startAt;
        expect(it.startAt).toBeGreaterThanOrEqual(Math.max(now, absence.startAt));
        expect(it.endAt).toBeLessThanOrEqual(absence.endAt);
        const joined = it.after.filter((id) => !it.before.includes(id));
        const left = it.before.filter((id) => !it.after.includes(id));
        expect(left.filter((id) => id !== person)).toEqual([]);
        if (absence.coveredBy === "person") expect(joined).toEqual(["Z"]);
        if (absence.coveredBy === "nobody") expect(joined).toEqual([]);
        if (absence.coveredBy !== "nobody") expect(it.after).not.toEqual([]);
      }
      const left = absentSegments(absence, plan.after, now);
      expect(left.map((it) => [it.event.id, it.startAt, it.endAt])).toEqual(
        unfilled.map((it) => [it.event.id, it.startAt, it.endAt]),
      );
      if (absence.coveredBy !== "next_in_line") expect(left).toEqual([]);
      const again = planCovers(plan.after, [absence], now, counter("again"));
      expect(writesOf(again)).toEqual(nothing);
      const back = planCovers(plan.after, [], now, counter("back"));
      expect(differences(placed, back.after)).toEqual([]);
      const later = within(random, now, 20 * 24);
      expect(writesOf(planCovers(plan.after, [absence], later, counter("later")))).toEqual(nothing);
      const ended = planCovers(plan.after, [], later, counter("ended")).after;
      expect(differences(plan.after, ended, FROM, later)).toEqual([]);
      expect(differences(placed, ended, later, TO)).toEqual([]);
    }
    expect(covered).toBeGreaterThan(CASES * DAY);
  });

  test("several covers, made, changed and taken back one after the other", patience, () => {
    const random = randomGenerator();
    const newId = counter("new");
    for (let run = 0; run < CASES / 4; run++) {
      const placed = randomPlacedEvents(random, NAMES);
      let stored = placed;
      let covers: readonly Cover[] = [];
      for (let step = 0; step < 5; step++) {
        const id = `cover-${step}`;
        const some = covers.filter(() => random() < 0.8);
        covers = [...some, randomCover(random, id)];
        stored = planCovers(stored, covers, FROM, newId).after;
      }
      // In whatever steps they came about, the overrides are those that the covers need.
      const atOnce = planCovers(placed, covers, FROM, newId);
      expect(differences(atOnce.after, stored)).toEqual([]);
      expect(writesOf(planCovers(stored, covers, FROM, newId))).toEqual(nothing);
      expect(differences(placed, planCovers(stored, [], FROM, newId).after)).toEqual([]);
    }
  });
});
