// The replacements of parts of libraries (`alias` in wrangler.toml) behave as those parts, and the built worker has
// them in place of those parts: an alias is the name by which a library imports its own file, which may change.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import JSBI from "jsbi";
import { beforeAll, describe, expect, test } from "vitest";
import native from "../../../src/domain/shared/native-bigint.ts";
import {
  decodeEntities,
  htmlEntities,
} from "../../../src/features/integrations/receive/html-entities.ts";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import { buildModules } from "../../../src/setup/modules.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
const CALENDAR = read("node_modules/@js-temporal/polyfill/dist/index.esm.js");

/** What the alias of wrangler.toml replaces: by the name that the library imports, its file and ours. */
const REPLACED = [
  ["jsbi", "jsbi/", "src/domain/shared/native-bigint.ts"],
  [
    "./html-entities.js",
    "postal-mime/dist/esm/html-entities.js",
    "src/features/integrations/receive/html-entities.ts",
  ],
  [
    "../core/to-json-schema.js",
    "zod/v4/core/to-json-schema.js",
    "src/kernel/http/no-json-schema.ts",
  ],
  [
    "../core/json-schema-processors.js",
    "zod/v4/core/json-schema-processors.js",
    "src/kernel/http/no-json-schema.ts",
  ],
] as const;

/** Where this test builds. */
const FOLDER = "dist/left-out-worker";

describe("the worker", () => {
  /** The bytes of each file in the built worker. */
  let sizes: ReadonlyMap<string, number>;

  beforeAll(async () => {
    const { outputs } = await buildModules("src/index.ts", FOLDER, readBaseConfig());
    const inputs = Object.values(outputs).flatMap((it) => Object.entries(it.inputs));
    const bytes = new Map<string, number>();
    for (const [path, { bytesInOutput }] of inputs) {
      bytes.set(path, (bytes.get(path) ?? 0) + bytesInOutput);
    }
    sizes = bytes;
  }, 120_000);

  test("is built with the replacements that are listed here", () => {
    const [, table = ""] = /\[alias\]\n((?:.+=.+\n)+)/.exec(read("wrangler.toml")) ?? [];
    const aliases = table
      .trim()
      .split("\n")
      .map((row) => row.replaceAll('"', "").split(" = "));
    expect(aliases).toEqual(REPLACED.map(([name, , ours]) => [name, `./${ours}`]));
  });

  test.each(REPLACED)("%s: has nothing of %s, and %s", (_, theirs, ours) => {
    const parts = [...sizes].filter(([path]) => path.includes(`node_modules/${theirs}`));
    expect(parts.filter(([, bytes]) => bytes > 0)).toEqual([]);
    expect(sizes.get(ours)).toBeGreaterThan(0);
  });

  test.each(["@js-temporal/polyfill", "postal-mime", "zod/v4/classic"])(
    "has the rest of %s",
    (library) => {
      const parts = [...sizes].filter(([path]) => path.includes(`node_modules/${library}/`));
      expect(parts.some(([, bytes]) => bytes > 1_000)).toBe(true);
    },
  );
});

describe("big integers", () => {
  test("have every function that the calendar library calls", () => {
    const names = Object.getOwnPropertyNames(JSBI).filter((name) =>
      CALENDAR.includes(`e.${name}(`),
    );
    expect(names).toEqual(expect.arrayContaining(["BigInt", "multiply", "toNumber"]));
    expect(Object.keys(native)).toEqual(expect.arrayContaining(names));
  });

  test("give the same results as the library", () => {
    const two = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.bigInt());
    const binaryOperations = [
      "add",
      "subtract",
      "multiply",
      "equal",
      "lessThan",
      "greaterThan",
    ] as const;
    fc.assert(
      fc.property(two, ([one, other]) => {
        const [theirs, others] = [JSBI.BigInt(`${one}`), JSBI.BigInt(`${other}`)];
        for (const name of binaryOperations) {
          expect(`${native[name](one, other)}`, name).toBe(`${JSBI[name](theirs, others)}`);
        }
        expect(native.toNumber(one)).toBe(JSBI.toNumber(theirs));
        expect(`${native.unaryMinus(one)}`).toBe(`${JSBI.unaryMinus(theirs)}`);
        if (other === 0n) return;
        expect(`${native.divide(one, other)}`).toBe(`${JSBI.divide(theirs, others)}`);
        expect(`${native.remainder(one, other)}`).toBe(`${JSBI.remainder(theirs, others)}`);
      }),
    );
  });

  test.each(["12", "-3", 7, 0, 2 ** 60, true, 1.5, "x", Number.NaN])(
    "are converted from %j as by the library",
    (value) => {
      const result = (make: (value: never) => unknown) => {
        try {
          return String(make(value as never));
        } catch (error) {
          return error instanceof Error ? error.name : "thrown";
        }
      };
      expect(result(native.BigInt)).toBe(result(JSBI.BigInt));
    },
  );
});

describe("named HTML characters", () => {
  test("equal those in the mail parser's table", () => {
    const table = read("node_modules/postal-mime/dist/esm/html-entities.js");
    const rows = [...table.matchAll(/'(&\w+;)': '(.+)'/g)].map(([, name = "", text = ""]) => [
      name,
      text.replace(/\\u([0-9A-F]{4})/g, (_, code: string) =>
        String.fromCharCode(parseInt(code, 16)),
      ),
    ]);
    const theirs = Object.fromEntries(rows);
    expect(Object.keys(htmlEntities).length).toBeGreaterThan(130);
    for (const [name, text] of Object.entries(htmlEntities)) expect(theirs[name], name).toBe(text);
  });

  test.each([
    ["caf&eacute; &amp; co&hellip;", "café & co…"],
    ["&lt;b&gt; &quot;x&quot; &#39;y&#39; &#x1F600;", "<b> \"x\" 'y' 😀"],
    ["&unheard; &#0; &#xD800; &#1114112; & &;", "&unheard; &#0; &#xD800; &#1114112; & &;"],
    ["&amp;lt;", "&lt;"],
    ["&constructor;", "&constructor;"],
  ])("%s is %s", (html, text) => expect(decodeEntities(html)).toBe(text));
});
