// The numbers that call people and send them SMS, as a card for their contacts: a phone can let calls
// of a saved contact through its silence.
import ICAL from "ical.js";
import { phoneProviders } from "./phone-providers.ts";

/** A number with its country code, with or without the plus. A name that only sends is none. */
const NUMBER = /^\+?([1-9]\d{6,14})$/;

/**
 * The numbers (E.164) of all configured providers, those that call first. A provider's pool of
 * numbers is not known here.
 */
export function ownNumbers(env: Cloudflare.Env): readonly string[] {
  const providers = [...phoneProviders(env, "voice"), ...phoneProviders(env, "sms")];
  const numbers = providers.flatMap(({ senderOf }) => {
    const digits = NUMBER.exec(senderOf(env))?.[1];
    return digits === undefined ? [] : [`+${digits}`];
  });
  return [...new Set(numbers)];
}

const NOTE =
  "Calls and messages about alerts. Let this contact through silent mode and Do Not Disturb.";

/** The card with all numbers as a vCard 3.0 (RFC 2426), which every phone imports. */
export function contactCard(numbers: readonly string[], url: string): string {
  const text = (name: string, value: string | readonly string[]) => [name, {}, "text", value];
  const properties = [
    text("version", "3.0"),
    text("fn", "Tocsin"),
    text("n", ["Tocsin", "", "", "", ""]),
    text("org", "Tocsin"),
    ...numbers.map((number) => ["tel", { type: ["voice", "cell"] }, "phone-number", number]),
    ...(url === "" ? [] : [["url", {}, "uri", url]]),
    text("note", NOTE),
  ];
  return ICAL.stringify(["vcard", properties, []]);
}
