// What only the reference reads is not in the worker: nothing else reads it, and nothing else is left out with it.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { READ_OF_SCHEMAS, withoutDescriptions } from "../../../src/setup/left-out-descriptions.ts";
import { root } from "../../../src/setup/processes/wrangler.ts";

const ROUTES = "src/features/alerts/alerts/routes.ts";
const OTHERS = "src/features/alerts/alerts/parameters.ts";

describe("the code of the worker", () => {
  test.each([
    [
      "a schema's only metadata",
      `z.string().max(3).meta({ description: "A", example: 1 }).optional()`,
      "z.string().max(3).optional()",
    ],
    [
      "what a schema has beside others",
      `a.meta({ format: "date", description: \`B \${c}\`, minimum: 1, examples: [2] })`,
      `a.meta({ format: "date", minimum: 1, })`,
    ],
    [
      "metadata in metadata's schema",
      `z.object({ a: b.meta({ description }) }).meta({ description: "C" })`,
      "z.object({ a: b })",
    ],
    [
      "a schema in what is left out",
      `a.meta({ about: b.meta({ id: "D", format: "E" }), needs: ["f"], format: "G" })`,
      `a.meta({ format: "G" })`,
    ],
    [
      "one property on several lines",
      `a.meta({\n  description:\n    "D" +\n    "E",\n  format: "F",\n})`,
      `a.meta({\n  format: "F",\n})`,
    ],
  ])("is without %s", (_, code, without) => {
    expect(withoutDescriptions(`f(${code});`, OTHERS)).toBe(`f(${without});`);
  });

  test.each([
    ["a field of a schema", `z.object({ description: z.string(), example: a, summary: b })`],
    ["a value", `({ title, description: row.description ?? "", summary: summaryOf(row) })`],
    ["metadata that is not written out", "a.meta(about(b)).meta()"],
    ["text", `"a.meta({ description: 1 })"`],
  ])("has %s", (_, code) => {
    expect(withoutDescriptions(`f(${code});`, OTHERS)).toBe(`f(${code});`);
  });

  test("is without the words and answers of operations, which are in their own files", () => {
    const code = `route({ path: "/a", operation: "getA", summary: "A", description: \`B\`, shows: one(as), refuses: ["b"], body: z.object({ description: c }) });`;
    const without = `route({ path: "/a", body: z.object({ description: c }) });`;
    expect(withoutDescriptions(code, ROUTES)).toBe(without);
    expect(withoutDescriptions(code, OTHERS)).toBe(code);
  });
});

/** The sources that the worker is made of. */
const SOURCES = globSync("src/**/*.{ts,tsx}", { cwd: root }).filter(
  (it) => !/^src\/(?:reference|setup)\//.test(it),
);

test("no source of the worker reads of a schema or an operation what is left out", () => {
  expect(SOURCES.length).toBeGreaterThan(500);
  const readers = SOURCES.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const metadata = [...text.matchAll(/\{([^{}]*)\} = [^;]*\.meta\(\)/g)].map(
      ([, names]) => names ?? "",
    );
    const reads = [
      ...metadata.filter((names) => names.split(",").some((it) => !READ_OF_SCHEMAS.has(it.trim()))),
      ...(text.match(/\.meta\(\)\??\.\w+/g) ?? []),
      ...(text.match(
        /\b(?:route|operation|schema)\.(?:description|summary|examples?|operation)\b/g,
      ) ?? []),
      ...(text.match(/\.(?:shows|refuses)\b/g) ?? []),
      ...(text.match(/globalRegistry/g) ?? []),
    ];
    return reads.map((it) => `${path}: ${it}`);
  });
  expect(readers).toEqual([]);
});
