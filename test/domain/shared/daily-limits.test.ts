// The limits of a day on Cloudflare's free plan: what is used, what yields, and that pages come first.
import { describe, expect, test } from "vitest";
import { describeEffects, describeUse } from "../../../src/domain/operations/limit-words.ts";
import {
  DAILY_LIMITS,
  type DailyLimit,
  DEFAULT_SHARES,
  decideDay,
  estimateUse,
  isOnFreePlan,
  limitNames,
  parseShares,
  retryAfterUsedUp,
  USES,
  WORK,
} from "../../../src/domain/shared/daily-limits.ts";
import { DAY, HOUR } from "../../../src/domain/shared/time.ts";

const MIDNIGHT = Date.UTC(2026, 10, 28);
const NOON = MIDNIGHT + 12 * HOUR;
const EVERYTHING_AT = (percent: number) => ({
  ...{ removal: percent, live: percent, reports: percent, logs: percent, warning: percent },
});

/** So many alerts that a limit's use is at a percentage of it, at midnight. */
const alertsFor = (limit: DailyLimit, percent: number) =>
  Math.ceil((DAILY_LIMITS[limit] * percent) / 100 / USES.alert[limit]);
const dayOf = (alerts: number, now = MIDNIGHT) =>
  decideDay({ alerts, messages: alerts }, [], DEFAULT_SHARES, now);

test("only the free plan has limits of a day", () => {
  expect(isOnFreePlan({ CLOUDFLARE_PLAN: "free" })).toBe(true);
  for (const CLOUDFLARE_PLAN of ["paid", "", "Free plan", undefined]) {
    expect(isOnFreePlan({ CLOUDFLARE_PLAN })).toBe(false);
  }
});

describe("what is used", () => {
  test("is nothing at midnight, and the idle day's at the end of a quiet one", () => {
    expect(Object.values(estimateUse({ alerts: 0, messages: 0 }, MIDNIGHT))).toEqual(
      limitNames.map(() => 0),
    );
    const late = estimateUse({ alerts: 0, messages: 0 }, MIDNIGHT + DAY - 1);
    for (const limit of limitNames) expect(late[limit]).toBeCloseTo(USES.idleDay[limit], 2);
  });

  test("grows with alerts, and with the messages that go beyond one for each", () => {
    const used = estimateUse({ alerts: 100, messages: 250 }, MIDNIGHT);
    expect(used["D1 rows written"]).toBe(
      100 * USES.alert["D1 rows written"] + 150 * USES.message["D1 rows written"],
    );
    expect(used["queue operations"]).toBe(250 * 3);
    expect(estimateUse({ alerts: 100, messages: 20 }, MIDNIGHT)["queue operations"]).toBe(300);
  });
});

describe("what yields", () => {
  test.each([
    [0, []],
    [49, []],
    [50, ["removal"]],
    [60, ["removal"]],
    [80, ["removal", "logs"]],
    [99, ["removal", "logs"]],
  ] as const)("at $0 percent of D1's written rows", (percent, expected) => {
    const { yielding } = dayOf(alertsFor("D1 rows written", percent));
    expect(yielding.filter((work) => work === "removal" || work === "logs")).toEqual(expected);
  });

  test("a kind of work yields only by a limit that it uses", () => {
    const queueAlone = decideDay(
      { alerts: 0, messages: 0 },
      ["queue operations"],
      DEFAULT_SHARES,
      NOON,
    );
    expect(queueAlone).toMatchObject({
      nearest: { limit: "queue operations", percent: 100 },
      yielding: [],
      isNear: true,
    });
    const reads = decideDay({ alerts: 0, messages: 0 }, ["D1 rows read"], DEFAULT_SHARES, NOON);
    expect(reads.yielding).toEqual(["removal", "live", "reports"]);
  });

  test("with more alerts, what yielded still yields, and nothing yields on an empty day", () => {
    let before: readonly string[] = [];
    expect(dayOf(0, NOON).yielding).toEqual([]);
    for (let alerts = 0; alerts <= 12_000; alerts += 50) {
      const { yielding, nearest } = dayOf(alerts, NOON);
      expect(yielding).toEqual(expect.arrayContaining([...before]));
      expect(nearest.percent).toBeLessThan(100);
      before = yielding;
    }
    expect(before).toEqual(WORK);
  });

  test("a share of 0 yields always, one of 100 only when the platform refuses", () => {
    const none = { alerts: 0, messages: 0 };
    expect(decideDay(none, [], EVERYTHING_AT(0), NOON).yielding).toEqual(WORK);
    const many = { alerts: 1_000_000, messages: 0 };
    expect(decideDay(many, [], EVERYTHING_AT(100), NOON)).toMatchObject({
      yielding: [],
      isNear: false,
    });
    const refused = decideDay(none, ["D1 rows written"], EVERYTHING_AT(100), NOON);
    expect(refused.yielding).toEqual(["removal", "logs"]);
  });

  test("it ends at the next midnight UTC", () => {
    for (const now of [MIDNIGHT, NOON, MIDNIGHT + DAY - 1]) {
      expect(dayOf(0, now).endsAt).toBe(MIDNIGHT + DAY);
    }
  });

  test("admins are told when something yields, or at the share of the warning", () => {
    expect(dayOf(0, NOON).isNear).toBe(false);
    const atWarning = alertsFor("queue operations", DEFAULT_SHARES.warning);
    expect(dayOf(atWarning).isNear).toBe(true);
    expect(dayOf(alertsFor("D1 rows written", DEFAULT_SHARES.removal)).isNear).toBe(true);
  });
});

test.each([
  ["", DEFAULT_SHARES],
  [undefined, DEFAULT_SHARES],
  ["live 10", { ...DEFAULT_SHARES, live: 10 }],
  [" live  10 ,reports 0,warning 100", { ...DEFAULT_SHARES, live: 10, reports: 0, warning: 100 }],
  ["live 101, reports -1, logs many, removal, alerts 5", DEFAULT_SHARES],
])("the shares %j", (text, expected) => {
  expect(parseShares(text)).toEqual(expected);
});

test("a client asks again within five minutes, and at the end of the day at the latest", () => {
  expect(retryAfterUsedUp(NOON)).toBe(300);
  expect(retryAfterUsedUp(MIDNIGHT + DAY - 20_000)).toBe(20);
  expect(retryAfterUsedUp(MIDNIGHT + DAY - 1)).toBe(1);
});

describe("in words", () => {
  test.each([
    [dayOf(0, NOON), "0 % of today's D1 rows read are used.", ["Pages go on."]],
    [
      dayOf(alertsFor("D1 rows written", 50)),
      /^\d+ % of today's queue operations are used\.$/,
      ["Paused: the removal of old records.", "Pages go on."],
    ],
    [
      decideDay({ alerts: 0, messages: 0 }, ["D1 rows read"], DEFAULT_SHARES, NOON),
      "Today's D1 rows read are used up.",
      [
        "Paused: the removal of old records, live updates (open consoles refresh once a minute) and reports.",
        "What needs more of it is refused: senders repeat their webhooks, and pages are sent as far as possible.",
      ],
    ],
    [
      decideDay({ alerts: 0, messages: 0 }, ["queue operations"], DEFAULT_SHARES, NOON),
      "Today's queue operations are used up.",
      ["Pages go on."],
    ],
  ] as const)("%#", (day, use, effects) => {
    expect(describeUse(day)).toEqual(typeof use === "string" ? use : expect.stringMatching(use));
    expect(describeEffects(day)).toEqual(effects);
  });
});
