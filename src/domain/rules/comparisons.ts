// The operators that compare what a path leads to with what the rule says, in MongoDB's meaning: a list passes when
// the whole list or one of its elements does, and nothing passes for null.
import { type Fault, fault, type Located, type LocatedMap, plain, shorten } from "./located.ts";
import { compilePattern } from "./pattern.ts";
import { anyOf, equal, type Found, TYPE_NAMES, typeTest } from "./values.ts";
import type { Work } from "./work.ts";

/** Tests what a path leads to. */
export type FieldTest = (found: Found, work: Work) => boolean;

/** Compiles an operand, given the operators beside it; null when it is at fault. */
type Compile = (operand: Located, faults: Fault[], beside: LocatedMap) => FieldTest | null;

const any =
  (passes: (value: unknown) => boolean): FieldTest =>
  (found, work) =>
    anyOf(found, passes, work);

const none =
  (test: FieldTest): FieldTest =>
  (found, work) =>
    !test(found, work);

const wrong = (faults: Fault[], operand: Located, message: string) => {
  fault(faults, operand, message);
  return null;
};

/** A value to compare with: operators have no place in it. */
function literal(operand: Located, faults: Fault[]): { readonly value: unknown } | null {
  const inner = operatorWithin(operand);
  if (inner === null) return { value: plain(operand) };
  return wrong(faults, operand, `${shorten(inner)} has no place in a value to compare with`);
}

function operatorWithin(node: Located): string | null {
  if (node.kind === "scalar") return null;
  if (node.kind === "list") {
    return node.items.map(operatorWithin).find((found) => found !== null) ?? null;
  }
  for (const { key, value } of node.entries) {
    const found = key.startsWith("$") ? key : operatorWithin(value);
    if (found !== null) return found;
  }
  return null;
}

function literals(operand: Located, faults: Fault[]): readonly unknown[] | null {
  if (operand.kind !== "list") return wrong(faults, operand, "must be a list");
  const values = operand.items.map((item) => literal(item, faults));
  return values.every((it) => it !== null) ? values.map((it) => it.value) : null;
}

/** The value is to be equal to the operand. */
export const compileEquality = (operand: Located, faults: Fault[]): FieldTest | null => {
  const held = literal(operand, faults);
  return held && any((value) => equal(held.value, value));
};

function compileIn(operand: Located, faults: Fault[]): FieldTest | null {
  const values = literals(operand, faults);
  if (values === null) return null;
  const scalars = new Set(values.filter((value) => typeof value !== "object"));
  const others = values.filter((value) => typeof value === "object");
  return (found, work) =>
    anyOf(found, (it) => scalars.has(it) || others.some((other) => equal(other, it)), work);
}

const compileAll: Compile = (operand, faults) => {
  const values = literals(operand, faults);
  if (values === null) return null;
  if (values.length === 0) return wrong(faults, operand, "must not be empty");
  return (found, work) =>
    values.every((wanted) => anyOf(found, (value) => equal(wanted, value), work));
};

/** Numbers are compared with numbers, texts with texts; anything else never passes. */
const compileOrder =
  (holds: (sign: number) => boolean): Compile =>
  (operand, faults) => {
    const limit = plain(operand);
    if (typeof limit !== "number" && typeof limit !== "string") {
      return wrong(faults, operand, "must be a number or a text");
    }
    return any((value) => {
      if (typeof value !== typeof limit) return false;
      const it = value as typeof limit;
      return holds(it < limit ? -1 : it > limit ? 1 : 0);
    });
  };

const compileExists: Compile = (operand, faults) => {
  const wanted = plain(operand);
  if (typeof wanted !== "boolean") return wrong(faults, operand, "must be true or false");
  return (found) => found.some((value) => value !== undefined) === wanted;
};

const compileSize: Compile = (operand, faults) => {
  const size = plain(operand);
  if (typeof size !== "number" || !Number.isInteger(size) || size < 0) {
    return wrong(faults, operand, "must be a whole number, 0 or more");
  }
  return (found) => found.some((value) => Array.isArray(value) && value.length === size);
};

const compileType: Compile = (operand, faults) => {
  const names = operand.kind === "list" ? operand.items.map(plain) : [plain(operand)];
  const tests = names.map((name) => typeTest(String(name)));
  if (tests.length === 0 || tests.includes(null)) {
    return wrong(faults, operand, `must be one of ${TYPE_NAMES.join(", ")}, or a list of them`);
  }
  return any((value) => tests.some((test) => test?.(value)));
};

const compileModulo: Compile = (operand, faults) => {
  const [divisor, remainder, ...more] = operand.kind === "list" ? operand.items.map(plain) : [];
  if (!Number.isInteger(divisor) || !Number.isInteger(remainder) || more.length > 0) {
    return wrong(faults, operand, "must be a list of two whole numbers: divisor and remainder");
  }
  if (divisor === 0) return wrong(faults, operand, "the divisor must not be 0");
  return any((value) => typeof value === "number" && value % (divisor as number) === remainder);
};

const compileRegex: Compile = (operand, faults, beside) => {
  const given = beside.entries.find(({ key }) => key === "$options")?.value;
  const source = plain(operand);
  const options = given === undefined ? "" : (plain(given) ?? "");
  if (typeof source !== "string") return wrong(faults, operand, "must be a text");
  if (typeof options !== "string") return null;
  const result = compilePattern(source, options);
  if (!result.ok) return wrong(faults, operand, result.message);
  const { pattern } = result;
  return (found, work) =>
    anyOf(found, (value) => typeof value === "string" && pattern(value, work), work);
};

/** A test of its own it has none: it belongs to the `$regex` beside it. */
const compileOptions: Compile = (operand, faults, beside) => {
  if (typeof plain(operand) !== "string") return wrong(faults, operand, "must be a text");
  if (beside.entries.some(({ key }) => key === "$regex")) return () => true;
  return wrong(faults, operand, "stands beside $regex only");
};

const negated =
  (compile: Compile): Compile =>
  (operand, faults, beside) => {
    const test = compile(operand, faults, beside);
    return test && none(test);
  };

/** The comparing operators, by name. */
export const COMPARISONS: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ["$eq", compileEquality],
  ["$ne", negated(compileEquality)],
  ["$in", compileIn],
  ["$nin", negated(compileIn)],
  ["$gt", compileOrder((sign) => sign > 0)],
  ["$gte", compileOrder((sign) => sign >= 0)],
  ["$lt", compileOrder((sign) => sign < 0)],
  ["$lte", compileOrder((sign) => sign <= 0)],
  ["$exists", compileExists],
  ["$all", compileAll],
  ["$size", compileSize],
  ["$type", compileType],
  ["$mod", compileModulo],
  ["$regex", compileRegex],
  ["$options", compileOptions],
]);
