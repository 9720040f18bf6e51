// The next step of a broadcast, and when it accepts responses.
import { describe, expect, test } from "vitest";
import {
  type BroadcastProgress,
  type BroadcastQuestion,
  nextBroadcastStep,
  refuseResponse,
} from "../../../src/domain/broadcasts/broadcast.ts";

const NOW = Date.UTC(2026, 2, 2, 9);
const LATER = NOW + 60_000;

const question = (more: Partial<BroadcastQuestion> = {}): BroadcastQuestion => ({
  status: "open",
  responseRequested: true,
  responseRequestedBy: LATER,
  ...more,
});

const progress = (
  notified: string[],
  more: Partial<BroadcastProgress> = {},
): BroadcastProgress => ({
  notified: new Set(notified),
  unconfirmed: 0,
  sent: notified.length,
  waiting: 0,
  ...more,
});

describe("the next step", () => {
  test("notifies every recipient and opens the broadcast until its deadline", () => {
    const next = nextBroadcastStep(question({ status: "queued" }), ["a", "b"], progress([]), NOW);
    expect(next).toEqual({ toNotify: ["a", "b"], status: "open", checkAt: LATER });
  });

  test("notifies only recipients who were added", () => {
    const next = nextBroadcastStep(question(), ["a", "b", "c"], progress(["a", "b"]), NOW);
    expect(next).toEqual({ toNotify: ["c"], status: "open", checkAt: LATER });
  });

  test("notifies even if the deadline passed before creation, then closes", () => {
    const over = question({ status: "queued", responseRequestedBy: NOW });
    expect(nextBroadcastStep(over, ["a"], progress([]), NOW)).toMatchObject({ toNotify: ["a"] });
    const next = nextBroadcastStep(over, ["a"], progress(["a"], { unconfirmed: 1 }), NOW);
    expect(next).toEqual({ toNotify: [], status: "closed", checkAt: null });
  });

  test("closes at the deadline, not a millisecond before", () => {
    const at = (now: number) => nextBroadcastStep(question(), ["a"], progress(["a"]), now).status;
    expect([at(LATER - 1), at(LATER)]).toEqual(["open", "closed"]);
  });

  test.each([
    ["stays open after all attempts if a response is requested", true, "open"],
    ["closes after all attempts if no response is requested", false, "closed"],
  ] as const)("%s", (_, responseRequested, status) => {
    const next = nextBroadcastStep(question({ responseRequested }), ["a"], progress(["a"]), NOW);
    expect(next.status).toBe(status);
  });

  test("stays open while pages are unconfirmed", () => {
    const noResponse = question({ responseRequested: false, responseRequestedBy: null });
    const unconfirmed = progress(["a"], { unconfirmed: 1, sent: 0 });
    const next = nextBroadcastStep(noResponse, ["a"], unconfirmed, NOW);
    expect(next).toEqual({ toNotify: [], status: "open", checkAt: null });
  });

  test("checks deferred attempts again, at the deadline at the latest", () => {
    const deferred = progress(["a"], { sent: 0, waiting: 1 });
    const noDeadline = question({ responseRequestedBy: null });
    expect(nextBroadcastStep(noDeadline, ["a"], deferred, NOW)).toEqual({
      toNotify: [],
      status: "open",
      checkAt: NOW + 15_000,
    });
    const soon = question({ responseRequestedBy: NOW + 5 });
    expect(nextBroadcastStep(soon, ["a"], deferred, NOW).checkAt).toBe(NOW + 5);
  });

  test.each([
    ["nobody could be reached", ["a"], ["a"]],
    ["there are no recipients", [], []],
  ])("is errored if %s", (_, recipients, notified) => {
    const next = nextBroadcastStep(question(), recipients, progress(notified, { sent: 0 }), NOW);
    expect(next).toEqual({ toNotify: [], status: "errored", checkAt: null });
  });

  test.each(["closed", "errored"] as const)("notifies nobody if the status is %s", (status) => {
    const next = nextBroadcastStep(question({ status }), ["a", "b"], progress(["a"]), NOW);
    expect(next).toEqual({ toNotify: [], status, checkAt: null });
  });
});

describe("a response", () => {
  test.each([
    ["is accepted before the deadline", {}, null],
    ["is accepted if there is no deadline", { responseRequestedBy: null }, null],
    ["is refused at the deadline", { responseRequestedBy: NOW }, /responses were accepted until/],
    ["is refused once the broadcast is closed", { status: "closed" }, /is closed/],
    ["is refused if none is requested", { responseRequested: false }, /requests no response/],
  ] as const)("%s", (_, more, message) => {
    const refusal = refuseResponse(question(more), NOW);
    if (message === null) expect(refusal).toBeNull();
    else expect(refusal?.errors[0]?.message).toMatch(message);
  });
});
