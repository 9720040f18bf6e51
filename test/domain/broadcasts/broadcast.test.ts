// How a broadcast goes on, and when it may be answered: decided from what is known, at one instant.
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

const progress = (told: string[], more: Partial<BroadcastProgress> = {}): BroadcastProgress => ({
  notified: new Set(told),
  unconfirmed: 0,
  sent: told.length,
  waiting: 0,
  ...more,
});

describe("what happens next", () => {
  test("nobody is told yet: everybody is, and it is open until its deadline", () => {
    const next = nextBroadcastStep(question({ status: "queued" }), ["a", "b"], progress([]), NOW);
    expect(next).toEqual({ toNotify: ["a", "b"], status: "open", checkAt: LATER });
  });

  test("somebody has joined the recipients: only they are told", () => {
    const next = nextBroadcastStep(question(), ["a", "b", "c"], progress(["a", "b"]), NOW);
    expect(next).toEqual({ toNotify: ["c"], status: "open", checkAt: LATER });
  });

  test("a deadline that is over when it is made: it is told all the same, then closed", () => {
    const over = question({ status: "queued", responseRequestedBy: NOW });
    expect(nextBroadcastStep(over, ["a"], progress([]), NOW)).toMatchObject({ toNotify: ["a"] });
    const told = nextBroadcastStep(over, ["a"], progress(["a"], { unconfirmed: 1 }), NOW);
    expect(told).toEqual({ toNotify: [], status: "closed", checkAt: null });
  });

  test("one millisecond before the deadline it is open, at the deadline closed", () => {
    const at = (now: number) => nextBroadcastStep(question(), ["a"], progress(["a"]), now).status;
    expect([at(LATER - 1), at(LATER)]).toEqual(["open", "closed"]);
  });

  test.each([
    ["an answer is asked for", true, "open"],
    ["none is", false, "closed"],
  ] as const)("all were attempted, %s", (_, responseRequested, status) => {
    const next = nextBroadcastStep(question({ responseRequested }), ["a"], progress(["a"]), NOW);
    expect(next.status).toBe(status);
  });

  test("while pages are on their way it stays open", () => {
    const held = question({ responseRequested: false, responseRequestedBy: null });
    const underWay = progress(["a"], { unconfirmed: 1, sent: 0 });
    const next = nextBroadcastStep(held, ["a"], underWay, NOW);
    expect(next).toEqual({ toNotify: [], status: "open", checkAt: null });
  });

  test("what somebody put aside is looked at again, at the deadline at the latest", () => {
    const aside = progress(["a"], { sent: 0, waiting: 1 });
    const held = question({ responseRequestedBy: null });
    expect(nextBroadcastStep(held, ["a"], aside, NOW)).toEqual({
      toNotify: [],
      status: "open",
      checkAt: NOW + 15_000,
    });
    const soon = question({ responseRequestedBy: NOW + 5 });
    expect(nextBroadcastStep(soon, ["a"], aside, NOW).checkAt).toBe(NOW + 5);
  });

  test.each([
    ["nobody could be reached", ["a"], ["a"]],
    ["there is nobody to tell", [], []],
  ])("%s: errored", (_, recipients, told) => {
    const next = nextBroadcastStep(question(), recipients, progress(told, { sent: 0 }), NOW);
    expect(next).toEqual({ toNotify: [], status: "errored", checkAt: null });
  });

  test.each(["closed", "errored"] as const)("%s: nobody is told any more", (status) => {
    const next = nextBroadcastStep(question({ status }), ["a", "b"], progress(["a"]), NOW);
    expect(next).toEqual({ toNotify: [], status, checkAt: null });
  });
});

describe("an answer", () => {
  test.each([
    ["is taken before the deadline", {}, null],
    ["is taken where there is none", { responseRequestedBy: null }, null],
    ["is too late at it", { responseRequestedBy: NOW }, /responses were accepted until/],
    ["comes to nothing once it is closed", { status: "closed" }, /is closed/],
    ["was not asked for", { responseRequested: false }, /requests no response/],
  ] as const)("%s", (_, more, why) => {
    const refusal = refuseResponse(question(more), NOW);
    if (why === null) expect(refusal).toBeNull();
    else expect(refusal?.errors[0]?.message).toMatch(why);
  });
});
