// The files, folders, links and npm commands that the documents name exist, and so do the files that comments name.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { filesBelow, root, sourceFiles } from "../../support/source/source-files.ts";

const DOCUMENTS = [
  "README.md",
  "src/features/README.md",
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

describe("a comment", () => {
  /** Made by the build or by `npm start`. */
  const GENERATED = ["asset-names.json", "demo.json", "style.css"];
  const COMMENT = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*/gm;
  /** With folders before it or without. A word with a capital is a method: `Response.json`. */
  const FILE =
    /(?<![\w./@-])((?:\.{1,2}\/)*(?:\.?[\w-]+\/)*(?:[a-z][\w.-]*|[A-Z]+)\.(?:tsx?|mjs|md|css|html|sql|jsonc?|toml|ya?ml))(?![\w/-])/g;

  const namedIn = (text: string): string[] =>
    (text.match(COMMENT) ?? []).flatMap((comment) => captured(comment, FILE));

  test.each([
    ["// as `parts/form.tsx` has it", ["parts/form.tsx"]],
    ["/**\n * See ../rules.ts, and README.md.\n */", ["../rules.ts", "README.md"]],
    ['import { a } from "./a.ts"; // a.ts', ["a.ts"]],
    ["// `Response.json` and https://example.com/page.html", []],
  ])("%j names %j", (text, files) => {
    expect(namedIn(text)).toEqual(files);
  });

  test("names only files that exist", () => {
    const below = ["src", "test", "migrations", ".github", ".ci"].flatMap((folder) =>
      filesBelow(folder, ""),
    );
    const paths = [...below.map(({ path }) => path), ...readdirSync(root), ...GENERATED];
    // Every end of a path: a comment may leave out the folders that its reader knows.
    const ends = new Set(
      paths.flatMap((path) => path.split("/").map((_, at, parts) => parts.slice(at).join("/"))),
    );
    const exists = (path: string, name: string) =>
      /^\.{1,2}\//.test(name)
        ? existsSync(join(root, posix.join(posix.dirname(path), name)))
        : ends.has(name.replace(/^\.wrangler\//, ""));
    const code = [...sourceFiles(), ...filesBelow("test", ".ts"), ...filesBelow("test", ".tsx")];
    const missing = code
      .filter(({ path }) => path !== "test/domain/source/documents.test.ts")
      .flatMap(({ path, text }) =>
        namedIn(text).flatMap((name) => (exists(path, name) ? [] : [`${path}: ${name}`])),
      );
    expect(missing).toEqual([]);
  });
});
