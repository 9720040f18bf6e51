// Random schedules and absences, against a reference that decides an instant by itself.
import { describe, expect, test } from "vitest";
import {
  type Absence,
  type OnCallSchedule,
  SERVED_INSTEAD,
} from "../../../../src/domain/oncall/absences/absence.ts";
import { absencesAfter } from "../../../../src/domain/oncall/absences/absent-hours.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallAt, onCallBetween, servedBetween } from "../../../../src/domain/oncall/oncall.ts";
import { expectEqual } from "../../../support/generated/expect-equal.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import {
  type RandomEvents,
  randomEvents,
  withAway,
} from "../../../support/oncall/absence-makers.ts";
import { referenceAt } from "../../../support/oncall/absence-reference.ts";
import { pick, type Random } from "../../../support/oncall/roster-random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 0, 5, 9);
const NAMES = ["A", "B", "C", "D", "E"];
const FROM = START - DAY;
const TO = START + 25 * DAY;
const CASES = sized(150, 1_000);

const randomHour = (random: Random, from: number, days: number) =>
  from + Math.floor(random() * days * 24) * HOUR;

function randomAbsence(random: Random, events: readonly OnCallEvent[], id: string): Absence {
  const startAt = randomHour(random, START - DAY, 16);
  const instead = pick(random, SERVED_INSTEAD);
  const isNamed = instead === "person" && random() < 0.9;
  const releasedAt = randomHour(random, startAt, 3);
  const isReleased = random() < 0.2;
  return {
    ...{ id, accountUserId: pick(random, [...NAMES, "Y", "Z"]), startAt, instead },
    endAt: startAt + HOUR + Math.floor(random() * random() * 12 * 24) * HOUR,
    coveringAccountUserId: isNamed ? pick(random, [...NAMES, "Y", "Z", "Z"]) : null,
    scheduleIds: null,
    decidedAt: Math.floor(random() * 12),
    released: isReleased
      ? [{ eventId: pick(random, events).id, startAt: releasedAt, endAt: releasedAt + 20 * HOUR }]
      : [],
  };
}

/** Some absences; their ids are not in the order of their times. */
const randomAbsences = (random: Random, events: readonly OnCallEvent[], prefix: string) =>
  Array.from({ length: Math.floor(random() * 7) }, (_, index) =>
    randomAbsence(random, events, `${Math.floor(random() * 100)}-${prefix}${index}`),
  );

type Case = RandomEvents & { readonly schedule: OnCallSchedule };

function randomCase(random: Random): Case {
  const made = randomEvents(random, NAMES);
  const absences = randomAbsences(random, made.events, "absence");
  return { ...made, schedule: withAway(made.events, absences) };
}

/** Instants at which something may change, and others between them. */
function instantsOf(random: Random, { events, absences }: OnCallSchedule): readonly number[] {
  const entries = onCallBetween({ events, absences }, FROM, TO);
  const released = absences.flatMap((it) => it.released ?? []);
  const times = [...entries, ...absences, ...released];
  const edges = times.flatMap(({ startAt, endAt }) => [startAt, endAt]);
  const skips = events.flatMap(({ skipChanges = [] }) => skipChanges);
  const some = [...new Set([...edges, ...skips])].filter((at) => at >= FROM && at < TO);
  const others = Array.from({ length: 30 }, () => FROM + Math.floor(random() * (TO - FROM)));
  return [...some.filter(() => random() < 0.5).flatMap((at) => [at, at - 1]), ...others];
}

const whoAt = (schedule: OnCallSchedule, at: number): readonly string[] =>
  onCallAt(schedule, at)
    .map(({ eventId, layer, attendees }) => {
      const people = attendees.map(({ attendeeId }) => attendeeId);
      return `${layer} ${eventId} ${people.sort().join("")}`;
    })
    .sort();

/** Runs a check on random cases. */
function forAll(check: (it: Case, random: Random, run: number) => void): void {
  const random = randomGenerator();
  for (let run = 0; run < CASES; run++) check(randomCase(random), random, run);
}

describe("random schedules and absences", () => {
  test("put on call at any instant whom the reference does", () => {
    let changed = 0;
    forAll((it, random, run) => {
      const { events, occurrences, schedule } = it;
      for (const at of instantsOf(random, schedule)) {
        const who = whoAt(schedule, at);
        const label = () => `run ${run} at ${new Date(at).toISOString()}`;
        expectEqual(who, referenceAt(events, occurrences, schedule.absences, at), label);
        if (who.join() !== whoAt({ events, absences: [] }, at).join()) changed++;
      }
    });
    expect(changed).toBeGreaterThan(CASES);
  });

  test("show each part whole, whatever the window", () => {
    forAll(({ schedule }, random, run) => {
      const whole = servedBetween(schedule, FROM - 40 * DAY, TO + 40 * DAY);
      for (let step = 0; step < 4; step++) {
        const from = FROM + Math.floor(random() * (TO - FROM));
        const to = from + 1 + Math.floor(random() * pick(random, [1, HOUR, 3 * DAY]));
        const expected = whole.filter(({ startAt, endAt }) => startAt < to && endAt > from);
        expectEqual(servedBetween(schedule, from, to), expected, () => `run ${run}`);
      }
    });
  });

  test("are the same before an absence starts, with and without it", () => {
    forAll(({ events, schedule }, random, run) => {
      const more = randomAbsence(random, events, `${Math.floor(random() * 100)}-more`);
      const after = withAway(events, [...schedule.absences, more]);
      for (const at of instantsOf(random, after)) {
        if (at >= more.startAt && at < more.endAt) continue;
        expectEqual(whoAt(after, at), whoAt(schedule, at), () => `run ${run}`);
      }
    });
  });

  test("put nobody on call who is away because it is their turn next", () => {
    let chosen = 0;
    forAll(({ schedule }, _random, run) => {
      const byRotation = new Set(
        schedule.absences
          .filter(({ instead }) => instead === "next_in_line" || instead === "nobody_yet")
          .map(({ id }) => id),
      );
      for (const entry of onCallBetween(schedule, FROM, TO)) {
        for (const { id, attendeeId } of entry.attendees.filter((it) => byRotation.has(it.id))) {
          chosen++;
          const away = schedule.absences.filter(
            (it) =>
              it.accountUserId === attendeeId &&
              it.startAt < entry.endAt &&
              it.endAt > entry.startAt,
          );
          expectEqual(away, [], () => `run ${run} by ${id}`);
        }
      }
    });
    expect(chosen).toBeGreaterThan(CASES / 2);
  });

  test("change nothing before now when absences change, come and go", () => {
    let kept = 0;
    forAll(({ events, schedule }, random, run) => {
      const now = randomHour(random, START, 14) + pick(random, [0, HOUR / 3]);
      const { absences } = schedule;
      const replaced = absences.filter(() => random() < 0.5);
      const again = replaced.filter(() => random() < 0.6);
      const edited = again.map(({ id }) => ({ ...randomAbsence(random, events, id) }));
      const change = {
        replacedIds: replaced.map(({ id }) => id),
        absences: [...edited, ...randomAbsences(random, events, "new")],
      };
      const after = withAway(events, absencesAfter(absences, change, now));
      const wanted = withAway(events, [
        ...absences.filter((it) => !replaced.includes(it)),
        ...change.absences,
      ]);
      for (const at of [...instantsOf(random, after), now - 1, now]) {
        const expected = whoAt(at < now ? schedule : wanted, at);
        if (at < now && expected.join() !== whoAt(wanted, at).join()) kept++;
        expectEqual(whoAt(after, at), expected, () => `run ${run}`);
      }
    });
    expect(kept).toBeGreaterThan(CASES / 4);
  });
});
