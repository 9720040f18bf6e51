// A plan of who would be on call, in words.

import { describe, expect, test } from "vitest";
import {
  changeText,
  doubleText,
  gapText,
  layerText,
  planOf,
  type ShownChange,
} from "../../../src/console/oncall/rotation/planned-shifts.ts";

const wording = { nameOf: (id: string) => id, timeOf: (at: number) => `day ${at}` };

const timeOf = (text = "") => new Date(Number(text)).toISOString();

/** From day 0 to day 10: `Ada 0 4` is on call from day 0 to day 4, on step 1, `Ada 0 4 2` on step 2. */
const planIn = (texts: readonly string[], changes: readonly ShownChange[] = []) =>
  planOf(
    texts.map((text) => {
      const [name = "", from, until, layer = "1"] = text.split(" ");
      const times = { start_time: timeOf(from), end_time: timeOf(until) };
      return { ...times, layer: Number(layer), account_user_ids: [name] };
    }),
    changes,
    [1],
    [0, 10],
  );

function planned(...texts: readonly string[]) {
  const [layer] = planIn(texts).layers;
  if (!layer) throw new Error("there is no layer");
  return layer;
}

describe("a layer in words", () => {
  test.each([
    [["Mo 0 4", "Ada 4 10"], "Mo is on call now and stays until day 4; then Ada."],
    [["Mo 0 4"], "Mo is on call now and stays until day 4; then nobody."],
    [["Mo 0 6", "Ada 0 6"], "Ada and Mo are on call now and stay until day 6; then nobody."],
    [["Mo 0 6", "Ada 4 10"], "Mo is on call now and stays until day 4; then Ada and Mo."],
    [["Mo 0 4", "Mo 4 10"], "Mo is on call for the whole time."],
    [["Mo 3 10"], "Nobody is on call now; from day 3 Mo."],
    [[], "Nobody is on call for the whole time."],
  ])("%j: %s", (texts, expected) => {
    expect(layerText(planned(...texts), 10, wording)).toBe(expected);
  });

  test.each([
    [["Mo 0 4", "Ada 4 10"], "Mo is on call until day 4; then Ada."],
    [["Mo 3 10"], "Nobody is on call until day 3; then Mo."],
  ])("%j, not from now on: %s", (texts, expected) => {
    expect(layerText(planned(...texts), 10, wording, true)).toBe(expected);
  });

  test.each([
    [["Mo 0 10"], null],
    [["Mo 0 4", "Ada 5 10"], "Nobody is on call day 4 – day 5."],
    [["Mo 0 4", "Ada 5 8"], "Nobody is on call 2 times, first day 4 – day 5."],
    [["Mo 0 4"], "Nobody is on call from day 4 on."],
  ])("gaps of %j: %s", (texts, expected) => {
    expect(gapText(planned(...texts), wording)).toBe(expected);
  });

  test.each([
    [["Ada 0 4", "Mo 0 4 2"], ""],
    [["Ada 0 4", "Ada 4 8 2"], ""],
    [["Ada 0 4", "Ada 2 8 2"], "Ada is on steps 1 and 2 at once day 2 – day 4."],
    [["Ada 0 4", "Ada 2 10"], ""],
    [["Ada 0 10", "Ada 5 10 3"], "Ada is on steps 1 and 3 at once from day 5 on."],
    [
      ["Ada 0 9", "Ada 1 2 2", "Ada 4 6 3", "Ada 5 6 2"],
      "Ada is on steps 1, 2 and 3 at once 3 times, first day 1 – day 2.",
    ],
  ])("put on call twice at once, %j: %s", (texts, expected) => {
    const change = { layer: 1, from: 0, until: 10, people: ["Ada"], before: [] };
    expect(doubleText(planIn(texts, [change]).doubles, 10, wording)).toBe(expected);
  });

  test("only what a change does is said of those who are on call twice at once", () => {
    const texts = ["Ada 0 10", "Ada 2 4 2", "Mo 4 8", "Mo 4 8 2"];
    const change = { layer: 2, from: 4, until: 8, people: ["Mo"], before: ["Ada"] };
    const persons = (changes: readonly ShownChange[]) =>
      planIn(texts, changes).doubles.map(({ person }) => person);
    expect(persons([change])).toEqual(["Mo"]);
    expect(persons([{ ...change, from: 8, until: 10 }])).toEqual([]);
    expect(persons([])).toEqual([]);
  });

  test("a change names who is replaced", () => {
    const change = { layer: 1, from: 2, until: 5, people: ["Ada"], before: ["Mo"] };
    expect(changeText(change, 10, wording)).toBe("Day 2 – day 5: Ada instead of Mo");
    const gap = { ...change, until: 10, people: [] };
    expect(changeText(gap, 10, wording)).toBe("From day 2 on: nobody instead of Mo");
  });
});
