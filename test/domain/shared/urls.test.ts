import { expect, test } from "vitest";
import { baseUrl, joinUrl } from "../../../src/domain/shared/urls.ts";
import { sourceFiles } from "../../support/source/source-files.ts";

test.each([
  ["https://a.test", "https://a.test"],
  ["https://a.test/", "https://a.test"],
  ["https://a.test/below//", "https://a.test/below"],
  ["", ""],
  [undefined, ""],
])("the base URL %j is %j, with or without a path", (written, base) => {
  expect(baseUrl(written)).toBe(base);
  expect(joinUrl(written, "/alerts")).toBe(`${base}/alerts`);
});

test("no other file strips the slashes of a base URL, or cuts an error for the log", () => {
  const files = sourceFiles().filter(
    ({ path }) => path !== "src/domain/shared/urls.ts" && path !== "src/kernel/db/log-fault.ts",
  );
  const found = files.filter(({ text }) =>
    /\.replace\(\/\\\/\+\$\/, ""\)|String\((?:error|reason)\)\.slice\(/.test(text),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});
