// Folding for search: texts that differ only in case and accents fold to the same text in any script, and the
// SQL replacements find what folding finds.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold, foldSteps } from "../../../src/domain/shared/case-folding.ts";
import { sized } from "../../support/generated/sizes.ts";
import { SCRIPTS, spellings } from "../../support/source/scripts.ts";

/** A fifth of all code points; of the others there is nothing to fold. */
const IS_ASSIGNED = /[^\p{Unassigned}\p{Private_Use}]/u;

/** Every letter of Unicode that folding changes. */
const changed = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter(
    (letter) =>
      IS_ASSIGNED.test(letter) && fold(letter) !== letter && letter.normalize("NFC") === letter,
  );

/** Whether a text contains the search term, as the database decides it. */
function isFound(text: string, searched: string): boolean {
  const folded = fold(searched);
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return foldSteps(folded)
    .reduce((rest, [from, to]) => rest.replaceAll(from, to), lower)
    .includes(folded);
}

describe("fold", () => {
  test.each([
    ["Сервер", "СЕРВЕР"],
    ["ΟΔΥΣΣΕΥΣ", "οδυσσευς"],
    ["Straße", "STRASSE"],
    ["Straße", "STRAẞE"],
    ["İstanbul", "istanbul"],
    ["İSTANBUL", "ıstanbul"],
    ["ISPARTA", "ısparta"],
    ["ﬁle server", "FILE SERVER"],
    ["ԵՐԵՎԱՆ", "երեվան"],
    ["E\u0301cole", "éCOLE"],
    ["Й", "и\u0306"],
    ["ΰ", "Ϋ́"],
    ["𐐀𐐁", "𐐨𐐩"],
    ["Novák", "novak"],
    ["Łukasz", "LUKASZ"],
    ["Ærøskøbing", "aeroskobing"],
    ["Đặng Thị Hà", "dang thi ha"],
    ["Þór Œuvre Ħal", "thor oeuvre hal"],
    ["αθλητής", "ΑΘΛΗΤΗΣ"],
    ["Алёна", "алена"],
  ])("makes %s and %s equal", (one, other) => {
    expect(fold(one)).toBe(fold(other));
    expect(isFound(`on ${one}!`, other)).toBe(true);
    expect(isFound(`on ${other}!`, one)).toBe(true);
  });

  test.each([
    ["Сервер", "сервис"],
    ["Cервер", "сервер"], // a Latin C
    ["ア", "あ"],
    ["が", "か"],
    ["राम", "रमा"],
    ["≠", "="],
  ])("keeps %s and %s different", (one, other) => {
    expect(fold(one)).not.toBe(fold(other));
    expect(isFound(one, other)).toBe(false);
  });

  test("is idempotent for every letter of Unicode, and the replacements include the letter", () => {
    expect(changed.length).toBeGreaterThan(1_400);
    expect(changed.filter((letter) => fold(fold(letter)) !== fold(letter))).toEqual([]);
    for (const form of ["NFC", "NFD"] as const) {
      const missed = changed.filter((it) => !isFound(`x${it.normalize(form)}x`, fold(it)));
      expect(missed, form).toEqual([]);
    }
  });

  test.each(SCRIPTS)("finds a word of %s in any case and composition", (script) => {
    const cases = { numRuns: sized(100, 5_000) };
    fc.assert(
      fc.property(spellings(script), ({ written, searched }) => {
        expect(fold(written)).toBe(fold(searched));
        expect(isFound(`a ${written} b`, searched)).toBe(true);
      }),
      cases,
    );
  });
});
