// A day on Cloudflare's free plan: what fits, and that the README and the manual have it as it is computed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  DAILY_LIMITS,
  limitNames,
  sumUses,
  USES,
  type Use,
} from "../../../src/domain/shared/daily-limits.ts";
import {
  dayOnFreePlan,
  idleDay,
  idleTableOf,
  tableOf,
  type Uses,
  understated,
} from "../../bench/price/free-day.ts";
import { root } from "../../support/source/source-files.ts";

const use = (some: Partial<Use>): Use =>
  ({ ...Object.fromEntries(limitNames.map((limit) => [limit, 0])), ...some }) as Use;

const SIMPLE: Uses = {
  alert: use({ "D1 rows written": 10, "queue operations": 3 }),
  message: use({ "queue operations": 3 }),
  apiCall: use({ "worker requests": 1 }),
  consoleHour: use({ "D1 rows read": 10_000 }),
  idleDay: use({ "worker requests": 1_000, "D1 rows written": 10_000 }),
};

test("what fits is what the idle day leaves, by the limit that ends first", () => {
  expect(dayOnFreePlan(SIMPLE).map(({ fits, limit }) => [fits, limit])).toEqual([
    [3_333, "queue operations"],
    [9_000, "D1 rows written"],
    [3_333, "queue operations"],
    [99_000, "worker requests"],
    [20, "D1 rows read"],
  ]);
});

test("one more than fits is above a limit, and what fits is not", () => {
  const used = (kind: keyof Uses, times: number) =>
    sumUses([
      [idleDay(USES), 1],
      [USES[kind], times],
    ]);
  const rows = dayOnFreePlan(USES);
  for (const [at, kind] of [
    [0, "alert"],
    [2, "message"],
    [3, "apiCall"],
  ] as const) {
    const { fits = 0, limit = "worker requests" } = rows[at] ?? {};
    for (const it of limitNames) expect(used(kind, fits)[it]).toBeLessThanOrEqual(DAILY_LIMITS[it]);
    expect(used(kind, fits + 1)[limit]).toBeGreaterThan(DAILY_LIMITS[limit]);
  }
});

test("what is counted above what the worker estimates with is named", () => {
  expect(understated(USES)).toEqual([]);
  const counted = { ...USES, apiCall: { ...USES.apiCall, "D1 rows read": 1_000 } };
  expect(understated(counted)).toEqual([
    `USES.apiCall: D1 rows read: 1000.000, more than ${USES.apiCall["D1 rows read"]}`,
  ]);
});

describe("the table", () => {
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const table = tableOf(dayOnFreePlan(USES)).join("\n");

  test.each(["README.md", "src/reference/manual/free-plan.md"])(
    "in %s is the computed one",
    (file) => {
      expect(read(file)).toContain(table);
    },
  );

  test("of the idle day in the manual is the computed one", () => {
    expect(read("src/reference/manual/free-plan.md")).toContain(idleTableOf(USES).join("\n"));
  });
});
