// The replacements of parts of libraries (`alias` in wrangler.toml) behave as those parts, and the built worker has
// them in place of those parts: an alias is the name by which a library imports its own file, which may change.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Column, entityKind, is, Name, SQL, sql, Table, View } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import JSBI from "jsbi";
import { beforeAll, describe, expect, test } from "vitest";
import native from "../../../src/domain/shared/native-bigint.ts";
import * as parsing from "../../../src/domain/shared/parse-time.ts";
import {
  decodeEntities,
  htmlEntities,
} from "../../../src/features/integrations/receive/html-entities.ts";
import { users } from "../../../src/features/schema/people.ts";
import * as entity from "../../../src/kernel/db/drizzle-entity.ts";
import { readBaseConfig } from "../../../src/setup/deploying/base-config.ts";
import { buildModules } from "../../../src/setup/modules.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
/** The sources of the Temporal polyfill. */
const TEMPORAL = "node_modules/@js-temporal/polyfill/lib";

/** What the alias of wrangler.toml replaces: by the name that the library imports, its file and ours. */
const REPLACED = [
  ["jsbi", "jsbi/", "src/domain/shared/native-bigint.ts"],
  [
    "./html-entities.js",
    "postal-mime/dist/esm/html-entities.js",
    "src/features/integrations/receive/html-entities.ts",
  ],
  ["./entity.js", "drizzle-orm/entity.js", "src/kernel/db/drizzle-entity.ts"],
  ["../entity.js", "drizzle-orm/entity.js", "src/kernel/db/drizzle-entity.ts"],
  ["../../entity.js", "drizzle-orm/entity.js", "src/kernel/db/drizzle-entity.ts"],
  ["../relations.js", "drizzle-orm/relations.js", "src/kernel/db/drizzle-left-out.ts"],
  [
    "./query-builder.js",
    "drizzle-orm/sqlite-core/query-builders/query-builder.js",
    "src/kernel/db/drizzle-left-out.ts",
  ],
  [
    "../pg-core/columns/enum.js",
    "drizzle-orm/pg-core/columns/enum.js",
    "src/kernel/db/drizzle-left-out.ts",
  ],
  ["./components.js", "hono/dist/jsx/components.js", "src/kernel/console/no-dom.ts"],
  ["./streaming.js", "hono/dist/jsx/streaming.js", "src/kernel/console/no-dom.ts"],
  ["./dom/context.js", "hono/dist/jsx/dom/context.js", "src/kernel/console/no-dom.ts"],
  ["./dom/hooks/index.js", "hono/dist/jsx/dom/hooks/index.js", "src/kernel/console/no-dom.ts"],
  ["../dom/render.js", "hono/dist/jsx/dom/render.js", "src/kernel/console/no-dom.ts"],
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
  /** The characters of each file in the built worker. */
  let sizes: ReadonlyMap<string, number>;

  beforeAll(async () => {
    const built = await buildModules("src/index.ts", FOLDER, readBaseConfig());
    sizes = new Map([...built.values()].flatMap((it) => [...it.sources]));
  });

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

describe("times in the built worker", () => {
  const PARSING = "src/domain/shared/parse-time.ts";
  const BUILT = "dist/left-out-times";
  const texts = fc.oneof(
    fc.date({ noInvalidDate: true }).map((it) => it.toISOString()),
    fc.stringMatching(
      /^20\d\d-[01]\d-[0-3]\d[Tt ][0-2]\d:[0-6]\d(:[0-6]\d([.,]\d{1,9})?)?(Z|[+-][0-2]\d:?[0-5]\d)?$/,
    ),
  );

  test("are parsed with Temporal's instants alone, as in Node", async () => {
    const sources = [...(await buildModules(PARSING, BUILT, readBaseConfig())).values()].flatMap(
      (it) => [...it.sources.keys()],
    );
    const has = (file: string) =>
      sources.some((it) => it.endsWith(`@js-temporal/polyfill/${file}`));
    expect(has("lib/instant.ts")).toBe(true);
    const left = ["dist/index.esm.js", "lib/zoneddatetime.ts", "lib/calendar.ts"];
    expect(left.filter(has)).toEqual([]);
    const built = await import(resolve(root, BUILT, "parse-time.js"));
    expect(Object.keys(built).toSorted()).toEqual(Object.keys(parsing).toSorted());
    let valid = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const expected = parsing.parseInstant(text);
        valid += expected === null ? 0 : 1;
        expect(built.parseInstant(text)).toEqual(expected);
      }),
    );
    expect(valid).toBeGreaterThan(5);
  });
});

describe("big integers", () => {
  test("have the functions that the Temporal polyfill calls", () => {
    const sources = readdirSync(resolve(root, TEMPORAL)).map((it) => read(`${TEMPORAL}/${it}`));
    const names = new Set(sources.join().match(/(?<=JSBI\.)\w+(?=\()/g));
    expect([...names]).toEqual(expect.arrayContaining(["BigInt", "multiply", "toNumber"]));
    expect(Object.keys(native).toSorted()).toEqual([...names].toSorted());
  });

  test("give the same results as the library", () => {
    const two = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.bigInt());
    const binaryOperations = [
      "add",
      "subtract",
      "multiply",
      "equal",
      "lessThan",
      "lessThanOrEqual",
      "greaterThan",
      "greaterThanOrEqual",
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

describe("whether a value is one of drizzle's", () => {
  const values = [
    ...[users, users.id, alias(users, "other"), alias(users, "other").id, sql`1`, sql`1`.as("one")],
    ...[sql.identifier("name"), sql.param(1), null, undefined, "text", 1, {}, [], () => 1],
  ];

  test("is said as the library says it", () => {
    expect(entity.entityKind).toBe(entityKind);
    for (const type of [Column, Table, View, SQL, SQL.Aliased, Name]) {
      for (const value of values) expect(entity.is(value, type)).toBe(is(value, type as never));
    }
  });
});
