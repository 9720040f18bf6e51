// Notifications that need no answer (an alert was acknowledged, an alert was dropped), and where an exhausted policy
// reassigns an alert.
import { describe, expect, test } from "vitest";
import type { PageEvent } from "../../../src/domain/alerts/alert.ts";
import {
  by,
  draft,
  type History,
  history,
  knowing,
  made,
  paged,
  personAlone,
  SENDER,
  states,
  team,
} from "./alert-makers.ts";

/** The people that a history notified of an event, in order. */
const notified = (it: History, event: PageEvent) =>
  it.pages.flatMap((page) => (page.event === event ? [page.accountUserId] : [])).join(" ");

const dropping = team("t", ["ann"], { dropRecipients: ["lea", "max"] });
const repetition = (sequence: number) =>
  ({ type: "create", draft: draft([dropping]), sequences: [sequence] }) as const;

describe("an acknowledgement", () => {
  test("notifies the other recipients once, without the acknowledger and people who rejected", () => {
    const it = made([team("t", ["ann bob cid"]), team("u", ["bob dan"])]);
    it.do({ type: "reject", by: by("cid") }, 1);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    expect(notified(it, "alert.acknowledged")).toBe("bob");
    it.do({ type: "acknowledge", by: by("dan") }, 2);
    expect(notified(it, "alert.acknowledged")).toBe("bob bob");
  });

  test("by a sender notifies everyone notified so far", () => {
    const it = made([team("t", ["ann", "bob", "cid"])]);
    it.do({ type: "tick" }, 5);
    it.do({ type: "acknowledge", by: SENDER }, 6);
    expect(notified(it, "alert.acknowledged")).toBe("ann bob");
  });

  test("sends pages without a workflow or layer", () => {
    const it = made([team("t", ["ann bob"])]);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    expect(it.pages.at(-1)).toMatchObject({ workflowId: null, layer: null, pass: null });
  });
});

describe("a drop", () => {
  test("notifies each drop recipient once", () => {
    const it = made([dropping, team("u", ["bob"], { dropRecipients: ["max"] })]);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.status).toBe("dropped");
    expect(notified(it, "alert.dropped")).toBe("lea max");
  });

  test.each([
    ["does not notify them again after 59 minutes", 59, "lea max"],
    ["notifies them again after an hour", 60, "lea max lea max"],
  ])("%s", (_, minutes, expected) => {
    const it = made([dropping]);
    it.do({ type: "tick" }, 5);
    it.do(repetition(2), minutes);
    it.do({ type: "tick" }, 5 + minutes);
    expect(it.alert?.status).toBe("dropped");
    expect(notified(it, "alert.dropped")).toBe(expected);
  });

  test("notifies the team's drop recipients at that time", () => {
    const it = made([dropping]);
    it.facts = knowing([team("t", ["ann"], { dropRecipients: ["eve"] })]);
    it.do({ type: "tick" }, 5);
    expect(notified(it, "alert.dropped")).toBe("eve");
  });

  test("notifies nobody if the alert is silent", () => {
    const it = history([dropping]);
    const silent = draft([dropping], { urgency: "silent" });
    it.do({ type: "create", draft: silent, sequences: [1] }, 0);
    it.do({ type: "tick" }, 5);
    it.do({ type: "acknowledge", by: by("zoe") }, 6);
    expect(it.pages).toEqual([]);
  });
});

describe("reassignment", () => {
  const toDan = { reassign: [{ type: "account_user", id: "dan" }] } as const;
  const dan = personAlone("dan");

  test("follows the last layer and pass; then the alert is dropped", () => {
    const it = history([team("t", ["ann"], { repeat: 1, ...toDan }), dan]);
    const given = draft([team("t", [])]);
    it.do({ type: "create", draft: given, sequences: [1] }, 0);
    it.do({ type: "tick" }, 5);
    expect(paged(it)).toBe("ann ann");
    it.do({ type: "tick" }, 10);
    expect(paged(it)).toBe("ann ann dan");
    expect(it.alert).toMatchObject({ status: "open", accountUserIds: [] });
    it.do({ type: "tick" }, 20);
    expect(states(it)).toBe("timed_out timed_out");
    expect(it.alert?.status).toBe("dropped");
  });

  test("also follows if everyone rejected, and if nobody was on call", () => {
    const rejected = made([team("t", ["ann"], toDan)]);
    rejected.facts = knowing([team("t", ["ann"], toDan), dan]);
    rejected.do({ type: "reject", by: by("ann") }, 1);
    expect(states(rejected)).toBe("rejected open");
    const empty = history([team("t", [""], toDan), dan]);
    empty.do({ type: "create", draft: draft([team("t", [])]), sequences: [1] }, 0);
    expect(states(empty)).toBe("timed_out open");
    expect(paged(empty)).toBe("dan");
  });

  test("notifies each team once if two policies reassign to each other", () => {
    const to = (id: string) => ({ reassign: [{ type: "team", id }] }) as const;
    const it = history([team("t", ["ann"], to("u")), team("u", ["bob"], to("t"))]);
    it.do({ type: "create", draft: draft([team("t", [])]), sequences: [1] }, 0);
    for (const minute of [5, 10, 15, 20]) it.do({ type: "tick" }, minute);
    expect(paged(it)).toBe("ann bob");
    expect(it.alert?.status).toBe("dropped");
  });

  test("requests facts before it takes the step; skips a deleted destination", () => {
    const it = made([team("t", ["ann"], toDan)]);
    expect(it.do({ type: "tick" }, 5)).toEqual({ kind: "needs", destinations: [dan.destination] });
    expect(states(it)).toBe("open");
    it.facts = new Map([...it.facts, ["account_user:dan", null]]);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.status).toBe("dropped");
  });
});
