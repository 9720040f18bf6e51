// JMESPath expressions of users, bounded: an expression could multiply what it reads, so those that can are refused
// when they are saved, and what is too large is not read at all.
import { compile, search as searchIn } from "@jmespath-community/jmespath";
import { bytesOfJson } from "./bounded-json.ts";

/** Characters of an expression, bytes of what it is read over. */
const MAX_EXPRESSION = 1_000;
const MAX_INPUT_BYTES = 262_144;
/** Each may multiply what comes out of it. */
const MAX_LISTS = 3;
const MAX_CALLS = 6;
/** Texts grow without bound in these. */
const REFUSED = ["pad_left", "pad_right", "replace"];

type Counts = { lists: number; calls: number; refused: string | null };

/** What is wrong with an expression, else null. */
export function expressionFault(expression: string): string | null {
  if (expression.length > MAX_EXPRESSION) return `is longer than ${MAX_EXPRESSION} characters`;
  try {
    const counts: Counts = { lists: 0, calls: 0, refused: null };
    count(compile(expression), counts, 0);
    if (counts.refused !== null) return `must not use ${counts.refused}`;
    if (counts.lists > MAX_LISTS) return `has more than ${MAX_LISTS} multi-select lists or hashes`;
    if (counts.calls > MAX_CALLS) return `calls more than ${MAX_CALLS} functions`;
    return null;
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    return `is not a JMESPath expression: ${why.slice(0, 200)}`;
  }
}

/** What an expression finds; null where it finds nothing, fails, or has too much to read. */
export function search(expression: string, value: unknown): unknown {
  if (bytesOfJson(value) > MAX_INPUT_BYTES) return null;
  try {
    return searchIn(value as never, expression) ?? null;
  } catch {
    return null;
  }
}

function count(node: unknown, counts: Counts, depth: number): void {
  if (typeof node !== "object" || node === null || depth > 200) return;
  if (!Array.isArray(node)) {
    const { type, name } = node as { type?: unknown; name?: unknown };
    if (type === "MultiSelectList" || type === "MultiSelectHash") counts.lists += 1;
    if (type === "Function") counts.calls += 1;
    if (type === "Root") counts.refused = "$";
    if (type === "LetExpression" || type === "Variable") counts.refused = "let";
    if (type === "Function" && REFUSED.includes(String(name))) counts.refused = String(name);
  }
  for (const inner of Object.values(node)) count(inner, counts, depth + 1);
}
