import { expect, test } from "vitest";
import { passedOutput } from "../../support/source/passed-output.ts";

const OUTPUT = [
  "Generated tests: TEST_SEED=20261122, small size.",
  "",
  " RUN  v4.1.12 .",
  "{",
  "  message: 'page',",
  "  error: 'Error: D1_ERROR: no such table: account_users: SQLITE_ERROR'",
  "}",
  "Tests of a worker log this, too",
  " \u001b[32m✓\u001b[39m worker test/worker/a.test.ts (2 tests) 1200ms",
  "   ✓ takes long 900ms",
  " ↓ worker test/worker/b.test.ts (1 test | 1 skipped)",
  "Drawn: test/browser/c.test.ts > a journey",
  "",
  " Test Files  2 passed (2)",
  "      Tests  2 passed | 1 skipped (3)",
  "   Start at  12:00:00",
  "   Duration  1.20s",
].join("\n");

test("of a run that passed, the counts, the seed and what was drawn are shown, and nothing that was logged", () => {
  expect(passedOutput(OUTPUT, false)).toBe(
    [
      "Generated tests: TEST_SEED=20261122, small size.",
      "Drawn: test/browser/c.test.ts > a journey",
      " Test Files  2 passed (2)",
      "      Tests  2 passed | 1 skipped (3)",
      "   Duration  1.20s\n",
    ].join("\n"),
  );
});

test("of a run of some files, each file is shown as well", () => {
  const files = passedOutput(OUTPUT, true).match(/test\/worker\/\w/g);
  expect(files).toEqual(["test/worker/a", "test/worker/b"]);
});
