// The files, folders, links, variables and npm commands that the documents name exist, and so do the files that comments
// name. The manual has every variable, every flag of `npm run deploy`; CONTRIBUTING has the tree as it is.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf } from "../../../src/reference/markdown.ts";
import { START_USAGE } from "../../../src/setup/arguments.ts";
import { DEPLOY_USAGE } from "../../../src/setup/deploying/deploy-arguments.ts";
import { SERVE_USAGE } from "../../../src/setup/serve/serve-arguments.ts";
import { HOST_SETTINGS } from "../../../src/setup/serve/settings.ts";
import { filesBelow, root, sourceFiles } from "../../support/source/source-files.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");

const MANUAL = readdirSync(join(root, "src/reference/manual")).map(
  (name) => `src/reference/manual/${name}`,
);

const DOCUMENTS = [
  ...MANUAL,
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

const anchorsOf = (text: string): string[] => captured(text, /^#+ (.+)$/gm).map(anchorOf);

/** All names in capitals that the code, its settings and its commands have. */
const KNOWN = new Set(
  [
    ...[...sourceFiles(), ...filesBelow("src", ".d.ts"), ...filesBelow("test", ".ts")].map(
      ({ text }) => text,
    ),
    read("wrangler.toml"),
    read(".github/workflows/deploy.yml"),
  ].flatMap((text) => captured(text, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g)),
);

describe.each(DOCUMENTS)("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8");

  test("names files and folders that exist", () => {
    const paths = captured(text, /`((?:src|test|migrations|\.ci|\.github)\/[\w./-]*)`/g);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test("has no broken links", () => {
    // The pages at /docs are checked as they are served: test/domain/reference/docs.test.ts.
    const links = captured(text, /(?:\]\(|src=")([^)"\s]+)/g).filter(
      (it) => !/^(?:https?:|\/docs\b)/.test(it),
    );
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

  test("names variables that exist", () => {
    const names = captured(text, /\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/g);
    // What whoever pastes a request sets.
    const OWN = ["TOCSIN_URL", "TOCSIN_KEY"];
    expect(names.filter((name) => !KNOWN.has(name) && !OWN.includes(name))).toEqual([]);
  });
});

describe("the manual", () => {
  /** The variables in the first column of a page's tables, with the page. */
  const documented = MANUAL.flatMap((page) =>
    captured(read(page), /^\| ([^|]+) \|/gm).flatMap((cell) =>
      captured(cell, /`([A-Z][A-Z0-9_]+)`/g).map((name) => ({ name, page })),
    ),
  );

  test("describes every variable and secret once", () => {
    const environment = captured(read("src/environment.d.ts"), /^\t([A-Z][A-Z0-9_]+): string;$/gm);
    const secrets = captured(read("src/secrets.d.ts"), /readonly ([A-Z][A-Z0-9_]+)\??: string/g);
    // For tests only.
    const all = [...environment, ...secrets, ...HOST_SETTINGS].filter(
      (it) => it !== "PASSWORD_HASHING",
    );
    expect(documented.map(({ name }) => name).sort()).toEqual(all.sort());
  });

  const flagsIn = (usage: string): string[] => captured(usage, /(--[a-z][a-z-]+)/g);

  test.each([
    ["deploying.md", DEPLOY_USAGE],
    ["start.md", START_USAGE],
    ["own-server.md", SERVE_USAGE],
  ])("%s describes the command's flags, and no others", (page, usage) => {
    const text = read(`src/reference/manual/${page}`);
    const named = captured(text, /^\| `([^`]+)`/gm).flatMap(flagsIn);
    expect(flagsIn(usage).filter((flag) => !text.includes(flag))).toEqual([]);
    expect(named.filter((flag) => !usage.includes(flag))).toEqual([]);
  });
});

test("the README is short", () => {
  expect(read("README.md").split("\n").length).toBeLessThanOrEqual(150);
});

describe("CONTRIBUTING", () => {
  const text = read(".github/CONTRIBUTING.md");
  const [, tree = ""] = /^## The tree\n([\s\S]+?)^## /m.exec(text) ?? [];
  const named = captured(tree, /`([^`\n]+)`/g).map((it) => it.replace(/\/<.*$/, ""));
  const foldersIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${folder}/${entry.name}`);

  test("has every folder of src and test in its tree, and every file beside them", () => {
    const files = readdirSync(join(root, "src")).filter((name) => /^[^.]+\.ts$/.test(name));
    const all = [...foldersIn("src"), ...foldersIn("test"), ...files.map((name) => `src/${name}`)];
    const has = (it: string) => named.some((name) => name === it || name.startsWith(`${it}/`));
    expect(all.filter((it) => !has(it))).toEqual([]);
  });

  test("names everything at the top level, and nothing else", () => {
    const [top = ""] = tree.split("\n\n");
    // What is not in git: a test that runs beside this one may write it.
    const others = [
      ".git",
      ...read(".gitignore")
        .split("\n")
        .map((it) => it.replace(/\/$/, "")),
    ];
    const isOther = (name: string) => others.includes(name) || name.endsWith(".log");
    const entries = readdirSync(root).filter((name) => !isOther(name));
    const [all = ""] = top.split("nothing\nelse.");
    expect(captured(all, /`([^`\n]+)`/g).sort()).toEqual(entries.sort());
  });

  test("names the subjects, in which the folders are divided", () => {
    const [, list = ""] = /same names everywhere: ([\s\S]+?)\. Whoever/.exec(tree) ?? [];
    const subjects = captured(list, /`(\w+)`/g);
    const others = ["schema", "change", "outgoing"];
    const folders = foldersIn("src/features").map((it) => it.replace("src/features/", ""));
    expect(subjects.sort()).toEqual(folders.filter((it) => !others.includes(it)).sort());
  });

  // What its recipes count.
  test.each<[what: string, pattern: RegExp, files: number, folder: string]>([
    ["an integration type", /uptimerobot/, 4, "src/products"],
    ["a chat with buttons", /discord/i, 14, "src"],
  ])("counts %s as it is", (_, pattern, files, folder) => {
    const found = sourceFiles().filter(
      ({ path, text }) => path.startsWith(`${folder}/`) && pattern.test(text),
    );
    expect(found.map(({ path }) => path)).toHaveLength(files);
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
