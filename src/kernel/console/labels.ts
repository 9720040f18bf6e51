// Errors in the words of the pages: they name a field by its label, never by its API path.

import type { FieldError } from "../../domain/shared/refusal.ts";
import { capitalized, FIELDS, withStatusWords } from "../../domain/shared/words.ts";

/** Messages about several parameters that are one field of a page, in the page's words. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^\w+ needs a destination: (.*) or an account user$/, "choose whom it goes to: $1 or a person"],
  [
    /^at least one of team_ids, router_ids and account_user_ids must name a destination$/,
    "choose whom it goes to: a team, a router or a person",
  ],
  [
    /^exactly one of default_receiver_.* must name the default receiver$/,
    "choose whom other alerts go to",
  ],
  [/^covering_account_user_id can't be blank with instead: person$/, "choose who takes it"],
  [/^account_user_ids can't be blank$/, "choose whom to ask"],
];

/** `user_attributes.emails_attributes[0].email` at the beginning of a message. */
const PATH = /^[a-z]+(?:_[a-z0-9]+|\.[a-z0-9]+|\[\d*\])+(?=[ :])/;

/** The label of a parameter; without an entry, its name in words: `option_auto_resolve_after`. */
export function labelOf(path: string): string {
  const name = path.replace(/\[\d*\]/g, "").replace(/^.*\./, "");
  const words = name.replace(/^option_|_attributes$|_ids?$/g, "").replaceAll("_", " ");
  return FIELDS[name] ?? capitalized(withStatusWords(words));
}

/** Replaces other parameters that a message names: `must be after start_datetime`. */
const replacePaths = (message: string): string =>
  withStatusWords(message)
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) => FIELDS[name] ?? name)
    .replace("repeat is true", "Repeats is selected")
    .replace("an ISO 8601 date-time with an offset", "a date and a time")
    .replaceAll("an account user", "a person")
    .replaceAll("account user", "person");

function pathIn({ field, message }: FieldError): string {
  if (field && /^[ :]/.test(message.slice(field.length)) && message.startsWith(field)) return field;
  return PATH.exec(message)?.[0] ?? "";
}

/**
 * Formats an error as a sentence: "Title can't be blank."
 *
 * @param label the field's label, if the page that shows the error has the field
 */
export function faultText(error: FieldError, label?: string): string {
  for (const [pattern, text] of SENTENCES) {
    if (pattern.test(error.message)) return sentence(error.message.replace(pattern, text));
  }
  const path = pathIn(error);
  const rest = replacePaths(error.message.slice(path.length));
  return sentence(path === "" ? rest : `${label ?? labelOf(path)}${rest}`);
}

export const sentence = (text: string): string => {
  const capital = capitalized(text);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
};
