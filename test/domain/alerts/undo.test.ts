// Undo of an answer (contract 3, Escalation): who may undo what, for how long, and what follows.
import { describe, expect, test } from "vitest";
import type { Alert } from "../../../src/domain/alerts/alert.ts";
import { alertEvents } from "../../../src/domain/alerts/alert-events.ts";
import type { Command } from "../../../src/domain/alerts/commands.ts";
import { storeState } from "../../../src/domain/alerts/stored-alert.ts";
import { by, type History, MINUTE, made, paged, SENDER, states, T0, team } from "./alert-makers.ts";

const ANN = by("ann");
const acknowledge: Command = { type: "acknowledge", by: ANN };
const resolve: Command = { type: "resolve", by: ANN };
const reject: Command = { type: "reject", by: ANN };
const undo = (who = ANN, areOthersNotified = false): Command => ({
  type: "undo",
  areOthersNotified,
  by: who,
});

const TWO_LAYERS = [team("t", ["ann bob", "cid"])];

/** Applies commands half a minute apart, from minute 1. */
function having(it: History, ...commands: readonly Command[]): History {
  for (const [i, command] of commands.entries()) it.do(command, 1 + i / 2);
  return it;
}

const refusalOf = (it: History) => {
  const last = it.outcomes.at(-1);
  return last?.kind === "refused" ? last.refusal.errors[0]?.message : null;
};
const lastLines = (it: History, count: number) => it.log.slice(-count).map((one) => one.message);

describe("an answer is undone", () => {
  test("an acknowledgement: the layer is asked again with the full timeout, and nothing is left of it", () => {
    const it = having(made(TWO_LAYERS), acknowledge, undo());
    expect(it.alert).toMatchObject({ status: "open", acknowledgedAt: null });
    expect(it.alert).not.toHaveProperty("undoable");
    const [workflow] = it.alert?.workflows ?? [];
    expect(workflow).toMatchObject({ state: "open", layer: 1, pass: 1 });
    expect(workflow?.nextStepAt).toBe(T0 + 1.5 * MINUTE + 5 * MINUTE);
    expect(lastLines(it, 2)[0]).toBe("Acknowledgement undone by ANN");
    expect(paged(it)).toBe("ann bob bob ann bob");
  });

  test("on a later layer, of which it never goes back", () => {
    const it = made(TWO_LAYERS);
    it.do({ type: "tick" }, 5);
    it.do({ type: "acknowledge", by: by("cid") }, 6);
    it.do(undo(by("cid")), 6.5);
    expect(it.alert?.workflows[0]).toMatchObject({ state: "open", layer: 2, pass: 1 });
  });

  test("an earlier acknowledgement by somebody else remains", () => {
    const it = made([team("t", ["ann"]), team("u", ["bob"])]);
    it.do({ type: "acknowledge", by: by("bob") }, 1);
    it.do(acknowledge, 2);
    it.do(undo(), 2.5);
    expect(it.alert).toMatchObject({ status: "open", acknowledgedAt: T0 + MINUTE });
    expect(states(it)).toBe("open acknowledged");
  });

  test("a resolution: each workflow is what it was", () => {
    const it = made([team("t", ["ann"]), team("u", ["bob"])]);
    it.do({ type: "acknowledge", by: by("bob") }, 1);
    it.do(resolve, 2);
    it.do(undo(), 2.5);
    expect(it.alert).toMatchObject({ status: "open", resolvedAt: null });
    expect(states(it)).toBe("open acknowledged");
    expect(it.alert?.acknowledgedAt).toBe(T0 + MINUTE);
  });

  test("a resolution of a snoozed alert: it is snoozed again", () => {
    const until = T0 + 60 * MINUTE;
    const it = having(made(TWO_LAYERS), { type: "snooze", until, by: ANN }, resolve, undo());
    expect(it.alert).toMatchObject({ status: "acknowledged", snoozedUntil: until });
  });

  test("an acknowledgement of a snoozed alert: it is theirs again who had snoozed it", () => {
    const until = T0 + 60 * MINUTE;
    const bob = by("bob");
    const it = having(
      made(TWO_LAYERS),
      { type: "snooze", until, by: ANN },
      { type: "acknowledge", by: bob },
    );
    expect(it.alert?.workflows[0]?.acknowledgedBy).toBe("bob");
    const pages = it.pages.length;
    it.do(undo(bob, true), 2);
    expect(it.alert).toMatchObject({ status: "acknowledged", snoozedUntil: until });
    expect(it.alert?.workflows[0]).toMatchObject({ state: "acknowledged", acknowledgedBy: "ann" });
    expect(it.pages).toHaveLength(pages);
    expect(lastLines(it, 1)).toEqual(["Acknowledgement undone by BOB"]);
  });

  test("a resolution needs the alert's identifiers back", () => {
    const it = having(made(TWO_LAYERS), resolve);
    it.hasClaimed = false;
    expect(it.do(undo(), 1.5)).toMatchObject({ kind: "needs", claim: true });
  });

  test("a rejection: the person is asked again while the layer waits, with its timeout", () => {
    const it = having(made(TWO_LAYERS), reject, undo());
    expect(it.alert?.workflows[0]).toMatchObject({
      ...{ state: "open", layer: 1, rejectedIds: [] },
      nextStepAt: T0 + 5 * MINUTE,
    });
    expect(paged(it)).toBe("ann bob ann");
  });

  test("a rejection by the last person: the alert is not dropped any more", () => {
    const it = having(made([team("t", ["ann"])]), reject);
    expect(it.alert?.status).toBe("dropped");
    it.do(undo(), 1.5);
    expect(it.alert?.status).toBe("open");
    expect(it.alert?.workflows[0]).toMatchObject({ state: "open", layer: 1, rejectedIds: [] });
  });

  test("the timeline says how many people had been notified of it", () => {
    const it = having(made(TWO_LAYERS), acknowledge, undo(ANN, true));
    expect(lastLines(it, 2)[0]).toBe("Acknowledgement undone by ANN: 1 person was notified of it");
  });

  test("a counted event, a change of the content or an unreached person does not matter", () => {
    const change: Command = { type: "change", changes: { title: "x" }, by: by("bob") };
    const it = having(made(TWO_LAYERS), acknowledge, change, undo());
    expect(it.alert?.status).toBe("open");
  });

  test("outgoing integrations are told that the alert is open again", () => {
    const it = having(made(TWO_LAYERS), acknowledge);
    const before = it.alert;
    it.do(undo(), 1.5);
    const events = alertEvents(before, it.alert as Alert, undo(), T0);
    expect(events).toMatchObject([{ event: "alert.open", detail: "undone by ANN" }]);
  });
});

describe("it is refused", () => {
  test.each<readonly [string, readonly Command[], Command, RegExp]>([
    ["without an answer", [], undo(), /not an answer/],
    ["twice", [acknowledge, undo()], undo(), /not an answer/],
    ["to somebody else", [acknowledge], undo(by("bob")), /only the person/],
    ["after a sender's answer", [{ type: "resolve", by: SENDER }], undo(), /not an answer/],
    [
      "after another step",
      [acknowledge, { type: "escalate", by: ANN }, resolve],
      undo(by("bob")),
      /only the person/,
    ],
    [
      "after another person's answer",
      [reject, { type: "acknowledge", by: by("bob") }],
      undo(),
      /only the person/,
    ],
    [
      "when the alert has gone on",
      [{ type: "reject", by: by("bob") }, reject],
      undo(),
      /gone on to other people/,
    ],
  ])("%s", (_, before, command, message) => {
    const it = having(made(TWO_LAYERS), ...before);
    const { alert } = it;
    it.do(command, 1 + before.length / 2);
    expect(refusalOf(it)).toMatch(message);
    expect(it.alert).toBe(alert);
  });

  test("after a minute", () => {
    const it = having(made(TWO_LAYERS), acknowledge);
    it.do(undo(), 2.001);
    expect(refusalOf(it)).toMatch(/for a minute/);
    it.do(undo(), 2);
    expect(it.alert?.status).toBe("open");
  });
});

test("what an undo needs is small, and dropped with the first step after the minute", () => {
  const it = having(made(TWO_LAYERS), acknowledge);
  const { undoable } = it.alert as Alert;
  const answered = undoable && { undoable: { ...undoable, by: "0".repeat(26) } };
  const stored = storeState({ ...(it.alert as Alert), ...answered }, null);
  expect(JSON.stringify({ undo: stored.undo }).length).toBeLessThan(64);
  it.do({ type: "change", changes: { title: "x" }, by: ANN }, 3);
  expect(it.alert).not.toHaveProperty("undoable");
});
