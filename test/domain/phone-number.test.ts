import { describe, expect, test } from "vitest";
import { parsePhoneNumber } from "../../src/domain/phone-number.ts";

describe("phone numbers", () => {
  test.each([
    ["+14155550123", "+14155550123", "US"],
    [" +1 (415) 555-0123 ", "+14155550123", "US"],
    ["+4915112345678", "+4915112345678", "DE"],
    ["+44 7400 123456", "+447400123456", "GB"],
    ["+15555550100", "+15555550100", "US"],
    ["+819012345678", "+819012345678", "JP"],
    ["+80012345678", "+80012345678", null],
  ])("%s is %s of %s", (text, phone, country) => {
    expect(parsePhoneNumber(text)).toEqual({ phone, country });
  });

  test.each(["", "+", "0172 1234567", "14155550123", "+12", "+1 800 FLOWERS", "+99912345678"])(
    "%j is none",
    (text) => {
      expect(parsePhoneNumber(text)).toBeNull();
    },
  );

  test.each(["+1 415 555 0123 ext. 4", `+1${"4".repeat(20)}`, "+1415555012３"])(
    "%j is none either",
    (text) => {
      expect(parsePhoneNumber(text)).toBeNull();
    },
  );
});
