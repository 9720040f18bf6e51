// Rotations that skip who is unavailable: tables of literals, and random accounts against a
// reference that decides every hour by itself.
import { describe, expect, test } from "vitest";
import { absencesOf, type TimeAway } from "../../../../src/domain/oncall/covers/absences.ts";
import type { Cover } from "../../../../src/domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../../src/domain/oncall/covers/cover-parts.ts";
import { planCovers } from "../../../../src/domain/oncall/covers/cover-plan.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallAt, onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { randomGenerator, sized } from "../../../support/generated/sizes.ts";
import { counter, cover, eventsIn, inOneSchedule } from "../../../support/oncall/cover-makers.ts";
import { at, event, people, readAll } from "../../../support/oncall/oncall-makers.ts";
import { patience } from "../../../support/oncall/oncall-random.ts";
import { pick, type Random } from "../../../support/oncall/roster-random.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = at("2026-01-05T00:00Z");
const BEFORE = START - DAY;

const away = (accountUserId: string, from: string, to: string): TimeAway => ({
  accountUserId,
  startAt: at(`2026-01-${from}Z`),
  endAt: at(`2026-01-${to}Z`),
});

/** Daily turns of these positions from Monday on; `AB` is a position of two. */
const rotation = (
  positions: readonly string[],
  fields: Partial<OnCallEvent> = {},
): OnCallEvent => ({
  ...event({
    id: "rotation",
    start: "2026-01-05T00:00Z",
    end: "2026-01-06T00:00Z",
    frequencyUnit: "daily",
    rotation: true,
  }),
  attendees: positions.flatMap((those, position) =>
    people(those).map((it) => ({ ...it, position })),
  ),
  skipUnavailable: true,
  ...fields,
});

const byHand = (who: string, from: string, to: string) =>
  event({
    id: "by-hand",
    createdAt: 5_000,
    parentId: "rotation",
    overriddenStartAt: START,
    start: `2026-01-${from}Z`,
    end: `2026-01-${to}Z`,
    who,
  });

const newId = counter("new");

const plan = (
  placed: PlacedEvents,
  times: readonly TimeAway[],
  covers: readonly Cover[] = [],
  now = BEFORE,
) => planCovers(placed, covers, now, newId, absencesOf(times));

const days = (placed: PlacedEvents, count = 4) =>
  readAll(onCallBetween(eventsIn(placed, "skd"), START, START + count * DAY), "UTC").map((line) => {
    const [from = "", to = "", who = ""] = line.split(" | ");
    return `${from.slice(0, 3)} ${from.slice(15, 20)}–${to.slice(15, 20)} ${who}`;
  });

const writesOf = ({ removed, changed, added }: ReturnType<typeof planCovers>) =>
  removed.length + changed.length + added.length;

const WHOLE = (...who: readonly string[]) =>
  who.map((it, index) => `${["Mon", "Tue", "Wed", "Thu"][index]} 00:00–00:00 ${it}`);

describe("a rotation that skips who is unavailable", () => {
  test.each<[string, OnCallEvent, readonly TimeAway[], readonly string[]]>([
    [
      "gives the hours to the next in line; other turns stay",
      rotation(["A", "B", "C"]),
      [away("A", "05T00:00", "06T00:00")],
      WHOLE("B", "B", "C", "A"),
    ],
    [
      "gives only the hours in which the person is away",
      rotation(["A", "B", "C"]),
      [away("A", "05T08:00", "05T12:00"), away("A", "05T11:00", "05T16:00")],
      ["Mon 00:00–08:00 A", "Mon 08:00–16:00 B", "Mon 16:00–00:00 A", "Tue 00:00–00:00 B"],
    ],
    [
      "passes over everybody who is away, and splits where they come back",
      rotation(["A", "B", "C"]),
      [away("A", "05T00:00", "06T00:00"), away("B", "04T00:00", "05T12:00")],
      ["Mon 00:00–12:00 C", "Mon 12:00–00:00 B", "Tue 00:00–00:00 B", "Wed 00:00–00:00 C"],
    ],
    [
      "leaves the person on call if everybody is away",
      rotation(["A", "B"]),
      [away("A", "05T00:00", "07T00:00"), away("B", "05T00:00", "06T00:00")],
      WHOLE("A", "B", "A", "B"),
    ],
    [
      "leaves a person on call who is alone in it",
      rotation(["A"]),
      [away("A", "05T00:00", "09T00:00")],
      WHOLE("A", "A", "A", "A"),
    ],
    [
      "replaces one of two who take a turn together, and both",
      rotation(["AB", "C", "D"]),
      [away("A", "05T00:00", "06T00:00"), away("B", "05T12:00", "06T00:00")],
      ["Mon 00:00–12:00 BC", "Mon 12:00–00:00 CD", "Tue 00:00–00:00 C", "Wed 00:00–00:00 D"],
    ],
    [
      "leaves both of two on call if nobody else is there",
      rotation(["AB", "C"]),
      [
        away("A", "05T00:00", "06T00:00"),
        away("B", "05T00:00", "06T00:00"),
        away("C", "05T00:00", "06T00:00"),
      ],
      WHOLE("AB", "C", "AB", "C"),
    ],
    [
      "does nothing without the flag",
      rotation(["A", "B"], { skipUnavailable: false }),
      [away("A", "05T00:00", "06T00:00")],
      WHOLE("A", "B", "A", "B"),
    ],
    [
      "does nothing without rotation",
      rotation(["A", "B"], { rotation: false }),
      [away("A", "05T00:00", "09T00:00")],
      WHOLE("AB", "AB", "AB", "AB"),
    ],
  ])("%s", (_, series, times, expected) => {
    const planned = plan(inOneSchedule(series), times);
    expect(days(planned.after).slice(0, 4)).toEqual(expected.slice(0, 4));
    expect(writesOf(plan(planned.after, times))).toBe(0);
    expect(days(plan(planned.after, []).after)).toEqual(days(inOneSchedule(series)));
  });

  test("its overrides say who is away, and never who covers", () => {
    const { added } = plan(inOneSchedule(rotation(["A", "B"])), [
      away("A", "05T00:00", "06T00:00"),
    ]);
    expect(added).toMatchObject([
      { absentAccountUserId: "A", coverId: null, parentId: "rotation" },
    ]);
  });

  test("an override by hand stays, also if it names a person who is away", () => {
    const placed = inOneSchedule(rotation(["A", "B", "C"]), byHand("A", "05T08:00", "05T12:00"));
    const planned = plan(placed, [away("A", "05T00:00", "06T00:00")]);
    expect(days(planned.after, 1)).toEqual([
      "Mon 00:00–08:00 B",
      "Mon 08:00–12:00 A",
      "Mon 12:00–00:00 B",
    ]);
  });

  test("a cover of the same person wins, also if the one it names is away", () => {
    const absence = { start: "2026-01-05T00:00Z", end: "2026-01-05T12:00Z" };
    const times = [away("A", "05T00:00", "06T00:00"), away("Z", "05T00:00", "06T00:00")];
    const placed = inOneSchedule(rotation(["A", "B", "C"]));
    const first = plan(placed, times);
    const covered = plan(first.after, times, [cover(absence)]);
    expect(days(covered.after, 1)).toEqual(["Mon 00:00–12:00 Z", "Mon 12:00–00:00 B"]);
    expect(days(plan(covered.after, times).after, 1)).toEqual(["Mon 00:00–00:00 B"]);
    const nobody = cover({ ...absence, coveredBy: "nobody", coveringAccountUserId: null });
    expect(days(plan(covered.after, times, [nobody]).after, 1)).toEqual(["Mon 12:00–00:00 B"]);
  });

  test("the next in line is nobody who is covered, and a cover's next nobody who is away", () => {
    const placed = inOneSchedule(rotation(["A", "B", "C"]));
    const absence = { start: "2026-01-05T00:00Z", end: "2026-01-06T00:00Z" };
    const ofB = cover({ ...absence, accountUserId: "B" });
    expect(days(plan(placed, [away("A", "05T00:00", "06T00:00")], [ofB]).after, 1)).toEqual([
      "Mon 00:00–00:00 C",
    ]);
    const ofA = cover({ ...absence, coveredBy: "next_in_line", coveringAccountUserId: null });
    expect(days(plan(placed, [away("B", "05T00:00", "06T00:00")], [ofA]).after, 1)).toEqual([
      "Mon 00:00–00:00 C",
    ]);
  });

  test("what was served stays when the unavailability changes or goes during the shift", () => {
    const placed = inOneSchedule(rotation(["A", "B", "C"]));
    const first = plan(placed, [away("A", "05T00:00", "06T00:00")]);
    const noon = START + 12 * HOUR;
    expect(days(plan(first.after, [], [], noon).after, 1)).toEqual([
      "Mon 00:00–12:00 B",
      "Mon 12:00–00:00 A",
    ]);
    const late = plan(placed, [away("A", "01T00:00", "06T00:00")], [], noon);
    expect(days(late.after, 1)).toEqual(["Mon 00:00–12:00 A", "Mon 12:00–00:00 B"]);
  });

  test.each([1, -1])(
    "what was served instead of a cover stays too, with ids in order %i",
    (step) => {
      let last = 5_000;
      const ids = () => {
        last += step;
        return String(last);
      };
      const placed = inOneSchedule(rotation(["AB", "C", "D"]));
      const covers = [cover({ start: "2026-01-05T00:00Z", end: "2026-01-06T00:00Z" })];
      const times = absencesOf([away("B", "05T00:00", "06T00:00")]);
      const first = planCovers(placed, covers, BEFORE, ids, times);
      expect(days(first.after, 1)).toEqual(["Mon 00:00–00:00 ZC"]);
      const noon = START + 12 * HOUR;
      let { after } = first;
      // Each further decision sees what the one before it stored.
      for (const now of [noon, noon, noon + HOUR]) {
        after = planCovers(after, covers, now, ids).after;
        expect(days(after, 1)).toEqual(["Mon 00:00–12:00 ZC", "Mon 12:00–00:00 BZ"]);
      }
      after = planCovers(after, [], noon + 2 * HOUR, ids).after;
      const back = planCovers(after, [], noon + 2 * HOUR, ids).after;
      for (const stored of [after, back]) {
        expect(days(stored, 1)).toEqual([
          "Mon 00:00–12:00 ZC",
          "Mon 12:00–14:00 BZ",
          "Mon 14:00–00:00 AB",
        ]);
      }
    },
  );
});

type Case = {
  readonly positions: readonly string[];
  readonly times: readonly TimeAway[];
  readonly hand: OnCallEvent | null;
  readonly cover: Cover | null;
};

const NAMES = ["A", "B", "C", "D"];
const SPAN = 8;

function randomCase(random: Random): Case {
  const hour = () => START + Math.floor(random() * SPAN * 24) * HOUR;
  const length = () => (1 + Math.floor(random() * 60)) * HOUR;
  const positions = Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const [one, other] = [pick(random, NAMES), pick(random, NAMES)];
    return random() < 0.3 && one !== other ? [one, other].sort().join("") : one;
  });
  const times = Array.from({ length: Math.floor(random() * 6) }, () => {
    const startAt = hour();
    return { accountUserId: pick(random, [...NAMES, "Z"]), startAt, endAt: startAt + length() };
  });
  const occurrence = START + Math.floor(random() * SPAN) * DAY;
  const startAt = hour();
  return {
    positions,
    times,
    hand:
      random() < 0.5
        ? {
            ...byHand(pick(random, NAMES), "05T00:00", "05T01:00"),
            overriddenStartAt: occurrence,
            startAt: occurrence + 5 * HOUR,
            endAt: occurrence + 15 * HOUR,
          }
        : null,
    cover:
      random() < 0.4
        ? {
            ...cover({ start: "2026-01-05T00:00Z", end: "2026-01-06T00:00Z" }),
            startAt,
            endAt: startAt + length(),
          }
        : null,
  };
}

/** Who serves an hour, decided for it alone. */
function reference({ positions, times, hand, cover: absent }: Case, hour: number): string {
  const within = (it: { startAt: number; endAt: number }) => it.startAt <= hour && it.endAt > hour;
  // It is newer than the cover.
  if (hand && within(hand)) return hand.attendees[0]?.attendeeId ?? "";
  const turn = Math.floor((hour - START) / DAY) % positions.length;
  let who = [...(positions[turn] ?? "")];
  const isCovered = absent !== null && within(absent) && who.includes("A");
  if (isCovered) who = [...who.filter((it) => it !== "A"), "Z"];
  const isAway = (name: string) => times.some((it) => it.accountUserId === name && within(it));
  const isAbsent = (name: string) =>
    isAway(name) || (absent !== null && within(absent) && name === "A");
  for (const name of [...NAMES, "Z"]) {
    if (!who.includes(name) || !isAway(name) || name === "Z") continue;
    const line = [...positions, ...positions].slice(turn + 1, turn + 1 + positions.length);
    const next = [...line.join("")].find((it) => it !== name && !who.includes(it) && !isAbsent(it));
    const after = [...who.filter((it) => it !== name), ...(next ? [next] : [])];
    if (after.some((it) => !isAbsent(it))) who = after;
  }
  return who.sort().join("");
}

describe("random rotations", () => {
  test("give every hour to whom the reference gives it", patience, () => {
    const random = randomGenerator();
    let skipped = 0;
    for (let run = 0; run < sized(80, 1_500); run++) {
      const it = randomCase(random);
      const placed = inOneSchedule(rotation(it.positions), ...(it.hand ? [it.hand] : []));
      const covers = it.cover ? [it.cover] : [];
      const now = random() < 0.5 ? BEFORE : START + Math.floor(random() * SPAN * 24) * HOUR;
      const planned = plan(placed, it.times, covers, now);
      skipped += planned.added.filter(({ absentAccountUserId }) => absentAccountUserId).length;
      const whoAt = (events: PlacedEvents, hour: number) =>
        onCallAt(events.events, hour)
          .flatMap(({ attendees }) => attendees.map(({ attendeeId }) => attendeeId))
          .sort()
          .join("");
      for (let hour = START; hour < START + SPAN * DAY; hour += HOUR) {
        const expected = hour < now ? whoAt(placed, hour) : reference(it, hour);
        expect([run, hour, whoAt(planned.after, hour)]).toEqual([run, hour, expected]);
      }
      expect(writesOf(plan(planned.after, it.times, covers, now))).toBe(0);
      // Whatever came before, the overrides are those that the present absences need.
      const other = randomCase(random).times;
      const changed = plan(planned.after, other, covers, now);
      const afresh = plan(placed, other, covers, now);
      const back = plan(changed.after, [], [], now);
      for (let hour = START; hour < START + SPAN * DAY; hour += 3 * HOUR) {
        expect(whoAt(changed.after, hour)).toBe(whoAt(afresh.after, hour));
        expect(whoAt(back.after, hour)).toBe(whoAt(placed, hour));
      }
    }
    expect(skipped).toBeGreaterThan(sized(80, 1_500) / 4);
  });
});
