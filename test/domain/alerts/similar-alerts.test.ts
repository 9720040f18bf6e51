// Titles that differ only by numbers are the same without them; titles that differ by a word are not.
import fc from "fast-check";
import { expect, test } from "vitest";
import { titleWithoutNumbers } from "../../../src/domain/alerts/similar-alerts.ts";
import { sized } from "../../support/generated/sizes.ts";

test.each([
  ["Disk 91 % full on db-1", "disk % full on db-"],
  ["Łukasz’s Backup FAILED", "lukasz’s backup failed"],
  ["p99 above 2.5s (was -0.3 s)", "p above s (was s)"],
  ["Lag of 1,234,567 events", "lag of events"],
  ["10.0.0.1:8080 is down", "is down"],
  ["Job 550e8400-e29b-41d4-a716-446655440000 failed", "job failed"],
  ["Job aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee failed", "job failed"],
  ["Commit deadbee5 does not build", "commit does not build"],
  ["Fault at 0xDEADBEEF", "fault at"],
  ["Decade without a facade", "decade without a facade"],
  ["Pod checkout-7d9f8b6c5-x2x9z restarted", "pod checkout- - restarted"],
  ["k8s: s3 is slow", "k s: s is slow"],
  ["Backup of 2026-11-28T03:04:05.678+01:00 failed", "backup of failed"],
  ["Backup of 2026-11-28 03:04 failed", "backup of failed"],
  ["Backup of Sat, 28 Nov 2026 failed", "backup of failed"],
  ["Backup of November 28th, 2026 at 3:04 am failed", "backup of at failed"],
  ["March of the penguins may fail", "march of the penguins may fail"],
  ["٣ nodes down", "nodes down"],
  ["42", ""],
])("%s: %s", (title, expected) => {
  expect(titleWithoutNumbers(title)).toBe(expected);
});

const word = fc.constantFrom(
  ...["Disk", "full", "on", "db", "latency", "above", "ms", "zone", "%", "Überlauf", "→", "wolf"],
);
const padded = (value: number, width: number) => String(value).padStart(width, "0");
const instant = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2099-12-31T00:00:00Z") })
  .filter((date) => !Number.isNaN(date.getTime()));
const MONTHS = ["Jan", "February", "Mar", "April", "May", "Jun", "July", "Aug", "Sep", "October"];

/** Each is a kind of number, as two titles of a rule have it. */
const KINDS = [
  fc.nat().map(String),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((it) => it.toFixed(2)),
  fc.uuid(),
  fc.nat({ max: 2 ** 32 - 1 }).map((it) => `0x${it.toString(16)}`),
  fc.stringMatching(/^[0-9a-f]{8}[0-9]$/),
  fc.stringMatching(/^[a-z]{2}[0-9][a-z]{2}[0-9]{2}$/),
  instant.map((date) => date.toISOString()),
  instant.map((date) => date.toISOString().slice(0, 16).replace("T", " ")),
  fc
    .record({ day: fc.integer({ min: 1, max: 28 }), month: fc.constantFrom(...MONTHS) })
    .map(({ day, month }) => `${month} ${day}, 2026`),
  fc
    .record({ hour: fc.nat({ max: 23 }), minute: fc.nat({ max: 59 }) })
    .map(({ hour, minute }) => `${padded(hour, 2)}:${padded(minute, 2)}`),
];

/** Words with places for numbers, and two fillings of each place. */
const titlePair = fc
  .array(fc.tuple(word, fc.option(fc.constantFrom(...KINDS).chain((it) => fc.tuple(it, it)))), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => {
    const filled = (which: 0 | 1) =>
      parts.flatMap(([text, number]) => (number ? [text, number[which]] : [text])).join(" ");
    return { one: filled(0), other: filled(1), words: parts.map(([text]) => text) };
  });

test("titles that differ only by numbers are the same without them", () => {
  fc.assert(
    fc.property(titlePair, ({ one, other }) => {
      expect(titleWithoutNumbers(one)).toBe(titleWithoutNumbers(other));
    }),
    { numRuns: sized(500, 20_000) },
  );
});

test("the words of a title stay, so that titles with other words differ", () => {
  fc.assert(
    fc.property(titlePair, ({ one, words }) => {
      expect(titleWithoutNumbers(one)).toBe(titleWithoutNumbers(words.join(" ")));
    }),
    { numRuns: sized(500, 20_000) },
  );
});

test("of any text no digit is left, and nothing more is left out the second time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), (title) => {
      const without = titleWithoutNumbers(title);
      expect(without).not.toMatch(/\p{N}/u);
      expect(titleWithoutNumbers(without)).toBe(without);
    }),
    { numRuns: sized(2_000, 100_000) },
  );
});
