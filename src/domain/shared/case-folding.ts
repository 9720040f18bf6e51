// Comparison of text in any script without regard to case and accents. `toLowerCase` alone is not
// enough: a final sigma, `ß` and the Turkish dotless i only become equal to their other forms
// through upper case.

/** Letters with a stroke or a ligature, which have no decomposed form. Folded. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  æ: "ae",
  ð: "d",
  đ: "d",
  ħ: "h",
  ł: "l",
  ø: "o",
  œ: "oe",
  þ: "th",
};

/** The accents of Latin, Greek and Cyrillic: all but an iota below, which folds to a letter. */
const ACCENTS = /^[\u0300-\u0344\u0346-\u036f]$/;

/**
 * The text as searches compare it: full Unicode case folding of the composed form (NFC), without
 * the accents of Latin, Greek and Cyrillic letters. `ß`, `ẞ` and `SS` are equal, as are `Σ`, `σ` and
 * `ς`, `Ł` and `l`, and the four Turkish letters `i`, `İ`, `ı` and `I`.
 */
export function fold(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  const letters = [...text.normalize("NFC")].map(foldLetter).join("");
  return letters.replaceAll(/(?<=\p{L})[\u0300-\u036f]+/gu, "").normalize("NFC");
}

/** Folds one code point at a time: within a word, `toLowerCase` turns a final `Σ` into `ς`. */
function foldLetter(letter: string): string {
  const upper = [...letter.toLowerCase()].map((it) => it.toUpperCase()).join("");
  const lower = [...upper].map((it) => it.toLowerCase()).join("");
  const bare = lower.normalize("NFD").replaceAll(/(?<=\p{L})[\u0300-\u036f]+/gu, "");
  return [...bare.normalize("NFC")].map((it) => UNDECOMPOSED[it] ?? it).join("");
}

/** Unicode blocks beyond ASCII with letters that folding changes; checked by a test. */
const CASED_BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x80, 0x58f],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1c80, 0x1cbf],
  [0x1d00, 0x1fff],
  [0x2100, 0x218f],
  [0x2460, 0x24ff],
  [0x2c00, 0x2dff],
  [0xa640, 0xa7ff],
  [0xab30, 0xabbf],
  [0xfb00, 0xfb4f],
  [0xff00, 0xffef],
  [0x10400, 0x105ff],
  [0x10c80, 0x10d8f],
  [0x118a0, 0x118ff],
  [0x16e40, 0x16edf],
  [0x1e900, 0x1e95f],
];

/** Letters that folding changes, by each letter of their folded form. Built on first use. */
let foldedLetters: ReadonlyMap<string, readonly string[]> | null = null;

function lettersFoldedTo(letter: string): readonly string[] {
  foldedLetters ??= invertFolding();
  return foldedLetters.get(letter) ?? [];
}

function invertFolding(): Map<string, string[]> {
  const sources = new Map<string, string[]>();
  for (const [first, last] of CASED_BLOCKS) {
    for (let code = first; code <= last; code += 1) {
      const source = String.fromCodePoint(code);
      const folded = foldLetter(source);
      if (folded === source) continue;
      for (const letter of folded) sources.set(letter, [...(sources.get(letter) ?? []), source]);
    }
  }
  return sources;
}

/** A replacement that brings part of a text closer to its folded form. */
export type FoldStep = readonly [from: string, to: string];

/**
 * Replacements after which a text contains `folded` if its folded form does. The text must already
 * be lowercase in ASCII. With these, a database folds only the letters a search can match.
 *
 * @param folded the output of `fold`
 * @param limit maximum number of replacements; the first letters of Unicode take precedence, since
 *   an `a` alone has more than a hundred
 */
export function foldSteps(folded: string, limit = Number.POSITIVE_INFINITY): FoldStep[] {
  const steps = new Map<string, string>();
  for (const letter of new Set(folded)) {
    for (const from of spellingsOf(letter)) if (from !== letter) steps.set(from, letter);
    for (const form of lettersFoldedTo(letter)) {
      steps.set(form, foldLetter(form));
      // What remains of a decomposed form: its base letter has a replacement of its own.
      for (const mark of form.normalize("NFD"))
        if (ACCENTS.test(mark) && !steps.has(mark)) steps.set(mark, "");
    }
  }
  const common = [...steps]
    .filter(([from, to]) => from !== to)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, limit);
  // Longest first: otherwise the base letter of a decomposed form is replaced before the form.
  return common.sort(([one], [other]) => other.length - one.length);
}

/** A letter in both cases, composed and decomposed. */
const spellingsOf = (letter: string): string[] =>
  [letter, letter.toLowerCase(), letter.toUpperCase()]
    .flatMap((it) => [it, it.normalize("NFC"), it.normalize("NFD")])
    .map(asciiLower);

const asciiLower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
