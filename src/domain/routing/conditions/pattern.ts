// User-supplied regular expressions, matched in linear time by an engine without backtracking. What
// it does not support (look-around, back-references) is a fault on save rather than a risk at run
// time.
import { RE2JS } from "re2js";
import { own } from "../../shared/own.ts";
import { spendWork, type WorkBudget } from "./work-budget.ts";

const MAX_LENGTH = 1000;
/** Maximum compiled size: the worst-case cost per character. */
const MAX_SIZE = 500;

type Pattern = (text: string, work: WorkBudget) => boolean;

export type PatternResult =
  | { readonly ok: true; readonly pattern: Pattern }
  | { readonly ok: false; readonly message: string };

const FLAGS: Readonly<Record<string, number>> = {
  i: RE2JS.CASE_INSENSITIVE,
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  // No effect on whether a text matches.
  g: 0,
  u: 0,
};

const refuse = (message: string): PatternResult => ({ ok: false, message });

/** Compiles a pattern in JavaScript notation with `$options` (`i`, `m`, `s`). */
export function compilePattern(source: string, options: string): PatternResult {
  if (source.length > MAX_LENGTH) return refuse(`is longer than ${MAX_LENGTH} characters`);
  let flags = 0;
  for (const option of options) {
    const flag = own(FLAGS, option);
    if (flag === undefined) return refuse(`the option ${option} is not one of i, m, s`);
    flags |= flag;
  }
  const unsupportedMessage = findUnsupported(source);
  if (unsupportedMessage !== null) return refuse(unsupportedMessage);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source), flags);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    return refuse(message.replace(/^error parsing regexp: /, "").slice(0, 200));
  }
  const size = compiled.programSize();
  if (size > MAX_SIZE) return refuse("is too large: make its repetitions shorter");
  return { ok: true, pattern: (text, work) => test(compiled, size, text, work) };
}

function test(compiled: RE2JS, size: number, text: string, work: WorkBudget): boolean {
  return spendWork(work, text.length * size + size) && compiled.test(text);
}

/** The error message for JavaScript syntax that a linear-time engine lacks, else null. */
function findUnsupported(source: string): string | null {
  const plain = source.replace(/\\\\/g, "").replace(/\[(?:\\.|[^\]\\])*\]/g, "");
  if (/(?<!\\)\(\?<?[=!]/.test(plain)) {
    return "look-ahead and look-behind are not supported; combine conditions with $and and $not";
  }
  if (/\\(?:[1-9]|k<)/.test(plain)) return "back-references are not supported";
  return null;
}
