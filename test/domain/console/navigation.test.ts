// The navigation bar shows where the viewer is: every page has its entry.
import { expect, test } from "vitest";
import { ENTRIES } from "../../../src/console/document.tsx";
import { FORMER_ADDRESSES } from "../../../src/console/former-addresses.ts";
import { pages } from "../../../src/console/pages.ts";

/** The search over everything, and what answers with data or leads elsewhere. */
const WITHOUT = ["search", "choices"];

const segmentOf = (path: string) => path.split("/")[1] ?? "";

test("every page is of exactly one entry of the navigation, and every entry has pages", () => {
  const shown = pages.filter(
    ({ method, open, path }) => method === "GET" && !open && !(path in FORMER_ADDRESSES),
  );
  const segments = [...new Set(shown.map(({ path }) => segmentOf(path)))];
  const entries = ENTRIES.flatMap((entry) => entry.pages);
  expect(segments.length).toBeGreaterThan(15);
  expect(segments.filter((it) => !entries.includes(it)).sort()).toEqual(WITHOUT.toSorted());
  expect(entries.length).toBe(new Set(entries).size);
  const known = pages.map(({ path }) => segmentOf(path));
  expect(entries.filter((it) => !known.includes(it))).toEqual([]);
});
