// What a search looks for: words in any order, and phrases in quotes.
import { expect, test } from "vitest";
import { containsTerms, searchTerms } from "../../../src/domain/shared/search-terms.ts";

test.each([
  ["", []],
  ["  Disk\tfull ", ["disk", "full"]],
  ['"Error rate" Novák', ["error rate", "novak"]],
  ["„Error rate“ «5 %» “above”", ["error rate", "5 %", "above"]],
  ['"', []],
  ['""', []],
  ['19" rack', ["19", "rack"]],
  ['rack "of disks', ["rack", "of", "disks"]],
  ['{}:{alertname="HighLatency"}', ["{}:{alertname=", "highlatency", "}"]],
  ["it's", ["it's"]],
  ["a a A", ["a"]],
  [
    Array.from({ length: 40 }, (_, i) => `w${i}`).join(" "),
    Array.from({ length: 20 }, (_, i) => `w${i}`),
  ],
])("%s looks for %j", (text, expected) => {
  expect(searchTerms(text)).toEqual(expected);
});

test.each([
  ["Error rate above 5 %", "rate error", true],
  ["Error rate above 5 %", '"rate error"', false],
  ["Error rate above 5 %", '"error RATE"', true],
  ["Jan Novák", "novak", true],
  ["Jan Novák", "", true],
  ["Jan Novák", "novak eva", false],
])("%s contains %s: %s", (text, search, expected) => {
  expect(containsTerms(text, searchTerms(search))).toBe(expected);
});
