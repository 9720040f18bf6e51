// Test pages and drills: how they end, and what is reported (contract 3, Exercises).
import { expect, test } from "vitest";
import type { AlertDraft } from "../../../src/domain/alerts/commands.ts";
import { markTitle } from "../../../src/domain/alerts/exercise.ts";
import { storeState } from "../../../src/domain/alerts/stored-alert.ts";
import { pageMessage } from "../../../src/domain/notifications/page-message.ts";
import { by, draft, type History, history, MINUTE, T0, team } from "./alert-makers.ts";

/** A history whose alert is created at T0 for a team with two layers. */
function begun(changes: Partial<AlertDraft>): History {
  const destinations = [team("a", ["ann", "bob"])];
  const it = history(destinations);
  it.do({ type: "create", draft: draft(destinations, changes), sequences: [1] }, 0);
  const { alert } = it;
  // The id of a test is a word, which carries no time.
  if (alert) it.alert = { ...alert, createdAt: T0 };
  return it;
}

const DRILL = {
  exercise: "drill",
  drill: { reportTo: ["eve", "ann"] },
  title: "DRILL: Disk",
} as const;

const reports = (it: History) =>
  it.pages
    .filter(({ event }) => event === "drill.ended")
    .map(({ accountUserId, detail }) => `${accountUserId}: ${detail}`);

test("a drill ends once with its acknowledgement, is reported, and resolves by itself", () => {
  const it = begun(DRILL);
  expect(reports(it)).toEqual([]);
  it.do({ type: "tick" }, 5);
  it.do({ type: "acknowledge", by: by("bob") }, 7);
  const result = "acknowledged by BOB after 7 min, 2 people asked up to step 2";
  expect(reports(it)).toEqual([`eve: ${result}`, `ann: ${result}`]);
  expect(it.log.at(-1)?.message).toBe(`Drill ended: ${result}`);
  expect(it.log.map(({ sequence }) => sequence)).toEqual(it.log.map((_, i) => i));
  expect(it.alert?.drill).toMatchObject({ endedAt: T0 + 7 * MINUTE, acknowledgedBy: "bob" });
  it.do({ type: "tick" }, 22);
  expect(it.alert?.status).toBe("resolved");
  expect(reports(it)).toHaveLength(2);
});

test("a drill that nobody acknowledges ends as dropped", () => {
  const it = begun(DRILL);
  it.do({ type: "tick" }, 5);
  it.do({ type: "tick" }, 10);
  expect(it.alert?.status).toBe("dropped");
  expect(reports(it)[0]).toBe(
    "eve: nobody acknowledged within 10 min, 2 people asked up to step 2",
  );
});

test("a test page is not reported, and keeps its mark; a real alert has none of it", () => {
  const it = begun({ exercise: "test", title: markTitle("Disk", "test") });
  it.do({ type: "change", changes: { title: "Disk full" }, by: by("ann") }, 1);
  expect(it.alert?.title).toBe("TEST: Disk full");
  it.do({ type: "acknowledge", by: by("ann") }, 2);
  expect(it.alert?.autoResolveAt).toBe(T0 + 17 * MINUTE);
  expect(reports(it)).toEqual([]);
  expect(
    it.do({ type: "merge", alerts: [{ id: "x", title: "X" }], by: by("ann") }, 3),
  ).toMatchObject({
    kind: "refused",
  });
  const real = begun({});
  real.do({ type: "acknowledge", by: by("ann") }, 2);
  expect(real.alert?.autoResolveAt).toBeNull();
  expect(JSON.stringify(real.alert && storeState(real.alert, null))).not.toContain("exercise");
});

test("the report of a drill is a mail, and its pages say that it is one", () => {
  const it = begun(DRILL);
  it.do({ type: "acknowledge", by: by("ann") }, 1);
  if (it.alert === null) throw new Error("there is no alert");
  const { alert } = it;
  const [first, report] = it.pages.map((page) => pageMessage(alert, {}, page));
  expect(first?.alert).toMatchObject({ title: "DRILL: Disk", exercise: "drill" });
  expect(report?.alert).toBeNull();
  expect(report?.notice).toMatchObject({
    subject: "Drill ended: DRILL: Disk",
    channels: ["email"],
  });
});
