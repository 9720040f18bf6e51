// Routing in the lifecycle of an alert: delays, ignored alerts, missing receivers, maintenance windows, automatic
// resolution, aggregation and handoffs.
import { describe, expect, test } from "vitest";
import type { AlertDraft } from "../../../src/domain/alerts/commands.ts";
import type { Receiver, Router } from "../../../src/domain/routing/routing.ts";
import { readRouterRules } from "../../../src/domain/routing/rules/router-rules.ts";
import { identifierOf, prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import {
  by,
  draft,
  type History,
  history,
  MINUTE,
  made,
  paged,
  personAlone,
  SENDER,
  states,
  T0,
  team,
} from "../alerts/alert-makers.ts";

const idOf = (number: number) => identifierOf(T0, new Uint8Array(10).fill(number));
const DAY = team(idOf(1), ["ann"]);
const NIGHT = team(idOf(2), ["bob"]);
const DAN = personAlone(idOf(3));
const ROUTER = idOf(9);
const receiverOf = ({ destination }: typeof DAY): Receiver => destination;
const nameOf = (it: typeof DAY) => prefixIdOf(it.destination.type, it.destination.id);

function router(rules: readonly object[]): Router {
  const read = readRouterRules(JSON.stringify({ rules }));
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const receivers = [DAY, NIGHT, DAN].map((it) => [nameOf(it), receiverOf(it)] as const);
  return {
    id: ROUTER,
    name: "Front",
    enabled: true,
    rules: read.rules,
    receivers: new Map(receivers),
    defaultReceiver: receiverOf(NIGHT),
  };
}

const always = (...actions: object[]) => [{ match: { always: true }, actions }];
const after = (it: typeof DAY, delay: string) => ({ type: "assign", receiver: nameOf(it), delay });
const to = (it: typeof DAY) => ({ type: "assign", receiver: nameOf(it) });

const routed: Partial<AlertDraft> = {
  destinations: { teamIds: [], routerIds: [ROUTER], accountUserIds: [] },
};
const event = (sequence: number, changes: Partial<AlertDraft> = routed) =>
  ({ type: "create", draft: draft([], changes), sequences: [sequence] }) as const;

function createThrough(rules: readonly object[], changes: Partial<AlertDraft> = routed): History {
  const it = history([DAY, NIGHT, DAN]);
  it.routers = new Map([[ROUTER, router(rules)]]);
  it.do(event(1, changes), 0);
  return it;
}
const timelineOf = (it: History) => it.log.map(({ message }) => message).join("\n");

describe("an alert for a router", () => {
  test("notifies the rule's receiver with the rule's changes, and shows the requested destinations", () => {
    const changed = { type: "setval", map: { urgency: "low" } };
    const it = createThrough(always(changed, to(DAY)));
    expect(paged(it)).toBe("ann");
    expect(it.alert).toMatchObject({ status: "open", urgency: "low", routerIds: [ROUTER] });
    expect(it.alert?.teamIds).toEqual([]);
    expect(timelineOf(it)).toContain("Router Front");
  });

  test("can be matched by rules on the request that created it", () => {
    const rules = [{ match: { "log.data.host": "db-1" }, actions: [to(DAY)] }];
    const log = { data: { host: "db-1" }, headers: {} };
    expect(paged(createThrough(rules, { ...routed, log }))).toBe("ann");
    expect(paged(createThrough(rules))).toBe("bob");
  });

  test("may name the router by its prefixed id", () => {
    const routerIds = [prefixIdOf("router", ROUTER)];
    const destinations = { teamIds: [], routerIds, accountUserIds: [] };
    const it = createThrough(always(to(DAY)), { destinations });
    expect(it.alert?.routerIds).toEqual([ROUTER]);
  });

  test("needs the routers first, then the facts of their receivers", () => {
    const it = history([]);
    it.routers = null;
    expect(it.do(event(1), 0)).toEqual({ kind: "needs", destinations: [], routers: [ROUTER] });
    it.routers = new Map([[ROUTER, router(always(to(DAY)))]]);
    expect(it.do(event(1), 0)).toEqual({ kind: "needs", destinations: [DAY.destination] });
    expect(it.alert).toBeNull();
  });

  test("is suppressed if ignored, and open if it also has a team as destination", () => {
    const it = createThrough(always({ type: "ignore" }));
    expect(it.alert).toMatchObject({ status: "suppressed", workflows: [] });
    expect(it.do(event(2), 1)).toMatchObject({ result: "finished" });
    const destinations = { teamIds: [idOf(1)], routerIds: [ROUTER], accountUserIds: [] };
    expect(createThrough(always({ type: "ignore" }), { destinations }).alert?.status).toBe("open");
  });

  test("is dropped if its receiver does not exist, with an error in the timeline", () => {
    const it = history([]);
    it.facts = new Map([[`team:${idOf(1)}`, null]]);
    it.routers = new Map([[ROUTER, router(always(to(DAY)))]]);
    it.do(event(1), 0);
    expect(it.alert?.status).toBe("dropped");
    const errors = it.log.filter(({ level }) => level === "error").map(({ message }) => message);
    expect(errors[0]).toBe(`Team ${nameOf(DAY)} does not exist: nobody is notified`);
  });

  test("is routed by the current rules when it is repeated after it was dropped", () => {
    const it = createThrough(always(to(DAY)));
    it.do({ type: "tick" }, 5);
    it.routers = new Map([[ROUTER, router(always(to(NIGHT)))]]);
    it.do(event(2), 30);
    expect(paged(it)).toBe("ann bob");
    it.do({ type: "tick" }, 35);
    it.routers = new Map([[ROUTER, router(always({ type: "ignore" }))]]);
    it.do(event(3), 60);
    expect(it.alert).toMatchObject({ status: "dropped", dedupCount: 2 });
  });
});

describe("a delay", () => {
  const later = always(after(DAY, "5m"));

  test("leaves the alert queued until it ends, then opens it and notifies", () => {
    const it = createThrough(later);
    expect(it.alert).toMatchObject({ status: "queued", workflows: [] });
    expect(it.do({ type: "tick" }, 4.99)).toMatchObject({ result: "nothing_due" });
    it.do({ type: "tick" }, 5);
    expect(it.alert).toMatchObject({ status: "open", pending: [] });
    expect(it.alert?.workflows[0]).toMatchObject({ layer: 1, nextStepAt: T0 + 10 * MINUTE });
    expect(paged(it)).toBe("ann");
  });

  test("notifies no one if the alert is resolved before it ends", () => {
    const it = createThrough(later);
    it.do({ type: "resolve", by: SENDER }, 1);
    expect(it.alert?.status).toBe("resolved");
    expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
    expect(it.pages).toEqual([]);
  });

  test("stores a sender's acknowledgement, and applies it when the alert opens", () => {
    const it = createThrough(later);
    it.do({ type: "acknowledge", by: SENDER }, 1);
    expect(it.alert).toMatchObject({ status: "queued", acknowledgedAt: null });
    expect(it.do({ type: "acknowledge", by: SENDER }, 2)).toMatchObject({ kind: "refused" });
    it.do({ type: "tick" }, 5);
    expect(it.alert).toMatchObject({ status: "acknowledged", acknowledgedAt: T0 + 5 * MINUTE });
    expect(states(it)).toBe("acknowledged");
    expect(it.pages).toEqual([]);
  });

  test("starts nothing if the alert is deleted", () => {
    const it = createThrough(later);
    it.do({ type: "delete", by: by("zoe") }, 1);
    expect(it.alert?.pending).toEqual([]);
  });

  describe("with another destination without a delay", () => {
    const destinations = { teamIds: [idOf(2)], routerIds: [ROUTER], accountUserIds: [] };
    const both = () => createThrough(later, { destinations });

    test("starts the delayed destination on time although a person of the other acknowledges", () => {
      const it = both();
      expect(it.alert?.status).toBe("open");
      it.do({ type: "acknowledge", by: by("bob") }, 1);
      expect(it.alert?.status).toBe("open");
      it.do({ type: "tick" }, 5);
      expect(paged(it)).toBe("bob ann");
      expect(states(it)).toBe("acknowledged open");
    });

    test("acknowledges the delayed destination too if the sender acknowledges", () => {
      const it = both();
      it.do({ type: "acknowledge", by: SENDER }, 1);
      expect(it.alert?.status).toBe("acknowledged");
      expect(states(it)).toBe("acknowledged acknowledged");
      expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
    });

    test("does not drop the alert before it ends, although everyone else has rejected the alert", () => {
      const it = both();
      it.do({ type: "reject", by: by("bob") }, 1);
      expect(it.alert?.status).toBe("open");
      it.do({ type: "tick" }, 5);
      it.do({ type: "tick" }, 10);
      expect(it.alert?.status).toBe("dropped");
    });
  });
});

describe("a maintenance window", () => {
  const until = T0 + 30 * MINUTE;
  const within = (minute: number): Partial<AlertDraft> => ({
    destinations: { teamIds: [idOf(1)], routerIds: [], accountUserIds: [] },
    maintenance: { at: T0 + minute * MINUTE, until },
  });
  const outside = { ...within(0), maintenance: null };

  test("suppresses the alert, notifies no one, and counts repetitions within it", () => {
    const it = createThrough([], within(0));
    it.do(event(2, within(20)), 20);
    expect(it.alert).toMatchObject({ status: "suppressed", dedupCount: 1, teamIds: [idOf(1)] });
    expect(it.pages).toEqual([]);
  });

  test("opens the alert at its end, routed as it would be then, unless its sender resolved it", () => {
    const front = always({ type: "setval", map: { urgency: "critical" } }, to(DAY));
    const through = { ...within(0), ...routed, maintenance: { at: T0, until } };
    for (const isResolved of [false, true]) {
      const it = createThrough([], through);
      it.routers = new Map([[ROUTER, router(front)]]);
      if (isResolved) it.do({ type: "resolve", by: SENDER }, 29);
      it.do({ type: "tick" }, 30);
      expect(it.alert?.status).toBe(isResolved ? "resolved" : "open");
      expect(paged(it)).toBe(isResolved ? "" : "ann");
      expect(it.alert?.urgency).toBe(isResolved ? "high" : "critical");
      expect(it.do({ type: "tick" }, 30)).toMatchObject({ result: "nothing_due" });
    }
  });

  test("leaves suppressed at its end what a router ignores then, and lets its next event create another alert", () => {
    const it = createThrough([], { ...routed, maintenance: { at: T0, until } });
    it.routers = new Map([[ROUTER, router(always({ type: "ignore" }))]]);
    it.do({ type: "tick" }, 30);
    expect(it.alert).toMatchObject({ status: "suppressed", suppressedUntil: null });
    expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
    expect(it.do(event(2), 61)).toMatchObject({ result: "finished" });
  });

  test("opens and counts on an event after it, and pages once for it", () => {
    const it = createThrough([], within(0));
    it.do(event(2, outside), 31);
    it.do({ type: "tick" }, 31);
    expect(it.alert).toMatchObject({ status: "open", dedupCount: 1 });
    expect(paged(it)).toBe("ann");
  });

  test("lets another integration that shares a dedup key create an alert of its own outside of it", () => {
    const it = createThrough([], within(0));
    const source = { type: "Integration", id: "other", name: "Other", logId: "log" } as const;
    expect(it.do(event(2, { ...outside, source }), 1)).toMatchObject({ result: "finished" });
  });

  test("does not open the alert once somebody has acknowledged it, and does if that is undone", () => {
    const it = createThrough([], within(0));
    it.do({ type: "acknowledge", by: by("ann") }, 29.5);
    expect(it.do({ type: "tick" }, 30)).toMatchObject({ result: "nothing_due" });
    it.do({ type: "undo", by: by("ann"), areOthersNotified: false }, 30.4);
    it.do({ type: "tick" }, 30.4);
    expect(it.alert?.status).toBe("open");
    expect(paged(it)).toBe("ann");
  });

  test("counts repetitions of an open alert, and does not reopen a dropped one", () => {
    const open = createThrough([], outside);
    open.do(event(2, within(1)), 1);
    expect(open.alert).toMatchObject({ status: "open", dedupCount: 1 });
    open.do({ type: "tick" }, 5);
    open.do(event(3, within(6)), 6);
    expect(open.alert).toMatchObject({ status: "dropped", dedupCount: 2 });
    expect(paged(open)).toBe("ann");
  });
});

test("an alert that fires again within reopen_within delays again what was still delayed", () => {
  const source = { ...SENDER, integrationId: "integration" };
  const destinations = { teamIds: [idOf(2)], routerIds: [ROUTER], accountUserIds: [] };
  const it = createThrough(always(after(DAY, "10m")), { destinations });
  const reopenUntil = T0 + 8 * MINUTE;
  it.do({ type: "resolve", by: source, reopenUntil }, 3);
  expect(paged(it)).toBe("bob");
  it.do(event((T0 + 5 * MINUTE) * 1_000, { destinations }), 5);
  it.do({ type: "acknowledge", by: by("bob") }, 6);
  expect(it.alert?.status).toBe("open");
  it.do({ type: "tick" }, 15);
  expect(paged(it)).toBe("bob bob ann");
});

describe("automatic resolution", () => {
  const destinations = { teamIds: [idOf(1)], routerIds: [], accountUserIds: [] };
  const brief = { destinations, autoResolveMs: 3 * MINUTE };

  test("resolves the alert a set time after its last event, and notifies no one at that instant", () => {
    const it = createThrough([], brief);
    it.do(event(2, brief), 2);
    expect(it.do({ type: "tick" }, 4.9)).toMatchObject({ result: "nothing_due" });
    it.do({ type: "tick" }, 5);
    expect(it.alert).toMatchObject({ status: "resolved", resolvedAt: T0 + 5 * MINUTE });
    expect(paged(it)).toBe("ann");
    expect(it.do({ type: "tick" }, 60)).toMatchObject({ result: "nothing_due" });
  });

  test("resolves an acknowledged alert too, and one that a maintenance window suppresses", () => {
    const it = createThrough([], brief);
    it.do({ type: "acknowledge", by: by("ann") }, 1);
    it.do({ type: "tick" }, 3);
    expect(it.alert?.status).toBe("resolved");
    const suppressed = createThrough([], {
      ...brief,
      maintenance: { at: T0, until: T0 + 3 * MINUTE },
    });
    suppressed.do({ type: "tick" }, 3);
    expect(suppressed.alert?.status).toBe("resolved");
    expect(paged(suppressed)).toBe("");
  });
});

describe("aggregation", () => {
  const rules = always({
    type: "aggregate",
    by: ["alert.title"],
    timeout: "5m",
    receiver: nameOf(DAY),
  });
  const createWithFirst = (it: History, first: string) => {
    const outcome = it.do(event(1), 0);
    if (outcome.kind !== "needs") throw new Error(outcome.kind);
    const [aggregate] = outcome.aggregates ?? [];
    it.firsts = new Map([[aggregate?.fingerprint ?? "", first]]);
    it.do(event(1), 0);
    return it.alert;
  };

  test("opens the first alert; suppresses another, whose timeline names the first", () => {
    const newHistory = () => {
      const it = history([DAY, NIGHT, DAN]);
      it.routers = new Map([[ROUTER, router(rules)]]);
      return it;
    };
    expect(createWithFirst(newHistory(), "alert")).toMatchObject({ status: "open" });
    const child = newHistory();
    expect(createWithFirst(child, idOf(7))).toMatchObject({ status: "suppressed", workflows: [] });
    expect(timelineOf(child)).toContain(prefixIdOf("alert", idOf(7)));
    expect(child.pages).toEqual([]);
  });
});

describe("a handoff", () => {
  const handOff = (ids: Partial<AlertDraft["destinations"]>) =>
    ({
      type: "handoff",
      destinations: { teamIds: [], routerIds: [], accountUserIds: [], ...ids },
      note: "mind the disk",
      by: by("ann"),
    }) as const;

  test("reopens an acknowledged alert, leaves acknowledged_at, and logs who, to whom and the note", () => {
    const it = made([DAY, NIGHT]);
    it.facts = history([DAY, NIGHT, DAN]).facts;
    it.do({ type: "acknowledge", by: by("zoe") }, 1);
    it.do(handOff({ accountUserIds: [idOf(3)] }), 2);
    expect(it.alert).toMatchObject({ status: "open", acknowledgedAt: T0 + MINUTE });
    expect(states(it)).toBe("cancelled cancelled open");
    expect(timelineOf(it)).toContain(`Handed off by ANN to ${DAN.name}: mind the disk`);
    it.do({ type: "tick" }, 12);
    expect(it.alert?.status).toBe("dropped");
  });

  test("to the same team starts again at its first layer", () => {
    const it = made([DAY]);
    it.do(handOff({ teamIds: [idOf(1)] }), 2);
    expect(states(it)).toBe("open");
    expect(it.alert?.workflows[0]?.nextStepAt).toBe(T0 + 7 * MINUTE);
  });

  test("to a router follows its rules, and is refused if they ignore the alert", () => {
    const it = made([DAY]);
    it.facts = history([DAY, NIGHT, DAN]).facts;
    it.routers = new Map([[ROUTER, router(always(to(NIGHT)))]]);
    it.do(handOff({ routerIds: [ROUTER] }), 1);
    expect(states(it)).toBe("cancelled open");
    it.routers = new Map([[ROUTER, router(always({ type: "ignore" }))]]);
    expect(it.do(handOff({ routerIds: [ROUTER] }), 2)).toMatchObject({ kind: "refused" });
    expect(states(it)).toBe("cancelled open");
  });

  test("is refused after the alert is resolved, or to a missing destination", () => {
    const it = made([DAY]);
    it.facts = new Map([...it.facts, ["team:gone", null]]);
    expect(it.do(handOff({ teamIds: ["gone"] }), 1)).toMatchObject({
      refusal: { errors: [{ field: "destination_team_ids" }] },
    });
    it.do({ type: "resolve", by: by("ann") }, 2);
    expect(it.do(handOff({ teamIds: [idOf(1)] }), 3)).toMatchObject({
      refusal: { reason: "conflict" },
    });
  });
});
