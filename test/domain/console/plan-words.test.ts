// A plan of who would be on call, in words.
import { describe, expect, test } from "vitest";
import { changeText, gapText, layerText } from "../../../src/console/oncall/rotation/plan-words.ts";
import { planOf } from "../../../src/console/oncall/rotation/planned-shifts.ts";

const wording = { nameOf: (id: string) => id, timeOf: (at: number) => `day ${at}` };

/** A plan from day 0 to day 10: `Ada 0 4` is on call from day 0 to day 4. */
function planned(...texts: readonly string[]) {
  const entries = texts.map((text) => {
    const [name = "", from, until] = text.split(" ");
    const [start_time, end_time] = [from, until].map((it) => new Date(Number(it)).toISOString());
    return { layer: 1, start_time, end_time, account_user_ids: [name] } as const;
  });
  const [layer] = planOf(
    entries.map((it) => ({ ...it, start_time: it.start_time ?? "", end_time: it.end_time ?? "" })),
    [],
    [1],
    [0, 10],
  ).layers;
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

  test("a change names who is replaced", () => {
    const change = { layer: 1, from: 2, until: 5, people: ["Ada"], before: ["Mo"] };
    expect(changeText(change, 10, wording)).toBe("Day 2 – day 5: Ada instead of Mo");
    const gap = { ...change, until: 10, people: [] };
    expect(changeText(gap, 10, wording)).toBe("From day 2 on: nobody instead of Mo");
  });
});
