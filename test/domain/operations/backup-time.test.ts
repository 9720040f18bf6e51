// When the nightly backup is due.
import { expect, test } from "vitest";
import { isBackupDue, nextBackupAt } from "../../../src/domain/operations/backup/backup-time.ts";

const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  ["2026-01-31T00:00", "2026-01-31T02:18"],
  ["2026-01-31T02:18", "2026-02-01T02:18"],
  ["2026-01-31T23:59", "2026-02-01T02:18"],
])("after one that began at %s it is due at %s", (before, due) => {
  expect(nextBackupAt(at(before))).toBe(at(due));
  expect(isBackupDue(at(before), at(due) - 1)).toBe(false);
  expect(isBackupDue(at(before), at(due))).toBe(true);
});

test("it is due at once if none was made, and after one of a clock that was set back", () => {
  expect(isBackupDue(0, at("2026-01-31T01:00"))).toBe(true);
  const later = at("2027-01-01T00:00");
  expect(isBackupDue(later, at("2026-01-31T02:18"))).toBe(true);
});
