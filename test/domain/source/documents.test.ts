// The files, folders, links and npm commands that the documents name exist.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../support/source/source-files.ts";

const DOCUMENTS = [
  "README.md",
  "src/contract/README.md",
  ...readdirSync(join(root, ".github"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `.github/${name}`),
];

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Readonly<Record<string, string>>;
};

const captured = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = ""]) => found);

/** The anchor that a heading gets: `## 5. Broadcasts and comments` → `5-broadcasts-and-comments`. */
const anchorsOf = (text: string): string[] =>
  captured(text, /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

describe.each(DOCUMENTS)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8");

  test("names files and folders that exist", () => {
    const paths = captured(text, /`((?:src|test|migrations|\.ci|\.github)\/[\w./-]*)`/g);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("has no broken links", () => {
    const links = captured(text, /(?:\]\(|src=")([^)"\s]+)/g).filter((it) => !/^https?:/.test(it));
    const broken = links.filter((link) => {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? document : join(dirname(document), path);
      if (!existsSync(join(root, file))) return true;
      return (
        anchor !== undefined && !anchorsOf(readFileSync(join(root, file), "utf8")).includes(anchor)
      );
    });
    expect(broken).toEqual([]);
  });

  test("names commands that package.json has", () => {
    const commands = captured(text, /\bnpm run (?:-\w )*([a-z][\w:-]*)/g);
    expect(commands.filter((command) => !(command in scripts))).toEqual([]);
  });
});
