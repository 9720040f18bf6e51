// Which tests a change touches (`npm test -- --changed`), on the files of this repository.
import { describe, expect, test } from "vitest";
import { allTests, projectOf, touchedTests } from "../../support/source/selected-tests.ts";

const tests = allTests();

/** The projects and tests that a change touches, without those that read all files. */
function touchedBy(...changed: readonly string[]) {
  const touched = touchedTests(changed, tests).filter(
    (it) => !/^test\/domain\/(?:reference|source)\//.test(it),
  );
  return { tests: touched, projects: [...new Set(touched.map(projectOf))].sort() };
}

describe("a change touches", () => {
  test("a test that is changed, and no other", () => {
    const changed = "test/api/access/credentials.test.ts";
    expect(touchedBy(changed).tests).toEqual([changed]);
  });

  test("of the pure tests, those that import it, and all that run the worker that does", () => {
    const { tests: touched } = touchedBy("src/domain/oncall/rosters/roster-change.ts");
    expect(touched).toContain("test/domain/oncall/rosters/roster-changes.test.ts");
    expect(touched).not.toContain("test/domain/access/password.test.ts");
    const running = tests.filter((it) => ["api", "worker"].includes(projectOf(it)));
    expect(touched).toEqual(expect.arrayContaining(running));
  });

  test("what imports a file of the tests", () => {
    const { tests: touched } = touchedBy("test/support/oncall/rota.ts");
    expect(touched).toContain("test/api/oncall/coverage.test.ts");
    expect(touched).not.toContain("test/api/access/credentials.test.ts");
  });

  test("every test, if it is a migration or a setting", () => {
    for (const changed of ["migrations/0000_any.sql", "package-lock.json", "wrangler.toml"]) {
      expect(touchedTests([changed], tests)).toEqual(tests);
    }
  });

  test("no test but those that read it as text, if no test imports it", () => {
    expect(touchedBy("README.md", "src/setup/deploying/deploy.ts").projects).toEqual([]);
    expect(touchedTests(["README.md"], tests)).toContain("test/domain/source/documents.test.ts");
    expect(touchedTests([], tests)).toEqual([]);
  });
});

test("every test file is in a project", () => {
  expect(tests.filter((it) => projectOf(it) === "")).toEqual([]);
});
