// Public holidays as absences: local dates in the zone of a person.
import { expect, test } from "vitest";
import {
  holidayAbsences,
  holidayDates,
} from "../../../../src/domain/oncall/absences/holiday-absences.ts";
import type { Holiday } from "../../../../src/domain/oncall/holidays/holidays.ts";
import { DAY, formatInstant, HOUR, zoneOf } from "../../../../src/domain/shared/time.ts";

const dayOf = (date: string) => Date.parse(`${date}T00:00:00Z`) / DAY;
const holiday = (date: string, name: string, startsAt = 0): Holiday => ({
  day: dayOf(date),
  startsAt,
  name,
});

/** `start/end reason` of each absence. */
const linesOf = (zone: string, ...holidays: Holiday[]) =>
  holidayAbsences(holidays, zoneOf(zone)).map(
    ({ startAt, endAt, reason }) => `${formatInstant(startAt)}/${formatInstant(endAt)} ${reason}`,
  );

test.each([
  ["UTC", "2026-12-25", "2026-12-25T00:00:00.000Z/2026-12-26T00:00:00.000Z X"],
  ["Asia/Tokyo", "2026-12-25", "2026-12-24T15:00:00.000Z/2026-12-25T15:00:00.000Z X"],
  // A day of 23 hours, and one whose midnight the clocks skip.
  ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00.000Z/2026-03-29T22:00:00.000Z X"],
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z/2026-04-24T21:00:00.000Z X"],
])("a holiday lasts the local date in %s", (zone, date, line) => {
  expect(linesOf(zone, holiday(date, "X"))).toEqual([line]);
});

test("a holiday that begins in the evening lasts until midnight", () => {
  const eve = holiday("2026-12-24", "Christmas Eve", 18 * HOUR);
  expect(linesOf("UTC", eve)).toEqual([
    "2026-12-24T18:00:00.000Z/2026-12-25T00:00:00.000Z Christmas Eve",
  ]);
});

test("the holidays of one date are one absence, with the key of the date", () => {
  const together = [
    holiday("2026-05-14", "Eve", 18 * HOUR),
    holiday("2026-05-14", "Ascension"),
    holiday("2026-05-14", "Ascension"),
    holiday("2026-05-15", "Other"),
  ];
  const absences = holidayAbsences(together, zoneOf("UTC"));
  expect(absences.map(({ key, reason }) => [key, reason])).toEqual([
    ["2026-05-14", "Eve, Ascension"],
    ["2026-05-15", "Other"],
  ]);
  expect(absences[0]?.startAt).toBe(dayOf("2026-05-14") * DAY);
});

test("they are read from the local date of the person on, for a year", () => {
  const now = Date.parse("2026-12-31T20:00:00Z");
  const tokyo = holidayDates(zoneOf("Asia/Tokyo"), now);
  expect(tokyo).toEqual({ from: dayOf("2027-01-01"), to: dayOf("2028-01-02") });
  expect(holidayDates(zoneOf("UTC"), now).from).toBe(dayOf("2026-12-31"));
});
