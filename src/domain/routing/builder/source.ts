// The text of a rules document with the positions of its values, so that a change replaces only
// the part of the text that it concerns.
import {
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { describeFault } from "../conditions/located.ts";
import { parseRules } from "../rules/parse.ts";

export type RulesSource = {
  readonly text: string;
  /** The line break that the text uses. */
  readonly eol: "\n" | "\r\n";
  readonly isJson: boolean;
  /** The root's map; null if the document is empty. */
  readonly root: YAMLMap | null;
  /** The list of rules; null if there is none yet. */
  readonly rules: YAMLSeq | null;
};

/** Reads a document; a text if the builder cannot change it: the reason. */
export function readSource(text: string): RulesSource | string {
  const [fault] = parseRules(text).faults;
  if (fault) return describeFault(fault);
  const document = parseDocument(text, {
    schema: "core",
    version: "1.2",
    uniqueKeys: false,
    prettyErrors: false,
    keepSourceTokens: true,
  });
  if (usesReferences(document)) return "It uses anchors, aliases or tags.";
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const source = { text, eol, isJson: /^\s*[{[]/.test(text) } as const;
  const { contents } = document;
  if (contents === null || isEmpty(contents)) return { ...source, root: null, rules: null };
  if (!isMap(contents)) return "It is not a map with the key rules.";
  const keys = contents.items.map(({ key }) => (isScalar(key) ? key.value : null));
  if (keys.join() !== "rules") return "It has other keys than rules.";
  const rules = contents.items[0]?.value;
  if (isSeq(rules)) return { ...source, root: contents, rules };
  const isNothing = isScalar(rules) && rules.value === null;
  return isNothing ? { ...source, root: contents, rules: null } : "Its rules are not a list.";
}

/** Whether a node has no text. */
const isEmpty = (node: unknown) =>
  isScalar(node) && node.value === null && (node.range?.[0] ?? 0) === (node.range?.[1] ?? 0);

function usesReferences(document: Document.Parsed): boolean {
  let found = false;
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.anchor || node.tag) {
        found = true;
        return visit.BREAK;
      }
      return undefined;
    },
  });
  return found;
}

/** The plain value of a node. */
export function plainOf(node: unknown): unknown {
  if (isMap(node)) {
    return Object.fromEntries(node.items.map(({ key, value }) => [keyOf(key), plainOf(value)]));
  }
  if (isSeq(node)) return node.items.map(plainOf);
  return isScalar(node) ? (node.value ?? null) : null;
}

export const keyOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

export const isFlow = (node: unknown): boolean => isCollection(node) && node.flow === true;

export const startOf = (node: unknown): number => (node as Node | null)?.range?.[0] ?? -1;

/** Where the content of a node ends: before a comment after it. */
export function contentEnd(text: string, node: unknown): number {
  const end = (node as Node | null)?.range?.[1] ?? -1;
  if (isCollection(node) && !isFlow(node)) {
    const last = node.items.at(-1);
    return isMap(node) ? pairEnd(text, last as Pair) : contentEnd(text, last);
  }
  const isBlock = isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
  return isBlock ? end - (/\r?\n$/.exec(text.slice(0, end))?.[0].length ?? 0) : end;
}

/** Where a pair ends; without a value, at its colon. */
export function pairEnd(text: string, { key, value }: Pair<unknown, unknown>): number {
  const end = contentEnd(text, value ?? key);
  return Math.max(end, (key as Node).range?.[1] ?? end);
}

/** The end of a position's line, without its line break. */
export function lineEnd(text: string, position: number): number {
  const at = text.indexOf("\n", position);
  if (at < 0) return text.length;
  return text[at - 1] === "\r" && at > position ? at - 1 : at;
}

/** The start of a position's line. */
export const lineStart = (text: string, position: number): number =>
  position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1;

export const columnOf = (text: string, position: number): number =>
  position - lineStart(text, position);

/** Where the dashes of a list in block style are. */
export function dashesOf(list: YAMLSeq): readonly number[] {
  const token = list.srcToken as CST.BlockSequence | undefined;
  return (token?.items ?? []).flatMap(({ start }) => {
    const dash = start.find(({ type }) => type === "seq-item-ind");
    return dash ? [dash.offset] : [];
  });
}

/** Where the rules are in the text, without the comments around them. */
export function ruleRanges({ text, rules }: RulesSource): readonly (readonly [number, number])[] {
  if (rules === null) return [];
  const dashes = isFlow(rules) ? null : dashesOf(rules);
  return rules.items.map((item, i) => [dashes?.[i] ?? startOf(item), contentEnd(text, item)]);
}
