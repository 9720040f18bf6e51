// The statements of the built worker are those of the sources, but for where their lines end.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { describe, expect, test } from "vitest";
import { withOneLineStatements } from "../../../src/setup/one-line-statements.ts";
import { root } from "../../../src/setup/processes/wrangler.ts";

const PATH = "src/features/alerts/alerts/rows.ts";

/** The texts of the statements in a source, parameters as question marks. */
function statementsOf(code: string): readonly string[] {
  const found: string[] = [];
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === "Identifier" && tag.name === "sql")
        found.push(quasi.quasis.map((it) => it.value.raw).join("?"));
    },
  }).visit(parseSync(PATH, code).program);
  return found;
}

const SOURCES = globSync("src/**/*.{ts,tsx}", { cwd: root })
  .map((path) => ({ path, code: readFileSync(join(root, path), "utf8") }))
  .filter(({ code }) => code.includes("sql`"));

/** Source text whose `<…>` are placeholders of a template. */
const written = (text: string) => text.replace(/<([^>]*)>/g, (_, value: string) => `\${${value}}`);

describe("the statements of the worker", () => {
  test.each([
    [
      "are on one line",
      "sql`select a\n    from b\n  where c = <d>\n`",
      "sql`select a from b where c = <d> `",
    ],
    [
      "are so in another",
      "sql`a\n<b ? sql`c\n  d` : sql``>\n  e`",
      "sql`a <b ? sql`c d` : sql``> e`",
    ],
    [
      "have what is quoted",
      "sql`a = 'b\n  c'\n  and \"d\n e\"`",
      "sql`a = 'b\n  c' and \"d\n e\"`",
    ],
    ["keep the line that ends a comment", "sql`a -- b\n  c`", "sql`a -- b\n  c`"],
    ["have blanks within a line", "sql`a  b`", "sql`a  b`"],
    ["are those of the tag, not other texts", "`a\n  b` + html`c\n  d`", "`a\n  b` + html`c\n  d`"],
  ])("%s", (_, code, built) => {
    expect(withOneLineStatements(written(code), PATH)).toBe(written(built));
  });

  test("are all the same but for blanks, as is the code around them", () => {
    const statements = SOURCES.flatMap(({ code }) => statementsOf(code));
    expect(statements.filter((it) => it.includes("\n")).length).toBeGreaterThan(300);
    const spaced = (text: string) => text.replace(/\s+/g, " ");
    for (const { path, code } of SOURCES) {
      const built = withOneLineStatements(code, path);
      expect(statementsOf(built).filter((it) => it.includes("\n"))).toEqual([]);
      expect(spaced(built), path).toBe(spaced(code));
    }
    // A line end between quotes would be one of the value's.
    const quoted = statements.flatMap((it) => it.match(/'[^']*'/g) ?? []);
    expect(quoted.length).toBeGreaterThan(100);
    expect(quoted.filter((it) => it.includes("\n"))).toEqual([]);
  });
});
