import { expect, test } from "vitest";
import { holidayText } from "../../../src/console/reports/holiday-words.ts";

const holiday = (date: string, name: string, starts_at = "00:00") => ({ date, name, starts_at });

test.each([
  ["none", [], ""],
  ["one day", [holiday("2026-12-25", "Christmas")], "Christmas (2026-12-25)"],
  [
    "days that follow each other, over the end of a year, with another one between them",
    [
      holiday("2026-12-30", "Shutdown"),
      holiday("2026-12-31", "Shutdown"),
      holiday("2027-01-01", "New Year"),
      holiday("2027-01-01", "Shutdown"),
    ],
    "Shutdown (2026-12-30 – 2027-01-01), New Year (2027-01-01)",
  ],
  [
    "the same name in two years",
    [holiday("2026-05-01", "Labour Day"), holiday("2027-05-01", "Labour Day")],
    "Labour Day (2026-05-01), Labour Day (2027-05-01)",
  ],
  [
    "a day that begins in the afternoon",
    [holiday("2026-12-24", "Christmas", "14:00"), holiday("2026-12-25", "Christmas")],
    "Christmas (2026-12-24, from 14:00), Christmas (2026-12-25)",
  ],
])("%s", (_, holidays, expected) => {
  expect(holidayText(holidays)).toBe(expected);
});
