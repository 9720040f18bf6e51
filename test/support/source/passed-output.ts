// What a test run that passed shows of its output. What the worker logs in it, faults that tests cause among them, is
// of use only beside a failure.
import { stripVTControlCharacters } from "node:util";

/** The counts, the seed of the generated tests, by which a run is repeated, what was drawn and compared with the runtime. */
const SUMMARY =
  /^(?:(?:Test Files|Tests|Duration) +\d|Generated tests: |Drawn: |Compared with the runtime: |Answered otherwise: |test\/\S+$)/;

/** A file, or a test of it that took long. */
const RESULT = /^[✓↓] /;

/** @param hasResults whether each file is shown */
export function passedOutput(output: string, hasResults: boolean): string {
  const isShown = (line: string) => {
    const text = stripVTControlCharacters(line).trim();
    return SUMMARY.test(text) || (hasResults && RESULT.test(text));
  };
  return output
    .split("\n")
    .filter(isShown)
    .map((line) => `${line}\n`)
    .join("");
}
