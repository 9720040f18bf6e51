// How a workflow moves through its policy: who is asked next, which layers are passed over, when it is over.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nextStep,
  personFacts,
  timeoutMs,
} from "../../../src/domain/alerts/escalation/escalation.ts";
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
  /** `layer.pass reason` of each layer passed over. */
  readonly skipped?: readonly string[];
};

const rows: readonly Row[] = [
  { name: "the first layer comes first", layers: ["ann", "bob"], from: null, step: "1.1 ann" },
  { name: "a layer asks everybody on call", layers: ["ann bob"], from: null, step: "1.1 ann bob" },
  { name: "then the second", layers: ["ann", "bob"], from: "1.1", step: "2.1 bob" },
  { name: "after the last it is over", layers: ["ann", "bob"], from: "2.1", step: "over" },
  {
    name: "a layer with nobody on call is passed over at once",
    layers: ["ann", "", "", "bob"],
    from: "1.1",
    step: "4.1 bob",
    skipped: ["2.1 nobody", "3.1 nobody"],
  },
  {
    name: "nobody on call on any layer: over at once, whatever the repeats",
    layers: ["", ""],
    repeat: 3,
    from: null,
    step: "over",
    skipped: ["1.1 nobody", "2.1 nobody"],
  },
  {
    name: "a repeat starts at the first layer again",
    layers: ["ann", "bob"],
    repeat: 1,
    from: "2.1",
    step: "1.2 ann",
  },
  {
    name: "a repeat passes over empty layers again",
    layers: ["", "bob"],
    repeat: 1,
    from: "2.1",
    step: "2.2 bob",
    skipped: ["1.2 nobody"],
  },
  {
    name: "the last pass is the last",
    layers: ["ann", "bob"],
    repeat: 2,
    from: "2.3",
    step: "over",
  },
  {
    name: "who rejected is not asked again",
    layers: ["ann bob"],
    repeat: 1,
    from: "1.1",
    rejected: "ann",
    step: "1.2 bob",
  },
  {
    name: "a layer of people who all rejected is passed over",
    layers: ["ann", "ann", "bob"],
    from: "1.1",
    rejected: "ann",
    step: "3.1 bob",
    skipped: ["2.1 all_rejected"],
  },
  {
    name: "everybody rejected: no repeat asks them again",
    layers: ["ann", "bob"],
    repeat: 3,
    from: "2.1",
    rejected: "ann bob",
    step: "over",
    skipped: ["1.2 all_rejected", "2.2 all_rejected"],
  },
  {
    name: "a policy that has become shorter: the next pass, or over",
    layers: ["ann"],
    repeat: 1,
    from: "3.1",
    step: "1.2 ann",
  },
  { name: "a policy without layers is over", layers: [], repeat: 3, from: null, step: "over" },
];

function ask(row: Row) {
  const [layer = 0, pass = 1] = (row.from ?? "").split(".").map(Number);
  const from = row.from === null ? { layer: null, pass: 1 } : { layer, pass };
  const facts = team("t", row.layers, { repeat: row.repeat ?? 0 });
  return nextStep(facts, from, new Set(row.rejected?.split(" ") ?? []));
}

describe("the next step", () => {
  test.each(rows)("$name", (row) => {
    const step = ask(row);
    const people = step.kind === "ask" ? step.people.map((it) => it.accountUserId) : [];
    expect(step.kind === "ask" ? `${step.layer}.${step.pass} ${people.join(" ")}` : "over").toBe(
      row.step,
    );
    expect(step.skipped.map((it) => `${it.layer}.${it.pass} ${it.reason}`)).toEqual(
      row.skipped ?? [],
    );
  });

  test("a step's time is its layer's", () => {
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

  test("layer numbers need not follow each other", () => {
    const facts = {
      ...team("t", []),
      layers: [3, 10].map((layer) => ({ layer, timeoutMs: MINUTE })),
      onCall: { 10: team("t", ["ann"]).onCall[1] ?? [] },
    };
    const step = nextStep(facts, { layer: null, pass: 1 }, new Set());
    expect(step).toMatchObject({ kind: "ask", layer: 10, skipped: [{ layer: 3 }] });
  });

  test("every way through a policy ends, each layer asked at most once a pass, in order", () => {
    const people = fc.constantFrom("", "ann", "bob", "ann bob", "cid");
    const policies = fc.record({
      layers: fc.array(people, { maxLength: 6 }),
      repeat: fc.integer({ min: 0, max: 3 }),
      rejected: fc.subarray(["ann", "bob", "cid"]),
    });
    fc.assert(
      fc.property(policies, ({ layers, repeat, rejected }) => {
        const facts = team("t", layers, { repeat });
        const asked: number[] = [];
        let from: { layer: number | null; pass: number } = { layer: null, pass: 1 };
        for (;;) {
          const step = nextStep(facts, from, new Set(rejected));
          if (step.kind === "exhausted") break;
          asked.push(step.pass * 100 + step.layer);
          const again = step.people.filter((it) => rejected.includes(it.accountUserId));
          expect(again).toEqual([]);
          from = step;
        }
        const left = layers.flatMap((names, i) =>
          names.split(" ").some((name) => name !== "" && !rejected.includes(name)) ? [i + 1] : [],
        );
        const passes = Array.from({ length: repeat + 1 }, (_, i) => i + 1);
        expect(asked).toEqual(passes.flatMap((pass) => left.map((layer) => pass * 100 + layer)));
      }),
    );
  });
});

describe("time-outs and people", () => {
  test.each([
    [1, "seconds", 1_000],
    [5, "minutes", 300_000],
    [2, "hours", 7_200_000],
    [3, "days", 259_200_000],
  ] as const)("%d %s", (timeout, unit, expected) => {
    expect(timeoutMs(timeout, unit)).toBe(expected);
  });

  test("a person is one layer of ten minutes, and not repeated", () => {
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
