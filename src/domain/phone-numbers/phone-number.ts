// A telephone number as a caller writes it, in E.164 with its country (contract 2, Users). The one file
// that knows the numbering plans. Pure. A number of a possible length is taken: whether anybody answers there is
// what confirming it shows.
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
import { numberingPlans } from "./numbering-plans.ts";

export type PhoneNumber = {
  /** E.164: `+` and at most 15 digits. */
  readonly phone: string;
  /** ISO 3166 alpha-2; null for numbers of no country, such as `+800`. */
  readonly country: string | null;
};

/** Reads a number that starts with `+` and its country code; null when there can be no such number. */
export function parsePhoneNumber(text: string): PhoneNumber | null {
  if (!/^\s*\+[\d\s().-]{3,30}$/.test(text)) return null;
  const parsed = parsePhoneNumberFromString(text.trim(), numberingPlans);
  if (!parsed?.isPossible()) return null;
  const country = parsed.country ?? parsed.getPossibleCountries()[0] ?? null;
  return { phone: parsed.number, country };
}
