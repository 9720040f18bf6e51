// How a workflow moves through its escalation policy: who is notified next, which layers are skipped, when it ends.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextStep, personFacts, timeoutMs } from "../../../src/domain/alerts/escalation.ts";
import { MINUTE, team } from "./alert-makers.ts";

type Row = {
  readonly name: string;
  readonly layers: readonly string[];
  readonly repeat?: number;
  /** `layer.pass`; null before the first. */
  readonly from: string | null;
  readonly rejected?: string;
  /** `layer.pass people`, or "over". */
  readonly step: string;
  /** `layer.pass reason` of each skipped layer. */
  readonly skipped?: readonly string[];
};

const rows: readonly Row[] = [
  { name: "the first layer comes first", layers: ["ann", "bob"], from: null, step: "1.1 ann" },
  {
    name: "a layer notifies everyone on call",
    layers: ["ann bob"],
    from: null,
    step: "1.1 ann bob",
  },
  { name: "the second layer follows", layers: ["ann", "bob"], from: "1.1", step: "2.1 bob" },
  {
    name: "the policy ends after the last layer",
    layers: ["ann", "bob"],
    from: "2.1",
    step: "over",
  },
  {
    name: "a layer with nobody on call is skipped at once",
    layers: ["ann", "", "", "bob"],
    from: "1.1",
    step: "4.1 bob",
    skipped: ["2.1 nobody", "3.1 nobody"],
  },
  {
    name: "with nobody on call on any layer, the policy ends at once, regardless of repeats",
    layers: ["", ""],
    repeat: 3,
    from: null,
    step: "over",
    skipped: ["1.1 nobody", "2.1 nobody"],
  },
  {
    name: "a repeat starts at step 1 again",
    layers: ["ann", "bob"],
    repeat: 1,
    from: "2.1",
    step: "1.2 ann",
  },
  {
    name: "a repeat skips empty layers again",
    layers: ["", "bob"],
    repeat: 1,
    from: "2.1",
    step: "2.2 bob",
    skipped: ["1.2 nobody"],
  },
  {
    name: "the policy ends after the last repeat",
    layers: ["ann", "bob"],
    repeat: 2,
    from: "2.3",
    step: "over",
  },
  {
    name: "a person who rejected the alert is not notified again",
    layers: ["ann bob"],
    repeat: 1,
    from: "1.1",
    rejected: "ann",
    step: "1.2 bob",
  },
  {
    name: "a layer whose people all rejected is skipped",
    layers: ["ann", "ann", "bob"],
    from: "1.1",
    rejected: "ann",
    step: "3.1 bob",
    skipped: ["2.1 all_rejected"],
  },
  {
    name: "if everyone rejected, no repeat notifies them again",
    layers: ["ann", "bob"],
    repeat: 3,
    from: "2.1",
    rejected: "ann bob",
    step: "over",
    skipped: ["1.2 all_rejected", "2.2 all_rejected"],
  },
  {
    name: "a policy that became shorter continues with the next pass",
    layers: ["ann"],
    repeat: 1,
    from: "3.1",
    step: "1.2 ann",
  },
  { name: "a policy without layers ends at once", layers: [], repeat: 3, from: null, step: "over" },
];

function stepOf(row: Row) {
  const [layer = 0, pass = 1] = (row.from ?? "").split(".").map(Number);
  const from = row.from === null ? { layer: null, pass: 1 } : { layer, pass };
  const facts = team("t", row.layers, { repeat: row.repeat ?? 0 });
  return nextStep(facts, from, new Set(row.rejected?.split(" ") ?? []));
}

describe("the next step", () => {
  test.each(rows)("$name", (row) => {
    const step = stepOf(row);
    const people = step.kind === "ask" ? step.people.map((it) => it.accountUserId) : [];
    expect(step.kind === "ask" ? `${step.layer}.${step.pass} ${people.join(" ")}` : "over").toBe(
      row.step,
    );
    expect(step.skipped.map((it) => `${it.layer}.${it.pass} ${it.reason}`)).toEqual(
      row.skipped ?? [],
    );
  });

  test("has the timeout of its layer", () => {
    const facts = {
      ...team("t", ["ann", "bob"]),
      layers: [
        { layer: 1, timeoutMs: 1_000 },
        { layer: 2, timeoutMs: 7_000 },
      ],
    };
    const step = nextStep(facts, { layer: 1, pass: 1 }, new Set());
    expect(step).toMatchObject({ kind: "ask", timeoutMs: 7_000 });
  });

  test("accepts layer numbers that are not consecutive", () => {
    const facts = {
      ...team("t", []),
      layers: [3, 10].map((layer) => ({ layer, timeoutMs: MINUTE })),
      onCall: { 10: team("t", ["ann"]).onCall[1] ?? [] },
    };
    const step = nextStep(facts, { layer: null, pass: 1 }, new Set());
    expect(step).toMatchObject({ kind: "ask", layer: 10, skipped: [{ layer: 3 }] });
  });

  test("ends every policy, with each layer notified at most once per pass, in order", () => {
    const people = fc.constantFrom("", "ann", "bob", "ann bob", "cid");
    const policies = fc.record({
      layers: fc.array(people, { maxLength: 6 }),
      repeat: fc.integer({ min: 0, max: 3 }),
      rejected: fc.subarray(["ann", "bob", "cid"]),
    });
    fc.assert(
      fc.property(policies, ({ layers, repeat, rejected }) => {
        const facts = team("t", layers, { repeat });
        const notified: number[] = [];
        let from: { layer: number | null; pass: number } = { layer: null, pass: 1 };
        for (;;) {
          const step = nextStep(facts, from, new Set(rejected));
          if (step.kind === "exhausted") break;
          notified.push(step.pass * 100 + step.layer);
          const notifiedAgain = step.people.filter((it) => rejected.includes(it.accountUserId));
          expect(notifiedAgain).toEqual([]);
          from = step;
        }
        const remaining = layers.flatMap((names, i) =>
          names.split(" ").some((name) => name !== "" && !rejected.includes(name)) ? [i + 1] : [],
        );
        const passes = Array.from({ length: repeat + 1 }, (_, i) => i + 1);
        expect(notified).toEqual(
          passes.flatMap((pass) => remaining.map((layer) => pass * 100 + layer)),
        );
      }),
    );
  });
});

describe("timeouts and people", () => {
  test.each([
    [1, "seconds", 1_000],
    [5, "minutes", 300_000],
    [2, "hours", 7_200_000],
    [3, "days", 259_200_000],
  ] as const)("%d %s", (timeout, unit, expected) => {
    expect(timeoutMs(timeout, unit)).toBe(expected);
  });

  test("a person is one layer of ten minutes without repeats", () => {
    const facts = personFacts({ type: "account_user", id: "ann" }, "Ann");
    const first = nextStep(facts, { layer: null, pass: 1 }, new Set());
    expect(first).toMatchObject({
      kind: "ask",
      layer: 1,
      timeoutMs: 10 * MINUTE,
      people: [{ accountUserId: "ann", name: "Ann" }],
    });
    expect(nextStep(facts, { layer: 1, pass: 1 }, new Set()).kind).toBe("exhausted");
  });
});
