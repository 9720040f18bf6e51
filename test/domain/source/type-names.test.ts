/**
 * A name means one thing. Types that files share have names of their own; what the API shows of a thing
 * (`contract.ts`) may be called as the thing is in the domain.
 */
import { describe, expect, test } from "vitest";
import { withoutComments } from "../../support/source/imports.ts";
import { type SourceFile, sourceFiles } from "../../support/source/source-files.ts";

const EXPORTED = /^export (?:type|interface|class) (\w+)\b/gm;

/** The schemas of requests and answers: a storey of names of its own. */
const isContract = (path: string) => /\/([\w-]+-)?(contract|parameters)\.ts$/.test(path);

/** The shells of the objects' classes, which have their names. */
const SHELLS = "src/objects.ts";

/** The names that two files export, with these: of contracts, or of all other files. */
function findShared(files: readonly SourceFile[]): readonly string[] {
  const places = new Map<string, string[]>();
  for (const { path, text } of files) {
    const names = [...withoutComments(text).matchAll(EXPORTED)].map(([, name = ""]) => name);
    for (const name of new Set(names)) places.set(name, [...(places.get(name) ?? []), path]);
  }
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `${name}: ${paths.join(", ")}`);
}

describe("the name of an exported type", () => {
  test("is found wherever it is exported", () => {
    const files = [
      { path: "a.ts", text: "export type Plan = { readonly at: number };\ntype Local = string;" },
      {
        path: "b.ts",
        text: "export class Plan {}\n// export type Other = 1;\ntype Local = string;",
      },
      { path: "c.ts", text: "export type Other = string;" },
    ];
    expect(findShared(files)).toEqual(["Plan: a.ts, b.ts"]);
  });

  test("is exported once", () => {
    const files = sourceFiles().filter(({ path }) => path !== SHELLS);
    expect(findShared(files.filter(({ path }) => !isContract(path)))).toEqual([]);
    expect(findShared(files.filter(({ path }) => isContract(path)))).toEqual([]);
  });
});
