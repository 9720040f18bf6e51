// Renames the receivers in the text of a router's rules. The rest of the text, with its comments,
// order and quotes, stays as it is.
import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import { parseRules } from "../rules/parse.ts";
import { applyEdits, type Edit } from "./splice.ts";

/**
 * The text with each receiver of its actions replaced.
 *
 * @param rename gets a receiver as it is written, and returns what to write in its place
 * @returns the same text if it cannot be read: whoever saves it gets its faults
 */
export function mapReceivers(text: string, rename: (receiver: string) => string): string {
  if (parseRules(text).faults.length > 0) return text;
  const document = parseDocument(text, { schema: "core", version: "1.2", uniqueKeys: false });
  const edits = new Map<number, Edit>();
  for (const node of receiversIn(document)) {
    if (!isScalar(node) || typeof node.value !== "string" || !node.range) continue;
    const [start, end] = node.range;
    const name = rename(node.value);
    if (name === node.value) continue;
    const source = text.slice(start, end);
    edits.set(start, { start, end, text: inQuotesOf(source, name) });
  }
  return applyEdits(text, [...edits.values()]) ?? text;
}

function inQuotesOf(source: string, name: string): string {
  if (source.startsWith("'")) return `'${name.replaceAll("'", "''")}'`;
  return source.startsWith('"') ? JSON.stringify(name) : name;
}

function receiversIn(document: Document.Parsed): readonly unknown[] {
  const resolved = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const fieldOf = (node: unknown, name: string): unknown => {
    const map = resolved(node);
    return isMap(map) ? resolved(map.get(name, true)) : undefined;
  };
  const itemsOf = (node: unknown): readonly unknown[] => {
    const list = resolved(node);
    return isSeq(list) ? list.items : [];
  };
  return itemsOf(fieldOf(document.contents, "rules"))
    .flatMap((rule) => itemsOf(fieldOf(rule, "actions")))
    .map((action) => fieldOf(action, "receiver"))
    .flatMap((receiver) => (isSeq(receiver) ? receiver.items.map(resolved) : [receiver]));
}
