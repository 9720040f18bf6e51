// Validates and evaluates users' JMESPath expressions with bounded cost. Expressions that can
// multiply their input are refused when saved; input that is too large is not evaluated.
import { compile, search as searchIn } from "@jmespath-community/jmespath";
import { jsonByteLength } from "../reading/bounded-json.ts";

/** Maximum length of an expression in characters, and of its input in bytes. */
const MAX_EXPRESSION = 1_000;
const MAX_INPUT_BYTES = 262_144;
/**
 * Limit on copies of the input that all multi-select lists and hashes can make: `[@, @]` inside
 * `[@, @]` makes 4.
 */
const MAX_COPIES = 40;
const MAX_CALLS = 6;
const MAX_ARGUMENTS = 8;
/** Limit on nodes that traverse a whole value: projections, filters, comparisons, functions. */
const MAX_STEPS = 30;
/** Functions whose output has no bound. */
const REFUSED = ["pad_left", "pad_right", "replace"];
/** Maximum length of `join`'s separator. */
const MAX_SEPARATOR = 16;
/** Nodes that are not counted as steps. */
const FREE = ["Field", "Index", "IndexExpression", "Subexpression", "Literal", "KeyValuePair"];

type Node = {
  readonly type?: unknown;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly children?: readonly Node[];
};

type Counts = { copies: number; calls: number; steps: number; refused: string | null };

/** The validation error of an expression, or null. */
export function expressionFault(expression: string): string | null {
  if (expression.length > MAX_EXPRESSION) return `is longer than ${MAX_EXPRESSION} characters`;
  try {
    const counts: Counts = { copies: 1, calls: 0, steps: 0, refused: null };
    countNodes(compile(expression), counts, 0);
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

/**
 * Returns a function that evaluates expressions on a value. Its result is null if an expression
 * matches nothing or fails, or if the value is too large.
 */
export function createSearch(value: unknown): (expression: string) => unknown {
  const isTooLarge = jsonByteLength(value) > MAX_INPUT_BYTES;
  const input = isTooLarge ? null : withoutPrototypes(value);
  return (expression) => {
    try {
      return isTooLarge ? null : (searchIn(input as never, expression) ?? null);
    } catch {
      return null;
    }
  };
}

/** A copy without prototypes: the library also resolves inherited properties (`constructor`). */
function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) copy[key] = withoutPrototypes(inner);
  return copy;
}

function countNodes(node: unknown, counts: Counts, depth: number): void {
  if (typeof node !== "object" || node === null) return;
  if (depth > 200) counts.refused = "so many brackets";
  if (counts.refused !== null) return;
  if (!Array.isArray(node)) countNode(node, counts);
  for (const inner of Object.values(node)) countNodes(inner, counts, depth + 1);
}

function countNode(node: Node, counts: Counts): void {
  const { type, children = [] } = node;
  if (typeof type === "string" && !FREE.includes(type)) counts.steps += 1;
  if (type === "MultiSelectList" || type === "MultiSelectHash") counts.copies *= children.length;
  if (type === "Root") counts.refused = "$";
  if (type === "LetExpression" || type === "Variable") counts.refused = "let";
  if (type !== "Function") return;
  const name = String(node.name);
  counts.calls += 1;
  if (REFUSED.includes(name)) counts.refused = name;
  if (children.length > MAX_ARGUMENTS) counts.refused = `more than ${MAX_ARGUMENTS} arguments`;
  if (name === "join" && !isShortLiteral(children[0])) {
    counts.refused = `join but with a text of at most ${MAX_SEPARATOR} characters between`;
  }
}

function isShortLiteral(node: Node | undefined): boolean {
  const text = node?.type === "Literal" ? node.value : null;
  return typeof text === "string" && text.length <= MAX_SEPARATOR;
}
