// Comparison operators with MongoDB semantics: a list matches if the list or one of its elements
// does, and a missing value equals null.
import { type Fault, fault, type Located, type LocatedMap, plain, shorten } from "./located.ts";
import { compilePattern } from "./pattern.ts";
import { anyOf, equal, type PathValues, TYPE_NAMES, typeTest } from "./values.ts";
import type { WorkBudget } from "./work-budget.ts";

/** Tests the values found at a path. */
export type FieldTest = (found: PathValues, work: WorkBudget) => boolean;

/** Compiles an operand; `beside` is the map with its sibling operators. Null if invalid. */
type Compile = (operand: Located, faults: Fault[], beside: LocatedMap) => FieldTest | null;

const matchAny =
  (passes: (value: unknown) => boolean): FieldTest =>
  (found, work) =>
    anyOf(found, passes, work);

const negateTest =
  (test: FieldTest): FieldTest =>
  (found, work) =>
    !test(found, work);

const addFault = (faults: Fault[], operand: Located, message: string) => {
  fault(faults, operand, message);
  return null;
};

/** A literal operand; must not contain operators. */
function literal(operand: Located, faults: Fault[]): { readonly value: unknown } | null {
  const inner = findOperator(operand);
  if (inner === null) return { value: plain(operand) };
  return addFault(faults, operand, `${shorten(inner)} has no place in a value to compare with`);
}

function findOperator(node: Located): string | null {
  if (node.kind === "scalar") return null;
  if (node.kind === "list") {
    return node.items.map(findOperator).find((found) => found !== null) ?? null;
  }
  for (const { key, value } of node.entries) {
    const found = key.startsWith("$") ? key : findOperator(value);
    if (found !== null) return found;
  }
  return null;
}

function literals(operand: Located, faults: Fault[]): readonly unknown[] | null {
  if (operand.kind !== "list") return addFault(faults, operand, "must be a list");
  const values = operand.items.map((item) => literal(item, faults));
  return values.every((it) => it !== null) ? values.map((it) => it.value) : null;
}

/** Tests equality with the operand. */
export const compileEquality = (operand: Located, faults: Fault[]): FieldTest | null => {
  const expected = literal(operand, faults);
  return expected && matchAny((value) => equal(expected.value, value));
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
  if (values.length === 0) return addFault(faults, operand, "must not be empty");
  return (found, work) =>
    values.every((expected) => anyOf(found, (value) => equal(expected, value), work));
};

/** Compares numbers with numbers and texts with texts; other types never match. */
const compileOrder =
  (holds: (sign: number) => boolean): Compile =>
  (operand, faults) => {
    const limit = plain(operand);
    if (typeof limit !== "number" && typeof limit !== "string") {
      return addFault(faults, operand, "must be a number or a text");
    }
    return matchAny((value) => {
      if (typeof value !== typeof limit) return false;
      const it = value as typeof limit;
      return holds(it < limit ? -1 : it > limit ? 1 : 0);
    });
  };

const compileExists: Compile = (operand, faults) => {
  const expected = plain(operand);
  if (typeof expected !== "boolean") return addFault(faults, operand, "must be true or false");
  return (found) => found.some((value) => value !== undefined) === expected;
};

const compileSize: Compile = (operand, faults) => {
  const size = plain(operand);
  if (typeof size !== "number" || !Number.isInteger(size) || size < 0) {
    return addFault(faults, operand, "must be a whole number, 0 or more");
  }
  return (found) => found.some((value) => Array.isArray(value) && value.length === size);
};

const compileType: Compile = (operand, faults) => {
  const names = operand.kind === "list" ? operand.items.map(plain) : [plain(operand)];
  const tests = names.map((name) => typeTest(String(name)));
  if (tests.length === 0 || tests.includes(null)) {
    return addFault(faults, operand, `must be one of ${TYPE_NAMES.join(", ")}, or a list of them`);
  }
  return matchAny((value) => tests.some((test) => test?.(value)));
};

const compileModulo: Compile = (operand, faults) => {
  const [divisor, remainder, ...more] = operand.kind === "list" ? operand.items.map(plain) : [];
  if (!Number.isInteger(divisor) || !Number.isInteger(remainder) || more.length > 0) {
    return addFault(faults, operand, "must be a list of two whole numbers: divisor and remainder");
  }
  if (divisor === 0) return addFault(faults, operand, "the divisor must not be 0");
  return matchAny(
    (value) => typeof value === "number" && value % (divisor as number) === remainder,
  );
};

const compileRegex: Compile = (operand, faults, beside) => {
  const optionsNode = beside.entries.find(({ key }) => key === "$options")?.value;
  const source = plain(operand);
  const options = optionsNode === undefined ? "" : (plain(optionsNode) ?? "");
  if (typeof source !== "string") return addFault(faults, operand, "must be a text");
  if (typeof options !== "string") return null;
  const result = compilePattern(source, options);
  if (!result.ok) return addFault(faults, operand, result.message);
  const { pattern } = result;
  return (found, work) =>
    anyOf(found, (value) => typeof value === "string" && pattern(value, work), work);
};

/** `$options` only modifies the sibling `$regex` and always passes. */
const compileOptions: Compile = (operand, faults, beside) => {
  if (typeof plain(operand) !== "string") return addFault(faults, operand, "must be a text");
  if (beside.entries.some(({ key }) => key === "$regex")) return () => true;
  return addFault(faults, operand, "stands beside $regex only");
};

const negate =
  (compile: Compile): Compile =>
  (operand, faults, beside) => {
    const test = compile(operand, faults, beside);
    return test && negateTest(test);
  };

/** The comparison operators, by name. */
export const COMPARISONS: ReadonlyMap<string, Compile> = new Map<string, Compile>([
  ["$eq", compileEquality],
  ["$ne", negate(compileEquality)],
  ["$in", compileIn],
  ["$nin", negate(compileIn)],
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
