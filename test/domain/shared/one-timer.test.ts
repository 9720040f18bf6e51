// A timer that can be requested repeatedly and exists at most once.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OneTimer } from "../../../src/kernel/objects/one-timer.ts";

let ran: number[];
let timer: OneTimer;
beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  ran = [];
  timer = new OneTimer(() => ran.push(Date.now()));
});
afterEach(() => {
  vi.useRealTimers();
});

test("fires once for all requests until then, and does not repeat", () => {
  for (let i = 0; i < 20_000; i += 1) timer.within(10);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(ran).toEqual([10]);
  expect(vi.getTimerCount()).toBe(0);
});

test("fires at the earliest requested time", () => {
  timer.within(500);
  timer.within(50);
  timer.within(200);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(ran).toEqual([50]);
});

test("can be requested again, also by its own callback", () => {
  timer = new OneTimer(() => {
    ran.push(Date.now());
    if (ran.length < 3) timer.within(5);
  });
  timer.within(0);
  vi.advanceTimersByTime(100);
  expect(ran).toEqual([0, 5, 10]);
});

test("is not delayed by a request made before the clock was set back", () => {
  vi.setSystemTime(86_400_000);
  timer.within(60_000);
  vi.setSystemTime(0);
  timer.within(10);
  vi.advanceTimersByTime(10);
  expect(ran).toEqual([10]);
});
