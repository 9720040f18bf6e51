// When each `Id`'s events are delivered: first events, acknowledges and resolves at once, repetitions at most once a
// second, and less often under load.
import { describe, expect, test } from "vitest";
import {
  DeliverySchedule,
  MAX_PARALLEL_DELIVERIES,
  MAX_REPETITION_DELIVERIES,
} from "../../../src/objects/integrations/inbox/delivery-schedule.ts";

const NOW = Date.UTC(2026, 4, 20, 12);

/** Delivers one event of an `Id`. */
function deliver(schedule: DeliverySchedule, id: string, urgent: number, now: number): void {
  expect(schedule.take(now)).toBe(id);
  schedule.done(id, { urgent, more: false }, now);
}

/** A schedule that has just delivered one event of each of this many `Id`s. */
function scheduleAfter(ids: number): DeliverySchedule {
  const schedule = new DeliverySchedule();
  for (let i = 0; i < ids; i += 1) {
    schedule.add(`id ${i}`, 0, NOW);
    deliver(schedule, `id ${i}`, 0, NOW);
  }
  return schedule;
}

describe("a repetition", () => {
  test.each([
    [1, 1_000],
    [19, 1_000],
    [50, 3_000],
    [5_000, 30_000],
  ])("with %i recent Ids waits %i ms", (ids, wait) => {
    const schedule = scheduleAfter(ids);
    schedule.add("id 0", 0, NOW + 1);
    expect(schedule.take(NOW + wait - 1)).toBeNull();
    expect(schedule.nextDueAt(NOW + 1)).toBe(NOW + wait);
    expect(schedule.take(NOW + wait)).toBe("id 0");
  });

  test("does not wait once an urgent event is pending, nor after one", () => {
    const schedule = scheduleAfter(500);
    schedule.add("id 0", 0, NOW);
    schedule.add("id 0", 1, NOW);
    deliver(schedule, "id 0", 1, NOW);
    schedule.add("id 0", 0, NOW);
    expect(schedule.take(NOW)).toBe("id 0");
  });

  test("waits only a second after the load has ended", () => {
    const schedule = scheduleAfter(500);
    const later = NOW + 30_000;
    expect(schedule.nextDueAt(later)).toBeNull();
    schedule.add("id 0", 0, later);
    deliver(schedule, "id 0", 0, later);
    schedule.add("id 0", 0, later);
    expect(schedule.take(later + 1_000)).toBe("id 0");
  });

  test("does not wait longer when the clock is set back", () => {
    const schedule = scheduleAfter(1);
    schedule.add("id 0", 0, NOW + 1);
    const back = NOW - 3_600_000;
    expect(schedule.nextDueAt(back)).toBeLessThanOrEqual(back);
    expect(schedule.take(back)).toBe("id 0");
  });
});

test("delivers the first event of an Id at once under any load", () => {
  const schedule = scheduleAfter(5_000);
  schedule.add("new", 0, NOW);
  expect(schedule.take(NOW)).toBe("new");
});

describe("repetitions", () => {
  test("are delivered after new first events, even if they have waited longer", () => {
    const schedule = scheduleAfter(1);
    schedule.add("id 0", 0, NOW);
    const later = NOW + 5_000;
    schedule.add("new", 0, later);
    expect(schedule.take(later)).toBe("new");
    expect(schedule.take(later)).toBe("id 0");
  });

  test("use only a share of the parallel deliveries, and release it", () => {
    const schedule = scheduleAfter(MAX_PARALLEL_DELIVERIES);
    const later = NOW + 30_000;
    for (let i = 0; i < MAX_PARALLEL_DELIVERIES; i += 1) schedule.add(`id ${i}`, 0, later - 1);
    for (let i = 0; i < MAX_REPETITION_DELIVERIES; i += 1)
      expect(schedule.take(later)).toBe(`id ${i}`);
    expect(schedule.take(later)).toBeNull();
    schedule.add("new", 0, later);
    expect(schedule.take(later)).toBe("new");
    schedule.done("id 0", { urgent: 0, more: false }, later);
    schedule.failed("id 1", later);
    expect(schedule.take(later)).toBe(`id ${MAX_REPETITION_DELIVERIES}`);
  });
});

test("delivers the events of an Id one at a time, and a limited number of Ids in parallel", () => {
  const schedule = new DeliverySchedule();
  for (let i = 0; i <= MAX_PARALLEL_DELIVERIES; i += 1) schedule.add(`id ${i}`, 0, NOW);
  const taken = Array.from({ length: MAX_PARALLEL_DELIVERIES }, () => schedule.take(NOW));
  expect(new Set(taken).size).toBe(MAX_PARALLEL_DELIVERIES);
  expect(schedule.take(NOW)).toBeNull();
  schedule.failed("id 0", NOW);
  expect(schedule.take(NOW)).toBe(`id ${MAX_PARALLEL_DELIVERIES}`);
  schedule.failed("id 1", NOW);
  expect(schedule.take(NOW)).toBeNull();
  expect(["id 0", "id 1"]).toContain(schedule.take(NOW + 250));
});
