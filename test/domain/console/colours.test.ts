// The colours of people who are seen together.

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { COLOURS, seenTogether, tellApart } from "../../../src/console/people/person-panels.tsx";
import { sized } from "../../support/generated/sizes.ts";

const idOf = (at: number) => String(at).padStart(4, "0");
/** As the console does: by the place in the account. */
const ownOf = (id: string) => Number(id) % COLOURS;

const people = (count: number, from = 0, step = 1) =>
  Array.from({ length: count }, (_, at) => idOf(from + at * step));

describe("the colours of people", () => {
  test("are their own while nobody of their rotation has the same", () => {
    const colours = tellApart(ownOf, [people(20)]);
    expect([...colours].every(([id, colour]) => colour === ownOf(id))).toBe(true);
  });

  test("differ within every rotation, and the older one keeps its own", () => {
    const clashing = people(5, 3, COLOURS);
    const colours = tellApart(ownOf, [clashing, [idOf(3), idOf(4)]]);
    expect(new Set(clashing.map((id) => colours.get(id))).size).toBe(5);
    expect([colours.get(idOf(3)), colours.get(idOf(4))]).toEqual([3, 4]);
  });

  test("differ within rotations of 200 people, and on a schedule with no more people than colours", () => {
    const person = fc.integer({ min: 0, max: 199 }).map(idOf);
    const rotation = fc.uniqueArray(person, { maxLength: COLOURS });
    fc.assert(
      fc.property(fc.array(rotation, { maxLength: 6 }), (rotations) => {
        const colours = tellApart(ownOf, seenTogether(rotations));
        const everybody = [...new Set(rotations.flat())];
        const groups = everybody.length <= COLOURS ? [everybody] : [];
        for (const group of groups) {
          expect(new Set(group.map((id) => colours.get(id))).size).toBe(group.length);
        }
        // One rotation alone, whatever else the account has.
        for (const own of rotations) {
          const alone = tellApart(ownOf, [own]);
          expect(new Set(own.map((id) => alone.get(id))).size).toBe(own.length);
        }
      }),
      { numRuns: sized(100, 2_000) },
    );
  });

  test("are used equally often by more people than there are colours", () => {
    const colours = tellApart(ownOf, [people(COLOURS * 2, 0, 3)]);
    const uses = Map.groupBy(colours.values(), (colour) => colour);
    expect([...uses.values()].every((it) => it.length === 2)).toBe(true);
  });
});
