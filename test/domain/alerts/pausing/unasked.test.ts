// Alerts of which nobody was asked, as a window or a router suppressed them, and that were acknowledged: what
// follows asks their destinations, and does not drop them.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALERT_URGENCIES, nextStepAt } from "../../../../src/domain/alerts/alert.ts";
import type { AlertDraft, Command } from "../../../../src/domain/alerts/commands.ts";
import { sized } from "../../../support/generated/sizes.ts";
import {
  by,
  draft,
  type History,
  history,
  MINUTE,
  personAlone,
  SENDER,
  T0,
  team,
} from "../alert-makers.ts";

const CREW = team("t", ["ann bob", "cid"]);
const WINDOW = { at: T0, until: T0 + 60 * MINUTE };

const event = (sequence: number, changes: Partial<AlertDraft> = {}): Command => ({
  type: "create",
  draft: draft([CREW], changes),
  sequences: [sequence],
});

/** An alert that a window until minute 60 suppressed, and that was acknowledged. */
function acknowledged(who: typeof SENDER = by("ann")): History {
  const it = history([CREW, ...["ann", "bob", "cid"].map(personAlone)]);
  it.windows = [[0, 60]];
  it.do(event(1, { maintenance: WINDOW }), 0);
  it.do({ type: "acknowledge", by: who }, 5);
  return it;
}

const opened = (it: History) => it.pages.map((page) => `${page.event} ${page.accountUserId}`);
const LAYER = ["alert.open ann", "alert.open bob"];

describe("an alert that was acknowledged before anybody was asked", () => {
  test("asks its destinations at news", () => {
    const it = acknowledged();
    it.do(event(2, { urgency: "critical" }), 70);
    expect(it.alert).toMatchObject({ status: "open", urgency: "critical" });
    expect(opened(it)).toEqual(LAYER);
    const changed = acknowledged();
    const sender = { ...SENDER, integrationId: "integration" };
    changed.do({ type: "change", changes: { urgency: "critical" }, by: sender }, 70);
    expect(changed.alert?.status).toBe("open");
    expect(opened(changed)).toEqual(LAYER);
  });

  test("asks them at the end of a snooze", () => {
    const it = acknowledged();
    it.do({ type: "snooze", until: T0 + 90 * MINUTE, by: by("ann") }, 6);
    it.do({ type: "tick" }, 90);
    expect(it.alert).toMatchObject({ status: "open", snoozedUntil: null });
    expect(opened(it)).toEqual(LAYER);
  });

  test("is suppressed again if its acknowledgement is withdrawn in the window, and opens at its end", () => {
    const it = acknowledged(SENDER);
    it.do({ type: "unacknowledge", by: SENDER }, 6);
    expect(it.alert).toMatchObject({ status: "suppressed", suppressedUntil: WINDOW.until });
    it.do({ type: "tick" }, 60);
    expect(opened(it)).toEqual(LAYER);
    const late = acknowledged(SENDER);
    late.do({ type: "unacknowledge", by: SENDER }, 61);
    expect(late.alert).toMatchObject({ status: "open", suppressedUntil: null });
    expect(opened(late)).toEqual(LAYER);
  });

  test("needs the facts of its destinations and windows first", () => {
    const it = acknowledged(SENDER);
    it.facts = new Map();
    for (const command of [
      event(2, { urgency: "critical" }),
      { type: "unacknowledge", by: SENDER } as const,
    ])
      expect(it.do(command, 70)).toMatchObject({ kind: "needs" });
    expect(it.alert?.status).toBe("acknowledged");
  });

  test("stays acknowledged when its requested responders do not answer", () => {
    const it = acknowledged();
    const destinations = { teamIds: [], accountUserIds: ["cid"] };
    it.do({ type: "request_responders", destinations, note: null, by: by("ann") }, 6);
    it.do({ type: "tick" }, 30);
    expect(it.alert?.workflows).toMatchObject([{ state: "timed_out", isRequested: true }]);
    expect(it.alert?.status).toBe("acknowledged");
  });
});

describe("in a maintenance window, of a running alert", () => {
  const member = (name: string): Partial<AlertDraft> => ({
    members: { names: [name], isPartial: true },
  });
  const begun = (windows: History["windows"] = [[10, 60]]): History => {
    const it = history([CREW, ...["ann", "bob", "cid"].map(personAlone)]);
    it.do(event(1, member("db1")), 0);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    it.windows = windows;
    it.pages.length = 0;
    return it;
  };
  const maintenance = { at: T0 + 20 * MINUTE, until: T0 + 60 * MINUTE };
  const ended = (...names: string[]): Command => ({
    type: "resolve",
    by: { ...SENDER, integrationId: "integration" },
    ended: { thirdpartyId: "disk", names },
  });

  test("a member that starts is known, so that the end of another one resolves nothing, and told at the end", () => {
    const it = begun();
    it.do(event(2, { ...member("db2"), maintenance }), 20);
    it.do(ended("db1"), 30);
    expect(it.alert).toMatchObject({ status: "acknowledged", members: [{ names: ["db2"] }] });
    expect(opened(it)).toEqual([]);
    it.do({ type: "tick" }, 60);
    expect(it.alert?.status).toBe("open");
    expect(it.alert).not.toHaveProperty("muted");
    expect(opened(it)).toEqual(["alert.open ann"]);
    expect(it.pages.at(-1)?.detail).toBe("1 more: db2.");
  });

  test("one that has ended again within it is not told", () => {
    const it = begun();
    it.do(event(2, { ...member("db2"), maintenance }), 20);
    it.do(ended("db2"), 30);
    it.do({ type: "tick" }, 60);
    expect(it.alert).toMatchObject({ status: "acknowledged" });
    expect(opened(it)).toEqual([]);
  });

  test("a higher urgency is told at its end, or with the first event after it, once", () => {
    const it = begun();
    it.do(event(2, { ...member("db1"), urgency: "critical", maintenance }), 20);
    expect(it.alert).toMatchObject({ status: "acknowledged", urgency: "critical" });
    it.do(event(3, { ...member("db1"), urgency: "critical" }), 60);
    expect(opened(it)).toEqual(["alert.open ann"]);
    it.do({ type: "tick" }, 60);
    expect(opened(it)).toEqual(["alert.open ann"]);
  });

  test("moved or deleted windows move the end", () => {
    const it = begun();
    it.do(event(2, { ...member("db2"), maintenance }), 20);
    it.windows = [[10, 90]];
    it.do({ type: "tick" }, 60);
    expect(opened(it)).toEqual([]);
    expect(it.do({ type: "tick" }, 61)).toMatchObject({ kind: "unchanged" });
    it.windows = [];
    it.do({ type: "tick" }, 62);
    expect(opened(it)).toEqual(["alert.open ann"]);
  });

  test("an event of a dropped one opens it at the end", () => {
    const it = history([CREW]);
    it.do(event(1), 0);
    for (const at of [5, 10]) it.do({ type: "tick" }, at);
    expect(it.alert?.status).toBe("dropped");
    it.windows = [[10, 60]];
    it.do(event(2, { maintenance }), 20);
    expect(it.alert?.status).toBe("dropped");
    it.pages.length = 0;
    it.do({ type: "tick" }, 60);
    expect(it.alert?.status).toBe("open");
    expect(opened(it)).toEqual(LAYER);
  });

  test("a sender's change does not notify before its end", () => {
    const it = begun();
    const by_ = { ...SENDER, integrationId: "integration" };
    it.do({ type: "change", changes: { urgency: "critical" }, by: by_ }, 20);
    expect(it.alert).toMatchObject({ status: "acknowledged", urgency: "critical" });
    expect(opened(it)).toEqual([]);
    it.do({ type: "tick" }, 60);
    expect(opened(it)).toEqual(["alert.open ann"]);
  });

  test("nothing is left of it once the alert has ended", () => {
    const it = begun();
    it.do(event(2, { ...member("db2"), maintenance }), 20);
    it.do(ended("db1", "db2"), 30);
    expect(it.alert).toMatchObject({ status: "resolved" });
    expect(it.alert).not.toHaveProperty("muted");
  });
});

// ── Any history ──

type Step = { readonly command: Command; readonly wait: number };

const SOURCE = { ...SENDER, integrationId: "integration" };
const NAMES = ["db1", "db2", "db3"];
const who = fc.constantFrom(...["ann", "bob", "cid"].map(by));
const urgency = fc.constantFrom(...ALERT_URGENCIES);
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.subarray(NAMES, { minLength: 1 }), urgency, fc.constantFrom(0, 0, 7))
      .map(([names, given, pause]) =>
        event(0, {
          members: { names, isPartial: true },
          urgency: given,
          pauseMs: pause * MINUTE,
        }),
      ),
  },
  {
    weight: 4,
    arbitrary: fc.subarray(NAMES, { minLength: 1 }).map((names): Command => {
      const ended = { thirdpartyId: "disk", names };
      return { type: "resolve", by: SOURCE, ended };
    }),
  },
  {
    weight: 2,
    arbitrary: urgency.map(
      (it): Command => ({ type: "change", changes: { urgency: it }, by: SOURCE }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .oneof(who, fc.constant(SOURCE))
      .map((it): Command => ({ type: "acknowledge", by: it })),
  },
  { weight: 2, arbitrary: fc.constant({ type: "unacknowledge", by: SOURCE } as const) },
  {
    weight: 2,
    arbitrary: who.map((it): Command => ({ type: "snooze", until: T0 + 150 * MINUTE, by: it })),
  },
  { weight: 2, arbitrary: who.map((it): Command => ({ type: "reject", by: it })) },
  { weight: 1, arbitrary: who.map((it): Command => ({ type: "resolve", by: it })) },
  {
    weight: 1,
    arbitrary: who.map((it): Command => ({ type: "undo", areOthersNotified: true, by: it })),
  },
  { weight: 4, arbitrary: fc.constant({ type: "tick" } as const) },
);
const anyStep: fc.Arbitrary<Step> = fc.record({
  command: anyCommand,
  wait: fc.constantFrom(0, 0.5, 1, 3, 8, 20),
});
const anyWindows = fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 60 })), {
  maxLength: 3,
});

/** Runs the timers due until a minute; each of them leads on. */
function runTimers(it: History, until: number): void {
  for (let turns = 0; it.alert; turns += 1) {
    const next = nextStepAt(it.alert);
    if (next === null || next > T0 + until * MINUTE) return;
    expect(turns).toBeLessThan(100);
    it.do({ type: "tick" }, Math.max((next - T0) / MINUTE, 0));
  }
}

test("whatever happens in and after windows, timers lead on, and all that fires is told or waits for a window's end", () => {
  let told = 0;
  fc.assert(
    fc.property(anyWindows, fc.array(anyStep, { minLength: 3, maxLength: 25 }), (given, steps) => {
      const windows = given.map(([from, length]) => [from, from + length] as const);
      const it = history([CREW, ...["ann", "bob", "cid"].map(personAlone)]);
      it.windows = windows;
      let at = 0;
      for (const [i, { command, wait }] of steps.entries()) {
        at += wait;
        runTimers(it, at);
        const ends = windows.flatMap(([from, to]) => (from <= at && at < to ? [to] : []));
        const until = T0 + Math.max(...ends) * MINUTE;
        const maintenance = ends.length === 0 ? null : { at: T0 + at * MINUTE, until };
        const sent: Command =
          command.type === "create"
            ? { ...command, draft: { ...command.draft, maintenance }, sequences: [i + 1] }
            : command;
        const pages = it.pages.length;
        it.do(sent, at);
        const { alert } = it;
        if (alert === null) continue;
        if (sent.type === "create" || (sent.type === "change" && maintenance !== null))
          if (maintenance !== null) expect(it.pages).toHaveLength(pages);
        const isRunning = !["resolved", "suppressed"].includes(alert.status);
        if (!isRunning) expect(alert).not.toHaveProperty("muted");
        if (alert.status === "suppressed") expect(nextStepAt(alert)).not.toBeNull();
        told += alert.muted ? 1 : 0;
      }
      runTimers(it, at + 300);
      expect(it.alert ?? {}).not.toHaveProperty("muted");
      if (it.alert)
        expect(["acknowledged", "dropped", "resolved", "open"]).toContain(it.alert.status);
    }),
    { numRuns: sized(200, 5_000) },
  );
  expect(told).toBeGreaterThan(10);
});
