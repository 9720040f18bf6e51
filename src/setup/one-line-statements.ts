// Writes the worker's SQL statements on one line each: the indentation of some two thousand lines is for those who read the
// sources.
import type { Plugin } from "rolldown";
import { parseSync, Visitor } from "rolldown/utils";

/** What is quoted, which stays as it is, or the end of a line with the blanks around it. */
const QUOTED_OR_LINE_END = /'[^']*'|"[^"]*"|\s*\n\s*/g;

const oneLine = (statement: string) =>
  statement.replace(QUOTED_OR_LINE_END, (found) => (/^['"]/.test(found) ? found : " "));

/** The code with every statement of the tag `sql` on one line. One with a comment stays as it is. */
export function withOneLineStatements(code: string, path: string): string {
  const parts: { readonly start: number; readonly end: number }[] = [];
  const { program } = parseSync(path, code);
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== "Identifier" || tag.name !== "sql") return;
      if (quasi.quasis.some((it) => it.value.raw.includes("--"))) return;
      parts.push(...quasi.quasis);
    },
  }).visit(program);
  return parts
    .sort((one, other) => other.start - one.start)
    .reduce(
      (text, { start, end }) =>
        text.slice(0, start) + oneLine(text.slice(start, end)) + text.slice(end),
      code,
    );
}

/** The same for what is built of this project's sources. */
export const oneLineStatements: Plugin = {
  name: "one-line-statements",
  transform: {
    filter: { id: /\/src\/.*\.tsx?$/, code: "sql`" },
    handler: withOneLineStatements,
  },
};
