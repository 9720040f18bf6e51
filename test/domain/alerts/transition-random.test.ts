// What holds of every history of an alert, whatever is asked of it, in whatever order, however late.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Alert, AlertStatus } from "../../../src/domain/alerts/alert.ts";
import type { Command, Outcome } from "../../../src/domain/alerts/commands.ts";
import { sized } from "../../support/generated/sizes.ts";
import { by, draft, type History, history, SENDER, team } from "./alert-makers.ts";

const PEOPLE = ["ann", "bob", "cid", "dan", "zoe"];
const TEAMS = [
  team("t", ["ann bob", "", "cid"], { repeat: 1 }),
  team("u", ["dan", "ann"], { members: ["dan"] }),
];

/** Which status may follow which, within one command. */
const MAY_FOLLOW: Record<AlertStatus, readonly AlertStatus[]> = {
  queued: [],
  open: ["open", "acknowledged", "dropped", "resolved"],
  acknowledged: ["acknowledged", "resolved"],
  dropped: ["dropped", "open", "acknowledged", "resolved"],
  resolved: ["resolved"],
  suppressed: [],
};

type Step = { readonly command: Command; readonly wait: number };

const person = fc.constantFrom(...PEOPLE).map(by);
const anybody = fc.oneof(person, fc.constant(SENDER));
const command: fc.Arbitrary<Command> = fc.oneof(
  // How far back the numbers reach, and how many they are: repeated and overlapping ones among them.
  {
    weight: 20,
    arbitrary: fc.tuple(fc.nat(4), fc.nat(3)).map(([back, more]) => again(back, more)),
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
);
const steps = fc.array(fc.record({ command, wait: fc.constantFrom(0, 0.5, 1, 5, 5.001, 30) }), {
  minLength: 5,
  maxLength: 40,
});

/** A create whose numbers are filled in when the history is known: `back` old ones, `more` new ones. */
function again(back: number, more: number): Command {
  return { type: "create", draft: draft(TEAMS), sequences: [-back, more] };
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
  check: (it: History, before: Alert, outcome: Outcome) => void,
) {
  const it = history(TEAMS);
  it.do({ type: "create", draft: draft(TEAMS), sequences: [1] }, 0);
  let minute = 0;
  let last = 1;
  for (const { command, wait } of given) {
    minute += wait;
    const before = it.alert as Alert;
    const asked = numbered(command, last);
    const outcome = it.do(asked, minute);
    if (asked.type === "create" && !(outcome.kind === "unchanged" && outcome.result === "finished"))
      last = Math.max(last, ...asked.sequences);
    check(it, before, outcome);
  }
  return { it, last };
}

const runs = { numRuns: sized(500, 10_000) };

test("no step that is not allowed; refusals and what is not due change nothing", () => {
  fc.assert(
    fc.property(steps, (given) => {
      play(given, (it, before, outcome) => {
        const alert = it.alert as Alert;
        if (outcome.kind !== "changed") return expect(alert).toBe(before);
        expect(MAY_FOLLOW[before.status]).toContain(alert.status);
        expect(alert.version).toBe(before.version + 1);
        if (before.acknowledgedAt !== null) {
          expect(alert.acknowledgedAt).toBe(before.acknowledgedAt);
        }
        expect(before.deletedAt).toBeNull();
      });
    }),
    runs,
  );
});

test("the status says what the workflows are", () => {
  fc.assert(
    fc.property(steps, (given) => {
      play(given, ({ alert }) => {
        if (alert === null || alert.deletedAt !== null) return;
        const states = alert.workflows.map((one) => one.state);
        if (alert.status === "resolved") return expect(states).not.toContain("open");
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

test("an open workflow always has a next step; one that has ended has none", () => {
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

test("pages only for open workflows, of people on that layer who have not rejected; each its own effect", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it } = play(given, (_, before, outcome) => {
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
          expect(["resolved"]).not.toContain(before.status);
          // Only what happens again wakes a workflow that had ended.
          if (earlier !== "open") expect(before.status).toBe("dropped");
          if (earlier === "acknowledged") throw new Error("paged after an acknowledgement");
        }
      });
      expect(new Set(it.pages.map((page) => page.effectId)).size).toBe(it.pages.length);
    }),
    runs,
  );
});

test("every line of the story has its number, without a gap", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it } = play(given, () => {});
      expect(it.log.map((entry) => entry.sequence)).toEqual(it.log.map((_, i) => i));
      expect(it.alert?.logCount).toBe(it.log.length);
    }),
    runs,
  );
});

test("every event is counted once: the count is the distinct ones less the first", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it, last } = play(given, () => {});
      expect(it.alert).toMatchObject({ dedupCount: last - 1, countedSequence: last });
    }),
    runs,
  );
});

test("whoever waits long enough sees an end: asked without an answer it is dropped", () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { it } = play(given, () => {});
      for (let tick = 1; tick <= 12; tick += 1) it.do({ type: "tick" }, 10_000 + tick * 10);
      expect(it.alert?.status === "open" && it.alert.deletedAt === null).toBe(false);
    }),
    runs,
  );
});
