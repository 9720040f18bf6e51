// Validates a new password. Length matters most (hashing is slow by configuration); beyond that, it
// rejects what attackers try first. Pure.

import { type Refusal, refuse } from "../shared/refusal.ts";
import { COMMON_PASSWORDS } from "./common-passwords.ts";

export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 256;

/** The person choosing the password. */
export type PasswordOwner = { readonly name: string; readonly emails: readonly string[] };

/** Common words that add length but little entropy. */
const WORDS = [
  "password",
  "passwort",
  "passw0rd",
  "welcome",
  "letmein",
  "changeme",
  "admin",
  "tocsin",
];
/** Keyboard and alphabet sequences, matched in both directions. */
const SEQUENCES = [
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890123456789",
  "qwertyuiop",
  "qwertzuiop",
  "azertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "yxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "1q2w3e4r5t6y7u8i9o0p",
];
const MIN_SEQUENCE_LENGTH = 3;
/** Minimum number of distinct letters after removing words and sequences. */
const MIN_DISTINCT_LETTERS = 4;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
const COMMON: ReadonlySet<string> = new Set(COMMON_PASSWORDS.split(" "));
const ALL_SEQUENCES = SEQUENCES.flatMap((run) => [run, [...run].reverse().join("")]);

/** The words of a name or an address, and all of them joined. */
function partsOf(text: string): string[] {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u);
  return [words.join(""), ...words];
}

/** The text without keyboard and alphabet sequences. */
function withoutSequences(text: string): string {
  const characters = [...text];
  const remaining: string[] = [];
  for (let at = 0; at < characters.length; ) {
    let length = 1;
    const isSequence = (until: number) => {
      const part = characters.slice(at, until).join("");
      return ALL_SEQUENCES.some((run) => run.includes(part));
    };
    while (at + length < characters.length && isSequence(at + length + 1)) length += 1;
    if (length < MIN_SEQUENCE_LENGTH) remaining.push(characters[at] ?? "");
    at += length < MIN_SEQUENCE_LENGTH ? 1 : length;
  }
  return remaining.join("");
}

/** The distinct letters of a password without common words, sequences, and the owner's data. */
function distinctLettersOf(password: string, { name, emails }: PasswordOwner): string {
  const ownerParts = [name, ...emails].flatMap(partsOf).filter((part) => part.length >= 3);
  const removable = [...ownerParts, ...WORDS].sort((a, b) => b.length - a.length);
  const without = removable.reduce((text, part) => text.replaceAll(part, " "), password);
  return [...new Set(withoutSequences(without).replace(/[^\p{L}]/gu, ""))].join("");
}

/**
 * The refusal of a password; null if it is acceptable.
 *
 * @param repeated the password typed a second time
 */
export function passwordFault(
  password: string,
  repeated: string,
  owner: PasswordOwner,
): Refusal | null {
  const fault = (message: string) => refuse("invalid", message, "password");
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return fault(`must have at least ${MIN_PASSWORD_LENGTH} characters`);
  if (password.length > MAX_PASSWORD_LENGTH)
    return fault(`must have at most ${MAX_PASSWORD_LENGTH} characters`);
  if (/^(.{1,3})\1+$/su.test(password)) return fault("must not repeat the same few characters");
  const text = folded(password);
  if (COMMON.has(text)) return fault("is a common password");
  const isCommon = distinctLettersOf(text, { name: "", emails: [] }).length < MIN_DISTINCT_LETTERS;
  if (isCommon && !hasManySymbols(text)) return fault("is too easy to guess");
  if (!isCommon && distinctLettersOf(text, owner).length < MIN_DISTINCT_LETTERS) {
    return fault("must not consist of your name or address");
  }
  return password === repeated
    ? null
    : refuse("invalid", "does not match the new password", "again");
}

/** Random digits and symbols, as from a password manager, need no letters. */
const hasManySymbols = (text: string): boolean =>
  new Set(withoutSequences(text).replace(/\p{L}/gu, "")).size >= 6;
