// Adds, removes and moves whole rules in the text of a document. A comment right above a rule
// belongs to the rule; the text of the others stays as it is.
import type { Node, YAMLMap } from "yaml";
import { isFlow, lineEnd, lineStart, type RulesSource, ruleRanges, startOf } from "./source.ts";
import { applyEdits } from "./splice.ts";
import { blockText, flowText, jsonText } from "./written.ts";

/** A list in block style: the text before it, that of each rule with its comments, the rest. */
type Chunks = { readonly head: string; readonly rules: readonly string[]; readonly rest: string };

function chunksOf(source: RulesSource): Chunks {
  const { text } = source;
  const ranges = ruleRanges(source);
  const starts = ranges.map(([start], i) => {
    const floor = i === 0 ? firstLineBelowKey(source) : nextLine(text, ranges[i - 1]?.[1] ?? 0);
    return commentStart(text, lineStart(text, start), floor);
  });
  const end = nextLine(text, ranges.at(-1)?.[1] ?? 0);
  return {
    head: text.slice(0, starts[0]),
    rules: starts.map((start, i) => text.slice(start, starts[i + 1] ?? end)),
    rest: text.slice(end),
  };
}

function nextLine(text: string, position: number): number {
  const at = text.indexOf("\n", position);
  return at < 0 ? text.length : at + 1;
}

const firstLineBelowKey = ({ text, root }: RulesSource) =>
  nextLine(text, startOf(root?.items[0]?.key));

/** The first of the comment lines right above a line. */
function commentStart(text: string, start: number, floor: number): number {
  let first = start;
  while (first > floor) {
    const above = lineStart(text, first - 1);
    if (!text.slice(above, first).trimStart().startsWith("#")) break;
    first = above;
  }
  return first;
}

/** Puts rules together; each ends its line. */
const joinChunks = ({ head, rules, rest }: Chunks, eol: string): string =>
  head +
  rules.map((it, i) => (i < rules.length - 1 && !it.endsWith("\n") ? it + eol : it)).join("") +
  rest;

const INDENT = 2;

const itemText = (value: unknown, column: number, source: RulesSource) =>
  `${" ".repeat(column)}- ${blockText(value, column + 2, source)}`;

/** The word null, if the rules are that word. */
function extentOfNull(root: YAMLMap): readonly [number, number] {
  const [start = 0, end = 0] = (root.items[0]?.value as Node | undefined)?.range ?? [];
  return [start, end];
}

/** Adds a rule at a position. */
export function addRule(source: RulesSource, at: number, value: unknown): string | null {
  const { text, eol, root, rules } = source;
  if (root === null) {
    const gap = text === "" || text.endsWith("\n") ? "" : eol;
    return `${text}${gap}rules:${eol}${itemText(value, INDENT, source)}${eol}`;
  }
  if (rules === null) {
    const end = lineEnd(text, startOf(root.items[0]?.key));
    const [start, nullEnd] = extentOfNull(root);
    return applyEdits(text, [
      { start, end: nullEnd, text: "" },
      { start: end, end, text: eol + itemText(value, INDENT, source) },
    ]);
  }
  if (isFlow(rules)) return addInFlow(source, at, value);
  const chunks = chunksOf(source);
  const [first = 0] = ruleRanges(source)[0] ?? [];
  const item = itemText(value, first - lineStart(text, first), source) + eol;
  return joinChunks({ ...chunks, rules: chunks.rules.toSpliced(at, 0, item) }, eol);
}

function addInFlow(source: RulesSource, at: number, value: unknown): string | null {
  const { text, eol, isJson, rules, root } = source;
  const ranges = ruleRanges(source);
  const [first] = ranges;
  if (!first) {
    const [start, end] = [startOf(rules), rules?.range?.[1] ?? 0];
    const isBlock = !isJson && !isFlow(root);
    const written = isBlock
      ? eol + itemText(value, INDENT, source)
      : `[${flowText(value, source)}]`;
    return applyEdits(text, [{ start, end, text: written }]);
  }
  const column = first[0] - lineStart(text, first[0]);
  const ownLine = text.slice(lineStart(text, first[0]), first[0]).trim() === "";
  const written = isJson && ownLine ? jsonText(value, column, source) : flowText(value, source);
  const separator = ownLine ? `,${eol}${" ".repeat(column)}` : ", ";
  const previous = ranges[at - 1];
  const edit = previous
    ? { start: previous[1], end: previous[1], text: separator + written }
    : { start: first[0], end: first[0], text: written + separator };
  return applyEdits(text, [edit]);
}

/** Removes a rule. */
export function removeRule(source: RulesSource, at: number): string | null {
  if (!isFlow(source.rules)) {
    const chunks = chunksOf(source);
    return joinChunks({ ...chunks, rules: chunks.rules.toSpliced(at, 1) }, source.eol);
  }
  const ranges = ruleRanges(source);
  const [own, previous, next] = [ranges[at], ranges[at - 1], ranges[at + 1]];
  if (!own) return null;
  const start = next || !previous ? own[0] : previous[1];
  return applyEdits(source.text, [{ start, end: next?.[0] ?? own[1], text: "" }]);
}

/** Moves a rule to another position. */
export function moveRule(source: RulesSource, from: number, to: number): string | null {
  const moved = <Item>(items: readonly Item[]): readonly Item[] => {
    const [item] = items.slice(from, from + 1);
    return item === undefined ? items : items.toSpliced(from, 1).toSpliced(to, 0, item);
  };
  const { text, eol } = source;
  if (!isFlow(source.rules)) {
    const chunks = chunksOf(source);
    return joinChunks({ ...chunks, rules: moved(chunks.rules) }, eol);
  }
  const ranges = ruleRanges(source);
  const texts = moved(ranges.map(([start, end]) => text.slice(start, end)));
  const edits = ranges.map(([start, end], i) => ({ start, end, text: texts[i] ?? "" }));
  return applyEdits(text, edits);
}
