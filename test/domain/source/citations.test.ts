// Code and tests cite the contract by section: "contract 4", or "contract 1, Roles" for a part of one. Every citation
// leads to a heading of src/features/README.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, root, sourceFiles } from "../../support/source/source-files.ts";

type Heading = { readonly section: string; readonly name: string };

/** The names of the parts of each numbered section. */
function sectionsOf(contract: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  let parts: string[] = [];
  for (const [, level, title = ""] of contract.matchAll(/^(##|###) (.+)$/gm)) {
    if (level === "###") {
      parts.push(title);
      continue;
    }
    parts = [];
    const [, number] = /^(\d+)\. /.exec(title) ?? [];
    if (number !== undefined) sections.set(number, parts);
  }
  return sections;
}

/** Each citation, with up to sixty characters after a comma, which begin with the part's name. */
function citationsIn(text: string): Heading[] {
  const unwrapped = text.replace(/\n\s*(?:\/\/|\*) ?/g, " ");
  const found = unwrapped.matchAll(/\b[Cc]ontract (\d+)(?: and (\d+))?(?:, ([A-Z].{0,59}))?/g);
  return [...found].flatMap(([, section = "", second, name = ""]) => [
    { section, name },
    ...(second === undefined ? [] : [{ section: second, name: "" }]),
  ]);
}

const sections = sectionsOf(readFileSync(join(root, "src/features/README.md"), "utf8"));

const isResolved = ({ section, name }: Heading): boolean => {
  const parts = sections.get(section);
  if (parts === undefined || name === "") return parts !== undefined;
  return parts.some((part) => name.startsWith(part) && !/^\w/.test(name.slice(part.length)));
};

const files = [
  ...sourceFiles(),
  ...filesBelow("test", ".ts"),
  ...filesBelow("test", ".tsx"),
].filter(({ path }) => !path.endsWith("citations.test.ts"));

describe("a citation of the contract", () => {
  test.each<[string, boolean]>([
    ["// As said (contract 4).", true],
    ["// As said (contract 1, Roles): an admin may.", true],
    ["// As said (contract 4, Changes of a\n// series).", true],
    ["/** As said (contract 2 and\n * 6). */", true],
    ["// As said (contract 99).", false],
    ["// As said (contract 2 and 99).", false],
    ["// As said (contract 4, Roles).", false],
    ["// As said (contract 1, Rolesome).", false],
  ])("%s", (text, isGood) => {
    const found = citationsIn(text);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(isResolved)).toBe(isGood);
  });

  test("leads to a heading in every file", () => {
    const unresolved = files.flatMap(({ path, text }) =>
      citationsIn(text)
        .filter((citation) => !isResolved(citation))
        .map(({ section, name }) => `${path}: contract ${section}, ${name}`),
    );
    expect(unresolved).toEqual([]);
    expect(files.flatMap(({ text }) => citationsIn(text)).length).toBeGreaterThan(80);
  });

  test("has no other form", () => {
    const others = files.filter(({ text }) =>
      /contract\.md|\(specification\b|specification, [A-Z]/.test(text),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });
});
