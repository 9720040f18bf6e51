// The alert's state machine, row by row (contract 3, States).
import { describe, expect, test } from "vitest";
import type { AlertStatus } from "../../../src/domain/alerts/alert.ts";
import type { Command } from "../../../src/domain/alerts/commands.ts";
import {
  by,
  draft,
  type History,
  history,
  knowing,
  MINUTE,
  made,
  notReached,
  paged,
  personAlone,
  SENDER,
  states,
  T0,
  team,
} from "./alert-makers.ts";

const TWO_LAYERS = team("t", ["ann", "bob"], { members: ["ann", "bob", "cid"] });

/** An alert for Ann, then Bob, in a status. */
function inStatus(status: AlertStatus): History {
  const it = made([TWO_LAYERS]);
  if (status === "acknowledged") it.do({ type: "acknowledge", by: by("ann") }, 1);
  if (status === "resolved") it.do({ type: "resolve", by: by("ann") }, 1);
  if (status === "dropped") {
    it.do({ type: "tick" }, 5);
    it.do({ type: "tick" }, 10);
  }
  // Set directly: these commands never suppress an alert or keep it queued.
  if ((status === "suppressed" || status === "queued") && it.alert) {
    it.alert = { ...it.alert, status, workflows: [] };
  }
  expect(it.alert?.status).toBe(status);
  return it;
}

const create = (sequence: number): Command => ({
  type: "create",
  draft: draft([TWO_LAYERS]),
  sequences: [sequence],
});
const acknowledge: Command = { type: "acknowledge", by: by("ann") };
const resolve: Command = { type: "resolve", by: by("ann") };
const reject: Command = { type: "reject", by: by("ann") };
const webhookResolve: Command = { type: "resolve", by: SENDER };

describe("from each status", () => {
  type From = AlertStatus | "suppressed in a window";
  const rows: readonly [From, string, Command, AlertStatus | "refused" | "finished"][] = [
    ["queued", "acknowledge", acknowledge, "refused"],
    ["open", "acknowledge", acknowledge, "acknowledged"],
    ["dropped", "acknowledge", acknowledge, "acknowledged"],
    ["suppressed", "acknowledge", acknowledge, "acknowledged"],
    ["acknowledged", "acknowledge", acknowledge, "refused"],
    ["resolved", "acknowledge", acknowledge, "refused"],
    ["queued", "resolve", resolve, "refused"],
    ["queued", "resolve by webhook", webhookResolve, "resolved"],
    ["open", "resolve", resolve, "resolved"],
    ["acknowledged", "resolve", resolve, "resolved"],
    ["dropped", "resolve", resolve, "resolved"],
    ["suppressed", "resolve", resolve, "refused"],
    ["suppressed", "resolve by webhook", webhookResolve, "refused"],
    ["suppressed in a window", "resolve", resolve, "refused"],
    ["suppressed in a window", "resolve by webhook", webhookResolve, "resolved"],
    ["suppressed in a window", "acknowledge", acknowledge, "acknowledged"],
    ["suppressed in a window", "the same event", create(2), "open"],
    ["resolved", "resolve", resolve, "refused"],
    ["open", "reject", reject, "open"],
    ["acknowledged", "reject", reject, "refused"],
    ["dropped", "reject", reject, "refused"],
    ["resolved", "reject", reject, "refused"],
    ["open", "the same event", create(2), "open"],
    ["acknowledged", "the same event", create(2), "acknowledged"],
    ["dropped", "the same event", create(2), "open"],
    ["resolved", "the same event", create(2), "finished"],
    ["suppressed", "the same event", create(2), "finished"],
  ];
  test.each(rows)("%s, %s → %s", (from, _, command, expected) => {
    const status = from === "suppressed in a window" ? "suppressed" : from;
    const it = inStatus(status);
    const suppressedUntil = from === status ? null : T0 + 30 * MINUTE;
    it.alert = it.alert && { ...it.alert, suppressedUntil };
    const before = it.alert;
    const outcome = it.do(command, 20);
    if (expected === "refused" || expected === "finished") {
      expect(it.alert).toBe(before);
      if (expected === "finished") return expect(outcome).toMatchObject({ result: "finished" });
      if (outcome.kind !== "refused") throw new Error(outcome.kind);
      expect(outcome.refusal.reason).toBe("conflict");
      expect(outcome.refusal.errors[0]?.message).toContain(`the alert is ${status}`);
    } else {
      expect(outcome.kind).toBe("changed");
      expect(it.alert?.status).toBe(expected);
    }
  });

  test.each(["queued", "open", "acknowledged", "resolved", "dropped", "suppressed"] as const)(
    "%s can be deleted; then commands do not find it, and a new event finds it finished",
    (status) => {
      const it = inStatus(status);
      it.do({ type: "delete", by: by("ann") }, 20);
      expect(it.alert?.deletedAt).toBe(T0 + 20 * MINUTE);
      expect(it.alert?.workflows.filter((one) => one.state === "open")).toEqual([]);
      const changes = { title: "Disk fuller" };
      const others: Command[] = [acknowledge, resolve, reject, { type: "tick" }];
      for (const command of [...others, { type: "change", changes, by: by("ann") } as const]) {
        expect(it.do(command, 21)).toMatchObject({ refusal: { reason: "not_found" } });
      }
      expect(it.do(create(9), 22)).toMatchObject({ result: "finished" });
      expect(it.do(create(1), 22)).toMatchObject({ result: "counted" });
    },
  );
});

describe("create", () => {
  test("opens at once, and pages the first layer", () => {
    const it = made([TWO_LAYERS]);
    expect(it.alert).toMatchObject({ status: "open", dedupCount: 0, teamIds: ["t"], version: 1 });
    expect(it.alert?.workflows[0]).toMatchObject({
      state: "open",
      layer: 1,
      pass: 1,
      accountUserIds: ["ann"],
      nextStepAt: T0 + 5 * MINUTE,
    });
    expect(it.pages).toMatchObject([{ accountUserId: "ann", layer: 1, effectId: "alert:0" }]);
  });

  test("requests only the facts that are missing", () => {
    const other = team("u", ["dan"]);
    const it = history([TWO_LAYERS]);
    const both = draft([TWO_LAYERS, other]);
    const outcome = it.do({ type: "create", draft: both, sequences: [1] }, 0);
    expect(outcome).toEqual({ kind: "needs", destinations: [other.destination] });
    expect(it.alert).toBeNull();
  });

  test("notifies everyone on the current layer of every destination", () => {
    const it = made([team("t", ["ann bob"]), team("u", ["", "cid"]), personAlone("dan")]);
    expect(paged(it)).toBe("ann bob cid dan");
    expect(states(it)).toBe("open open open");
    expect(it.alert).toMatchObject({ teamIds: ["t", "u"], accountUserIds: ["dan"] });
  });

  test("starts one workflow for a destination named twice", () => {
    const facts = new Map([...knowing([TWO_LAYERS]), ["team:tem_t", TWO_LAYERS]]);
    const it = history([]);
    it.facts = facts;
    const destinations = { teamIds: ["t", "tem_t"], routerIds: [], accountUserIds: [] };
    it.do({ type: "create", draft: draft([], { destinations }), sequences: [1] }, 0);
    expect(paged(it)).toBe("ann");
    expect(it.alert?.teamIds).toEqual(["t"]);
  });

  test("times out and drops at once if nobody is on call, and adds a timeline entry", () => {
    const it = made([team("t", ["", ""])]);
    expect(states(it)).toBe("timed_out");
    expect(it.alert?.status).toBe("dropped");
    expect(it.pages).toEqual([]);
    expect(it.log.map((entry) => entry.message)).toContainEqual(
      expect.stringMatching(/^Unanswered: /),
    );
  });

  test("stays open if only one of the destinations has nobody on call", () => {
    const it = made([team("t", [""]), personAlone("dan")]);
    expect(states(it)).toBe("timed_out open");
    expect(it.alert?.status).toBe("open");
  });

  test("refuses an unknown destination from an API caller; creates a sender's alert anyway", () => {
    const it = history([]);
    it.facts = new Map([["team:t", null], ...knowing([personAlone("dan")])]);
    const destinations = { teamIds: ["t"], routerIds: ["r"], accountUserIds: ["dan"] };
    const source = { type: "AccountUser", id: "ann", name: "Ann", logId: null } as const;
    const refused = it.do(
      { type: "create", draft: draft([], { destinations, source }), sequences: [] },
      0,
    );
    if (refused.kind !== "refused") throw new Error(refused.kind);
    expect(refused.refusal.errors.map((error) => error.field)).toEqual([
      "destination_team_ids",
      "destination_router_ids",
    ]);
    it.do({ type: "create", draft: draft([], { destinations }), sequences: [1] }, 0);
    expect(paged(it)).toBe("dan");
    expect(it.log.filter((entry) => entry.level === "warn")).toHaveLength(2);
  });

  test("runs the workflow of a silent alert without notifying anyone", () => {
    const it = history([TWO_LAYERS]);
    const silent = draft([TWO_LAYERS], { urgency: "silent" });
    it.do({ type: "create", draft: silent, sequences: [1] }, 0);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.workflows[0]).toMatchObject({ state: "open", layer: 2 });
    expect(it.pages).toEqual([]);
  });

  test("counts several events at once on one alert", () => {
    const it = history([TWO_LAYERS]);
    const three = { type: "create", draft: draft([TWO_LAYERS]), sequences: [4, 5, 6] } as const;
    it.do(three, 0);
    expect(it.alert).toMatchObject({ dedupCount: 2, countedSequence: 6 });
    expect(it.do(three, 1)).toMatchObject({ kind: "unchanged", result: "counted" });
    it.do({ ...three, sequences: [5, 6, 7, 9] }, 2);
    expect(it.alert).toMatchObject({ dedupCount: 4, countedSequence: 9, version: 2 });
    expect(paged(it)).toBe("ann");
  });
});

describe("tick", () => {
  test("moves layer by layer, then drops; never before the timeout", () => {
    const it = made([TWO_LAYERS]);
    expect(it.do({ type: "tick" }, 4.999)).toMatchObject({ result: "nothing_due" });
    it.do({ type: "tick" }, 5);
    expect(it.alert?.workflows[0]).toMatchObject({ layer: 2, nextStepAt: T0 + 10 * MINUTE });
    expect(it.do({ type: "tick" }, 9)).toMatchObject({ result: "nothing_due" });
    it.do({ type: "tick" }, 10);
    expect(it.alert).toMatchObject({ status: "dropped" });
    expect(states(it)).toBe("timed_out");
    expect(paged(it)).toBe("ann bob");
    expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
  });

  test("takes one step if late, and gives the next layer its full timeout", () => {
    const it = made([TWO_LAYERS]);
    it.do({ type: "tick" }, 600);
    expect(paged(it)).toBe("ann bob");
    expect(it.alert?.workflows[0]?.nextStepAt).toBe(T0 + 605 * MINUTE);
  });

  test("repeats from the first layer", () => {
    const it = made([team("t", ["ann", "bob"], { repeat: 1 })]);
    for (const minute of [5, 10, 15, 20]) it.do({ type: "tick" }, minute);
    expect(paged(it)).toBe("ann bob ann bob");
    expect(it.pages.map((page) => page.pass)).toEqual([1, 1, 2, 2]);
    expect(it.alert?.status).toBe("dropped");
  });

  test("gives a person ten minutes", () => {
    const it = made([personAlone("dan")]);
    expect(it.do({ type: "tick" }, 9)).toMatchObject({ result: "nothing_due" });
    it.do({ type: "tick" }, 10);
    expect(it.alert?.status).toBe("dropped");
  });

  test("applies a schedule change from the next layer on", () => {
    const it = made([TWO_LAYERS]);
    it.facts = knowing([team("t", ["ann", "eve"])]);
    it.do({ type: "tick" }, 5);
    expect(paged(it)).toBe("ann eve");
  });

  test("moves only the workflows that are due", () => {
    const it = made([TWO_LAYERS, personAlone("dan")]);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.workflows.map((one) => one.layer)).toEqual([2, 1]);
    it.do({ type: "tick" }, 10);
    expect(states(it)).toBe("timed_out timed_out");
  });

  test("times out the workflow of a deleted team", () => {
    const it = made([TWO_LAYERS]);
    it.facts = new Map([["team:t", null]]);
    it.do({ type: "tick" }, 5);
    expect(states(it)).toBe("timed_out");
    expect(it.alert?.status).toBe("dropped");
  });

  test("requests facts before it takes the step", () => {
    const it = made([TWO_LAYERS]);
    it.facts = new Map();
    const outcome = it.do({ type: "tick" }, 5);
    expect(outcome).toEqual({ kind: "needs", destinations: [TWO_LAYERS.destination] });
    expect(it.alert?.version).toBe(1);
  });
});

describe("a repeated event after the drop", () => {
  test("reopens the alert from layer 1, notifies everyone again and is counted", () => {
    const it = made([TWO_LAYERS]);
    it.do({ type: "reject", by: by("ann") }, 1);
    it.do({ type: "tick" }, 6);
    expect(it.alert?.status).toBe("dropped");
    it.do(create(2), 30);
    expect(it.alert).toMatchObject({ status: "open", dedupCount: 1 });
    expect(it.alert?.workflows[0]).toMatchObject({ layer: 1, pass: 1, rejectedIds: [] });
    expect(paged(it)).toBe("ann bob ann");
    expect(it.alert?.workflows[0]?.nextStepAt).toBe(T0 + 35 * MINUTE);
    it.do({ type: "tick" }, 35);
    expect(paged(it)).toBe("ann bob ann bob");
  });

  test("also notifies a destination that it adds", () => {
    const it = made([team("t", [""])]);
    const other = team("u", ["eve"]);
    it.facts = knowing([team("t", [""]), other]);
    it.do({ type: "create", draft: draft([other]), sequences: [2] }, 30);
    expect(it.alert).toMatchObject({ status: "open", teamIds: ["t", "u"] });
    expect(states(it)).toBe("timed_out open");
    expect(paged(it)).toBe("eve");
  });
});

describe("acknowledge", () => {
  const BOTH = [TWO_LAYERS, team("u", ["dan"])];

  test("covers only the caller's destination of several; the others continue", () => {
    const it = made(BOTH);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    expect(states(it)).toBe("acknowledged open");
    expect(it.alert).toMatchObject({ status: "open", acknowledgedAt: T0 + MINUTE });
    const again = it.do({ type: "acknowledge", by: by("ann") }, 2);
    expect(again).toMatchObject({ kind: "refused", refusal: { reason: "conflict" } });
    it.do({ type: "acknowledge", by: by("dan") }, 3);
    expect(it.alert).toMatchObject({ status: "acknowledged", acknowledgedAt: T0 + MINUTE });
    expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
    expect(paged(it)).toBe("ann dan");
  });

  test("by a member who was not paged counts for the team", () => {
    const it = made(BOTH);
    it.do({ type: "acknowledge", by: by("cid") }, 1);
    expect(states(it)).toBe("acknowledged open");
  });

  test.each([
    ["a person outside all teams", by("zoe")],
    ["a sender", SENDER],
  ])("by %s counts for all destinations", (_, caller) => {
    const it = made(BOTH);
    it.do({ type: "acknowledge", by: caller }, 1);
    expect(states(it)).toBe("acknowledged acknowledged");
    expect(it.alert?.status).toBe("acknowledged");
  });

  test("leaves the alert acknowledged if another destination times out", () => {
    const it = made(BOTH);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    it.do({ type: "tick" }, 5);
    expect(states(it)).toBe("acknowledged timed_out");
    expect(it.alert?.status).toBe("acknowledged");
  });
});

describe("reject", () => {
  test("by the last person on a layer starts the next layer at once, with its full timeout", () => {
    const it = made([team("t", ["ann bob", "cid"])]);
    it.do({ type: "reject", by: by("ann") }, 1);
    expect(it.alert?.workflows[0]).toMatchObject({ layer: 1, nextStepAt: T0 + 5 * MINUTE });
    it.do({ type: "reject", by: by("bob") }, 2);
    expect(it.alert).toMatchObject({ status: "open" });
    expect(it.alert?.workflows[0]).toMatchObject({ layer: 2, nextStepAt: T0 + 7 * MINUTE });
    expect(paged(it)).toBe("ann bob cid");
  });

  test("by everyone notified rejects the workflow and drops the alert", () => {
    const it = made([TWO_LAYERS]);
    it.do({ type: "reject", by: by("ann") }, 1);
    it.do({ type: "reject", by: by("bob") }, 2);
    expect(states(it)).toBe("rejected");
    expect(it.alert?.status).toBe("dropped");
  });

  test("times out the workflow if another person did not answer", () => {
    const it = made([TWO_LAYERS]);
    it.do({ type: "tick" }, 5);
    it.do({ type: "reject", by: by("bob") }, 6);
    expect(states(it)).toBe("timed_out");
  });

  test.each(["zoe", "cid", "bob"])("is refused for %s, who was not notified", (id) => {
    const it = made([TWO_LAYERS]);
    expect(it.do({ type: "reject", by: by(id) }, 1)).toMatchObject({ kind: "refused" });
  });

  test("is refused the second time", () => {
    const it = made([team("t", ["ann bob"])]);
    it.do({ type: "reject", by: by("ann") }, 1);
    expect(it.do({ type: "reject", by: by("ann") }, 2)).toMatchObject({ kind: "refused" });
  });

  test("excludes the person from later layers and passes", () => {
    const it = made([team("t", ["ann", "ann bob"], { repeat: 1 })]);
    it.do({ type: "reject", by: by("ann") }, 1);
    it.do({ type: "tick" }, 6);
    expect(paged(it)).toBe("ann bob bob");
  });
});

describe("resolve, change, unreached", () => {
  test("resolve ends every workflow and timer", () => {
    const it = made([TWO_LAYERS, personAlone("dan")]);
    it.do({ type: "resolve", by: by("ann") }, 1);
    expect(states(it)).toBe("cancelled cancelled");
    expect(it.alert).toMatchObject({ resolvedAt: T0 + MINUTE, acknowledgedAt: null });
    expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
  });

  test("resolve does not change acknowledged workflows", () => {
    const it = made([TWO_LAYERS]);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    it.do({ type: "resolve", by: SENDER }, 2);
    expect(states(it)).toBe("acknowledged");
    expect(it.alert).toMatchObject({
      acknowledgedAt: T0 + MINUTE,
      resolvedAt: T0 + 2 * MINUTE,
    });
  });

  test("change sets only the given fields, not status, timers or people", () => {
    const it = made([TWO_LAYERS]);
    const before = it.alert;
    it.do({ type: "change", changes: { title: "Disk fuller", tags: ["db"] }, by: by("cid") }, 1);
    expect(it.alert).toEqual({
      ...before,
      title: "Disk fuller",
      reported: { title: "Disk full" },
      tags: ["db"],
      version: 2,
      logCount: (before?.logCount ?? 0) + 1,
      updatedAt: T0 + MINUTE,
    });
    expect(it.log.at(-1)?.message).toBe("Changed by CID: title (was “Disk full”), tags");
  });

  test("unreached adds one timeline entry, however often it is reported", () => {
    const it = made([TWO_LAYERS]);
    const report = notReached(it, "Not notified: Ann has no address");
    it.do({ type: "unreached", reports: [report, report] }, 1);
    expect(it.do({ type: "unreached", reports: [report] }, 2)).toMatchObject({ kind: "unchanged" });
    const lines = it.log.filter((entry) => entry.message.startsWith("Not notified"));
    expect(lines).toMatchObject([{ level: "error" }]);
  });
});
