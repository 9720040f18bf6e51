// What an alert that is opened again knows: what has ended in the meantime does not fire any more.
import { describe, expect, test } from "vitest";
import type { AlertDraft, Command } from "../../../../src/domain/alerts/commands.ts";
import { memberNames } from "../../../../src/domain/alerts/members.ts";
import type { Receiver, Router } from "../../../../src/domain/routing/routing.ts";
import { readRouterRules } from "../../../../src/domain/routing/rules/router-rules.ts";
import { identifierOf, prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import {
  by,
  draft,
  type History,
  history,
  MINUTE,
  personAlone,
  T0,
  team,
} from "../alert-makers.ts";

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

describe("an event of a resolved alert", () => {
  test("that is delivered after the time to reopen is a new alert's, whenever it was accepted", () => {
    const it = begun();
    it.do(solved(1, 7), 2);
    const accepted = (T0 + 6.9 * MINUTE) * 1_000;
    expect(it.do(event(accepted), 7)).toMatchObject({ kind: "unchanged", result: "finished" });
    expect(it.alert?.status).toBe("resolved");
    expect(it.do(event(accepted), 6.95)).toMatchObject({ kind: "changed", result: "counted" });
  });
});

describe("a delayed alert", () => {
  const PAUSE = { pauseMs: 10 * MINUTE, autoResolveMs: 5 * MINUTE };

  test("resolves by itself after its delay, not before", () => {
    const it = begun(PAUSE);
    it.do({ type: "tick" }, 5);
    expect(it.alert?.status).toBe("queued");
    it.do(event(2, PAUSE), 9);
    it.do({ type: "tick" }, 10);
    expect(it.alert).toMatchObject({ status: "open", autoResolveAt: T0 + 15 * MINUTE });
    it.do(event(3, PAUSE), 12);
    it.do({ type: "tick" }, 15);
    expect(it.alert).toMatchObject({ status: "open", autoResolveAt: T0 + 17 * MINUTE });
    it.do({ type: "tick" }, 17);
    expect(it.alert?.status).toBe("resolved");
  });

  test("whose sender withdraws its acknowledgement notifies when it opens", () => {
    const it = begun({ pauseMs: 5 * MINUTE });
    it.do({ type: "acknowledge", by: SENDER }, 1);
    expect(it.do({ type: "unacknowledge", by: SENDER }, 2)).toMatchObject({ kind: "changed" });
    expect(it.do({ type: "unacknowledge", by: SENDER }, 3)).toMatchObject({ kind: "refused" });
    it.do({ type: "tick" }, 5);
    expect(it.alert?.status).toBe("open");
    expect(it.pages.map((page) => page.accountUserId)).toEqual(["ann", "bob"]);
  });
});

test("an alert that is opened again asks an aggregated destination that its delay had spared", () => {
  const idOf = (n: number) => identifierOf(T0, new Uint8Array(10).fill(n));
  const [day, night] = [team(idOf(1), ["ann"]), team(idOf(2), ["bob"])];
  const [first, second] = [idOf(8), idOf(9)];
  const router = (id: string, action: object): Router => {
    const rules = [{ match: { always: true }, actions: [action] }];
    const read = readRouterRules(JSON.stringify({ rules }));
    if (!read.ok) throw new Error("the rules are invalid");
    const receivers = new Map<string, Receiver>([
      [prefixIdOf("team", night.destination.id), night.destination],
      [prefixIdOf("router", second), { type: "router", id: second }],
    ]);
    return {
      id,
      name: id,
      enabled: true,
      rules: read.rules,
      receivers,
      defaultReceiver: day.destination,
    };
  };
  const it = history([day, night, personAlone("ann"), personAlone("bob")]);
  const receiver = prefixIdOf("team", night.destination.id);
  const delayed = { type: "assign", receiver: prefixIdOf("router", second), delay: "10m" };
  const aggregate = { type: "aggregate", by: ["alert.title"], timeout: "1h", receiver };
  it.routers = new Map([
    [first, router(first, delayed)],
    [second, router(second, aggregate)],
  ]);
  const destinations = { teamIds: [day.destination.id], routerIds: [first], accountUserIds: [] };
  const fire = (sequence: number, at: number) => {
    const given = draft([], { destinations });
    const command: Command = { type: "create", draft: given, sequences: [sequence] };
    const outcome = it.do(command, at);
    if (outcome.kind !== "needs") return;
    const own = (outcome.aggregates ?? []).map(
      ({ fingerprint }) => [fingerprint, "alert"] as const,
    );
    it.firsts = new Map(own);
    it.do(command, at);
  };
  fire(1, 0);
  expect(it.alert?.pending).toHaveLength(1);
  it.do(solved(1, 7), 2);
  it.firsts = new Map();
  fire(2, 3);
  expect(it.alert?.status).toBe("open");
  expect(it.alert?.pending).toHaveLength(1);
  it.do({ type: "tick" }, 13);
  expect(it.pages.map((page) => page.accountUserId)).toContain("bob");
});
