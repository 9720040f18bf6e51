// Invariants of every history of an alert, for any commands, in any order and at any time.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ALERT_URGENCIES,
  type Alert,
  type AlertStatus,
  type AlertUrgency,
} from "../../../src/domain/alerts/alert.ts";
import type { Command, Outcome } from "../../../src/domain/alerts/commands.ts";
import { sized } from "../../support/generated/sizes.ts";
import {
  by,
  draft,
  type History,
  history,
  knowing,
  MINUTE,
  personAlone,
  SENDER,
  T0,
  team,
} from "./alert-makers.ts";

const PEOPLE = ["ann", "bob", "cid", "dan", "zoe"];
const TEAMS = [
  team("t", ["ann bob", "", "cid"], { repeat: 1 }),
  team("u", ["dan", "ann"], { members: ["dan"] }),
];

/** The statuses that may follow each status within one command. */
const MAY_FOLLOW: Record<AlertStatus, readonly AlertStatus[]> = {
  queued: [],
  open: ["open", "acknowledged", "dropped", "resolved"],
  // The end of a snooze.
  acknowledged: ["acknowledged", "resolved", "open", "dropped"],
  dropped: ["dropped", "open", "acknowledged", "resolved"],
  // Reopened; nobody may be on call.
  resolved: ["resolved", "open", "dropped", "acknowledged"],
  suppressed: [],
};

type Step = { readonly command: Command; readonly wait: number };

const person = fc.constantFrom(...PEOPLE).map(by);
const anybody = fc.oneof(person, fc.constant(SENDER));
const command: fc.Arbitrary<Command> = fc.oneof(
  // How many old and how many new sequence numbers it carries; some are repeated or overlap.
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.nat(4), fc.nat(3), fc.constantFrom(...ALERT_URGENCIES), fc.subarray(["a", "b"]))
      .map((given) => createAgain(...given)),
  },
  { weight: 10, arbitrary: anybody.map((it) => ({ type: "acknowledge", by: it }) as const) },
  { weight: 15, arbitrary: person.map((it) => ({ type: "reject", by: it }) as const) },
  { weight: 5, arbitrary: anybody.map((it) => ({ type: "resolve", by: it }) as const) },
  { weight: 25, arbitrary: fc.constant({ type: "tick" } as const) },
  {
    weight: 5,
    arbitrary: person.map((it) => ({ type: "change", changes: { title: "x" }, by: it }) as const),
  },
  { weight: 1, arbitrary: person.map((it) => ({ type: "delete", by: it }) as const) },
  {
    weight: 5,
    arbitrary: person.map((it) => ({ type: "reopen", retiredBefore: null, by: it }) as const),
  },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(120), person)
      .map(([minutes, it]) => ({ type: "snooze", until: T0 + minutes * MINUTE, by: it }) as const),
  },
  { weight: 5, arbitrary: person.map((it) => ({ type: "escalate", by: it }) as const) },
  {
    weight: 8,
    arbitrary: person.map((it) => ({ type: "undo", areOthersNotified: true, by: it }) as const),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(fc.subarray(["t", "u"], { minLength: 1 }), person).map(
      ([teamIds, it]) =>
        ({
          type: "request_responders",
          destinations: { teamIds, accountUserIds: [] },
          note: null,
          by: it,
        }) as const,
    ),
  },
  {
    weight: 2,
    arbitrary: person.map(
      (it) => ({ type: "merge", alerts: [{ id: "other", title: "x" }], by: it }) as const,
    ),
  },
  {
    weight: 1,
    arbitrary: person.map((it) => ({ type: "merge_into", leaderId: "leader", by: it }) as const),
  },
);
const steps = fc.array(fc.record({ command, wait: fc.constantFrom(0, 0.5, 1, 5, 5.001, 30) }), {
  minLength: 5,
  maxLength: 40,
});

/** A create with `back` old and `more` new sequence numbers, which `numbered` fills in. */
function createAgain(back: number, more: number, urgency: AlertUrgency, names: string[]): Command {
  const members = { names, isPartial: true } as const;
  return { type: "create", draft: draft(TEAMS, { urgency, members }), sequences: [-back, more] };
}

function numbered(given: Command, last: number): Command {
  if (given.type !== "create") return given;
  const [back = 0, more = 0] = given.sequences;
  const from = Math.max(1, last + 1 + back);
  return {
    ...given,
    sequences: Array.from({ length: last + more - from + 1 }, (_, i) => from + i),
  };
}

function play(
  given: readonly Step[],
  check: (it: History, before: Alert, outcome: Outcome, command: Command) => void,
) {
  const it = history(TEAMS);
  it.facts = knowing([...TEAMS, ...PEOPLE.map(personAlone)]);
  it.do({ type: "create", draft: draft(TEAMS), sequences: [1] }, 0);
  let minute = 0;
  let last = 1;
  for (const { command, wait } of given) {
    minute += wait;
    const before = it.alert as Alert;
    const sent = numbered(command, last);
    const outcome = it.do(sent, minute);
    if (sent.type === "create" && !(outcome.kind === "unchanged" && outcome.result === "finished"))
      last = Math.max(last, ...sent.sequences);
    check(it, before, outcome, sent);
  }
  return { it, last };
}

const isWaking = ({ snoozedUntil }: Alert, { type }: Command) =>
  type === "tick" && snoozedUntil != null;

const runs = { numRuns: sized(200, 10_000) };

test("takes only allowed transitions; refused commands and early ticks change nothing", () => {
  fc.assert(
    fc.property(steps, (given) => {
      play(given, (it, before, outcome, command) => {
        const alert = it.alert as Alert;
        if (outcome.kind !== "changed") return expect(alert).toBe(before);
        expect(MAY_FOLLOW[before.status]).toContain(alert.status);
        expect(alert.version).toBe(before.version + 1);
        if (before.acknowledgedAt !== null && command.type !== "undo") {
          expect(alert.acknowledgedAt).toBe(before.acknowledgedAt);
        }
        expect(before.deletedAt).toBeNull();
      });
    }),
    runs,
  );
});

test("the status follows from the states of the workflows", () => {
  fc.assert(
    fc.property(steps, (given) => {
      play(given, ({ alert }) => {
        if (alert === null || alert.deletedAt !== null) return;
        const all = alert.workflows.map((one) => one.state);
        if (alert.status === "resolved") return expect(all).not.toContain("open");
        const states = alert.workflows.filter((it) => !it.isRequested).map((one) => one.state);
        const expected = states.includes("open")
          ? "open"
          : states.includes("acknowledged")
            ? "acknowledged"
            : "dropped";
        expect(alert.status).toBe(expected);
      });
    }),
    runs,
  );
});

test("an open workflow always has a next step; an ended one has none", () => {
  fc.assert(
    fc.property(steps, (given) => {
      play(given, ({ alert }) => {
        for (const workflow of alert?.workflows ?? []) {
          expect(workflow.nextStepAt === null).toBe(workflow.state !== "open");
        }
      });
    }),
    runs,
  );
});

test("pages only people on the layer of an open workflow who did not reject; effects are unique", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it } = play(given, (_, before, outcome, command) => {
        if (outcome.kind !== "changed") return;
        for (const page of outcome.pages) {
          if (page.workflowId === null) {
            expect(page.event).not.toBe("alert.open");
            continue;
          }
          const after = outcome.alert.workflows.find((one) => one.id === page.workflowId);
          expect(after).toMatchObject({ state: "open", layer: page.layer, pass: page.pass });
          expect(after?.accountUserIds).toContain(page.accountUserId);
          expect(after?.rejectedIds).not.toContain(page.accountUserId);
          const earlier = before.workflows.find((one) => one.id === page.workflowId)?.state;
          // A workflow that had ended starts again by a repeated event, a reopening, the end of a
          // snooze, news or another request.
          if (page.isNews) {
            expect(command.type).toBe("create");
            expect(["open", "acknowledged"]).toContain(before.status);
            continue;
          }
          if (earlier === "open" || command.type === "undo") continue;
          if (after?.isRequested) expect(command.type).toBe("request_responders");
          else if (before.status === "resolved") expect(command.type).toBe("reopen");
          else if (before.status === "acknowledged") expect(isWaking(before, command)).toBe(true);
          else expect(before.status).toBe("dropped");
        }
      });
      expect(new Set(it.pages.map((page) => page.effectId)).size).toBe(it.pages.length);
    }),
    runs,
  );
});

test("timeline entries are numbered without gaps", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it } = play(given, () => {});
      expect(it.log.map((entry) => entry.sequence)).toEqual(it.log.map((_, i) => i));
      expect(it.alert?.logCount).toBe(it.log.length);
    }),
    runs,
  );
});

test("every distinct event after the first is counted once", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it, last } = play(given, () => {});
      expect(it.alert).toMatchObject({ dedupCount: last - 1, countedSequence: last });
    }),
    runs,
  );
});

test("an unanswered alert is eventually dropped", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it } = play(given, () => {});
      for (let tick = 1; tick <= 12; tick += 1) it.do({ type: "tick" }, 10_000 + tick * 10);
      expect(it.alert?.status === "open" && it.alert.deletedAt === null).toBe(false);
    }),
    runs,
  );
});
