// Why a password that somebody chooses will not do. Length is what counts (the deployment's hashes are slow); what is
// refused beside it is what guessers try first. Pure.
import { COMMON_PASSWORDS } from "./common-passwords.ts";
import { type Refusal, refuse } from "./refusal.ts";

export const LEAST_PASSWORD = 12;
export const MOST_PASSWORD = 256;

/** Whose password it is to be. */
export type PasswordOwner = { readonly name: string; readonly emails: readonly string[] };

/** Words that make a password long without making it hard to guess. */
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
/** What fingers run along, in either direction. */
const RUNS = [
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
const SHORTEST_RUN = 3;
/** Characters that have to be left without words, runs, digits and signs. */
const LEAST_REST = 4;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();
const COMMON: ReadonlySet<string> = new Set(COMMON_PASSWORDS.split(" "));
const BOTH_WAYS = RUNS.flatMap((run) => [run, [...run].reverse().join("")]);

/** Parts of a name or an address: its words, and all of them together. */
function partsOf(text: string): string[] {
  const words = folded(text).split(/[^\p{L}\p{N}]+/u);
  return [words.join(""), ...words];
}

/** The text without the runs of characters in it. */
function withoutRuns(text: string): string {
  const characters = [...text];
  const kept: string[] = [];
  for (let at = 0; at < characters.length; ) {
    let length = 1;
    const isRun = (until: number) => {
      const part = characters.slice(at, until).join("");
      return BOTH_WAYS.some((run) => run.includes(part));
    };
    while (at + length < characters.length && isRun(at + length + 1)) length += 1;
    if (length < SHORTEST_RUN) kept.push(characters[at] ?? "");
    at += length < SHORTEST_RUN ? 1 : length;
  }
  return kept.join("");
}

/** What is left of a password without what everybody knows, and what is known of its owner; each character once. */
function restOf(password: string, { name, emails }: PasswordOwner): string {
  const own = [name, ...emails].flatMap(partsOf).filter((part) => part.length >= 3);
  const known = [...own, ...WORDS].sort((a, b) => b.length - a.length);
  const without = known.reduce((text, part) => text.replaceAll(part, " "), password);
  return [...new Set(withoutRuns(without).replace(/[^\p{L}]/gu, ""))].join("");
}

/**
 * Why a password will not do, else null.
 *
 * @param again the same once more, as it was typed
 */
export function passwordFault(
  password: string,
  again: string,
  owner: PasswordOwner,
): Refusal | null {
  const fault = (message: string) => refuse("invalid", message, "password");
  if ([...password].length < LEAST_PASSWORD)
    return fault(`must have at least ${LEAST_PASSWORD} characters`);
  if (password.length > MOST_PASSWORD)
    return fault(`must have at most ${MOST_PASSWORD} characters`);
  if (/^(.{1,3})\1+$/su.test(password)) return fault("must not repeat the same few characters");
  const text = folded(password);
  if (COMMON.has(text)) return fault("is a common password");
  const isUsual = restOf(text, { name: "", emails: [] }).length < LEAST_REST;
  if (isUsual && !hasManySigns(text)) return fault("is too easy to guess");
  if (!isUsual && restOf(text, owner).length < LEAST_REST) {
    return fault("must not consist of your name or address");
  }
  return password === again ? null : refuse("invalid", "does not match the new password", "again");
}

/** Digits and signs without order, as a password manager draws them, need no letters. */
const hasManySigns = (text: string): boolean =>
  new Set(withoutRuns(text).replace(/\p{L}/gu, "")).size >= 6;
