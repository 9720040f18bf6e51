// Twilio's published example is verified, and nothing that differs from it.
import { describe, expect, test } from "vitest";
import { isSignedByTwilio, twilioSignature } from "../../../src/products/phone/twilio-signature.ts";

const TOKEN = "12345";
const URL_SENT_TO = "https://mycompany.com/myapp.php?foo=1&bar=2";
const SIGNATURE = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
const FORM = {
  CallSid: "CA1234567890ABCDE",
  Caller: "+14158675309",
  Digits: "1234",
  From: "+14158675309",
  To: "+18005551212",
};

describe("Twilio's signature", () => {
  test("is verified for the published example, with the fields in any order", () => {
    const form = new URLSearchParams(FORM);
    expect(isSignedByTwilio(TOKEN, URL_SENT_TO, form, SIGNATURE)).toBe(true);
    const reversed = new URLSearchParams(Object.entries(FORM).reverse());
    expect(isSignedByTwilio(TOKEN, URL_SENT_TO, reversed, SIGNATURE)).toBe(true);
  });

  test.each([
    ["another token", "12346", URL_SENT_TO, FORM, SIGNATURE],
    ["another URL", TOKEN, "https://mycompany.com/myapp.php?foo=1", FORM, SIGNATURE],
    ["another field", TOKEN, URL_SENT_TO, { ...FORM, Digits: "1235" }, SIGNATURE],
    ["an additional field", TOKEN, URL_SENT_TO, { ...FORM, Zone: "" }, SIGNATURE],
    ["another signature", TOKEN, URL_SENT_TO, FORM, SIGNATURE.replace("R", "S")],
    ["a truncated signature", TOKEN, URL_SENT_TO, FORM, SIGNATURE.slice(0, 14)],
    ["no signature", TOKEN, URL_SENT_TO, FORM, ""],
    ["a signature that is not base64", TOKEN, URL_SENT_TO, FORM, "é".repeat(14)],
  ])("is not verified with %s", (_, token, url, form, signature) => {
    expect(isSignedByTwilio(token, url, new URLSearchParams(form), signature)).toBe(false);
  });

  test("includes each distinct value of a repeated field once", () => {
    const once = twilioSignature(TOKEN, URL_SENT_TO, new URLSearchParams("a=1&a=2"));
    expect(twilioSignature(TOKEN, URL_SENT_TO, new URLSearchParams("a=2&a=1&a=1"))).toBe(once);
    expect(twilioSignature(TOKEN, URL_SENT_TO, new URLSearchParams("a=12"))).not.toBe(once);
  });
});
