// When a standby is to be drilled, and what its last drills prove.
import { describe, expect, test } from "vitest";
import {
  afterVisit,
  dueDrills,
  isDrillPending,
  type KnownStandby,
  type StandbyDrill,
  standbyProblem,
} from "../../../src/domain/operations/standby-drill.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Wednesday, 10:00 in Berlin. */
const MORNING = Date.UTC(2030, 0, 9, 9);
const BERLIN = [{ id: "acme", timeZone: "Europe/Berlin" }];

const drill = (changes: Partial<StandbyDrill>): StandbyDrill => ({
  ...{ accountId: "acme", alertId: "01", dueAt: MORNING - 31 * DAY, byId: null, number: 0 },
  ...{ status: "acknowledged", startedAt: MORNING - 31 * DAY, endedAt: MORNING - 31 * DAY },
  ...{ teamId: "team", acknowledgedById: "ada" },
  ...changes,
});

const standby = (id: string, ...drills: readonly StandbyDrill[]): KnownStandby => ({
  ...{ id, url: `https://${id}.example.com`, firstAt: MORNING - 90 * DAY, seenAt: MORNING },
  ...{ active: false, drills, deeds: [] },
});

const due = (now: number, all: readonly KnownStandby[], requests = [] as never[]) =>
  dueDrills(BERLIN, requests, all, all[0] as KnownStandby, now);

describe("each month", () => {
  test.each([
    ["in its hours", MORNING, true],
    ["at their end", MORNING + 6 * HOUR - 1, true],
    ["after them", MORNING + 6 * HOUR, false],
    ["before them", MORNING - 1, false],
    ["on a Sunday", MORNING + 4 * DAY, false],
    ["on a Saturday", MORNING + 3 * DAY, false],
    ["on the Monday after", MORNING + 5 * DAY, true],
  ])("a new standby is drilled on a working day: %s", (_, now, isDue) => {
    expect(due(now, [standby("one")])).toHaveLength(isDue ? 1 : 0);
  });

  test("it is due by the hours of the account, once", () => {
    const [found] = due(MORNING + HOUR, [standby("one")]);
    expect(found).toEqual({ accountId: "acme", dueAt: MORNING, byId: null });
    const drilled = standby("one", drill({ dueAt: MORNING, startedAt: MORNING + HOUR }));
    for (let day = 0; day < 30; day += 1) expect(due(MORNING + day * DAY, [drilled])).toEqual([]);
    expect(due(MORNING + 30 * DAY, [drilled])).toHaveLength(1);
  });

  test("two standbys are drilled both, a day apart", () => {
    const [first, second] = [standby("one"), standby("two")];
    expect(due(MORNING, [first, second])).toHaveLength(1);
    for (const status of ["starting", "running", "acknowledged"] as const) {
      const drilled = standby("one", drill({ dueAt: MORNING, startedAt: MORNING, status }));
      expect(due(MORNING + HOUR, [second, drilled]), status).toEqual([]);
      const acknowledged = standby("one", drill({ dueAt: MORNING, startedAt: MORNING }));
      expect(due(MORNING + DAY, [second, acknowledged]), status).toHaveLength(1);
    }
  });
});

describe("when an admin asks", () => {
  const night = MORNING - 8 * HOUR;
  const requests = [{ accountId: "acme", at: night, byId: "bea" }];
  const asked = (now: number, ...all: readonly KnownStandby[]) =>
    dueDrills([], requests, all, all[0] as KnownStandby, now);

  test("it is due at once, at each standby one after the other", () => {
    const expected = [{ accountId: "acme", dueAt: night, byId: "bea" }];
    expect(asked(night, standby("one"), standby("two"))).toEqual(expected);
    const running = standby("one", drill({ dueAt: night, startedAt: night, status: "running" }));
    expect(asked(night, standby("two"), running)).toEqual([]);
    const ended = standby("one", drill({ dueAt: night, startedAt: night }));
    expect(asked(night, standby("two"), ended)).toEqual(expected);
    expect(asked(night, ended, standby("two"))).toEqual([]);
  });

  test("one that no standby takes is over after a day", () => {
    expect(asked(night + DAY, standby("one"))).toEqual([]);
    expect(isDrillPending(requests, [standby("one")], "acme", night + DAY)).toBe(false);
  });

  test("a standby that came later does not take it, and nobody waits for it", () => {
    const young = { ...standby("one"), firstAt: night + 1 };
    expect(asked(night + HOUR, young)).toEqual([]);
    expect(isDrillPending(requests, [young], "acme", night + HOUR)).toBe(false);
    const older = { ...young, firstAt: night - 1 };
    expect(asked(night + HOUR, older)).toHaveLength(1);
  });

  test("another one is refused until each standby has ended it", () => {
    const pending = (...all: readonly KnownStandby[]) =>
      isDrillPending(requests, all, "acme", night + HOUR / 2);
    const [running, ended] = (["running", "not_acknowledged"] as const).map((status) =>
      drill({ dueAt: night, startedAt: night, status }),
    ) as [StandbyDrill, StandbyDrill];
    expect(pending()).toBe(true);
    expect(pending(standby("one"))).toBe(true);
    expect(pending(standby("one", running))).toBe(true);
    expect(pending(standby("one", ended))).toBe(false);
    expect(pending(standby("one", ended), standby("two"))).toBe(true);
    expect(isDrillPending(requests, [standby("one")], "other", night)).toBe(false);
  });
});

describe("what the drills prove", () => {
  const recent = { startedAt: MORNING - DAY, endedAt: MORNING - DAY };
  const problem = (...all: readonly KnownStandby[]) => standbyProblem(all, "acme", MORNING);
  const young = { ...standby("new"), firstAt: MORNING - DAY };

  test("nothing, while no standby has come", () => expect(problem()).toBe("not_drilled"));

  test.each([
    ["acknowledged", recent, null],
    ["acknowledged", { startedAt: MORNING - 41 * DAY }, "not_drilled"],
    ["not_acknowledged", recent, "not_acknowledged"],
    ["failed", recent, "failed"],
    ["running", { startedAt: MORNING - HOUR, endedAt: null }, null],
    ["running", { startedAt: MORNING - 2 * HOUR, endedAt: null }, "failed"],
    ["starting", { startedAt: MORNING - 3 * HOUR, endedAt: null }, "failed"],
  ] as const)("one that is %s %o: %s", (status, changes, expected) => {
    expect(problem(standby("one", drill({ status, ...changes })))).toBe(expected);
  });

  test("a standby that is new has time, one that was never drilled has not", () => {
    expect(problem(young)).toBeNull();
    expect(problem(standby("one"))).toBe("not_drilled");
    expect(problem(standby("one", drill({ accountId: "other", ...recent })))).toBe("not_drilled");
  });

  test("each standby must be proven", () => {
    const good = standby("one", drill(recent));
    expect(problem(good, young)).toBeNull();
    expect(problem(good, standby("two", drill({ status: "failed", ...recent })))).toBe("failed");
    expect(problem(standby("two", drill({ status: "failed", ...recent })), good)).toBe("failed");
  });
});

test("what a standby says of itself replaces what was known, and one that is gone is forgotten", () => {
  const card = { id: "one", url: null, active: true, drills: [], deeds: [] };
  const gone = { ...standby("gone"), seenAt: MORNING - DAY };
  const known = [standby("one", drill({})), gone, standby("two")];
  expect(afterVisit(known, card, MORNING + 1)).toEqual([
    standby("two"),
    { ...card, firstAt: MORNING - 90 * DAY, seenAt: MORNING + 1 },
  ]);
  expect(afterVisit([], card, MORNING)).toEqual([{ ...card, firstAt: MORNING, seenAt: MORNING }]);
});
