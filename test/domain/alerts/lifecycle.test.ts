// Reopen, snooze, escalate, request responders, merge (contract 3, Escalation).
import { describe, expect, test } from "vitest";
import type { Alert } from "../../../src/domain/alerts/alert.ts";
import { alertEvents } from "../../../src/domain/alerts/alert-events.ts";
import type { Command, RequestedDestinations } from "../../../src/domain/alerts/commands.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import {
  by,
  draft,
  type History,
  knowing,
  MINUTE,
  made,
  paged,
  personAlone,
  states,
  T0,
  team,
} from "./alert-makers.ts";

const ANN = by("ann");
const DAY = 24 * 60;
const at = (minutes: number) => T0 + minutes * MINUTE;

const snooze = (minutes: number): Command => ({ type: "snooze", until: at(minutes), by: ANN });
const reopen: Command = { type: "reopen", retiredBefore: null, by: ANN };
const resolve: Command = { type: "resolve", by: ANN };
const acknowledge: Command = { type: "acknowledge", by: ANN };
const escalate: Command = { type: "escalate", by: ANN };
const tick: Command = { type: "tick" };
const request = (
  destinations: Partial<Pick<RequestedDestinations, "teamIds" | "accountUserIds">>,
  note: string | null = null,
): Command => ({
  type: "request_responders",
  destinations: { teamIds: [], accountUserIds: [], ...destinations },
  note,
  by: ANN,
});

const refusalOf = (it: History) => {
  const last = it.outcomes.at(-1);
  return last?.kind === "refused" ? last.refusal : null;
};

/** Applies commands a minute apart, from minute 1. */
function having(it: History, ...commands: readonly Command[]): History {
  for (const [i, command] of commands.entries()) it.do(command, i + 1);
  return it;
}

const queued = () => {
  const it = made([]);
  it.alert = { ...(it.alert as Alert), status: "queued" };
  return it;
};
const inStatus: Record<string, () => History> = {
  queued,
  open: () => made([team("t", ["ann", "bob"])]),
  acknowledged: () => having(made([team("t", ["ann", "bob"])]), acknowledge),
  dropped: () => made([team("t", [""])]),
  resolved: () => having(made([team("t", ["ann", "bob"])]), resolve),
  suppressed: () => {
    const it = made([team("t", ["ann"])]);
    it.alert = { ...(it.alert as Alert), status: "suppressed" };
    return it;
  },
};

describe("which statuses allow it", () => {
  const allowed: Record<string, readonly [Command, readonly string[]]> = {
    reopen: [reopen, ["resolved"]],
    snooze: [snooze(60), ["open", "acknowledged", "dropped"]],
    escalate: [escalate, ["open"]],
    responders: [request({ accountUserIds: ["cid"] }), ["open", "acknowledged", "dropped"]],
    merge: [
      { type: "merge", alerts: [{ id: "other", title: "Other" }], by: ANN },
      ["open", "acknowledged", "dropped"],
    ],
  };
  for (const [name, [command, from]] of Object.entries(allowed)) {
    for (const [status, make] of Object.entries(inStatus)) {
      test(`${name} while ${status}: ${from.includes(status) ? "allowed" : "409"}`, () => {
        const it = make();
        it.facts = knowing([team("t", ["ann", "bob"]), personAlone("cid")]);
        const before = it.alert;
        const outcome = it.do(command, 10);
        if (from.includes(status)) return expect(outcome.kind).toBe("changed");
        expect(refusalOf(it)).toMatchObject({ reason: "conflict" });
        expect(refusalOf(it)?.errors[0]?.message).toContain(`the alert is ${status}`);
        expect(it.alert).toBe(before);
      });
    }
  }
});

describe("reopen", () => {
  test("asks the destinations from the first layer again, also those who had rejected", () => {
    const it = made([team("t", ["ann bob", "cid"])]);
    it.do({ type: "reject", by: by("bob") }, 1);
    it.do(acknowledge, 2);
    it.do(resolve, 3);
    it.do(reopen, 4);
    expect(it.alert).toMatchObject({ status: "open", resolvedAt: null, acknowledgedAt: at(2) });
    expect(it.alert?.workflows).toMatchObject([
      { state: "open", layer: 1, pass: 1, rejectedIds: [], accountUserIds: ["ann", "bob"] },
    ]);
    expect(paged(it)).toBe("ann bob ann bob");
    expect(it.log.at(-2)?.message).toBe("Reopened by ANN: escalation starts at step 1");
  });

  test("leaves destinations alone that the alert was handed off from", () => {
    const it = made([team("t", ["ann"])]);
    it.facts = knowing([team("t", ["ann"]), team("u", ["bob"])]);
    const destinations = { teamIds: ["u"], routerIds: [], accountUserIds: [] };
    it.do({ type: "handoff", destinations, note: null, by: ANN }, 1);
    it.do(resolve, 2);
    it.do(reopen, 3);
    expect(states(it)).toBe("cancelled open");
    expect(paged(it)).toBe("ann bob bob");
  });

  test("is dropped, and says so, if nobody is on call any more", () => {
    const it = having(made([team("t", ["ann"], { dropRecipients: ["zoe"] })]), resolve);
    it.facts = knowing([team("t", [""], { dropRecipients: ["zoe"] })]);
    it.do(reopen, 5);
    expect(it.alert?.status).toBe("dropped");
    expect(it.pages.at(-1)).toMatchObject({ event: "alert.dropped", accountUserId: "zoe" });
  });

  test("claims its identifiers once everything else is known", () => {
    const it = having(made([team("t", ["ann"])]), resolve);
    it.hasClaimed = false;
    expect(it.do(reopen, 2)).toEqual({ kind: "needs", destinations: [], claim: true });
    it.hasClaimed = true;
    expect(it.do(reopen, 2).kind).toBe("changed");
  });

  test("is refused after the retention period", () => {
    const it = having(made([team("t", ["ann"])]), resolve);
    it.do({ ...reopen, retiredBefore: at(2) } as Command, 5);
    expect(refusalOf(it)?.errors[0]?.message).toContain("retention");
    it.do({ ...reopen, retiredBefore: at(1) } as Command, 5);
    expect(it.alert?.status).toBe("open");
  });

  test("counts the sender's next event", () => {
    const it = having(made([team("t", ["ann"])]), resolve, reopen);
    it.do({ type: "create", draft: draft([team("t", ["ann"])]), sequences: [2] }, 5);
    expect(it.alert).toMatchObject({ status: "open", dedupCount: 1 });
  });
});

describe("snooze", () => {
  test("asks nobody until then, and starts at the first layer", () => {
    const it = made([team("t", ["ann", "bob"])]);
    it.do(snooze(60), 1);
    expect(it.alert).toMatchObject({
      status: "acknowledged",
      snoozedUntil: at(60),
      acknowledgedAt: at(1),
    });
    it.do(tick, 59.9);
    expect(it.alert?.status).toBe("acknowledged");
    it.do(tick, 60);
    expect(it.alert).toMatchObject({ status: "open", snoozedUntil: null });
    expect(it.alert?.workflows).toMatchObject([{ layer: 1, pass: 1, state: "open" }]);
    expect(paged(it)).toBe("ann ann");
  });

  test("a dropped alert is asked again", () => {
    const it = made([team("t", ["ann"])]);
    it.do(tick, 5);
    expect(it.alert?.status).toBe("dropped");
    it.do(snooze(60), 6);
    it.do(tick, 60);
    expect(it.alert?.status).toBe("open");
    expect(paged(it)).toBe("ann ann");
  });

  test("the other people who were asked are told until when", () => {
    const it = made([team("t", ["ann bob"])]);
    it.do(snooze(60), 1);
    const [page, ...more] = it.pages.filter(({ event }) => event === "alert.acknowledged");
    expect(more).toEqual([]);
    expect(page).toMatchObject({
      accountUserId: "bob",
      detail: "Snoozed by ANN until 2026-01-05T10:00:00.000Z.",
    });
  });

  test.each([
    ["acknowledge", acknowledge, "acknowledged"],
    ["resolve", resolve, "resolved"],
  ] as const)("%s ends it", (_, command, status) => {
    const it = having(made([team("t", ["ann", "bob"])]), snooze(60), command);
    expect(it.alert).toMatchObject({ status, snoozedUntil: null });
    expect(it.do(tick, 60)).toMatchObject({ kind: "unchanged" });
    expect(paged(it)).toBe("ann");
  });

  test("a handoff ends it", () => {
    const it = having(made([team("t", ["ann", "bob"])]), snooze(60));
    const destinations = { teamIds: ["t"], routerIds: [], accountUserIds: [] };
    it.do({ type: "handoff", destinations, note: null, by: ANN }, 3);
    expect(it.alert).toMatchObject({ status: "open", snoozedUntil: null });
  });

  test("a repeated event is only counted", () => {
    const it = having(made([team("t", ["ann"])]), snooze(60));
    it.do({ type: "create", draft: draft([team("t", ["ann"])]), sequences: [2] }, 5);
    expect(it.alert).toMatchObject({ status: "acknowledged", snoozedUntil: at(60), dedupCount: 1 });
  });

  test("another snooze replaces it", () => {
    const it = having(made([team("t", ["ann"])]), snooze(60), snooze(30));
    it.do(tick, 30);
    expect(it.alert?.status).toBe("open");
  });

  test.each([
    [1, "until must be in the future"],
    [1 + 30 * DAY + 1, "until is over 30 days ahead"],
  ])("until minute %s: 422", (until, message) => {
    const it = made([team("t", ["ann"])]);
    it.do(snooze(until), 1);
    expect(refusalOf(it)).toMatchObject({
      reason: "invalid",
      errors: [{ field: "until", message }],
    });
  });
});

describe("escalate", () => {
  test("goes to the next layer now; the one before is not asked again", () => {
    const it = made([team("t", ["ann", "", "cid"])]);
    it.do(escalate, 1);
    expect(it.alert?.workflows).toMatchObject([{ layer: 3, nextStepAt: at(6) }]);
    expect(paged(it)).toBe("ann cid");
    expect(it.pages.at(-1)?.detail).toBe("Escalated by ANN.");
  });

  test("goes on to the policy's next pass and to its reassignment", () => {
    const u = team("u", ["dan"]);
    const it = made([team("t", ["ann"], { repeat: 1, reassign: [u.destination] })]);
    it.facts = knowing([team("t", ["ann"], { repeat: 1, reassign: [u.destination] }), u]);
    it.do(escalate, 1);
    it.do(escalate, 2);
    expect(paged(it)).toBe("ann ann dan");
    expect(states(it)).toBe("timed_out open");
  });

  test("never drops an alert: a workflow without a further layer waits on", () => {
    const it = made([team("t", ["ann", "bob"]), team("u", ["dan"])]);
    it.do(escalate, 1);
    expect(it.alert?.workflows).toMatchObject([
      { state: "open", layer: 2, nextStepAt: at(6) },
      { state: "open", layer: 1, nextStepAt: at(5) },
    ]);
    it.do(escalate, 2);
    expect(refusalOf(it)).toMatchObject({ reason: "conflict" });
    expect(it.alert?.status).toBe("open");
  });
});

describe("requested responders", () => {
  const facts = [team("t", ["ann"]), team("u", ["dan", "eve"]), personAlone("cid")];
  const open = () => {
    const it = made([team("t", ["ann"])]);
    it.facts = knowing(facts);
    return it;
  };

  test("are paged with the note, by workflows of their own", () => {
    const it = open();
    it.do(acknowledge, 1);
    it.do(request({ teamIds: ["u"], accountUserIds: ["cid"] }, "the pump"), 2);
    expect(it.alert?.status).toBe("acknowledged");
    expect(paged(it)).toBe("ann dan cid");
    expect(it.pages.at(-1)).toMatchObject({
      event: "alert.open",
      detail: "ANN asks for your help: the pump.",
    });
    expect(it.alert?.workflows).toMatchObject([
      { state: "acknowledged" },
      { state: "open", isRequested: true },
      { state: "open", isRequested: true },
    ]);
    expect(
      it.log.some(({ message }) => message === "ANN requested Team u, CID as responders: the pump"),
    ).toBe(true);
  });

  test("escalate when they do not answer, and never change the status", () => {
    const it = open();
    it.do(acknowledge, 1);
    it.do(request({ teamIds: ["u"] }), 2);
    it.do(tick, 7);
    expect(paged(it)).toBe("ann dan eve");
    it.do(tick, 12);
    expect(it.alert).toMatchObject({ status: "acknowledged" });
    expect(states(it)).toBe("acknowledged timed_out");
  });

  test("their acknowledgement is theirs alone", () => {
    const it = open();
    it.do(request({ accountUserIds: ["cid"] }), 1);
    it.do({ type: "acknowledge", by: by("cid") }, 2);
    expect(it.alert).toMatchObject({ status: "open", acknowledgedAt: null });
    expect(states(it)).toBe("open acknowledged");
    const again = open();
    again.do(acknowledge, 1);
    again.do(request({ accountUserIds: ["cid"] }), 2);
    again.do({ type: "acknowledge", by: by("cid") }, 3);
    expect(states(again)).toBe("acknowledged acknowledged");
    expect(again.alert?.acknowledgedAt).toBe(at(1));
    again.do({ type: "acknowledge", by: by("cid") }, 4);
    expect(refusalOf(again)).toMatchObject({ reason: "conflict" });
  });

  test("may reject; a dropped alert stays dropped without another notice", () => {
    const it = made([team("t", [""], { dropRecipients: ["zoe"] })]);
    it.facts = knowing([team("t", [""], { dropRecipients: ["zoe"] }), personAlone("cid")]);
    it.do(request({ accountUserIds: ["cid"] }), 1);
    it.do({ type: "reject", by: by("cid") }, 2);
    expect(it.alert?.status).toBe("dropped");
    expect(states(it)).toBe("timed_out rejected");
    expect(paged(it)).toBe("zoe cid");
  });

  test("are not asked twice at once, but again once they have answered", () => {
    const it = open();
    it.do(request({ accountUserIds: ["cid"] }), 1);
    it.do(request({ accountUserIds: ["cid"] }), 2);
    expect(refusalOf(it)).toMatchObject({ reason: "conflict" });
    it.do({ type: "acknowledge", by: by("cid") }, 3);
    it.do(request({ accountUserIds: ["cid"] }), 4);
    expect(paged(it)).toBe("ann cid cid");
    expect(it.alert?.workflows).toHaveLength(2);
  });

  test("a destination of the alert may be requested too", () => {
    const it = open();
    it.do(request({ teamIds: ["t"] }), 1);
    expect(states(it)).toBe("open open");
    expect(paged(it)).toBe("ann ann");
  });

  test("a resolve ends their workflows; a reopened alert does not ask them", () => {
    const it = open();
    it.do(request({ accountUserIds: ["cid"] }), 1);
    it.do(resolve, 2);
    expect(states(it)).toBe("cancelled cancelled");
    it.do(reopen, 3);
    expect(states(it)).toBe("open cancelled");
  });

  test("unknown ones: 422 at their parameter", () => {
    const it = open();
    it.facts = new Map([...knowing(facts), ["team:x", null], ["account_user:y", null]]);
    it.do(request({ teamIds: ["x"], accountUserIds: ["y"] }), 1);
    expect(refusalOf(it)?.errors).toEqual([
      { field: "team_ids", message: "team_ids: no such team x" },
      { field: "account_user_ids", message: "account_user_ids: no such account user y" },
    ]);
  });
});

describe("merge", () => {
  const LEADER = "01KA00000000000000000000AA";
  const OTHER = "01KA00000000000000000000BB";
  const into: Command = { type: "merge_into", leaderId: LEADER, by: ANN };

  test("the leader names the others and brings them along", () => {
    const it = made([team("t", ["ann"])]);
    const outcome = it.do({ type: "merge", alerts: [{ id: OTHER, title: "Disk" }], by: ANN }, 1);
    expect(outcome).toMatchObject({ kind: "changed", mergedIds: [OTHER] });
    expect(it.alert).toMatchObject({ status: "open", mergedIds: [OTHER] });
    expect(it.log.at(-1)?.message).toBe(`ANN merged alert ${prefixIdOf("alert", OTHER)}: Disk`);
    expect(paged(it)).toBe("ann");
  });

  test.each(Object.keys(inStatus).filter((it) => it !== "resolved"))(
    "the other ends while %s",
    (status) => {
      const it = inStatus[status]?.() as History;
      it.do(into, 10);
      expect(it.alert).toMatchObject({
        status: "resolved",
        resolvedAt: at(10),
        mergedIntoId: LEADER,
        snoozedUntil: null,
      });
      expect(it.alert?.workflows.every(({ state }) => state !== "open")).toBe(true);
    },
  );

  test("is done once; what was resolved before stays as it is", () => {
    const it = having(made([team("t", ["ann"])]), into);
    expect(it.do(into, 5)).toEqual({ kind: "unchanged", result: "finished" });
    const resolved = having(made([team("t", ["ann"])]), resolve, into);
    expect(resolved.alert?.mergedIntoId).toBeUndefined();
  });

  test("a reopened one is its own again", () => {
    const it = having(made([team("t", ["ann"])]), into, reopen);
    expect(it.alert).toMatchObject({ status: "open", mergedIntoId: null });
  });
});

describe("announcements", () => {
  const eventsOf = (it: History, command: Command, minutes: number) => {
    const before = it.alert;
    const outcome = it.do(command, minutes);
    if (outcome.kind !== "changed") throw new Error("refused");
    return alertEvents(before, outcome.alert, command, at(minutes)).map(({ event, detail }) =>
      detail === null ? event : `${event}: ${detail}`,
    );
  };

  test("each step has its own", () => {
    const it = made([team("t", ["ann", "bob"])]);
    it.facts = knowing([team("t", ["ann", "bob"]), personAlone("cid")]);
    const until = "snoozed until 2026-01-05T10:00:00.000Z";
    expect(eventsOf(it, escalate, 1)).toEqual(["alert.escalated"]);
    expect(eventsOf(it, snooze(60), 2)).toEqual([
      `alert.acknowledged: ${until}`,
      `alert.snoozed: ${until}`,
    ]);
    expect(eventsOf(it, request({ accountUserIds: ["cid"] }), 3)).toEqual([
      "alert.responders_requested: CID",
    ]);
    expect(eventsOf(it, { type: "acknowledge", by: by("cid") }, 4)).toEqual([]);
    expect(eventsOf(it, tick, 60)).toEqual(["alert.open"]);
    const alerts = [{ id: "other", title: "Disk" }];
    expect(eventsOf(it, { type: "merge", alerts, by: ANN }, 61)).toEqual(["alert.merged: Disk"]);
    expect(eventsOf(it, resolve, 62)).toEqual(["alert.resolved"]);
    expect(eventsOf(it, reopen, 63)).toEqual(["alert.open: reopened by ANN"]);
  });
});
