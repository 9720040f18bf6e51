// Generated rules documents for the builder's tests: rules that it shows and rules that it does
// not, in many styles of YAML and JSON, with comments.
import fc from "fast-check";
import { stringify } from "yaml";
import type {
  ConditionModel,
  FieldCondition,
} from "../../../../src/domain/routing/builder/model.ts";

const field = fc.constantFrom(
  "alert.urgency",
  "alert.title",
  "alert.tags",
  "log.data.n",
  "log.data.a b",
);
const scalar = fc.oneof(
  fc.constantFrom(
    "critical",
    "a",
    "1",
    "true",
    "",
    "x # y",
    "- z",
    "it's",
    'say "so"',
    "a: b",
    "ü,{]",
  ),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const list = fc.array(scalar, { minLength: 1, maxLength: 3 });
const kind = fc.constant("field" as const);
const fieldCondition: fc.Arbitrary<FieldCondition> = fc.oneof(
  fc.record({ kind, field, operator: fc.constantFrom("is", "is_not"), value: scalar }),
  fc.record({
    ...{ kind, field, value: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant("b")) },
    operator: fc.constantFrom("more_than", "at_least", "less_than", "at_most"),
  }),
  fc.record({
    kind,
    field,
    operator: fc.constantFrom("one_of", "none_of", "has_all"),
    value: list,
  }),
  fc.record({
    ...{ kind, field, value: fc.constantFrom("crit", "a.b", "[x]", "1+1", "#") },
    operator: fc.constantFrom(
      "contains",
      "not_contains",
      "contains_any_case",
      "not_contains_any_case",
    ),
  }),
  fc.record({
    ...{ kind, field, value: fc.constantFrom("^crit", "a.b", "(x|y)$") },
    operator: fc.constantFrom("matches", "not_matches_any_case"),
  }),
  fc.record({
    kind,
    field,
    operator: fc.constantFrom("exists", "missing"),
    value: fc.constant(null),
  }),
);
const timeZone = fc.constantFrom(null, "Europe/Berlin");
export const condition: fc.Arbitrary<ConditionModel> = fc.oneof(
  { weight: 6, arbitrary: fieldCondition },
  fc.record({ kind: fc.constant("always"), value: fc.boolean() }),
  fc.record({
    kind: fc.constant("time"),
    operator: fc.constantFrom("between", "outside"),
    start: fc.constantFrom("08:00", "10:00 pm"),
    end: fc.constantFrom("17:00", "06:30"),
    timeZone,
  }),
  fc.record({
    kind: fc.constant("day"),
    operator: fc.constantFrom("one_of", "none_of"),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
    timeZone,
  }),
);

const TEAM = "tem_0000000000000A";
export const action = fc.oneof(
  fc.record({
    type: fc.constant("assign"),
    receiver: fc.constantFrom(TEAM, [TEAM, "acu_0000000000000A"]),
  }),
  fc.record({
    type: fc.constant("assign"),
    receiver: fc.constant(TEAM),
    delay: fc.constantFrom("5m", "1 h"),
  }),
  fc.record({ type: fc.constant("ignore") }),
  fc.record({
    type: fc.constant("setval"),
    map: fc.record({
      urgency: fc.constantFrom("low", "high"),
      tags: fc.constantFrom(["a", "b"], "c"),
    }),
  }),
);

const match = fc.oneof(
  fc.dictionary(field, scalar, { minKeys: 1, maxKeys: 3 }),
  fc.record({ "log.data.n": fc.constantFrom({ $gt: 1, $lt: 5 }, { $regex: "^a", $options: "i" }) }),
  fc.record({
    $or: fc.array(fc.dictionary(field, scalar, { minKeys: 1, maxKeys: 1 }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({
    $and: fc.array(fc.dictionary(field, scalar, { minKeys: 1, maxKeys: 1 }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  // Not shown.
  fc.record({ "alert.x": fc.constant({ $elemMatch: { a: 1 } }) }),
  fc.record({
    $or: fc.constant([{ $and: [{ "alert.a": 1 }] }, { "alert.b": 2 }]),
    "alert.c": scalar,
  }),
);
const setTitle = { type: "setval", map: { title: "It's: this" } };
const actions = fc
  .tuple(fc.boolean(), action)
  .map(([isSet, last]) => (isSet ? [setTitle, last] : [last]));
const rule = fc.record({ match, actions });

type Style = {
  readonly flow: boolean;
  readonly indent: number;
  readonly quote: "QUOTE_DOUBLE" | "QUOTE_SINGLE" | "PLAIN";
  readonly before: string;
  readonly comment: string;
};
const style: fc.Arbitrary<Style> = fc.record({
  flow: fc.boolean(),
  indent: fc.constantFrom(2, 4),
  quote: fc.constantFrom("QUOTE_DOUBLE", "QUOTE_SINGLE", "PLAIN"),
  before: fc.constantFrom("", "\n", "# about it\n", "\n  # one\n  # two\n"),
  comment: fc.constantFrom("", " # why"),
});

/** A rule as an item of a list in block style. */
function itemText(value: object, { flow, indent, quote, before, comment }: Style, column: number) {
  const text = stringify(value, {
    ...{ lineWidth: 0, aliasDuplicateObjects: false, schema: "core", blockQuote: false, indent },
    ...{
      defaultStringType: quote,
      defaultKeyType: "PLAIN",
      collectionStyle: flow ? "flow" : "any",
    },
  }).trimEnd();
  const [first = "", ...others] = text.split("\n");
  // A comment at the end of the first line would cut a text that contains a number sign's quote.
  const lines = [first + comment, ...others];
  const pad = " ".repeat(column);
  return `${before}${pad}- ${lines.join(`\n${pad}  `)}\n`;
}

const yaml = fc
  .record({
    items: fc.array(fc.tuple(rule, style), { minLength: 1, maxLength: 4 }),
    column: fc.constantFrom(0, 2, 4),
    head: fc.constantFrom("", "# Head\n\n", "---\n"),
    tail: fc.constantFrom("", "\n# Tail\n"),
    eol: fc.constantFrom("\n", "\r\n"),
  })
  .map(({ items, column, head, tail, eol }) => {
    const list = items.map(([value, its]) => itemText(value, its, column)).join("");
    return `${head}rules:\n${list}${tail}`.replaceAll("\n", eol);
  });
const json = fc
  .tuple(fc.array(rule, { minLength: 1, maxLength: 4 }), fc.constantFrom(0, 2, 4))
  .map(([rules, space]) => JSON.stringify({ rules }, null, space));

/** The text of a document with at least one rule. */
export const documentText = fc.oneof({ weight: 3, arbitrary: yaml }, json);
