// Searching by name: what begins so comes first, what merely contains it is never meant without a
// doubt. Generated names, against a plain reading of the rule.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fold } from "../../../src/domain/shared/case-folding.ts";
import { certainByName, findByName, matchName } from "../../../src/domain/shared/name-search.ts";
import { sized } from "../../support/generated/sizes.ts";

type Person = { readonly name: string; readonly further: readonly string[] };

const of = (person: Person) => person;
const person = (name: string, ...further: string[]): Person => ({ name, further });
const names = (people: readonly Person[]) => people.map(({ name }) => name);

const TEAM = [
  person("Hana Mori", "ana@example.com"),
  person("Zoë Ana"),
  person("Diana Prince"),
  person("Ana Lima", "lima@example.com"),
  person("ANABEL Ruiz"),
  person("Łukasz Hanák"),
];

test("those come first of whom a word begins so, in alphabetical order", () => {
  expect(names(findByName(TEAM, "ana", of))).toEqual([
    ...["Ana Lima", "ANABEL Ruiz", "Zoë Ana"],
    ...["Diana Prince", "Hana Mori", "Łukasz Hanák"],
  ]);
});

test.each([
  ["Ana", null],
  ["ana l", "Ana Lima"],
  ["lima ana", "Ana Lima"],
  ["a a", null],
  ["anab", "ANABEL Ruiz"],
  ["lukasz", "Łukasz Hanák"],
  ["HANAK", "Łukasz Hanák"],
  ["zoe", "Zoë Ana"],
  ["hana", null],
  ["hana m", "Hana Mori"],
  ["ori", null],
  ["lima@example.com", "Ana Lima"],
  ["lima@", null],
  ["ana@example.com", "Hana Mori"],
  ["nobody", null],
  ["", null],
  ["--", null],
])("%s means %s", (text, expected) => {
  expect(certainByName(TEAM, text, of)?.name ?? null).toBe(expected);
});

test.each([
  ["Ana", "ANA", "exact"],
  ["Ana-Maria O’Neill", "ana maria o neill", "exact"],
  ["Ana-Maria O’Neill", "neill ana", "begins"],
  ["Ana-Maria O’Neill", "maria", "begins"],
  ["Ana Lima", "ana a", "contains"],
  ["Ada Adams", "ad ada", "begins"],
  ["İnci Işık", "inci isik", "exact"],
  ["Straße", "strasse", "exact"],
  ["राम", "रमा", null],
  ["がく", "かく", null],
  ["Team (1)", "(", "contains"],
  ["Hana", "ana", "contains"],
])("%s for %s: %s", (name, text, expected) => {
  expect(matchName(name, text)).toBe(expected);
});

const syllable = fc.constantFrom("an", "na", "Ha", "É", "li", "mo", "Ri", "ł", "ø", "Зо", "Σ", "ı");
const word = fc.array(syllable, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
const name = fc
  .tuple(word, word, fc.constantFrom(" ", "-"))
  .map(([first, last, between]) => `${first}${between}${last}`);
const people = fc
  .array(name, { minLength: 1, maxLength: 30 })
  .map((all) => all.map((it) => person(it)));
const typed = fc.tuple(people, fc.nat(), fc.nat(12), fc.integer({ min: 1, max: 5 }), fc.boolean());

/** A text that somebody may type to find one of them: a part of a name, in any case, without accents. */
const cases = typed.map(([team, at, from, length, isPlain]) => {
  const chosen = team[at % team.length]?.name ?? "";
  const start = from % chosen.length;
  const part = chosen.slice(start, start + length).split(/[\s-]/)[0] || chosen.slice(0, 1);
  return { team, text: isPlain ? fold(part) : part.toUpperCase() };
});

describe("of generated names", () => {
  const check = (property: (team: readonly Person[], text: string) => void) =>
    fc.assert(
      fc.property(cases, ({ team, text }) => property(team, text)),
      { numRuns: sized(300, 5_000) },
    );
  const begins = (own: string, text: string) =>
    fold(own)
      .split(/[\s-]/)
      .some((it) => it.startsWith(fold(text)));

  test("everybody is found whose name contains it, the beginnings first, each in order", () => {
    const { compare } = new Intl.Collator("en", { numeric: true });
    check((team, text) => {
      const found = names(findByName(team, text, of));
      const containing = names(team).filter((it) => fold(it).includes(fold(text)));
      expect(found.toSorted()).toEqual(containing.toSorted());
      const first = found.filter((it) => begins(it, text));
      expect(found.slice(0, first.length)).toEqual(first);
      for (const part of [first, found.slice(first.length)]) {
        const rest = part.filter((it) => matchName(it, text) !== "exact");
        expect(rest).toEqual(rest.toSorted(compare));
      }
    });
  });

  test("only the one exact name, or the only beginning, is meant without a doubt", () => {
    check((team, text) => {
      const certain = certainByName(team, text, of);
      const exact = team.filter((it) => fold(it.name) === fold(text));
      const beginning = team.filter((it) => begins(it.name, text));
      const meant = exact.length > 0 ? exact : beginning;
      expect(certain).toBe(meant.length === 1 ? meant[0] : null);
    });
  });
});
