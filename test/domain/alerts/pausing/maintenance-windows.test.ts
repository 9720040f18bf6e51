// What a maintenance window suppresses, over random histories: windows are made, moved and removed, the sender's
// events come and go, and the alert's object is poked at any time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Alert, nextStepAt } from "../../../../src/domain/alerts/alert.ts";
import type { Command } from "../../../../src/domain/alerts/commands.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { draft, history, MINUTE, SENDER, T0, team } from "../alert-makers.ts";

const CREW = team("t", ["ann"], { repeat: 3 });
const LAST = 120;

type Step =
  | { readonly type: "create" | "resolve" | "poke" | "restart" }
  | { readonly type: "window"; readonly from: number; readonly to: number }
  | { readonly type: "move"; readonly which: number; readonly to: number }
  | { readonly type: "remove"; readonly which: number };

const minute = fc.integer({ min: 0, max: LAST });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ type: "create" } as const) },
  { weight: 3, arbitrary: fc.constant({ type: "resolve" } as const) },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ type: "poke" } as const, { type: "restart" } as const),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(minute, fc.integer({ min: 1, max: 40 })).map(([from, length]) => ({
      ...{ type: "window" as const, from, to: from + length },
    })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(3), minute)
      .map(([which, to]) => ({ type: "move" as const, which, to })),
  },
  { weight: 2, arbitrary: fc.nat(3).map((which) => ({ type: "remove" as const, which })) },
);
const histories = fc.array(fc.tuple(minute, step), { minLength: 3, maxLength: 25 });

/** Plays a history minute by minute: the step, what the inbox sends to the alerts, then due timers. */
function play(given: readonly (readonly [number, Step])[]) {
  let windows: (readonly [number, number])[] = [];
  let alerts = [history([CREW])];
  let sequence = 0;
  let lasts = false;
  let seen = { opened: 0, resolvedWithin: 0, moved: 0 };
  const steps = given.toSorted(([one], [other]) => one - other);
  const endAt = (at: number) => {
    const ends = windows.flatMap(([from, to]) => (from <= at && at < to ? [to] : []));
    return ends.length === 0 ? null : Math.max(...ends);
  };
  for (let at = 0; at <= LAST + 60; at += 1) {
    const due = steps.filter(([when]) => when === at).map(([, it]) => it);
    for (const it of due) {
      const current = alerts.at(-1) as (typeof alerts)[number];
      const before = JSON.stringify(windows);
      if (it.type === "window" && it.to > at)
        windows = [...windows, [Math.max(it.from, at), it.to]];
      if (it.type === "move")
        windows = windows.map(([from, to], i) => [from, i === it.which && to > at ? it.to : to]);
      if (it.type === "remove") windows = windows.filter((_, i) => i !== it.which);
      for (const one of alerts) one.windows = windows;
      const isChanged = JSON.stringify(windows) !== before;
      if (isChanged) seen = { ...seen, moved: seen.moved + 1 };
      if (it.type === "resolve" && lasts) {
        lasts = false;
        if (current.alert?.status === "suppressed") seen.resolvedWithin += 1;
        current.do({ type: "resolve", by: SENDER }, at);
      }
      if (it.type === "create") {
        lasts = true;
        sequence += 1;
        const end = endAt(at);
        const maintenance =
          end === null ? null : { at: T0 + at * MINUTE, until: T0 + end * MINUTE };
        const sequences = [sequence];
        const command: Command = {
          type: "create",
          draft: draft([CREW], { maintenance }),
          sequences,
        };
        const outcome = current.do(command, at);
        if (outcome.kind === "unchanged" && outcome.result === "finished") {
          const next = history([CREW]);
          next.windows = windows;
          next.do(command, at);
          alerts = [...alerts, next];
        }
      }
      // The state survives: an object that restarts reads it, and so does one that is emptied.
      if (it.type === "restart" && current.alert)
        current.alert = JSON.parse(JSON.stringify(current.alert)) as Alert;
      if (isChanged || it.type === "poke")
        for (const one of alerts) if (one.alert) one.do({ type: "tick" }, at);
    }
    for (const one of alerts) {
      const next = one.alert && nextStepAt(one.alert);
      if (next != null && next <= T0 + at * MINUTE) one.do({ type: "tick" }, at);
    }
    const current = alerts.at(-1) as (typeof alerts)[number];
    const created = alerts.filter(({ alert }) => alert !== null);
    for (const one of created.slice(0, -1)) expect(one.alert?.status).toBe("resolved");
    if (current.alert === null) continue;
    const { status } = current.alert;
    const isPaged = current.pages.some(({ event }) => event === "alert.open");
    if (!lasts) expect(status, `minute ${at}`).toBe("resolved");
    // Only what a window covers may be suppressed: everything else is open, or nobody answered it.
    else if (endAt(at) === null) expect(["open", "dropped"], `minute ${at}`).toContain(status);
    if (status === "suppressed") expect(isPaged).toBe(false);
    if (["open", "dropped"].includes(status)) expect(isPaged).toBe(true);
  }
  for (const { pages, log } of alerts) {
    const firsts = pages.filter(({ event, pass }) => event === "alert.open" && pass === 1);
    const again = log.filter(({ message }) => message.includes("reopened")).length;
    expect(firsts.length).toBeLessThanOrEqual(1 + again);
    seen.opened += log.filter(({ message }) => message.includes("window has ended")).length;
  }
  return seen;
}

test("whatever becomes of the windows, an alert that lasts is open once none covers it, and was paged once", () => {
  let opened = 0;
  let resolvedWithin = 0;
  fc.assert(
    fc.property(histories, (given) => {
      const seen = play(given);
      opened += seen.opened;
      resolvedWithin += seen.resolvedWithin;
    }),
    { numRuns: sized(300, 2_500) },
  );
  expect(opened).toBeGreaterThan(20);
  expect(resolvedWithin).toBeGreaterThan(5);
});

test("a window that is extended moves the end, and one that is shortened or deleted opens the alert", () => {
  const suppressed = (windows: readonly (readonly [number, number])[]) => {
    const it = history([CREW]);
    it.windows = windows;
    const maintenance = { at: T0, until: T0 + 30 * MINUTE };
    it.do({ type: "create", draft: draft([CREW], { maintenance }), sequences: [1] }, 0);
    return it;
  };
  const extended = suppressed([[0, 30]]);
  extended.windows = [[0, 60]];
  extended.do({ type: "tick" }, 30);
  expect(extended.alert).toMatchObject({ status: "suppressed", suppressedUntil: T0 + 60 * MINUTE });
  extended.do({ type: "tick" }, 60);
  expect(extended.alert?.status).toBe("open");
  const texts = extended.log.map(({ message }) => message);
  expect(texts).toContain("Muted until 2026-01-05T10:00:00.000Z by its windows");
  expect(texts).toContain(
    "The maintenance window has ended, and nothing resolved the alert: opened",
  );
  const overlapped = suppressed([
    [0, 30],
    [20, 45],
  ]);
  overlapped.do({ type: "tick" }, 30);
  expect(overlapped.alert).toMatchObject({ suppressedUntil: T0 + 45 * MINUTE });
  const deleted = suppressed([]);
  deleted.do({ type: "tick" }, 10);
  expect(deleted.alert?.status).toBe("open");
});
