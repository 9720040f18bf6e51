// Parses a phone number to E.164 with its country (contract 2, Users). The only file that
// uses the numbering plans. Pure. Accepts any number of a possible length: only confirmation shows
// whether it is in use.
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
import { numberingPlans } from "./numbering-plans.ts";

export type PhoneNumber = {
  /** E.164: `+` and at most 15 digits. */
  readonly phone: string;
  /** ISO 3166 alpha-2; null for numbers without a country, such as `+800`. */
  readonly country: string | null;
};

/** Parses a number that starts with `+` and its country code; null if there is no such number. */
export function parsePhoneNumber(text: string): PhoneNumber | null {
  if (!/^\s*\+[\d\s().-]{3,30}$/.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text.trim(), numberingPlans);
  if (!parsed?.isPossible()) return null;
  const country = parsed.country ?? parsed.getPossibleCountries()[0] ?? null;
  return { phone: parsed.number, country };
}
