import { describe, expect, test } from "vitest";
import type { Cover } from "../../../../src/domain/oncall/covers/cover.ts";
import type { PlacedEvents } from "../../../../src/domain/oncall/covers/cover-parts.ts";
import { absentSegments } from "../../../../src/domain/oncall/covers/cover-parts.ts";
import { planCovers } from "../../../../src/domain/oncall/covers/cover-plan.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { counter, cover, eventsIn, inOneSchedule } from "../../../support/oncall/cover-makers.ts";
import { at, event, people, readAll } from "../../../support/oncall/oncall-makers.ts";

const BEFORE = at("2026-01-01T00:00Z");

const plan = (placed: PlacedEvents, covers: readonly Cover[], now = BEFORE) =>
  planCovers(placed, covers, now, counter(`new-${now}`));

const week = (placed: PlacedEvents) =>
  readAll(
    onCallBetween(eventsIn(placed, "skd"), at("2026-01-05T00:00Z"), at("2026-01-12T00:00Z")),
    "UTC",
  );

/** A, B and C take daily turns from Monday on. */
const rotation = event({
  id: "rotation",
  start: "2026-01-05T00:00Z",
  end: "2026-01-06T00:00Z",
  frequencyUnit: "daily",
  rotation: true,
  who: "ABC",
});

const absence = { start: "2026-01-05T00:00Z", end: "2026-01-12T00:00Z" };

const WHO = [
  "Mon 2026-01-05 00:00+00:00 | Tue 2026-01-06 00:00+00:00 | ",
  "Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
  "Wed 2026-01-07 00:00+00:00 | Thu 2026-01-08 00:00+00:00 | C",
  "Thu 2026-01-08 00:00+00:00 | Fri 2026-01-09 00:00+00:00 | ",
  "Fri 2026-01-09 00:00+00:00 | Sat 2026-01-10 00:00+00:00 | B",
  "Sat 2026-01-10 00:00+00:00 | Sun 2026-01-11 00:00+00:00 | C",
  "Sun 2026-01-11 00:00+00:00 | Mon 2026-01-12 00:00+00:00 | ",
];

const withNames = (...names: string[]) =>
  WHO.flatMap((line) => {
    const name = line.endsWith("| ") ? (names.shift() ?? "") : "as it is";
    return name === "" ? [] : [line.endsWith("| ") ? `${line}${name}` : line];
  });

describe("who covers", () => {
  test.each<[string, Partial<Cover>, readonly string[]]>([
    ["a person", {}, withNames("Z", "Z", "Z")],
    ["the next in line", { coveredBy: "next_in_line" }, withNames("B", "B", "B")],
    ["nobody", { coveredBy: "nobody", coveringAccountUserId: null }, withNames()],
    [
      "a person who has left the account: the hours stay with the absent person",
      { coveringAccountUserId: null },
      withNames("A", "A", "A"),
    ],
    ["no schedule of the person's", { scheduleIds: ["other"] }, withNames("A", "A", "A")],
    [
      "a person in hours but those released by hand",
      {
        released: [
          {
            eventId: "rotation",
            startAt: at("2026-01-08T00:00Z"),
            endAt: at("2026-01-09T00:00Z"),
          },
        ],
      },
      withNames("Z", "A", "Z"),
    ],
  ])("%s", (_, fields, expected) => {
    const { after } = plan(inOneSchedule(rotation), [cover({ ...absence, ...fields })]);
    expect(week(after)).toEqual(expected);
  });

  test("the next in line is not absent at that time, and the shift is split where they leave", () => {
    const away = cover({
      id: "a",
      accountUserId: "B",
      start: "2026-01-08T12:00Z",
      end: "2026-01-12T00:00Z",
      coveredBy: "nobody",
      coveringAccountUserId: null,
    });
    const absent = cover({ ...absence, id: "b", coveredBy: "next_in_line" });
    expect(week(plan(inOneSchedule(rotation), [away, absent]).after)).toEqual([
      "Mon 2026-01-05 00:00+00:00 | Tue 2026-01-06 00:00+00:00 | B",
      "Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
      "Wed 2026-01-07 00:00+00:00 | Thu 2026-01-08 00:00+00:00 | C",
      "Thu 2026-01-08 00:00+00:00 | Thu 2026-01-08 12:00+00:00 | B",
      "Thu 2026-01-08 12:00+00:00 | Fri 2026-01-09 00:00+00:00 | C",
      "Sat 2026-01-10 00:00+00:00 | Sun 2026-01-11 00:00+00:00 | C",
      "Sun 2026-01-11 00:00+00:00 | Mon 2026-01-12 00:00+00:00 | C",
    ]);
  });

  test("without rotation the others stay; alone, the person stays on call and it is said", () => {
    const together = event({ ...absence, id: "both", who: "AB" });
    const alone = event({ ...absence, id: "alone", layer: 2 });
    const absent = cover({ ...absence, coveredBy: "next_in_line" });
    const { after, decided } = plan(inOneSchedule(together, alone), [absent]);
    expect(week(after).map((line) => line.split(" | ")[2])).toEqual(["B", "A"]);
    expect(decided.get("cover")?.unfilled.map((it) => it.event.id)).toEqual(["alone"]);
  });

  test("those who share the person's turn stay", () => {
    const shared = {
      ...rotation,
      attendees: [
        { ...people("A")[0], position: 0 },
        { ...people("B")[0], position: 0 },
        { ...people("C")[0], position: 1 },
      ] as typeof rotation.attendees,
    };
    const { added } = plan(inOneSchedule(shared), [
      cover({ ...absence, coveredBy: "next_in_line" }),
    ]);
    expect(added.map((it) => it.attendees.map(({ attendeeId }) => attendeeId).join(""))).toEqual([
      "BC",
      "BC",
      "BC",
      "BC",
    ]);
  });
});

describe("what is stored already", () => {
  const placed = inOneSchedule(rotation);

  test("deciding again changes nothing, also later and while a shift runs", () => {
    const covers = [cover(absence)];
    const first = plan(placed, covers);
    for (const now of [BEFORE, at("2026-01-05T10:00Z"), at("2026-01-20T00:00Z")]) {
      const { removed, changed, added } = plan(first.after, covers, now);
      expect({ removed, changed, added }).toEqual({ removed: [], changed: [], added: [] });
    }
  });

  test("taken back while a shift runs, the substitute has served until then", () => {
    const first = plan(placed, [cover(absence)]);
    const { after, removed, changed } = plan(first.after, [], at("2026-01-05T10:00Z"));
    expect([removed.length, changed.length]).toEqual([2, 1]);
    expect(week(after).slice(0, 3)).toEqual([
      "Mon 2026-01-05 00:00+00:00 | Mon 2026-01-05 10:00+00:00 | Z",
      "Mon 2026-01-05 10:00+00:00 | Tue 2026-01-06 00:00+00:00 | A",
      "Tue 2026-01-06 00:00+00:00 | Wed 2026-01-07 00:00+00:00 | B",
    ]);
  });

  test("an override by hand of the covered hours stays when the cover changes and goes", () => {
    const first = plan(placed, [cover(absence)]);
    const [monday] = first.added;
    const byHand = event({
      id: "by-hand",
      createdAt: 2_000_000_000_000,
      parentId: monday?.id ?? "",
      overriddenStartAt: monday?.startAt ?? 0,
      start: "2026-01-05T08:00Z",
      end: "2026-01-05T16:00Z",
      who: "D",
    });
    const edited = {
      events: [...first.after.events, byHand],
      schedulesOf: new Map([...first.after.schedulesOf, ["by-hand", ["skd"]]]),
    };
    const lines = (who: string) => [
      `Mon 2026-01-05 00:00+00:00 | Mon 2026-01-05 08:00+00:00 | ${who}`,
      "Mon 2026-01-05 08:00+00:00 | Mon 2026-01-05 16:00+00:00 | D",
      `Mon 2026-01-05 16:00+00:00 | Tue 2026-01-06 00:00+00:00 | ${who}`,
    ];
    const refreshed = plan(edited, [cover(absence)], BEFORE + 1);
    expect(week(refreshed.after).slice(0, 3)).toEqual(lines("Z"));
    const changed = plan(refreshed.after, [cover({ ...absence, coveringAccountUserId: "Y" })]);
    expect(week(changed.after).slice(0, 3)).toEqual(lines("Y"));
    expect(week(plan(changed.after, []).after).slice(0, 3)).toEqual(lines("A"));
  });

  test("an override by hand that puts the absent person on call stays if it is newer", () => {
    const byHand = event({
      id: "by-hand",
      createdAt: 5_000,
      parentId: "rotation",
      overriddenStartAt: at("2026-01-06T00:00Z"),
      start: "2026-01-06T08:00Z",
      end: "2026-01-06T16:00Z",
      who: "A",
    });
    const both = inOneSchedule(rotation, byHand);
    const older = plan(both, [cover({ ...absence, decidedAt: 9_000 })]);
    const newer = plan(both, [cover(absence)]);
    expect(older.added).toHaveLength(4);
    expect(newer.added).toHaveLength(3);
    expect(week(newer.after)[2]).toContain("| A");
  });

  test("a substitute who is absent too is covered by their own later cover", () => {
    const covers = [
      cover({ ...absence, id: "a", coveringAccountUserId: "Z" }),
      cover({ ...absence, id: "b", accountUserId: "Z", coveringAccountUserId: "Y" }),
    ];
    const first = plan(placed, covers);
    expect(week(first.after)).toEqual(withNames("Y", "Y", "Y"));
    const again = plan(first.after, covers);
    expect([...again.added, ...again.changed, ...again.removed]).toEqual([]);
    expect(week(plan(first.after, covers.slice(1)).after)).toEqual(withNames("A", "A", "A"));
    expect(week(plan(first.after, covers.slice(0, 1)).after)).toEqual(withNames("Z", "Z", "Z"));
  });

  test("hours that come into being are covered when it is decided again", () => {
    const first = plan(placed, [cover(absence)]);
    const extra = event({ id: "extra", start: "2026-01-07T09:00Z", end: "2026-01-07T17:00Z" });
    const edited = {
      events: [...first.after.events, extra],
      schedulesOf: new Map([...first.after.schedulesOf, ["extra", ["skd"]]]),
    };
    expect(absentSegments(cover(absence), edited, BEFORE)).toHaveLength(1);
    const { added, after } = plan(edited, [cover(absence)]);
    expect(added.map(({ parentId }) => parentId)).toEqual(["extra"]);
    expect(absentSegments(cover(absence), after, BEFORE)).toEqual([]);
  });
});
