// Writes values as text in the style of the document around them: YAML in blocks, YAML in one
// line, or JSON.
import { Document, isCollection, stringify, visit } from "yaml";
import type { RulesSource } from "./source.ts";

const OPTIONS = {
  version: "1.2",
  schema: "core",
  aliasDuplicateObjects: false,
  lineWidth: 0,
  blockQuote: false,
} as const;

const indented = (text: string, column: number, eol: string): string =>
  text.split("\n").join(eol + " ".repeat(column));

/** A value in one line, for a place in a list or map in flow style. */
export function flowText(value: unknown, { isJson }: Pick<RulesSource, "isJson">): string {
  if (isJson) return JSON.stringify(value);
  const document = new Document([value], OPTIONS);
  visit(document, {
    Collection: (_, node) => {
      if (isCollection(node)) node.flow = true;
    },
  });
  return document
    .toString(OPTIONS)
    .trim()
    .replace(/^\[ ?|\s*\]$/g, "");
}

/** A value in block style whose first line starts at the column. */
export function blockText(
  value: unknown,
  column: number,
  { eol }: Pick<RulesSource, "eol">,
): string {
  return indented(stringify(value, OPTIONS).trimEnd(), column, eol);
}

/** JSON over several lines. */
export function jsonText(
  value: unknown,
  column: number,
  { eol }: Pick<RulesSource, "eol">,
): string {
  return indented(JSON.stringify(value, null, 2), column, eol);
}
