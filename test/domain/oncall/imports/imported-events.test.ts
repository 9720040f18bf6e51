/** The overrides of imported shifts when a reading of the calendar changes, ends or removes these. */
import { describe, expect, it } from "vitest";
import {
  decideImport,
  type FeedShift,
} from "../../../../src/domain/oncall/imports/import-decision.ts";
import { eventsAfterReading } from "../../../../src/domain/oncall/imports/imported-events.ts";
import type { OnCallEvent } from "../../../../src/domain/oncall/on-call-event.ts";
import { onCallBetween } from "../../../../src/domain/oncall/oncall.ts";
import { event } from "../../../support/oncall/oncall-makers.ts";
import { scheduleOf } from "../../../support/oncall/schedule-of.ts";

const NOW = 1_000;

const shift = (startAt: number, endAt: number): OnCallEvent =>
  event({ id: "shift", startAt, endAt });

/** Overrides of the shift, each made by the one before. */
const overrides = (...hours: readonly (readonly [number, number])[]) =>
  hours.map(([startAt, endAt], index) =>
    event({
      ...{ id: `o${index}`, seriesId: "shift", parentId: index > 0 ? `o${index - 1}` : "shift" },
      ...{ startAt, endAt, who: "X", createdAt: index + 1 },
    }),
  );

const feed = (startAt: number, endAt: number, who = "A"): FeedShift => ({
  ...{ key: "key", startAt, endAt, timeZone: "Etc/UTC", layer: 1, attendeeIds: [...who] },
});

/** `new1 of shift` for each event after a reading. */
function read(stored: readonly OnCallEvent[], calendar: readonly FeedShift[]) {
  const known = stored
    .filter(({ parentId }) => parentId === null)
    .map(({ id, startAt, endAt, layer, attendees }) => ({
      ...{ eventId: id, key: "key", startAt, endAt, layer },
      attendeeIds: attendees.map(({ attendeeId }) => attendeeId),
    }));
  let made = 0;
  const changes = decideImport(known, calendar, NOW);
  const events = eventsAfterReading(stored, { changes, now: NOW, newId: () => `new${made++}` });
  const who = onCallBetween(scheduleOf(events), 0, 10_000).map(
    ({ startAt, endAt, attendees }) =>
      `${startAt}..${endAt} ${attendees.map(({ attendeeId }) => attendeeId).join("")}`,
  );
  return { events: events.map(({ id, seriesId }) => `${id} of ${seriesId}`), who: who.sort() };
}

describe("overrides of an imported shift", () => {
  it("replace the shift that continues it, too, and stay as they are", () => {
    const stored = [shift(500, 3_000), ...overrides([600, 1_500], [2_000, 2_200])];
    expect(read(stored, [feed(500, 3_000, "B")])).toEqual({
      events: ["shift of shift", "new0 of shift", "o0 of shift", "o1 of shift"],
      who: ["1500..2000 B", "2000..2200 X", "2200..3000 B", "500..600 A", "600..1500 X"],
    });
  });

  it("stay with a shift that is moved where it still has hours of theirs", () => {
    const stored = [shift(2_000, 3_000), ...overrides([2_000, 2_400], [2_600, 3_000])];
    expect(read(stored, [feed(2_500, 3_500)])).toEqual({
      events: ["shift of shift", "o1 of shift"],
      who: ["2500..2600 A", "2600..3000 X", "3000..3500 A"],
    });
  });

  it("stay where nothing changes, with the shift before the one that is moved to come", () => {
    const stored = [shift(500, 3_000), ...overrides([600, 900], [1_200, 1_400], [2_500, 3_000])];
    expect(read(stored, [feed(500, 3_000)]).events).toEqual([
      ...["shift of shift", "o0 of shift", "o1 of shift", "o2 of shift"],
    ]);
    expect(read(stored, [feed(2_000, 4_000)])).toEqual({
      events: ["shift of shift", "new0 of shift", "o0 of shift", "o2 of shift"],
      who: [
        "2000..2500 A",
        "2500..3000 X",
        "3000..4000 A",
        "500..600 A",
        "600..900 X",
        "900..1000 A",
      ],
    });
  });

  it("to come go with a shift that ends now, and all with one that is removed", () => {
    const later = [shift(500, 3_000), ...overrides([600, 900], [1_200, 1_400])];
    expect(read(later, [])).toEqual({
      events: ["shift of shift", "o0 of shift"],
      who: ["500..600 A", "600..900 X", "900..1000 A"],
    });
    const coming = [shift(2_000, 3_000), ...overrides([2_000, 2_100], [2_050, 2_200])];
    expect(read(coming, [])).toEqual({ events: [], who: [] });
  });

  it("are not those of another shift of the calendar", () => {
    const other = { ...feed(2_000, 3_000), key: "other" };
    const stored = [shift(2_000, 3_000), ...overrides([2_000, 2_400])];
    expect(read(stored, [feed(4_000, 5_000), other])).toEqual({
      events: ["shift of shift", "new0 of new0"],
      who: ["2000..3000 A", "4000..5000 A"],
    });
  });
});
