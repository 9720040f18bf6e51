// Changes a value in the text of a document: replaces the parts that differ and leaves the rest,
// with its comments and quotes, as it is.
import { isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { isJsonObject, type JsonObject } from "../../shared/json.ts";
import { equal } from "../conditions/values.ts";
import {
  columnOf,
  contentEnd,
  dashesOf,
  isFlow,
  keyOf,
  lineEnd,
  pairEnd,
  plainOf,
  type RulesSource,
  startOf,
} from "./source.ts";
import { blockText, flowText } from "./written.ts";

export type Edit = { readonly start: number; readonly end: number; readonly text: string };

/** Applies edits to a text; null if they overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string | null {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let result = "";
  let at = 0;
  for (const { start, end, text: inserted } of sorted) {
    if (start < at || end < start) return null;
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

/**
 * The edits that change a node's value.
 *
 * @param inFlow whether a list or map in flow style contains the node
 */
export function spliceNode(
  source: RulesSource,
  node: unknown,
  value: unknown,
  inFlow: boolean,
): readonly Edit[] {
  if (equal(plainOf(node), value)) return [];
  const flow = inFlow || isFlow(node);
  if (isMap(node) && isJsonObject(value)) {
    const edits = spliceMap(source, node, value, flow);
    if (edits) return edits;
  }
  if (isSeq(node) && Array.isArray(value)) {
    const edits = spliceList(source, node, value, flow);
    if (edits) return edits;
  }
  return [replaceNode(source, node, value, inFlow)];
}

function replaceNode(source: RulesSource, node: unknown, value: unknown, inFlow: boolean): Edit {
  const { text } = source;
  const [start, end] = [startOf(node), contentEnd(text, node)];
  const isBlock = !inFlow && (isMap(node) || isSeq(node)) && !isFlow(node);
  if (isBlock && typeof value === "object" && value !== null)
    return { start, end, text: blockText(value, columnOf(text, start), source) };
  // A value without text is right behind its colon or dash.
  const space = start === end && /\S/.test(text[start - 1] ?? " ") ? " " : "";
  return { start, end, text: space + scalarText(source, node, value) };
}

/** In the quotes of the value that it replaces. */
function scalarText(source: RulesSource, node: unknown, value: unknown): string {
  const type = isScalar(node) ? node.type : null;
  if (typeof value === "string" && type === "QUOTE_DOUBLE") return JSON.stringify(value);
  if (typeof value === "string" && type === "QUOTE_SINGLE" && !/[\n\r]/.test(value))
    return source.isJson ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
  return flowText(value, source);
}

/** Null if the map has to be replaced as a whole. */
function spliceMap(
  source: RulesSource,
  map: YAMLMap,
  value: JsonObject,
  flow: boolean,
): readonly Edit[] | null {
  const { text } = source;
  const pairs = map.items as readonly Pair<unknown, unknown>[];
  const before = pairs.map(({ key }) => keyOf(key));
  const after = Object.keys(value);
  if (pairs.length === 0 || after.length === 0) return null;
  const renamed = before.length === after.length ? renamedKeys(before, after) : null;
  const newName = (key: string) => renamed?.get(key) ?? key;
  const kept = before.map(newName).filter((key) => Object.hasOwn(value, key));
  const added = after.filter((key) => !kept.includes(key));
  if (kept.length === 0) return null;
  const edits: Edit[] = [];
  for (const [i, pair] of pairs.entries()) {
    const name = newName(before[i] ?? "");
    if (!Object.hasOwn(value, name)) {
      edits.push(removal(text, { ...extent(text, pair) }, neighbours(text, pairs, i), flow));
      continue;
    }
    if (name !== before[i]) {
      const { start } = extent(text, pair);
      edits.push({ start, end: contentEnd(text, pair.key), text: flowText(name, source) });
    }
    edits.push(...spliceNode(source, pair.value, value[name], flow));
  }
  const last = pairs.findLast(({ key }) => Object.hasOwn(value, newName(keyOf(key))));
  if (added.length > 0 && last) {
    const column = columnOf(text, extent(text, pairs[0] as Pair).start);
    const texts = added.map((key) => `${flowText(key, source)}: ${flowText(value[key], source)}`);
    const end = pairEnd(text, last);
    edits.push(insertion(source, end, texts, column, flow));
  }
  return edits;
}

/** Old keys by their new names, where only names at the same places changed. */
function renamedKeys(before: readonly string[], after: readonly string[]) {
  const changed = before.flatMap((key, i) => {
    const name = after[i] ?? key;
    return name === key ? [] : [[key, name] as const];
  });
  const isRename = changed.every(([key, name]) => !after.includes(key) && !before.includes(name));
  return isRename ? new Map(changed) : null;
}

const extent = (text: string, pair: Pair<unknown, unknown>) => ({
  start: startOf(pair.key),
  end: pairEnd(text, pair),
});

const neighbours = (text: string, pairs: readonly Pair<unknown, unknown>[], i: number) => {
  const [previous, next] = [pairs[i - 1], pairs[i + 1]];
  return {
    previousEnd: previous ? pairEnd(text, previous) : null,
    nextStart: next ? startOf(next.key) : null,
  };
};

/** Removes an item with its separator, in block style with its lines. */
function removal(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  around: { readonly previousEnd: number | null; readonly nextStart: number | null },
  flow: boolean,
): Edit {
  const { previousEnd, nextStart } = around;
  if (previousEnd === null) return { start, end: nextStart ?? end, text: "" };
  if (flow) {
    return nextStart === null
      ? { start: previousEnd, end, text: "" }
      : { start, end: nextStart, text: "" };
  }
  return { start: lineEnd(text, previousEnd), end: lineEnd(text, end), text: "" };
}

/** Inserts items behind one that ends there. */
function insertion(
  { text, eol }: RulesSource,
  end: number,
  texts: readonly string[],
  column: number,
  flow: boolean,
): Edit {
  if (flow) return { start: end, end, text: texts.map((it) => `, ${it}`).join("") };
  const at = lineEnd(text, end);
  return { start: at, end: at, text: texts.map((it) => eol + " ".repeat(column) + it).join("") };
}

/** Null if the list has to be replaced as a whole. */
function spliceList(
  source: RulesSource,
  list: YAMLSeq,
  value: readonly unknown[],
  flow: boolean,
): readonly Edit[] | null {
  const { text } = source;
  const { items } = list;
  if (items.length === 0 || value.length === 0) return null;
  const dashes = flow ? items.map(startOf) : dashesOf(list);
  if (dashes.length !== items.length) return null;
  const same = (item: unknown, other: unknown) => equal(plainOf(item), other);
  const most = Math.min(items.length, value.length);
  let head = 0;
  while (head < most && same(items[head], value[head])) head += 1;
  let tail = 0;
  while (tail < most - head && same(items.at(-1 - tail), value.at(-1 - tail))) tail += 1;
  const both = most - head - tail;
  const edits = Array.from({ length: both }, (_, i) => head + i).flatMap((i) =>
    spliceNode(source, items[i], value[i], flow),
  );
  const first = head + both;
  for (let i = first; i < items.length - tail; i += 1) {
    const around = {
      previousEnd: i > 0 ? contentEnd(text, items[i - 1]) : null,
      nextStart: dashes[i + 1] ?? null,
    };
    const start = dashes[i] ?? 0;
    edits.push(removal(text, { start, end: contentEnd(text, items[i]) }, around, flow));
  }
  const added = value.slice(first, value.length - tail);
  if (added.length === 0) return edits;
  const column = columnOf(text, dashes[0] ?? 0);
  const written = added.map((it) =>
    flow ? flowText(it, source) : `- ${blockText(it, column + 2, source)}`,
  );
  if (first > 0)
    return [...edits, insertion(source, contentEnd(text, items[first - 1]), written, column, flow)];
  const separator = flow ? ", " : source.eol + " ".repeat(column);
  const start = dashes[0] ?? 0;
  return [...edits, { start, end: start, text: written.map((it) => it + separator).join("") }];
}
