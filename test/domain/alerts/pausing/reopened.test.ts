// What an alert that is opened again knows: what has ended in the meantime does not fire any more.
import { describe, expect, test } from "vitest";
import type { AlertDraft, Command } from "../../../../src/domain/alerts/commands.ts";
import { memberNames } from "../../../../src/domain/alerts/lifecycle/members.ts";
import { by, draft, type History, history, MINUTE, personAlone, T0, team } from "../alert-makers.ts";

const CREW = team("t", ["ann bob", "cid"]);
const SENDER = {
  accountUserId: null,
  name: "integration Monitoring",
  integrationId: "integration",
};

const event = (sequence: number, changes: Partial<AlertDraft> = {}): Command => ({
  type: "create",
  draft: draft([CREW], changes),
  sequences: [sequence],
});

const begun = (changes: Partial<AlertDraft> = {}): History => {
  const it = history([CREW, ...["ann", "bob", "cid"].map(personAlone)]);
  it.do(event(1, changes), 0);
  return it;
};

const problem = (...ids: number[]): Partial<AlertDraft> => ({
  members: { names: ids.map((id) => `problem ${id}`), isPartial: true },
});
const solved = (id: number, until: number): Command => ({
  type: "resolve",
  by: SENDER,
  ended: { thirdpartyId: "disk", names: [`problem ${id}`] },
  reopenUntil: T0 + until * MINUTE,
});
const names = (it: History) => memberNames(it.alert ?? {});

describe("members that have ended", () => {
  test("are not left to an alert that its sender opens again: the next end resolves it", () => {
    const it = begun(problem(1));
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    it.do(solved(1, 10), 2);
    it.do(event(2, problem(2)), 3);
    expect(it.alert?.status).toBe("open");
    expect(names(it)).toEqual(["problem 2"]);
    it.do(solved(2, 12), 4);
    expect(it.alert?.status).toBe("resolved");
  });

  test("nor to one that a person opens again", () => {
    const it = begun(problem(1, 2));
    it.do(solved(1, 10), 1);
    it.do(solved(2, 10), 2);
    it.do({ type: "reopen", retiredBefore: null, by: by("ann") }, 3);
    expect(names(it)).toEqual([]);
    it.do(event(2, problem(3)), 4);
    it.do(solved(3, 12), 5);
    expect(it.alert?.status).toBe("resolved");
  });
});
