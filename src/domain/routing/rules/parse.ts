// Parses a rules document, YAML or JSON, into located values. Bounded for any input and never
// throws: faults are values with line and column.
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
} from "yaml";
import {
  type Fault,
  fault,
  type Located,
  type MapEntry,
  type SourcePosition,
  shorten,
} from "../conditions/located.ts";

/** In characters. */
export const MAX_TEXT = 65_536;

// The parser is slow on many invalid tokens; a meaningful document of 64 KiB has fewer.
const MAX_TOKENS = 32_000;
const MAX_DEPTH = 32;
/** Each use of an alias counts: a few lines of aliases can expand to billions of values. */
const MAX_VALUES = 20_000;

const START: SourcePosition = { line: 1, column: 1, path: "" };

export type Parsed = { readonly root: Located | null; readonly faults: readonly Fault[] };

/** Parses a document; the root is null if it is empty or invalid. */
export function parseRules(text: string): Parsed {
  if (text.length > MAX_TEXT) {
    return refusal(`the document is longer than ${MAX_TEXT} characters`);
  }
  if (hasTooManyTokens(text)) return refusal("the document has too many elements");
  try {
    return parseBounded(text);
  } catch (error) {
    if (error instanceof RangeError) return refusal("the document nests too deeply");
    throw error;
  }
}

const refusal = (message: string): Parsed => ({ root: null, faults: [{ ...START, message }] });

function hasTooManyTokens(text: string): boolean {
  let tokens = 0;
  for (const _ of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > MAX_TOKENS) return true;
  }
  return false;
}

function parseBounded(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    schema: "core",
    version: "1.2",
    uniqueKeys: false, // checked here, in linear time
    prettyErrors: false,
    logLevel: "error",
  });
  const faults: Fault[] = [];
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    fault(faults, placeOf(lines, pos[0], ""), message.split("\n")[0] ?? message);
  }
  if (faults.length > 0) return { root: null, faults };
  const reader: Reader = { lines, faults, anchors: new Map(), open: new Set(), values: 0 };
  const root = document.contents === null ? null : read(reader, document.contents, START, 0);
  return { root: faults.length > 0 ? null : root, faults };
}

type Reader = {
  readonly lines: LineCounter;
  readonly faults: Fault[];
  readonly anchors: Map<string, Node>;
  /** Nodes being read: an alias to one of these would never end. */
  readonly open: Set<Node>;
  values: number;
};

function placeOf(lines: LineCounter, offset: number, path: string): SourcePosition {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1), path };
}

/** Reads a node as located values; null after a fault that stops parsing. */
function read(reader: Reader, node: Node, near: SourcePosition, depth: number): Located | null {
  const offset = node.range?.[0];
  const place = offset === undefined ? near : placeOf(reader.lines, offset, near.path);
  const stop = (message: string) => {
    fault(reader.faults, place, message);
    return null;
  };
  reader.values += 1;
  if (reader.values > MAX_VALUES) return stop("the document has too many values");
  if (depth > MAX_DEPTH) return stop(`the document nests deeper than ${MAX_DEPTH} levels`);
  if (isAlias(node)) {
    const target = reader.anchors.get(node.source);
    if (target === undefined) return stop(`there is no anchor &${shorten(node.source)} before it`);
    if (reader.open.has(target)) return stop("an alias to what it stands in");
    return read(reader, target, place, depth);
  }
  if ("anchor" in node && node.anchor) reader.anchors.set(node.anchor, node);
  reader.open.add(node);
  const located = readValue(reader, node, place, depth);
  reader.open.delete(node);
  return located;
}

function readValue(
  reader: Reader,
  node: Node,
  place: SourcePosition,
  depth: number,
): Located | null {
  if (isMap(node)) return readMap(reader, node.items, place, depth);
  if (isSeq(node)) return readList(reader, node.items, place, depth);
  const value = isScalar(node) ? node.value : undefined;
  if (value === null || typeof value === "string" || typeof value === "boolean") {
    return { kind: "scalar", value, ...place };
  }
  if (typeof value === "number" && Number.isFinite(value)) {
    return { kind: "scalar", value, ...place };
  }
  fault(reader.faults, place, "must be a text, a number, true, false, null, a list or a map");
  return null;
}

function readList(
  reader: Reader,
  items: readonly unknown[],
  place: SourcePosition,
  depth: number,
): Located | null {
  const values: Located[] = [];
  for (const [i, item] of items.entries()) {
    const near = { ...place, path: `${place.path}[${i}]` };
    const value = readNode(reader, item, near, depth + 1);
    if (value === null) return null;
    values.push(value);
  }
  return { kind: "list", items: values, ...place };
}

function readMap(
  reader: Reader,
  pairs: readonly Pair<unknown, unknown>[],
  place: SourcePosition,
  depth: number,
): Located | null {
  const entries: MapEntry[] = [];
  const seen = new Set<string>();
  for (const pair of pairs) {
    const key = readKey(reader, pair.key, place);
    if (key === null) return null;
    if (seen.has(key.text)) {
      fault(reader.faults, key.place, `${shorten(key.text)} is there twice`);
      return null;
    }
    seen.add(key.text);
    const value = readNode(reader, pair.value, key.place, depth + 1);
    if (value === null) return null;
    entries.push({ key: key.text, place: key.place, value });
  }
  return { kind: "map", entries, ...place };
}

/** Reads a node; an empty one (`rules:` without a value) is null. */
function readNode(
  reader: Reader,
  node: unknown,
  near: SourcePosition,
  depth: number,
): Located | null {
  return isNode(node) ? read(reader, node, near, depth) : { kind: "scalar", value: null, ...near };
}

function readKey(reader: Reader, node: unknown, around: SourcePosition) {
  const offset = isNode(node) ? node.range?.[0] : undefined;
  const place = offset === undefined ? around : placeOf(reader.lines, offset, around.path);
  const value = isScalar(node) ? node.value : null;
  if (value === null || typeof value === "object") {
    fault(reader.faults, place, "a key must be a text");
    return null;
  }
  const text = String(value);
  const path = place.path === "" ? shorten(text) : `${place.path}.${shorten(text)}`;
  return { text, place: { ...place, path } };
}
