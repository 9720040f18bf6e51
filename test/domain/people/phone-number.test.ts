import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as fc from "fast-check";
import { parsePhoneNumberFromString } from "libphonenumber-js/min";
import metadata from "libphonenumber-js/min/metadata";
import { describe, expect, test } from "vitest";
import { parsePhoneNumber } from "../../../src/domain/people/phone-number.ts";
import { sourceOf } from "../../../src/domain/people/plans.ts";
import { sized } from "../../support/generated/sizes.ts";

describe("phone numbers", () => {
  test.each([
    ["+14155550123", "+14155550123", "US"],
    [" +1 (415) 555-0123 ", "+14155550123", "US"],
    ["+4915112345678", "+4915112345678", "DE"],
    ["+44 7400 123456", "+447400123456", "GB"],
    ["+15555550100", "+15555550100", "US"],
    ["+819012345678", "+819012345678", "JP"],
    ["+80012345678", "+80012345678", null],
    ["tel:+44-7400-123456", "+447400123456", "GB"],
    ["+49 1512/3456780", "+4915123456780", "DE"],
    ["＋４９ １５１２ ３４５６７８０", "+4915123456780", "DE"],
    ["+٤٤ ٧٤٠٠ ١٢٣٤٥٦", "+447400123456", "GB"],
    ["\u202a+1 415\u2011555\u20130123\u202c", "+14155550123", "US"],
    ["(+49) 1512 3456780", "+4915123456780", "DE"],
    ["+1415555012３", "+14155550123", "US"],
  ])("parses %s as %s, country %s", (text, phone, country) => {
    expect(parsePhoneNumber(text)).toEqual({ phone, country });
  });

  test.each(["", "+", "0172 1234567", "14155550123", "+12", "+1 800 FLOWERS", "+99912345678"])(
    "rejects %j",
    (text) => {
      expect(parsePhoneNumber(text)).toBeNull();
    },
  );

  test.each(["+1 415 555 0123 ext. 4", `+1${"4".repeat(20)}`])("rejects %j", (text) => {
    expect(parsePhoneNumber(text)).toBeNull();
  });
});

describe("the numbering plans", () => {
  test("match the installed library; if not, run `npm run numbering-plans`", () => {
    const path = resolve(import.meta.dirname, "../../../src/domain/people/numbering-plans.ts");
    expect(readFileSync(path, "utf8")).toBe(sourceOf(metadata));
  });

  test("parse every number as the library does", () => {
    const codes = Object.keys(metadata.country_calling_codes);
    const numbers = fc.tuple(
      fc.constantFrom(...codes, "800", "808", "870", "878", "881", "882", "883", "888", "979"),
      fc.stringMatching(/^[0-9]{2,13}$/),
    );
    fc.assert(
      fc.property(numbers, ([code, rest]) => {
        const text = `+${code}${rest}`;
        const theirs = parsePhoneNumberFromString(text);
        const country = theirs?.country ?? theirs?.getPossibleCountries()[0] ?? null;
        const expected = theirs?.isPossible() ? { phone: theirs.number, country } : null;
        expect(parsePhoneNumber(text), text).toEqual(expected);
      }),
      { numRuns: sized(5_000, 200_000) },
    );
  });
});
