// The card with the numbers that call people: read back by the parser of contacts and calendars.
import ICAL from "ical.js";
import { expect, test } from "vitest";
import { contactCard, ownNumbers } from "../../../src/features/people/channels/contact-card.ts";

const TWILIO = { TWILIO_ACCOUNT_SID: "AC0", TWILIO_AUTH_TOKEN: "t", TWILIO_FROM: "+15005550006" };
const VONAGE = { VONAGE_API_KEY: "k", VONAGE_API_SECRET: "s", VONAGE_FROM: "447700900001" };
const TELNYX = { TELNYX_API_KEY: "k", TELNYX_FROM: "+15005550007" };

test.each<[string, Partial<Cloudflare.Env>, readonly string[]]>([
  ["no provider", {}, []],
  ["one that calls and sends", TWILIO, ["+15005550006"]],
  ["a number that is not used", { TWILIO_FROM: "+15005550006" }, []],
  ["one that calls, first", { ...TELNYX, ...TWILIO }, ["+15005550006", "+15005550007"]],
  ["a number without a plus", VONAGE, ["+447700900001"]],
  [
    "the same number twice",
    { ...TWILIO, ...TELNYX, TELNYX_FROM: "+15005550006" },
    ["+15005550006"],
  ],
  ["a name that only sends", { ...VONAGE, VONAGE_FROM: "Tocsin" }, []],
  [
    "a provider that is not in the configured order",
    { ...TWILIO, ...TELNYX, SMS_PROVIDERS: "twilio", VOICE_PROVIDERS: "twilio" },
    ["+15005550006"],
  ],
])("the numbers of %s", (_, settings, expected) => {
  expect(ownNumbers(settings as Cloudflare.Env)).toEqual(expected);
});

test("a card has every number, and lines that phones can read", () => {
  const numbers = ["+15005550006", "+447700900001"];
  const text = contactCard(numbers, "https://tocsin.example.com");
  const lines = text.split("\r\n");
  expect(lines.slice(0, 2)).toEqual(["BEGIN:VCARD", "VERSION:3.0"]);
  expect(lines.slice(-2)).toEqual(["END:VCARD", ""]);
  expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  const card = ICAL.Component.fromString(text.trim());
  expect(card.getFirstPropertyValue("fn")).toBe("Tocsin");
  expect(card.getFirstPropertyValue("url")).toBe("https://tocsin.example.com");
  expect(card.getAllProperties("tel").map((it) => it.getFirstValue())).toEqual(numbers);
});

test("a deployment without an address of its own has a card without one", () => {
  expect(contactCard(["+15005550006"], "")).not.toContain("URL");
});
