// What stands in the worker for parts of libraries (`alias` in wrangler.toml) does what those do, and the libraries still
// ask for it by the names that are replaced.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import JSBI from "jsbi";
import { describe, expect, test } from "vitest";
import native from "../../src/domain/native-bigint.ts";
import { htmlEntities, withCharacters } from "../../src/integrations/html-entities.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(resolve(root, path), "utf8");
const CALENDAR = read("node_modules/@js-temporal/polyfill/dist/index.esm.js");

test("each alias is a name that its library imports, and a file of ours", () => {
  const [, table = ""] = /\[alias\]\n((?:.+=.+\n)+)/.exec(read("wrangler.toml")) ?? [];
  const aliases = table
    .trim()
    .split("\n")
    .map((row) => row.replaceAll('"', "").split(" = "));
  expect(aliases).toEqual([
    ["jsbi", "./src/domain/native-bigint.ts"],
    ["./html-entities.js", "./src/integrations/html-entities.ts"],
  ]);
  expect(CALENDAR).toContain('from"jsbi"');
  const mail = read("node_modules/postal-mime/dist/esm/text-format.js");
  expect(mail).toContain("import { htmlEntities } from './html-entities.js'");
});

describe("big integers", () => {
  test("have everything that the calendar library calls", () => {
    const names = Object.getOwnPropertyNames(JSBI).filter((name) =>
      CALENDAR.includes(`e.${name}(`),
    );
    expect(names).toEqual(expect.arrayContaining(["BigInt", "multiply", "toNumber"]));
    expect(Object.keys(native)).toEqual(expect.arrayContaining(names));
  });

  test("are the library's", () => {
    const two = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.bigInt());
    const inTwo = ["add", "subtract", "multiply", "equal", "lessThan", "greaterThan"] as const;
    fc.assert(
      fc.property(two, ([one, other]) => {
        const [theirs, others] = [JSBI.BigInt(`${one}`), JSBI.BigInt(`${other}`)];
        for (const name of inTwo) {
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
    "%j is read alike",
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

describe("HTML's named characters", () => {
  test("are those of the mail parser's own table", () => {
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
  ])("%s is %s", (html, text) => expect(withCharacters(html)).toBe(text));
});
