// The entries of pasted addresses.
import { expect, test } from "vitest";
import { hasAddress, readAddresses } from "../../../src/console/people/address-lines.ts";

const read = (text: string) =>
  readAddresses(text).map((entry) => [entry.line, entry.name, entry.email, hasAddress(entry)]);

test.each([
  ["", []],
  ["ana@example.com", [[1, "", "ana@example.com", true]]],
  ["Ana Silva <Ana@Example.com>", [[1, "Ana Silva", "ana@example.com", true]]],
  [
    'a@x.io, "Silva, Ana" <b@x.io>; c@x.io',
    [
      [1, "", "a@x.io", true],
      [1, "Silva, Ana", "b@x.io", true],
      [1, "", "c@x.io", true],
    ],
  ],
  [
    "a@x.io\r\n\r\n  b@x.io,\n",
    [
      [1, "", "a@x.io", true],
      [3, "", "b@x.io", true],
    ],
  ],
  ["Ana Silva", [[1, "Ana Silva", "", false]]],
  ["ana@localhost", [[1, "", "ana@localhost", false]]],
  ["Jürgen Größe <j@bücher.example>", [[1, "Jürgen Größe", "j@bücher.example", true]]],
] as const)("reads %j", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test("an entry's text is read as the same entry again", () => {
  const text = 'Ana <a@x.io>; nobody; "Silva, Ana" <b@x.io>';
  const entries = readAddresses(text);
  const again = readAddresses(entries.map((entry) => entry.text).join("\n"));
  expect(again.map(({ name, email }) => [name, email])).toEqual(
    entries.map(({ name, email }) => [name, email]),
  );
});
