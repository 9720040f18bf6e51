// Calendar feeds, read by two calendar libraries: the one that the service uses, and another.
import fc from "fast-check";
import ICAL from "ical.js";
import nodeIcal from "node-ical";
import { expect, test } from "vitest";
import { calendarText } from "../../../../src/features/oncall/feeds/calendar-text.ts";
import { sized } from "../../../support/generated/sizes.ts";

const HOUR = 3_600_000;
const NOW = Date.UTC(2027, 0, 1);

/** Names with what iCalendar escapes, folds, or counts in octets. */
const name = fc
  .string({
    unit: fc.constantFrom(..."Aé𝔸日 ,;:\\\"'=<-\n\t\u2028", "BEGIN:", "long ".repeat(20), "\r\n"),
    minLength: 1,
    maxLength: 30,
  })
  .map((text) => `x${text}x`);

const shift = fc.record({
  start: fc.integer({ min: -2_000, max: 20_000 }),
  hours: fc.integer({ min: 1, max: 400 }),
  summary: name,
  description: name,
});

/** Line breaks and other control characters become spaces. */
const shown = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();

type Read = { uid: string; start: number; end: number; summary: string; description: string };

const byUid = (one: Read, other: Read) => (one.uid < other.uid ? -1 : 1);

/** By the library that the service uses. */
const readByOne = (text: string): Read[] =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((component) => new ICAL.Event(component))
    .map((it) => ({
      uid: it.uid,
      start: it.startDate.toJSDate().getTime(),
      end: it.endDate.toJSDate().getTime(),
      summary: it.summary,
      description: it.description,
    }))
    .sort(byUid);

/** By another. */
const readByAnother = (text: string): Read[] =>
  Object.values(nodeIcal.sync.parseICS(text))
    .flatMap((it) => (it?.type === "VEVENT" ? [it] : []))
    .map((it) => ({
      uid: it.uid,
      start: Number(it.start),
      end: Number(it.end),
      summary: String(it.summary),
      description: String(it.description),
    }))
    .sort(byUid);

test("a feed is read alike by two libraries", () => {
  fc.assert(
    fc.property(name, fc.array(shift, { maxLength: 6 }), (title, drawn) => {
      const shifts = drawn.map(({ start, hours, summary, description }, index) => ({
        uid: `shift-${index}@example.com`,
        startAt: NOW + start * HOUR,
        endAt: NOW + (start + hours) * HOUR,
        summary,
        description,
      }));
      const text = calendarText(title, shifts, NOW);
      const expected = shifts
        .map(({ uid, startAt, endAt, summary, description }) => ({
          ...{ uid, start: startAt, end: endAt },
          ...{ summary: shown(summary), description: shown(description) },
        }))
        .sort(byUid);
      expect(readByOne(text)).toEqual(expected);
      expect(readByAnother(text)).toEqual(expected);
      // Who subscribes is not busy around the clock.
      expect(text.match(/^TRANSP:TRANSPARENT\r$/gm) ?? []).toHaveLength(shifts.length);
      // RFC 5545, 3.1: lines end in CRLF and have at most 75 octets.
      const lines = text.split("\r\n");
      expect(Math.max(...lines.map((line) => new TextEncoder().encode(line).length))).toBeLessThan(
        76,
      );
      expect(lines.some((line) => /[\r\n]/.test(line))).toBe(false);
    }),
    { numRuns: sized(150, 10_000) },
  );
});
