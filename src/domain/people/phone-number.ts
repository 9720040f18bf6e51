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

/**
 * Parses a number that starts with `+` and its country code; null if there is no such number. Takes
 * what people paste: `tel:` links, digits of other scripts, separators, and invisible characters.
 */
export function parsePhoneNumber(text: string): PhoneNumber | null {
  const written = text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/^tel:\s*/i, "");
  if (!/^\(?\+[\p{Nd}\s().\-/\p{Pd}]{3,30}$/u.test(written)) return null;
  const parsed = parsePhoneNumberFromString(written.replace(/[/\p{Pd}]/gu, "-"), numberingPlans);
  if (!parsed?.isPossible()) return null;
  const country = parsed.country ?? parsed.getPossibleCountries()[0] ?? null;
  return { phone: parsed.number, country };
}
