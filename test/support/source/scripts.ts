// Generates words in many scripts, each in two spellings that differ only in case and composition.
import fc from "fast-check";

/** Pairs of upper-case and lower-case letters, by script. */
const LETTERS: Readonly<Record<string, readonly (readonly [upper: string, lower: string])[]>> = {
  Latin: pairsIn(0x41, 0x17f),
  "Latin with marks": pairsIn(0x180, 0x24f),
  "Latin for Vietnamese": pairsIn(0x1ea0, 0x1eff),
  Greek: [...pairsIn(0x386, 0x3ff), ["Σ", "ς"]],
  "Greek, polytonic": pairsIn(0x1f00, 0x1f7f),
  Cyrillic: pairsIn(0x400, 0x52f),
  Armenian: pairsIn(0x531, 0x556),
  Georgian: pairsIn(0x1c90, 0x1cba),
  Cherokee: pairsIn(0x13a0, 0x13f5),
  Coptic: pairsIn(0x2c80, 0x2ce3),
  Glagolitic: pairsIn(0x2c00, 0x2c2f),
  Deseret: pairsIn(0x10400, 0x10427),
  Adlam: pairsIn(0x1e900, 0x1e921),
  "Fullwidth Latin": pairsIn(0xff21, 0xff3a),
};

/** Letters of scripts without case. */
const CASELESS: Readonly<Record<string, string>> = {
  Arabic: "خادمقعدةبيانت",
  Chinese: "服务器数据库主从",
  Devanagari: "सरवडटब",
  Hebrew: "שרתבסיסנתונים",
  Japanese: "サーバー落ちた",
  Korean: "서버데이터베이스",
  Thai: "เซิร์ฟเวอร์",
};

function pairsIn(first: number, last: number): (readonly [string, string])[] {
  const codes = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return codes
    .map((code) => String.fromCodePoint(code))
    .map((letter) => [letter.toUpperCase(), letter.toLowerCase()] as const)
    .filter(([upper, lower]) => upper !== lower);
}

/** The scripts that `spellings` supports. */
export const SCRIPTS = [...Object.keys(LETTERS), ...Object.keys(CASELESS)];

/** A word as written and as searched for: the same letters in another case and composition. */
export function spellings(
  script: string,
): fc.Arbitrary<{ readonly written: string; readonly searched: string }> {
  const caseless = CASELESS[script];
  const pairs = caseless ? [...caseless].map((it) => [it, it] as const) : (LETTERS[script] ?? []);
  const letter = fc.tuple(fc.constantFrom(...pairs), fc.boolean(), fc.boolean());
  const form = fc.constantFrom("NFC" as const, "NFD" as const);
  const letters = fc.array(letter, { minLength: 3, maxLength: 9 });
  return fc.tuple(letters, form, form).map(([chosen, one, other]) => ({
    written: chosen
      .map(([pair, upper]) => pair[upper ? 0 : 1])
      .join("")
      .normalize(one),
    searched: chosen
      .map(([pair, _, upper]) => pair[upper ? 0 : 1])
      .join("")
      .normalize(other),
  }));
}
