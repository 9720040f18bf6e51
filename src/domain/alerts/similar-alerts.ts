// Which alerts of a source are about the same: those whose titles differ only by numbers, as a
// measured value, a host's number, an identifier or a date does. Pure.
import { fold } from "../shared/case-folding.ts";

/** How many similar alerts are shown. */
export const MOST_SIMILAR_SHOWN = 5;

/** A run of letters and digits begins, or ends, here. */
const BEGIN = String.raw`(?<![\p{L}\p{N}])`;
const END = String.raw`(?![\p{L}\p{N}])`;

const MONTHS =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const WEEKDAYS =
  "mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?";
/** Before the name of a month or after it: "28 Nov", "Nov 28, 2026". */
const DAY_OF_MONTH = String.raw`\d{1,2}(?:st|nd|rd|th)?`;

const PATTERNS = [
  // UUIDs, with and without hyphens.
  `${BEGIN}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}${END}`,
  // 2026-11-28T03:04:05.678+01:00, and the time of it.
  String.raw`${BEGIN}\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:z|[+-]\d\d:?\d\d)?${END}`,
  // Sat, 28 Nov 2026; November 28th, 2026.
  String.raw`${BEGIN}(?:(?:${WEEKDAYS})[.,]?\s+)?(?:${DAY_OF_MONTH}[.,]?[\s-]+(?:${MONTHS})|(?:${MONTHS})[.,]?[\s-]+${DAY_OF_MONTH})${END}(?:[.,]?[\s-]+\d{4}${END})?`,
  // 3:04 am
  String.raw`${BEGIN}\d{1,2}(?::\d\d){0,2}\s?[ap]m${END}`,
  // Hexadecimal: with its prefix, or of at least six places, both digits and letters.
  `${BEGIN}0x[0-9a-f]+${END}`,
  String.raw`${BEGIN}(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{6,}${END}`,
  // A random name, as of a pod: letters and digits that alternate at least twice.
  String.raw`${BEGIN}(?=[\p{L}\p{N}]{5})(?:\p{L}+\p{N}+\p{L}|\p{N}+\p{L}+\p{N})[\p{L}\p{N}]*`,
  // Any other number with its sign, and several in a row: 5, -0.5, 1,234, 10.0.0.1:8080, 28/11/2026.
  String.raw`(?:(?<=^|\s)[+-])?\p{N}+(?:[.,:/-]\p{N}+)*`,
].map((pattern) => new RegExp(pattern, "gu"));

/**
 * The title without its numbers: without digits, dates, times, UUIDs, hexadecimal and random
 * identifiers, and without regard to case, accents and white space. Units and words stay. Titles
 * of which it is the same are about the same.
 */
export function titleWithoutNumbers(title: string): string {
  let rest = fold(title);
  for (const pattern of PATTERNS) rest = rest.replaceAll(pattern, " ");
  return rest.replaceAll(/\s+/g, " ").trim();
}

/**
 * Of the alerts of one source, those that are about the same as a title says.
 *
 * @param candidates newest first
 * @returns how many, and those to show: the newest, and of the older ones the newest with a comment
 *   if none of these has one
 */
export function findSimilar<
  Candidate extends { readonly title: string; readonly lastComment: unknown },
>(
  title: string,
  candidates: readonly Candidate[],
): { readonly count: number; readonly shown: readonly Candidate[] } {
  const about = titleWithoutNumbers(title);
  const similar = candidates.filter((it) => titleWithoutNumbers(it.title) === about);
  const newest = similar.slice(0, MOST_SIMILAR_SHOWN);
  const isCommented = ({ lastComment }: Candidate) => lastComment !== null;
  const commented = newest.some(isCommented) ? undefined : similar.find(isCommented);
  return { count: similar.length, shown: commented ? [...newest, commented] : newest };
}
