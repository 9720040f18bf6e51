// When a standby takes over and stands down, over any course of what it sees; and which of its events a primary needs.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNeeded, type KnownAlert } from "../../../src/domain/operations/held-event.ts";
import {
  afterQuestion,
  afterSight,
  decideStandby,
  IN_A_ROW,
  isReminderDue,
  NEW_STANDBY,
  questionDue,
  type StandbySight,
  type StandbyState,
  standDown,
  takeOver,
} from "../../../src/domain/operations/standby.ts";

type Step = StandbySight & {
  /** Whether a snapshot is pulled when the primary answers. */
  readonly pulls: boolean;
  readonly byHand: "take_over" | "stand_down" | null;
};

type Course = readonly {
  readonly before: StandbyState;
  readonly after: StandbyState;
  readonly step: Step;
}[];

/** What an object does with these steps, one in each second. */
function run(steps: readonly Step[], from: StandbyState = NEW_STANDBY): Course {
  let state = from;
  return steps.map((step, second) => {
    const before = state;
    const isSilent = state.role === "silent";
    const pulled = step.answers && step.pulls && isSilent ? { snapshotAt: second } : {};
    state = afterSight(afterQuestion({ ...state, ...pulled }, step.answers, second), step);
    const decision = step.byHand ?? decideStandby(state, step);
    if (decision === "take_over" && state.role === "silent" && state.snapshotAt !== null)
      state = takeOver(state, step.byHand !== null, second);
    if (decision === "stand_down" && state.role === "active")
      state = standDown(state, step.byHand !== null);
    return { before, after: state, step };
  });
}

const tookOver = ({ before, after }: Course[number]) =>
  before.role === "silent" && after.role === "active";
const stoodDown = ({ before, after }: Course[number]) =>
  before.role === "active" && after.role === "silent";

const sight = {
  answers: fc.boolean(),
  isSeenOutside: fc.constantFrom(true, false, null),
  earlier: fc.constantFrom(null, null, "silent", "active"),
  pulls: fc.boolean(),
} as const;
const itself = fc.record({ ...sight, byHand: fc.constant(null) });
const anybody = fc.record({
  ...sight,
  byHand: fc.constantFrom(null, null, null, "take_over", "stand_down"),
});
const courses = (step: fc.Arbitrary<Step>) => fc.array(step, { maxLength: 40 });

const GONE: Step = {
  answers: false,
  isSeenOutside: false,
  earlier: null,
  pulls: true,
  byHand: null,
};
const BACK: Step = { ...GONE, answers: true, isSeenOutside: true };
const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

describe("by itself", () => {
  test("it takes over only from a primary that neither it nor somebody elsewhere sees, three times in a row", () => {
    fc.assert(
      fc.property(courses(itself), (steps) => {
        const course = run(steps);
        for (const [i, entry] of course.entries()) {
          if (!tookOver(entry)) continue;
          expect(steps.slice(0, i + 1).slice(-IN_A_ROW)).toHaveLength(IN_A_ROW);
          expect(steps.slice(i + 1 - IN_A_ROW, i + 1).some(({ answers }) => answers)).toBe(false);
          expect(entry.step).toMatchObject({ isSeenOutside: false, earlier: null });
          const isAnswered = ({ answers }: Step) => answers;
          const missed = steps.slice(steps.slice(0, i + 1).findLastIndex(isAnswered) + 1, i + 1);
          const seen = missed.flatMap(({ isSeenOutside: it }) => (it === null ? [] : [it]));
          expect(seen.slice(-IN_A_ROW)).toEqual(Array(IN_A_ROW).fill(false));
        }
      }),
    );
  });

  test("a moment in which nobody elsewhere sees the primary either does not add to a long cut", () => {
    const cut = times(20, { ...GONE, isSeenOutside: true });
    expect(run([BACK, ...cut, ...times(IN_A_ROW - 1, GONE), ...cut]).some(tookOver)).toBe(false);
    expect(run([BACK, ...cut, ...times(IN_A_ROW, GONE)]).some(tookOver)).toBe(true);
  });

  test("it takes over only with a snapshot that is newer than its last stand-down", () => {
    fc.assert(
      fc.property(courses(itself), (steps) => {
        let [pulledAt, stoodDownAt] = [-1, -1];
        for (const [i, entry] of run(steps).entries()) {
          if (tookOver(entry)) expect(pulledAt).toBeGreaterThan(stoodDownAt);
          const isPulled = entry.before.role === "silent" && entry.step.answers && entry.step.pulls;
          if (isPulled) pulledAt = i;
          if (stoodDown(entry)) stoodDownAt = i;
        }
      }),
    );
  });

  test("it stands down only once the primary has answered three times in a row, or for an earlier standby", () => {
    fc.assert(
      fc.property(courses(itself), (steps) => {
        const course = run([BACK, ...times(3, GONE), ...steps]);
        for (const [i, entry] of course.entries()) {
          if (!stoodDown(entry) || entry.step.earlier === "active") continue;
          const latest = course.slice(i + 1 - IN_A_ROW, i + 1);
          expect(latest.every(({ step }) => step.answers)).toBe(true);
        }
      }),
    );
  });

  test("whatever came before, it takes over from a primary that is gone for good, and stands down once it is back", () => {
    fc.assert(
      fc.property(courses(itself), (steps) => {
        const known = run([...steps, ...times(4, BACK)]).at(-1)?.after ?? NEW_STANDBY;
        expect(known.role).toBe("silent");
        const gone = run(times(3, GONE), known).at(-1)?.after;
        expect(gone).toMatchObject({ role: "active", byHand: false });
        expect(run(times(3, BACK), gone).at(-1)?.after.role).toBe("silent");
      }),
    );
  });

  test("without anybody elsewhere, or behind an earlier standby, it never does", () => {
    for (const unable of [
      { isSeenOutside: null },
      { earlier: "silent" },
      { earlier: "active" },
    ] as const) {
      const course = run([BACK, ...times(20, { ...GONE, ...unable })]);
      expect(course.some(tookOver)).toBe(false);
    }
  });

  test("of two that see the same, the later one never is active beside the earlier one", () => {
    fc.assert(
      fc.property(courses(itself), (steps) => {
        let first: StandbyState | undefined = NEW_STANDBY;
        let second: StandbyState | undefined = NEW_STANDBY;
        for (const step of [BACK, ...steps]) {
          [first] = run([{ ...step, earlier: null }], first).map(({ after }) => after);
          [second] = run([{ ...step, earlier: first?.role ?? null }], second).map(
            ({ after }) => after,
          );
          expect([first?.role, second?.role]).not.toEqual(["active", "active"]);
        }
      }),
    );
  });
});

test("what a person decided stays: a take-over until they end it, silence until the primary has answered", () => {
  fc.assert(
    fc.property(courses(anybody), (steps) => {
      for (const { before, after, step } of run(steps)) {
        if (step.byHand !== null || before.role === after.role) continue;
        expect(after.role === "silent" && before.byHand).toBe(false);
        expect(after.role === "active" && before.byHand && !step.answers).toBe(false);
      }
    }),
  );
});

describe("an event that a standby holds", () => {
  const HELD_AT = 1_000_000;
  const resolved = (createdAt: number, resolvedAt: number): KnownAlert => ({
    createdAt: HELD_AT + createdAt,
    resolvedAt: HELD_AT + resolvedAt,
  });
  const open = (createdAt: number): KnownAlert => ({
    createdAt: HELD_AT + createdAt,
    resolvedAt: null,
  });

  test.each<[string, boolean, KnownAlert[], boolean]>([
    ["opens an alert that nobody knows", true, [], true],
    ["opens an alert that is open", true, [open(100)], false],
    [
      "opens an alert that was open and has been resolved since",
      true,
      [resolved(100, 5_000)],
      false,
    ],
    ["opens an alert again that was resolved before", true, [resolved(-90_000, -60_000)], true],
    ["comes a moment after the resolve at the primary", true, [resolved(-90_000, -20_000)], false],
    ["resolves an alert that is open", false, [open(-60_000)], true],
    ["resolves an alert that is resolved", false, [resolved(-60_000, 100)], false],
    ["resolves what nobody knows", false, [], false],
    [
      "resolves an alert that fires again since",
      false,
      [resolved(-60_000, 100), open(60_000)],
      false,
    ],
  ])("that %s", (_, opens, alerts, expected) => {
    expect(isNeeded(opens, HELD_AT, alerts)).toBe(expected);
  });

  test("opens an alert unless one is open: no page is lost", () => {
    const instants = fc.integer({ min: -200_000, max: 200_000 });
    const alerts = fc.array(fc.tuple(instants, fc.option(instants)), { maxLength: 5 });
    fc.assert(
      fc.property(alerts, (drawn) => {
        const known = drawn.map(([at, end]) =>
          end === null ? open(at) : resolved(at, at + Math.abs(end)),
        );
        const ended = known.every(
          (it) => Number(it.resolvedAt) < HELD_AT - 30_000 && it.resolvedAt !== null,
        );
        expect(isNeeded(true, HELD_AT, known)).toBe(ended);
      }),
    );
  });
});

describe("what admins are asked", () => {
  const silent = { ...NEW_STANDBY, snapshotAt: 1 };
  const missed = (misses: number) => ({ ...silent, misses });
  const UNSEEN: Step = { ...GONE, isSeenOutside: null };
  const SEEN: Step = { ...GONE, isSeenOutside: true };

  test.each([
    [
      "without a probe, as soon as it would take over with one",
      missed(IN_A_ROW),
      UNSEEN,
      "take_over",
    ],
    ["without a probe, not before", missed(IN_A_ROW - 1), UNSEEN, null],
    ["of one that is seen elsewhere, after a while", missed(15), SEEN, "take_over"],
    ["of one that is seen elsewhere, not at once", missed(14), SEEN, null],
    ["not where it takes over by itself", missed(15), GONE, null],
    ["not without a snapshot", { ...missed(15), snapshotAt: null }, UNSEEN, null],
    ["not of one that answers", missed(15), BACK, null],
    ["not what somebody has decided", { ...missed(15), byHand: true }, UNSEEN, null],
    ["not beside an earlier standby", missed(15), { ...UNSEEN, earlier: "silent" }, null],
    [
      "whether it is to stand down, from the take-over on",
      takeOver(silent, false, 1),
      GONE,
      "stand_down",
    ],
    ["the same of one that a person had take over", takeOver(silent, true, 1), BACK, "stand_down"],
  ] as const)("%s", (_, state, step, expected) => {
    expect(questionDue(state, step)).toBe(expected);
    const question = { id: "1", order: "take_over", at: 1 } as const;
    expect(questionDue({ ...state, question }, step)).toBeNull();
  });

  test("a question is over once the primary answers, or it is done", () => {
    const question = { id: "1", order: "take_over", at: 1 } as const;
    const asked = { ...missed(5), question };
    expect(afterQuestion(asked, true, 2).question).toBeNull();
    expect(afterQuestion(asked, false, 2).question).toEqual(question);
    expect(takeOver(asked, true, 2).question).toBeNull();
    const active = {
      ...takeOver(silent, false, 1),
      question: { ...question, order: "stand_down" } as const,
    };
    expect(afterQuestion(active, true, 2).question).toEqual(active.question);
    expect(standDown(active, false).question).toBeNull();
  });

  test("a take-over by a person is reminded of while the primary answers, after a while and then each hour", () => {
    const question = { id: "1", order: "stand_down", at: 1 } as const;
    const remindedAt = (byHand: boolean, steps: readonly Step[]) => {
      let state: StandbyState = { ...takeOver(silent, byHand, 1), question };
      return steps.flatMap((step, i) => {
        state = afterQuestion(state, step.answers, i);
        return isReminderDue(state) ? [i + 1] : [];
      });
    };
    expect(remindedAt(true, times(400, BACK))).toEqual([15, 180, 360]);
    expect(remindedAt(true, [...times(14, BACK), GONE, ...times(15, BACK)])).toEqual([30]);
    expect(remindedAt(true, times(400, GONE))).toEqual([]);
    // It ends its own by itself, and a silent one has nothing to end.
    expect(remindedAt(false, times(400, BACK))).toEqual([]);
    expect(isReminderDue({ ...silent, byHand: true, answers: 15, question })).toBe(false);
    expect(isReminderDue({ ...takeOver(silent, true, 1), answers: 15 })).toBe(false);
  });
});
