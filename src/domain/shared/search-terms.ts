// What a search looks for: its words, in any order, and its phrases in quotes. Pure.
import { fold } from "./case-folding.ts";

/** The terms of a search; further ones are not looked for. */
const MOST_TERMS = 20;

/**
 * The terms of a search, folded (`fold`): what is between two quotes is one, of any kind; so is each
 * other word. A quote that nothing closes only separates words.
 */
export function searchTerms(text: string): readonly string[] {
  const found = text.matchAll(/["“”„«»]([^"“”„«»]+)["“”„«»]|[^\s"“”„«»]+/gu);
  const terms = [...found].map(([word, phrase]) => fold((phrase ?? word).trim()));
  return [...new Set(terms)].filter((term) => term !== "").slice(0, MOST_TERMS);
}

/** Whether a text contains every term, in any order. */
export function containsTerms(text: string, terms: readonly string[]): boolean {
  const folded = fold(text);
  return terms.every((term) => folded.includes(term));
}
