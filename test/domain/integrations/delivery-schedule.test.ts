// When each `Id`'s events are delivered: first events, acknowledges and resolves at once, repetitions at most once a
// second, and less often under load.
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import {
  DeliverySchedule,
  MAX_PARALLEL_DELIVERIES,
  MAX_REPETITION_DELIVERIES,
} from "../../../src/features/integrations/inbox/delivery-schedule.ts";
import { Heap } from "../../../src/kernel/objects/heap.ts";

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

/** The order of delivery, described without regard to its cost: looks at every pending `Id` each time. */
class Described {
  readonly #pending = new Map<
    string,
    {
      urgent: number;
      dueAt: number;
      retryAt: number;
      failures: number;
      busy: boolean;
      counting: boolean;
    }
  >();
  readonly #deliveredAt = new Map<string, number>();

  add(id: string, urgent: number, now: number): void {
    const last = this.#deliveredAt.get(id);
    const progress = this.#pending.get(id) ?? {
      ...{ urgent: 0, dueAt: last === undefined ? now : last + 1_000, retryAt: 0, failures: 0 },
      ...{ busy: false, counting: false },
    };
    progress.urgent += urgent;
    this.#pending.set(id, progress);
  }

  take(now: number): string | null {
    const all = [...this.#pending.values()];
    if (all.filter((it) => it.busy).length >= MAX_PARALLEL_DELIVERIES) return null;
    const due = [...this.#pending].filter(([, it]) => {
      const at = it.urgent > 0 ? it.retryAt : Math.max(it.dueAt, it.retryAt);
      return !it.busy && at <= now;
    });
    const first = due.find(([id, it]) => it.urgent > 0 || !this.#deliveredAt.has(id));
    const [id, progress] = first ?? due[0] ?? [];
    if (id === undefined || progress === undefined) return null;
    const counting = all.filter((it) => it.busy && it.counting).length;
    if (!first && counting >= MAX_REPETITION_DELIVERIES) return null;
    Object.assign(progress, { busy: true, counting: !first });
    return id;
  }

  done(id: string, settled: { urgent: number; more: boolean }, now: number): void {
    const progress = this.#pending.get(id);
    if (settled.urgent > 0) this.#deliveredAt.delete(id);
    else this.#deliveredAt.set(id, now);
    if (!progress) return;
    const urgent = Math.max(0, progress.urgent - settled.urgent);
    const dueAt = settled.urgent > 0 ? now : now + 1_000;
    Object.assign(progress, { busy: false, failures: 0, urgent, dueAt });
    if (!settled.more) this.#pending.delete(id);
  }

  failed(id: string, now: number): void {
    const progress = this.#pending.get(id);
    if (!progress) return;
    const retryAt = now + Math.min(250 * 2 ** progress.failures, 10_000);
    Object.assign(progress, { busy: false, retryAt, failures: progress.failures + 1 });
  }
}

test("delivers in the described order, whatever happens", () => {
  const id = fc.integer({ min: 0, max: 14 });
  const step = fc.oneof(
    fc.record({ kind: fc.constant("add" as const), id, urgent: fc.boolean() }),
    fc.record({ kind: fc.constant("take" as const), times: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ kind: fc.constant("done" as const), pick: fc.nat(), more: fc.boolean() }),
    fc.record({ kind: fc.constant("failed" as const), pick: fc.nat() }),
    fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 700 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const [schedule, described] = [new DeliverySchedule(), new Described()];
      const running: { id: string; urgent: number }[] = [];
      let now = NOW;
      for (const it of steps) {
        if (it.kind === "add") {
          for (const one of [schedule, described]) one.add(`id ${it.id}`, it.urgent ? 1 : 0, now);
        } else if (it.kind === "wait") {
          now += it.ms;
        } else if (it.kind === "take") {
          for (let i = 0; i < it.times; i += 1) {
            const taken = schedule.take(now);
            expect(taken).toBe(described.take(now));
            if (taken !== null) running.push({ id: taken, urgent: i % 2 });
          }
        } else {
          const [ended] = running.length > 0 ? running.splice(it.pick % running.length, 1) : [];
          if (ended === undefined) continue;
          for (const one of [schedule, described]) {
            if (it.kind === "failed") one.failed(ended.id, now);
            else one.done(ended.id, { urgent: ended.urgent, more: it.more }, now);
          }
        }
      }
    }),
  );
});

test("finds the next of 20,000 pending Ids without looking at the others", () => {
  const schedule = new DeliverySchedule();
  for (let i = 0; i < 20_000; i += 1) schedule.add(`id ${i}`, 0, NOW);
  const pop = vi.spyOn(Heap.prototype, "pop");
  const push = vi.spyOn(Heap.prototype, "push");
  const iterate = vi.spyOn(Map.prototype, "values");
  for (let i = 0; i < 1_000; i += 1) {
    deliver(schedule, `id ${i}`, 0, NOW);
    schedule.add(`id ${i}`, 0, NOW);
  }
  expect(iterate).not.toHaveBeenCalled();
  expect(pop.mock.calls.length + push.mock.calls.length).toBeLessThan(5_000);
  vi.restoreAllMocks();
});
