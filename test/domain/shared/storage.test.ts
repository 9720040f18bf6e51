// Retention cutoffs, the size of the database against its limit, and the archive's objects.
import { describe, expect, test } from "vitest";
import {
  type ArchiveRecord,
  archiveBatches,
  mergedRecords,
  ndjsonOf,
  recordsOf,
} from "../../../src/domain/shared/archive.ts";
import {
  type DatabaseSize,
  limitOf,
  measuredSize,
  UNKNOWN_SIZE,
  usedPercent,
} from "../../../src/domain/shared/database-size.ts";
import { identifierOf, prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { requestLogCutoff, retentionCutoff } from "../../../src/domain/shared/retention.ts";

const at = (text: string) => Date.parse(text);

describe("the retention cutoff", () => {
  const now = at("2026-03-02T15:30:00Z");

  test.each([
    ["400", "2025-01-26"],
    ["1", "2026-03-01"],
    ["1.5", "2026-03-01"],
    [undefined, "2025-01-26"],
    ["0", "2025-01-26"],
    ["soon", "2025-01-26"],
  ])("of %s days is midnight UTC of %s", (days, day) => {
    expect(retentionCutoff(days, now)).toBe(at(`${day}T00:00:00Z`));
  });

  test.each([
    ["30", "400", "2026-01-31"],
    [undefined, "400", "2026-01-31"],
    ["off", "100", "2025-11-22"],
  ])("of request logs with %s days and alerts with %s is %s", (days, alertDays, day) => {
    expect(requestLogCutoff(days, alertDays, now)).toBe(at(`${day}T00:00:00Z`));
  });

  test("is none if retention is unlimited", () => {
    expect(retentionCutoff("off", now)).toBeNull();
    expect(requestLogCutoff("off", "off", now)).toBeNull();
  });
});

describe("the size of the database", () => {
  const limit = 1_000_000;
  const size = (bytes: number, freed = 0, reclaiming = false): DatabaseSize => ({
    bytes,
    freed,
    reclaiming,
  });

  test.each([
    ["the first measurement", UNKNOWN_SIZE, 500_000, 0, size(500_000)],
    ["less than a step", size(500_000), 500_999, 0, size(500_000)],
    ["80 %", size(700_000), 800_000, 0, size(800_000, 0, true)],
    ["79 % before removal", size(700_000), 790_000, 0, size(790_000)],
    ["79 % during removal", size(800_000, 0, true), 790_000, 9_000, size(790_000, 0, true)],
    ["77 % during removal", size(790_000, 0, true), 770_000, 9_000, size(770_000)],
    ["a size that stays", size(800_000, 0, true), 800_000, 10_000, size(800_000, 10_000, true)],
    ["enough freed", size(800_000, 10_000, true), 800_000, 15_000, size(800_000, 25_000)],
    ["a file that is reused", size(800_000, 25_000), 800_000, 9_000, size(800_000, 25_000)],
    ["a file that grows again", size(800_000, 25_000), 801_000, 0, size(801_000, 0, true)],
  ])("%s", (_, before, bytes, deleted, after) => {
    expect(measuredSize(before, bytes, deleted, limit)).toEqual(after);
  });

  test("is compared with D1's 10 GB unless another limit is configured", () => {
    expect([undefined, "", "0", "all", "500"].map(limitOf)).toEqual([
      ...[1e10, 1e10, 1e10, 1e10],
      500_000_000,
    ]);
    expect(usedPercent(size(7_499_999_999), limitOf(undefined))).toBe(74);
    expect(usedPercent(size(800_000, 25_000), limit)).toBe(77);
  });
});

describe("the archive", () => {
  const idAt = (text: string, random: number) =>
    identifierOf(at(text), new Uint8Array(10).fill(random));
  const [mine, theirs] = [idAt("2025-01-01T00:00:00Z", 1), idAt("2025-01-01T00:00:00Z", 2)];
  const records = [
    { id: idAt("2026-01-31T23:59:59.999Z", 1), account_id: mine },
    { id: idAt("2026-01-31T00:00:00Z", 2), account_id: mine },
    { id: idAt("2026-02-01T00:00:00Z", 3), account_id: mine },
    { id: idAt("2026-01-31T12:00:00Z", 4), account_id: theirs },
  ] as const;
  const [late, early, next, other] = records;

  test("has an object per account and day, named by its first record, in any order of them", () => {
    const [own, foreign] = [prefixIdOf("account", mine), prefixIdOf("account", theirs)];
    const expected = [
      { key: `${own}/2026-01-31/logs-${early.id}.ndjson.gz`, records: [early, late] },
      { key: `${foreign}/2026-01-31/logs-${other.id}.ndjson.gz`, records: [other] },
      { key: `${own}/2026-02-01/logs-${next.id}.ndjson.gz`, records: [next] },
    ];
    expect(archiveBatches("logs", records)).toEqual(expected);
    expect(archiveBatches("logs", [...records].reverse())).toEqual(expected);
  });

  test("is read as it was written, each record once, as it was written last", () => {
    const hostile = { id: "A", title: 'two\nlines, \u2028 and "quotes"' };
    const lines: ArchiveRecord[] = [{ id: "B", n: 1 }, hostile, { id: "B", n: 2 }];
    const text = ndjsonOf(lines);
    expect(text.split("\n")).toHaveLength(lines.length + 1);
    expect(recordsOf(text)).toEqual(lines);
    expect(mergedRecords(recordsOf(text))).toEqual([hostile, { id: "B", n: 2 }]);
    expect(recordsOf("")).toEqual([]);
  });
});
