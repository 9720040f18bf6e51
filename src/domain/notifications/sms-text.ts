// Composes SMS texts in GSM-7 (3GPP TS 23.038), of which a segment holds 160 characters, against 70
// of any other text; limited to a few segments. Pure.

/** Maximum segments per message: each one is billed. */
const MAX_SEGMENTS = 2;

/** Characters per segment: alone, and in a multi-segment message, which needs a header. */
const GSM = { alone: 160, joined: 153 };
const UNICODE = { alone: 70, joined: 67 };

const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡" +
    "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** These take two positions. */
const EXTENDED = new Set("^{}\\[~]|€");

/** Replacements for characters that are not in GSM-7 and do not decompose into a letter there. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...pairs("‘’‚‛`´′", "'"),
  ...pairs("“”„‟″«»", '"'),
  ...pairs("‐‑‒–—―−", "-"),
  ...pairs("•·●▪", "*"),
  ...{ "\t": " ", "…": "...", "⁄": "/", "٪": "%", "٫": ".", "٬": "," },
  // Signs that carry a value or a unit are written out: without them it would be another one.
  ...signs(
    "→ -> ⟶ -> ➜ -> ← <- ⟵ <- ⇒ => ⇐ <- ↔ <-> ↑ up ↗ up ↓ down ↘ down ✓ OK ✔ OK ☑ OK ✅ OK ✗ X ✘ X ❌ X",
  ),
  ...signs(
    "≥ >= ⩾ >= ≧ >= ≤ <= ⩽ <= ≦ <= ≈ ~ ≅ ~ ≃ ~ ∼ ~ ≋ ~ ≠ != ≡ == ≪ << ≫ >> ¬ ! ± +/- ∓ -/+ × x ÷ / ∕ / ∗ *",
  ),
  ...signs("√ sqrt ∞ inf ∑ Σ ∏ Π ∆ Δ µ u ° deg ‰ /1000 ‱ /10000 № No. © (c) ® (R) ™ (TM)"),
  ...signs("¢ c ₹ INR ₽ RUB ₩ KRW ₺ TRY ₴ UAH ₪ ILS ₫ VND ₿ BTC"),
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

/** What stands for a sign: each is followed by it, after a space. */
function signs(table: string): Record<string, string> {
  const words = table.split(" ");
  return Object.fromEntries(
    words.flatMap((it, i) => (i % 2 === 0 ? [[it, words[i + 1] ?? ""]] : [])),
  );
}

/** Transliterations of another script, in both cases; `_` = nothing. */
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

/** A character in GSM-7; null if it has no equivalent. */
function gsmFor(character: string): string | null {
  if (isGsm(character)) return character;
  const written = REPLACEMENTS[character];
  if (written !== undefined) return written;
  if (/\p{Nd}/u.test(character)) return String(digitOf(character));
  const decomposed = [...character.normalize("NFKD")].filter((it) => !/\p{M}/u.test(it));
  const parts = decomposed.map((it) => (isGsm(it) ? it : REPLACEMENTS[it]));
  return parts.length > 0 && parts.every((it) => it !== undefined) ? parts.join("") : null;
}

/** The value of a decimal digit of any script: those of each stand together, ten by ten. */
function digitOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

/**
 * Writes out what has another value without its position: powers (10³, m²), fractions (2½), crossed
 * signs (≮), and the prefix of a unit (μs, which is not ms).
 */
const withValues = (text: string): string =>
  text
    .replace(/[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (it) => `^${it.normalize("NFKD").replace("−", "-")}`)
    .replace(/(?<=\p{N})[¼½¾⅐-⅟]/gu, " $&")
    .replace(/\p{Sm}/gu, (it) => crossedOf(it))
    .replace(/(?<=^|[\p{N}\s(/])μ(?=[a-zA-ZΩ])/gu, "u");

function crossedOf(sign: string): string {
  if (isGsm(sign) || REPLACEMENTS[sign] !== undefined) return sign;
  const [base = sign, ...marks] = sign.normalize("NFD");
  return marks.includes("\u0338") ? `!${base}` : sign;
}

/**
 * Converts a text to GSM-7: simplifies marks and typography, removes pictographs, transliterates
 * other scripts where possible. `lost` counts the characters replaced by `?`, so that callers can
 * send such a text unconverted.
 */
export function toGsm(text: string): { readonly text: string; readonly lost: number } {
  let lost = 0;
  const written = [...withValues(text)].map((character) => {
    const gsm = gsmFor(character);
    if (gsm !== null) return gsm;
    if (!/[\p{L}\p{N}\p{Sm}\p{Sc}]/u.test(character)) return " ";
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

/** The length of a text in GSM-7 positions; for other text in UTF-16 units, as billed. */
export function smsLength(text: string): { readonly places: number; readonly isGsm: boolean } {
  const characters = [...text];
  if (!characters.every(isGsm)) return { places: text.length, isGsm: false };
  return {
    places: characters.reduce((sum, it) => sum + (EXTENDED.has(it) ? 2 : 1), 0),
    isGsm: true,
  };
}

/** The number of segments of a text. */
export function countSegments(text: string): number {
  const { places, isGsm } = smsLength(text);
  const size = isGsm ? GSM : UNICODE;
  return places <= size.alone ? 1 : Math.ceil(places / size.joined);
}

/** Truncates a text to the longest prefix for which `fits` is true. */
function truncate(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const characters = [...text];
  let low = 0;
  let high = characters.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(`${characters.slice(0, middle).join("")}...`)) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join("").trimEnd()}...`;
}

/**
 * A message of at most two segments: `before`, as much of `text` as fits, and `after`, which is
 * never truncated. `before` and `after` must be short GSM-7. If a third of the text would be lost,
 * it is sent in its own script.
 */
export function smsText(before: string, text: string, after: string): string {
  // Longer texts never fit.
  const prefix = text.slice(0, 1_000);
  const gsm = toGsm(prefix);
  const letters = (prefix.match(/[\p{L}\p{N}]/gu) ?? []).length;
  const body = gsm.lost * 3 > letters ? onOneLine(prefix.toWellFormed()) : gsm.text;
  const joined = (it: string) => `${before}${it}${after}`;
  return joined(truncate(body, (it) => countSegments(joined(it)) <= MAX_SEGMENTS));
}
