// What people are told without being asked: that somebody else has answered, that nobody has; and where a policy
// hands an alert on to when it is exhausted.
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

/** Whom a history has told of something, in order. */
const told = (it: History, event: PageEvent) =>
  it.pages.flatMap((page) => (page.event === event ? [page.accountUserId] : [])).join(" ");

const dropping = team("t", ["ann"], { dropRecipients: ["lea", "max"] });
const again = (sequence: number) =>
  ({ type: "create", draft: draft([dropping]), sequences: [sequence] }) as const;

describe("acknowledged by one", () => {
  test("the others who were asked are told, nobody twice, not who did it, not who had said no", () => {
    const it = made([team("t", ["ann bob cid"]), team("u", ["bob dan"])]);
    it.do({ type: "reject", by: by("cid") }, 1);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    expect(told(it, "alert.acknowledged")).toBe("bob");
    it.do({ type: "acknowledge", by: by("dan") }, 2);
    expect(told(it, "alert.acknowledged")).toBe("bob bob");
  });

  test("a sender's acknowledgement is told to everybody asked so far", () => {
    const it = made([team("t", ["ann", "bob", "cid"])]);
    it.do({ type: "tick" }, 5);
    it.do({ type: "acknowledge", by: SENDER }, 6);
    expect(told(it, "alert.acknowledged")).toBe("ann bob");
  });

  test("these pages ask nobody: no workflow, no layer", () => {
    const it = made([team("t", ["ann bob"])]);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    expect(it.pages.at(-1)).toMatchObject({ workflowId: null, layer: null, pass: null });
  });
});

describe("dropped", () => {
  test("the drop recipients are told, once each", () => {
    const it = made([dropping, team("u", ["bob"], { dropRecipients: ["max"] })]);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.status).toBe("dropped");
    expect(told(it, "alert.dropped")).toBe("lea max");
  });

  test.each([
    ["59 minutes later: not again", 59, "lea max"],
    ["an hour later: again", 60, "lea max lea max"],
  ])("%s", (_, minutes, expected) => {
    const it = made([dropping]);
    it.do({ type: "tick" }, 5);
    it.do(again(2), minutes);
    it.do({ type: "tick" }, 5 + minutes);
    expect(it.alert?.status).toBe("dropped");
    expect(told(it, "alert.dropped")).toBe(expected);
  });

  test("the recipients are those the team has when it drops", () => {
    const it = made([dropping]);
    it.facts = knowing([team("t", ["ann"], { dropRecipients: ["eve"] })]);
    it.do({ type: "tick" }, 5);
    expect(told(it, "alert.dropped")).toBe("eve");
  });

  test("a silent alert tells nobody anything", () => {
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

  test("after the last layer and pass the alert goes where the policy says; then it is dropped", () => {
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

  test("also when everybody has rejected, and when nobody was on call at all", () => {
    const rejected = made([team("t", ["ann"], toDan)]);
    rejected.facts = knowing([team("t", ["ann"], toDan), dan]);
    rejected.do({ type: "reject", by: by("ann") }, 1);
    expect(states(rejected)).toBe("rejected open");
    const empty = history([team("t", [""], toDan), dan]);
    empty.do({ type: "create", draft: draft([team("t", [])]), sequences: [1] }, 0);
    expect(states(empty)).toBe("timed_out open");
    expect(paged(empty)).toBe("dan");
  });

  test("two policies that hand to each other: each team is asked once", () => {
    const to = (id: string) => ({ reassign: [{ type: "team", id }] }) as const;
    const it = history([team("t", ["ann"], to("u")), team("u", ["bob"], to("t"))]);
    it.do({ type: "create", draft: draft([team("t", [])]), sequences: [1] }, 0);
    for (const minute of [5, 10, 15, 20]) it.do({ type: "tick" }, minute);
    expect(paged(it)).toBe("ann bob");
    expect(it.alert?.status).toBe("dropped");
  });

  test("its facts are asked for before the step is taken; one that is gone is passed over", () => {
    const it = made([team("t", ["ann"], toDan)]);
    expect(it.do({ type: "tick" }, 5)).toEqual({ kind: "needs", destinations: [dan.destination] });
    expect(states(it)).toBe("open");
    it.facts = new Map([...it.facts, ["account_user:dan", null]]);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.status).toBe("dropped");
  });
});
