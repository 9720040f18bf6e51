// Finds whom a written command names: the team or person whose name begins the text. Pure.
import { fold } from "../shared/case-folding.ts";

export type NamedReceiver = {
  readonly type: "team" | "account_user";
  readonly id: string;
  readonly prefixId: string;
  readonly name: string;
};

export type NamedStart =
  | { readonly kind: "found"; readonly receiver: NamedReceiver; readonly rest: string }
  | { readonly kind: "several"; readonly name: string }
  | { readonly kind: "none" };

const wordsOf = (text: string) =>
  text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");

/** A quoted name at the start, and what follows it; null without quotes. */
function readQuoted(text: string): readonly [name: string, rest: string] | null {
  const [, name, rest] = /^\s*["“]([^"”]+)["”]\s*(.*)$/s.exec(text) ?? [];
  return name === undefined || rest === undefined ? null : [name, rest];
}

/** The words in which names are compared: folded, without an `@` before them. */
const keyOf = (words: readonly string[]) => fold(words.join(" ")).replace(/^@/, "");

/** The first word of the name, by which receivers are searched. */
export const firstWordOf = (text: string): string =>
  (wordsOf(readQuoted(text)?.[0] ?? text)[0] ?? "").replace(/^@/, "");

/** Finds the receiver with the longest name that begins the text, or whose name is in quotes. */
export function readReceiver(text: string, receivers: readonly NamedReceiver[]): NamedStart {
  const quoted = readQuoted(text);
  const words = wordsOf(quoted?.[0] ?? text);
  const named = Map.groupBy(receivers, ({ name }) => keyOf(wordsOf(name)));
  const lengths = quoted ? [words.length] : words.map((_, i) => words.length - i);
  for (const length of lengths) {
    const written = words.slice(0, length).join(" ").replace(/^@/, "").normalize("NFC");
    const meant = named.get(keyOf(words.slice(0, length))) ?? [];
    // Of two names that differ only in accents or case, the one that is written so.
    const exact = meant.filter(({ name }) => name.normalize("NFC") === written);
    const [receiver, another] = exact.length > 0 ? exact : meant;
    if (receiver === undefined) continue;
    if (another !== undefined) return { kind: "several", name: receiver.name };
    return { kind: "found", receiver, rest: quoted ? quoted[1] : restAfter(text, length) };
  }
  return { kind: "none" };
}

/** The text after so many words, with its own white space. */
function restAfter(text: string, words: number): string {
  return text
    .trim()
    .replace(new RegExp(`^(?:\\S+\\s*){${words}}`), "")
    .trim();
}
