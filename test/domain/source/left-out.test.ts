// The replacements of parts of libraries (`alias` in wrangler.toml) behave as those parts, and the libraries still
// import the names that are replaced.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as base64 from "@stablelib/base64";
import fc from "fast-check";
import * as sha256 from "fast-sha256";
import JSBI from "jsbi";
import { describe, expect, test } from "vitest";
import native from "../../../src/domain/shared/native-bigint.ts";
import * as nativeBase64 from "../../../src/objects/integrations/native-base64.ts";
import * as nativeSha256 from "../../../src/objects/integrations/native-sha256.ts";
import { decodeEntities, htmlEntities } from "../../../src/webhooks/html-entities.ts";

const root = resolve(import.meta.dirname, "../../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
const CALENDAR = read("node_modules/@js-temporal/polyfill/dist/index.esm.js");

test("each alias is a name that its library imports, and a file of ours", () => {
  const [, table = ""] = /\[alias\]\n((?:.+=.+\n)+)/.exec(read("wrangler.toml")) ?? [];
  const aliases = table
    .trim()
    .split("\n")
    .map((row) => row.replaceAll('"', "").split(" = "));
  expect(aliases).toEqual([
    ["jsbi", "./src/domain/shared/native-bigint.ts"],
    ["./html-entities.js", "./src/webhooks/html-entities.ts"],
    ["fast-sha256", "./src/objects/integrations/native-sha256.ts"],
    ["@stablelib/base64", "./src/objects/integrations/native-base64.ts"],
    ["../core/to-json-schema.js", "./src/http/no-json-schema.ts"],
    ["../core/json-schema-processors.js", "./src/http/no-json-schema.ts"],
  ]);
  expect(CALENDAR).toContain('from"jsbi"');
  const mail = read("node_modules/postal-mime/dist/esm/text-format.js");
  expect(mail).toContain("import { htmlEntities } from './html-entities.js'");
  const webhooks = read("node_modules/standardwebhooks/dist/index.js");
  expect(webhooks).toContain('require("fast-sha256")');
  expect(webhooks).toContain('require("@stablelib/base64")');
  const schemas = read("node_modules/zod/v4/classic/schemas.js");
  expect(schemas).toContain('from "../core/to-json-schema.js"');
  expect(schemas).toContain('from "../core/json-schema-processors.js"');
});

describe("the signature of outgoing webhooks", () => {
  const calls = (name: string) =>
    [
      ...read("node_modules/standardwebhooks/dist/index.js").matchAll(
        new RegExp(`${name}\\.(\\w+)\\(`, "g"),
      ),
    ].map(([, method]) => method);

  test("uses only the replaced functions of its libraries", () => {
    expect(new Set(calls("base64"))).toEqual(new Set(Object.keys(nativeBase64)));
    expect(new Set(calls("sha256"))).toEqual(new Set(Object.keys(nativeSha256)));
  });

  test("is the same with the replacements", () => {
    const bytes = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(bytes, bytes, (key, data) => {
        expect(nativeSha256.hmac(key, data)).toEqual(sha256.hmac(key, data));
        const text = base64.encode(data);
        expect(nativeBase64.encode(data)).toBe(text);
        expect(nativeBase64.decode(text)).toEqual(base64.decode(text));
      }),
    );
  });

  test.each(["*", "not base64", "a===", "\u0000"])("%j is refused as a secret", (text) => {
    expect(() => base64.decode(text)).toThrow();
    expect(() => nativeBase64.decode(text)).toThrow();
  });
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
