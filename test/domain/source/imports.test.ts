// Enforces the layout: imports point downwards, and pure folders stay pure.
import { posix } from "node:path";
import { describe, expect, test } from "vitest";
import { findImportCycles } from "../../support/source/import-cycles.ts";
import {
  findForbiddenImports,
  importsOf,
  packagesOf,
  partOf,
  STUBS,
  storeyOf,
  withoutComments,
} from "../../support/source/imports.ts";
import { sourceFiles } from "../../support/source/source-files.ts";

const files = sourceFiles();
const domain = files.filter((file) => storeyOf(file.path) === "domain");

/** Products' files that send, or read a clock for a token: everything else of a product is pure. */
const SENDING =
  /^src\/products\/(?:phone|mail|messengers)\/|^src\/products\/(?:channel|json-api|messenger|content|callback|call-provider)\.ts$|^src\/products\/(?:slack|teams)\/(?:direct-message|bot)\.ts$/;
const products = files.filter(({ path }) => storeyOf(path) === "products" && !SENDING.test(path));
const POLYFILL = "@js-temporal/polyfill";

/** Calendars, telephone numbering plans, regular expressions, YAML. */
const PURE_PACKAGES = [POLYFILL, "libphonenumber-js/core", "re2js", "yaml"];

/** Forbidden in pure functions: clocks, randomness, timers, input and output. */
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bcrypto\b|\bperformance\b|\bTemporal\.Now\b|\b(?:fetch|setTimeout|setInterval)\(|\bconsole\.\w+\(/g;

/** Hashes are pure, and third parties are authenticated by them. */
const HASHING = /import \{ create(Hash|Hmac)[^}]*\} from "node:crypto";/g;

const impureIn = (sources: typeof files) =>
  sources.flatMap(({ path, text }) =>
    [...withoutComments(text).replace(HASHING, "").matchAll(IMPURE)].map(
      ([word]) => `${path}: ${word}`,
    ),
  );

describe("the parsing of imports", () => {
  test("finds every form, also over several lines, and distinguishes types from values", () => {
    const text = [
      'import type { A } from "./a.ts";',
      "import {",
      "  b,",
      "  type C,",
      '} from "../db/b.ts";',
      'import "./effect.ts";',
      'export * from "./d.ts";',
      'const e = await import("./e.ts");',
      '// import { f } from "./f.ts";',
    ].join("\n");
    expect(importsOf(text).map(({ from, typeOnly }) => [from, typeOnly])).toEqual([
      ["./a.ts", true],
      ["../db/b.ts", false],
      ["./d.ts", false],
      ["./effect.ts", false],
      ["./e.ts", false],
    ]);
  });

  test.each([
    // Storeys.
    ["src/kernel/db/x.ts", 'import { a } from "../http/a.ts";', true],
    ["src/kernel/db/x.ts", 'import { a } from "../../domain/shared/a.ts";', true],
    ["src/kernel/db/x.ts", 'import { a } from "../../domain/alerts/a.ts";', false],
    ["src/kernel/db/x.ts", 'import type { A } from "../../features/schema/a.ts";', false],
    ["src/domain/alerts/x.ts", 'import { a } from "../oncall/a.ts";', true],
    ["src/domain/x.ts", 'import type { A } from "../features/routing/a/contract.ts";', false],
    ["src/domain/x.ts", 'import type { A } from "../kernel/db/a.ts";', false],
    ["src/products/uptime/x.ts", 'import { a } from "../reading/a.ts";', true],
    ["src/products/uptime/x.ts", 'import { a } from "../../kernel/db/a.ts";', true],
    ["src/products/x.ts", 'import type { A } from "../features/stubs.ts";', false],
    [
      "src/console/routing/x.tsx",
      'import { A } from "../../features/routing/a/parameters.ts";',
      true,
    ],
    [
      "src/console/routing/x.tsx",
      'import type { A } from "../../features/routing/a/contract.ts";',
      true,
    ],
    [
      "src/console/routing/x.tsx",
      'import { A } from "../../features/routing/a/contract.ts";',
      false,
    ],
    ["src/console/routing/x.tsx", 'import { a } from "../../features/routing/a/verbs.ts";', false],
    ["src/console/routing/x.tsx", 'import { a } from "../../products/a.ts";', false],
    ["src/console/access/x.tsx", 'import { a } from "../../features/access/sessions/a.ts";', true],
    [
      "src/console/access/x.tsx",
      'import { a } from "../../features/access/sessions/a-rows.ts";',
      false,
    ],
    ["src/console/access/x.tsx", 'import { a } from "../../features/access/a/verbs.ts";', false],
    ["src/console/x.ts", 'import type { A } from "../routes.ts";', true],
    ["src/console/x.ts", 'import { a } from "../routes.ts";', false],
    ["src/setup/x.ts", 'import { a } from "../features/routing/a/verbs.ts";', true],
    ["src/features/routing/a/verbs.ts", 'import { a } from "../../../app.ts";', false],
    // Parts of a record.
    ["src/features/routing/a/routes.ts", 'import { a } from "./verbs.ts";', true],
    ["src/features/routing/a/routes.ts", 'import { a } from "../../../kernel/http/a.ts";', true],
    ["src/features/routing/a/verbs.ts", 'import { a } from "./routes.ts";', false],
    ["src/features/routing/a/verbs.ts", 'import { a } from "../../../kernel/http/a.ts";', false],
    ["src/features/routing/a/verbs.ts", 'import { A } from "./contract.ts";', false],
    ["src/features/routing/a/verbs.ts", 'import type { A } from "./contract.ts";', true],
    ["src/features/routing/a/verbs.ts", 'import { A } from "./parameters.ts";', true],
    ["src/features/routing/a/verbs.ts", 'import { A } from "./object.ts";', false],
    ["src/features/routing/a/verbs.ts", 'import { a } from "../../stubs.ts";', true],
    ["src/features/routing/a/rows.ts", 'import { a } from "./verbs.ts";', true],
    ["src/features/routing/a/rows.ts", 'import { a } from "./routes.ts";', false],
    ["src/features/routing/a/parameters.ts", 'import { A } from "./contract.ts";', false],
    ["src/features/routing/a/parameters.ts", 'import { a } from "./verbs.ts";', false],
    ["src/features/alerts/serve-a.ts", 'import { a } from "../../kernel/http/a.ts";', true],
    // Subjects.
    ["src/features/routing/a/verbs.ts", 'import { a } from "../../access/b/verbs.ts";', true],
    ["src/features/routing/a/verbs.ts", 'import { a } from "../../alerts/b/verbs.ts";', false],
    [
      "src/features/routing/a/verbs.ts",
      'import type { A } from "../../alerts/b/contract.ts";',
      false,
    ],
    ["src/features/schema/x.ts", 'import { a } from "../change/a.ts";', false],
    ["src/features/access/a/verbs.ts", 'import { a } from "../../people/b/verbs.ts";', false],
    ["src/features/people/a/verbs.ts", 'import { a } from "../../outgoing/a.ts";', true],
    ["src/features/answers.ts", 'import { A } from "./alerts/b/contract.ts";', true],
    ["src/features/schema/x.ts", 'import { a } from "../people/b/rows.ts";', false],
    ["src/elsewhere/x.ts", "", false],
  ])("%s: %s", (path, text, allowed) => {
    expect(findForbiddenImports({ path, text }).length === 0).toBe(allowed);
  });

  const file = (path: string, ...imported: readonly string[]) => ({
    path,
    text: imported.map((from) => `import type { A } from "${from}";`).join("\n"),
  });

  test("finds cycles, also of types, for any order of files", () => {
    const files = [
      file("src/a.ts", "./b.ts", "./out.ts"),
      file("src/b.ts", "./deep/c.ts"),
      file("src/deep/c.ts", "../a.ts", "hono"),
      file("src/in.ts", "./a.ts"),
      file("src/out.ts"),
      file("src/self.ts", "./self.ts"),
      file("src/x.ts", "./y.ts", "./a.ts"),
      file("src/y.ts", "./x.ts"),
    ];
    const cycles = [
      ["src/a.ts", "src/b.ts", "src/deep/c.ts"],
      ["src/self.ts"],
      ["src/x.ts", "src/y.ts"],
    ];
    expect(findImportCycles(files).sort()).toEqual(cycles);
    expect(findImportCycles(files.toReversed()).sort()).toEqual(cycles);
    expect(findImportCycles(files.filter(({ path }) => /(in|out|b)\.ts$/.test(path)))).toEqual([]);
  });

  test("ignores comments", () => {
    expect(withoutComments('a("https://x"); // Date.now\n/* crypto */ b')).toBe(
      'a("https://x"); \n b',
    );
  });
});

describe("the files of src", () => {
  test("are found", () => {
    expect(files.length).toBeGreaterThan(30);
    expect(domain.length).toBeGreaterThan(5);
  });

  test("import only what the layout allows their folder", () => {
    expect(files.flatMap(findForbiddenImports)).toEqual([]);
  });

  test("have no import cycles, not even of types", () => {
    expect(findImportCycles(files)).toEqual([]);
  });

  test("call objects by stubs that import no object", () => {
    const stubs = files.find(({ path }) => path === STUBS);
    const values = importsOf(stubs?.text ?? "").filter(({ typeOnly }) => !typeOnly);
    // What stands below the objects imports none of them.
    const others = values.filter(
      ({ from }) =>
        !from.startsWith("../kernel/") && partOf(posix.join(posix.dirname(STUBS), from)) !== "rows",
    );
    expect(others).toEqual([]);
  });

  test("translate the requests of third parties without clocks, randomness, timers or I/O", () => {
    expect(products.length).toBeGreaterThan(50);
    expect(impureIn(products)).toEqual([]);
  });

  test("of integration types import only products and the domain", () => {
    const list = files.find(({ path }) => path === "src/products/all-types.ts");
    const named = importsOf(list?.text ?? "").map(({ from }) => posix.join("src/products", from));
    const types = files.filter(({ path }) => named.includes(path));
    expect(types.length).toBeGreaterThan(50);
    const others = types.flatMap(({ path, text }) =>
      importsOf(text)
        .map(({ from }) => (from.startsWith(".") ? posix.join(posix.dirname(path), from) : from))
        .filter((target) => !/^src\/(products|domain)\//.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(others).toEqual([]);
  });

  test("never cast by way of unknown", () => {
    const casts = files.filter(({ text }) => /\bas unknown as\b/.test(withoutComments(text)));
    expect(casts.map(({ path }) => path)).toEqual([]);
  });

  test("write records only in rows, verbs and objects", () => {
    const adapters = files.filter(
      ({ path }) =>
        /^(console|products)$/.test(storeyOf(path) ?? "") ||
        path.startsWith("src/kernel/http/") ||
        /^(contract|parameters|routes|requests)$/.test(partOf(path) ?? ""),
    );
    expect(adapters.length).toBeGreaterThan(100);
    const writers = adapters.filter(({ text }) =>
      /\bbuild\s*\.\s*(insert|update|delete)\b|\b(insert into|delete from|update \$\{)/.test(
        withoutComments(text),
      ),
    );
    expect(writers.map(({ path }) => path)).toEqual([]);
  });

  test("cast no row of the database", () => {
    const casts = files.filter(({ text }) =>
      /\b(String|Number)\((row|found)[.?)]|\bas RawRow\b/.test(withoutComments(text)),
    );
    expect(casts.map(({ path }) => path)).toEqual([]);
  });

  test("name the extension in every relative import", () => {
    const bare = files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ from }) => from.startsWith(".") && !/\.(tsx?|css|json)$/.test(from))
        .map(({ from }) => `${path} imports ${from}`),
    );
    expect(bare).toEqual([]);
  });

  test("reach Temporal only through src/domain/shared/parse-time.ts", () => {
    const others = files.filter(
      ({ path, text }) =>
        path !== "src/domain/shared/parse-time.ts" &&
        (packagesOf({ path, text }).includes(POLYFILL) ||
          /\bTemporal\./.test(withoutComments(text))),
    );
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test("import zod as a namespace, which bundles to a fifth of the size", () => {
    const others = files.flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ from, bindings }) => /^zod(\/|$)/.test(from) && bindings !== "* as z")
        .map(({ bindings }) => `${path} imports ${bindings}`),
    );
    expect(others).toEqual([]);
  });
});

describe("the domain", () => {
  test("imports only packages that are pure", () => {
    const needed = new Set(domain.flatMap(packagesOf));
    expect([...needed].filter((name) => !PURE_PACKAGES.includes(name))).toEqual([]);
  });

  test("has no clocks, randomness, timers or I/O", () => {
    expect(impureIn(domain)).toEqual([]);
  });
});
