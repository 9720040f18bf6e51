// What an SMS may say, so that it stays cheap and arrives whole: the characters of GSM-7 (3GPP TS 23.038), of which a
// message takes 160, against 70 of anything else; and never more than a few segments. Pure.

/** Segments that a message may have: each is paid for. */
const MOST_SEGMENTS = 2;

/** What fits: in one segment, and in each of several, which give some room to say that they belong together. */
const GSM = { alone: 160, joined: 153 };
const UNICODE = { alone: 70, joined: 67 };

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡" +
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two places. */
const EXTENDED = new Set("^{}\\[~]|€");

/** By what a character is written that GSM-7 has not, and that does not come apart into a letter and its marks. */
const WRITTEN: Readonly<Record<string, string>> = {
  ...pairs("‘’‚‛`´′", "'"),
  ...pairs("“”„‟″«»", '"'),
  ...pairs("‐‑‒–—―−", "-"),
  ...pairs("•·●▪", "*"),
  ...{ "\t": " ", "…": "...", "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "≠": "!=", "×": "x" },
  ...{
    ł: "l",
    Ł: "L",
    đ: "d",
    Đ: "D",
    ı: "i",
    œ: "oe",
    Œ: "OE",
    þ: "th",
    Þ: "Th",
    ð: "d",
    ẞ: "SS",
  },
  ...letters(
    "а a б b в v г g д d е e ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh " +
      "щ shch ъ _ ы y ь _ э e ю yu я ya ё e є ye і i ї yi ґ g",
  ),
  ...letters(
    "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o",
  ),
};

function pairs(characters: string, written: string): Record<string, string> {
  return Object.fromEntries([...characters].map((it) => [it, written]));
}

/** Letters of another script with what they are written by, capitals too; `_` = nothing. */
function letters(table: string): Record<string, string> {
  const words = table.split(" ");
  const entries = words.flatMap((letter, i) => {
    if (i % 2 === 1) return [];
    const written = (words[i + 1] ?? "").replace("_", "");
    const capital = written.charAt(0).toUpperCase() + written.slice(1);
    return [
      [letter, written],
      [letter.toUpperCase(), capital],
    ] as const;
  });
  return Object.fromEntries(entries);
}

const isGsm = (character: string) => BASIC.has(character) || EXTENDED.has(character);

/** One character in GSM-7; null when nothing there stands for it. */
function inGsm(character: string): string | null {
  if (isGsm(character)) return character;
  const written = WRITTEN[character];
  if (written !== undefined) return written;
  const apart = [...character.normalize("NFKD")].filter((it) => !/\p{M}/u.test(it));
  const parts = apart.map((it) => (isGsm(it) ? it : WRITTEN[it]));
  return parts.length > 0 && parts.every((it) => it !== undefined) ? parts.join("") : null;
}

/**
 * A text in GSM-7: marks and typography are simplified, pictures left out, other scripts transliterated where they
 * can be. What cannot be said so (`?`) is counted, so that a text that would be lost can be sent as it is.
 */
export function toGsm(text: string): { readonly text: string; readonly lost: number } {
  let lost = 0;
  const written = [...text].map((character) => {
    const gsm = inGsm(character);
    if (gsm !== null) return gsm;
    if (!/[\p{L}\p{N}]/u.test(character)) return " ";
    lost += 1;
    return "?";
  });
  return { text: onOneLine(written.join("")), lost };
}

const onOneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Zs}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();

/** The places that a text takes in GSM-7; for one that is not, the UTF-16 units, by which it is paid. */
export function lengthOf(text: string): { readonly places: number; readonly isGsm: boolean } {
  const characters = [...text];
  if (!characters.every(isGsm)) return { places: text.length, isGsm: false };
  return {
    places: characters.reduce((sum, it) => sum + (EXTENDED.has(it) ? 2 : 1), 0),
    isGsm: true,
  };
}

/** The segments that a text is sent in. */
export function segmentsOf(text: string): number {
  const { places, isGsm } = lengthOf(text);
  const size = isGsm ? GSM : UNICODE;
  return places <= size.alone ? 1 : Math.ceil(places / size.joined);
}

/** The longest beginning of a text with which the whole stays within the segments. */
function cut(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const characters = [...text];
  let least = 0;
  let most = characters.length;
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(`${characters.slice(0, middle).join("")}...`)) least = middle;
    else most = middle - 1;
  }
  return `${characters.slice(0, least).join("").trimEnd()}...`;
}

/**
 * A message of at most two segments: `before`, as much as fits of `text`, and `after`, which is always whole. `before`
 * and `after` are ours: GSM-7, and short. A text of which a third would be lost is sent in its own script.
 */
export function smsText(before: string, text: string, after: string): string {
  // More than this never fits.
  const beginning = text.slice(0, 1_000);
  const gsm = toGsm(beginning);
  const letters = (beginning.match(/[\p{L}\p{N}]/gu) ?? []).length;
  const body = gsm.lost * 3 > letters ? onOneLine(beginning.toWellFormed()) : gsm.text;
  const joined = (it: string) => `${before}${it}${after}`;
  return joined(cut(body, (it) => segmentsOf(joined(it)) <= MOST_SEGMENTS));
}
