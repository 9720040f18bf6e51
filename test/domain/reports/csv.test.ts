// No cell of a CSV file starts a formula in a spreadsheet, whatever separator it splits at.
import { expect, test } from "vitest";
import { csvOf } from "../../../src/domain/reports/csv.ts";

const cellOf = (text: string) =>
  csvOf(["head"], [[text]])
    .replace("head\r\n", "")
    .trimEnd();

const SIGNS = ["=", "+", "-", "@", "＝", "＋", "－", "＠"];
const BEFORE = ["", " ", "\u00a0", "\n", "\r\n", "\t", "\ufeff"];
const SEPARATORS = ["", "Ada;", "Ada,", "Ada\t", "Ada|", "Ada;Mo; "];

test.each(SIGNS.flatMap((sign) => BEFORE.map((before) => [sign, before] as const)))(
  "%s after %j is text",
  (sign, before) => {
    for (const separator of SEPARATORS) {
      const cell = cellOf(`${separator}${before}${sign}1+1`);
      const parts = cell.replace(/^"|"$/g, "").split(/[;,|\t\r\n]/);
      for (const part of parts)
        expect(part, JSON.stringify(cell)).not.toMatch(/^\s*[=+\-@＝＋－＠]/);
    }
  },
);

test.each(["Ada Keeper", "a-b", "1 = 1", "ada@example.com", "Straße 5; links"])(
  "%s stays as it is",
  (text) => {
    expect(cellOf(text).replace(/^"|"$/g, "")).toBe(text);
  },
);
