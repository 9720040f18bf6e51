// Which `Id`'s events are handed on when: firsts and answers at once, duplicates once a second, in a storm less often.
import { describe, expect, test } from "vitest";
import {
  DeliverySchedule,
  MAX_PARALLEL_DELIVERIES,
  MAX_REPETITION_DELIVERIES,
} from "../../../src/objects/integrations/inbox/delivery-schedule.ts";

const NOW = Date.UTC(2026, 4, 20, 12);

/** Hands one event of a lane on. */
function handOn(lanes: DeliverySchedule, id: string, urgent: number, now: number): void {
  expect(lanes.take(now)).toBe(id);
  lanes.done(id, { urgent, more: false }, now);
}

/** Lanes on which so many `Id`s have been handed on just now. */
function lanesAfter(ids: number): DeliverySchedule {
  const lanes = new DeliverySchedule();
  for (let i = 0; i < ids; i += 1) {
    lanes.add(`id ${i}`, 0, NOW);
    handOn(lanes, `id ${i}`, 0, NOW);
  }
  return lanes;
}

describe("a duplicate waits", () => {
  test.each([
    [1, 1_000],
    [19, 1_000],
    [50, 3_000],
    [5_000, 30_000],
  ])("where %i Ids were handed on lately: %i ms", (ids, wait) => {
    const lanes = lanesAfter(ids);
    lanes.add("id 0", 0, NOW + 1);
    expect(lanes.take(NOW + wait - 1)).toBeNull();
    expect(lanes.nextDueAt(NOW + 1)).toBe(NOW + wait);
    expect(lanes.take(NOW + wait)).toBe("id 0");
  });

  test("not once an answer has come, nor after one", () => {
    const lanes = lanesAfter(500);
    lanes.add("id 0", 0, NOW);
    lanes.add("id 0", 1, NOW);
    handOn(lanes, "id 0", 1, NOW);
    lanes.add("id 0", 0, NOW);
    expect(lanes.take(NOW)).toBe("id 0");
  });

  test("no longer when the storm is over", () => {
    const lanes = lanesAfter(500);
    const later = NOW + 30_000;
    expect(lanes.nextDueAt(later)).toBeNull();
    lanes.add("id 0", 0, later);
    handOn(lanes, "id 0", 0, later);
    lanes.add("id 0", 0, later);
    expect(lanes.take(later + 1_000)).toBe("id 0");
  });

  test("no longer than it would have, when the clock is put back", () => {
    const lanes = lanesAfter(1);
    lanes.add("id 0", 0, NOW + 1);
    const back = NOW - 3_600_000;
    expect(lanes.nextDueAt(back)).toBeLessThanOrEqual(back);
    expect(lanes.take(back)).toBe("id 0");
  });
});

test("the first event of an Id does not wait, whatever else does", () => {
  const lanes = lanesAfter(5_000);
  lanes.add("new", 0, NOW);
  expect(lanes.take(NOW)).toBe("new");
});

describe("what only counts", () => {
  test("goes after what has just come, though it has waited for longer", () => {
    const lanes = lanesAfter(1);
    lanes.add("id 0", 0, NOW);
    const later = NOW + 5_000;
    lanes.add("new", 0, later);
    expect(lanes.take(later)).toBe("new");
    expect(lanes.take(later)).toBe("id 0");
  });

  test("never takes every hand, and gives its own back", () => {
    const lanes = lanesAfter(MAX_PARALLEL_DELIVERIES);
    const later = NOW + 30_000;
    for (let i = 0; i < MAX_PARALLEL_DELIVERIES; i += 1) lanes.add(`id ${i}`, 0, later - 1);
    for (let i = 0; i < MAX_REPETITION_DELIVERIES; i += 1)
      expect(lanes.take(later)).toBe(`id ${i}`);
    expect(lanes.take(later)).toBeNull();
    lanes.add("new", 0, later);
    expect(lanes.take(later)).toBe("new");
    lanes.done("id 0", { urgent: 0, more: false }, later);
    lanes.failed("id 1", later);
    expect(lanes.take(later)).toBe(`id ${MAX_REPETITION_DELIVERIES}`);
  });
});

test("a lane is in one hand at a time, and so many are side by side", () => {
  const lanes = new DeliverySchedule();
  for (let i = 0; i <= MAX_PARALLEL_DELIVERIES; i += 1) lanes.add(`id ${i}`, 0, NOW);
  const taken = Array.from({ length: MAX_PARALLEL_DELIVERIES }, () => lanes.take(NOW));
  expect(new Set(taken).size).toBe(MAX_PARALLEL_DELIVERIES);
  expect(lanes.take(NOW)).toBeNull();
  lanes.failed("id 0", NOW);
  expect(lanes.take(NOW)).toBe(`id ${MAX_PARALLEL_DELIVERIES}`);
  lanes.failed("id 1", NOW);
  expect(lanes.take(NOW)).toBeNull();
  expect(["id 0", "id 1"]).toContain(lanes.take(NOW + 250));
});
