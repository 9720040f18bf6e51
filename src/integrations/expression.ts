// JMESPath expressions of users, bounded: an expression could multiply what it reads, so those that can are refused
// when they are saved, and what is too large is not read at all.
import { compile, search as searchIn } from "@jmespath-community/jmespath";
import { bytesOfJson } from "./bounded-json.ts";

/** Characters of an expression, bytes of what it is read over. */
const MAX_EXPRESSION = 1_000;
const MAX_INPUT_BYTES = 262_144;
/** How often all lists and hashes that an expression builds may repeat what it reads: `[@, @]` in `[@, @]` is 4. */
const MAX_COPIES = 40;
const MAX_CALLS = 6;
const MAX_ARGUMENTS = 8;
/** What reads all of something each time: projections, filters, comparisons, functions. */
const MAX_STEPS = 30;
/** Texts grow without bound in these. */
const REFUSED = ["pad_left", "pad_right", "replace"];
/** Between two texts of a list, `join` may write no more than this. */
const MAX_GLUE = 16;
/** What costs nothing by itself. */
const CHEAP = ["Field", "Index", "IndexExpression", "Subexpression", "Literal", "KeyValuePair"];

type Node = {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly children?: readonly Node[];
};

type Counts = { copies: number; calls: number; steps: number; refused: string | null };

/** What is wrong with an expression, else null. */
export function expressionFault(expression: string): string | null {
  if (expression.length > MAX_EXPRESSION) return `is longer than ${MAX_EXPRESSION} characters`;
  try {
    const counts: Counts = { copies: 1, calls: 0, steps: 0, refused: null };
    count(compile(expression), counts, 0);
    if (counts.refused !== null) return `must not use ${counts.refused}`;
    if (counts.copies > MAX_COPIES) return "builds too much: fewer entries in lists and hashes";
    if (counts.calls > MAX_CALLS) return `calls more than ${MAX_CALLS} functions`;
    if (counts.steps > MAX_STEPS) return `has more than ${MAX_STEPS} steps`;
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    return `is not a JMESPath expression: ${why.slice(0, 200)}`;
  }
}

/** What expressions find in a value; null where one finds nothing, fails, or has too much to read. */
export function searcher(value: unknown): (expression: string) => unknown {
  const isTooLarge = bytesOfJson(value) > MAX_INPUT_BYTES;
  const bare = isTooLarge ? null : withoutPrototypes(value);
  return (expression) => {
    try {
      return isTooLarge ? null : (searchIn(bare as never, expression) ?? null);
    } catch {
      return null;
    }
  };
}

/** A copy that has only its own properties: the library also finds what objects inherit (`constructor`). */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key] = withoutPrototypes(inner);
  return copy;
}

function count(node: unknown, counts: Counts, depth: number): void {
  if (typeof node !== "object" || node === null) return;
  if (depth > 200) counts.refused = "so many brackets";
  if (counts.refused !== null) return;
  if (!Array.isArray(node)) weigh(node, counts);
  for (const inner of Object.values(node)) count(inner, counts, depth + 1);
}

function weigh(node: Node, counts: Counts): void {
  const { type, children = [] } = node;
  if (typeof type === "string" && !CHEAP.includes(type)) counts.steps += 1;
  if (type === "MultiSelectList" || type === "MultiSelectHash") counts.copies *= children.length;
  if (type === "Root") counts.refused = "$";
  if (type === "LetExpression" || type === "Variable") counts.refused = "let";
  if (type !== "Function") return;
  const name = String(node.name);
  counts.calls += 1;
  if (REFUSED.includes(name)) counts.refused = name;
  if (children.length > MAX_ARGUMENTS) counts.refused = `more than ${MAX_ARGUMENTS} arguments`;
  if (name === "join" && !isShort(children[0])) {
    counts.refused = `join but with a text of at most ${MAX_GLUE} characters between`;
  }
}

function isShort(node: Node | undefined): boolean {
  const text = node?.type === "Literal" ? node.value : null;
  return typeof text === "string" && text.length <= MAX_GLUE;
}
