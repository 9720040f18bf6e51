// Hostile payloads: a sender's payload with arbitrary values in any place, and large payloads with
// texts that cause quadratic backtracking.
import fc from "fast-check";
import type { IntegrationType, Options } from "../../../src/products/integration-type.ts";

/** The approximate size of a large payload in characters. `npm run bench` measures larger ones. */
export const SIZE = 65_536;

const UNITS = [
  " ",
  "<",
  "a ",
  "re: ",
  ",",
  "=",
  "/v2/alerts/",
  '\\"',
  "9",
  "token=",
  "sev-",
  "http://",
];

/** Texts that cause quadratic backtracking in careless regular expressions. */
export const HOSTILE_TEXTS: readonly string[] = UNITS.map((unit) => longText(unit, SIZE));

function longText(unit: string, size: number): string {
  return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

/** A JSON value with one to three places, or the whole value, replaced. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  const change = fc.tuple(fc.array(fc.nat(99), { maxLength: 6 }), ANYTHING);
  return fc
    .array(change, { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce((current, [path, other]) => withAt(current, path, other), value),
    );
}

/** Replaces the value at a path of indices, each taken modulo the number of keys. */
function withAt(value: unknown, path: readonly number[], other: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return other;
  const keys = Object.keys(value);
  if (keys.length === 0) return other;
  const at = keys[first % keys.length] ?? "";
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === at ? withAt(inner, rest, other) : inner,
  ]);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

const ANYTHING: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(null, "", " ", "\0", "\ud800", 0, -1, 1e308, true, [], {}, [[]], [{}], {
    toString: "not a function",
    constructor: null,
    length: -1,
  }),
);

/** Possible options of an integration of the type, with templates and expressions. */
export function anyOptions(type: IntegrationType): fc.Arbitrary<Options> {
  const keys = [...type.options.map(({ key }) => key), "title_template", "description_template"];
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      true,
      "",
      "@",
      "a.b",
      "*",
      "[]",
      "title",
      "{{title}}",
      "{{#data}}{{.}}{{/data}}",
      "{{",
      "warning=low",
    ),
    fc.string(),
  );
  return fc
    .tuple(
      fc.dictionary(fc.constantFrom(...keys, "severity_map"), values),
      fc.constantFrom({ capture_additional_data: true }, {}),
    )
    .map(([some, capture]) => ({ ...some, ...capture }));
}

/** Large variants of a payload: its texts with each unit, its lists, and its fields. */
export function hostile(body: unknown, size = SIZE): readonly unknown[] {
  const ofTexts = UNITS.map((unit) => withTexts(body, unit, size));
  return [...ofTexts, repeated(body, size), withMany(body, size)];
}

/** Enlarges all texts, `size` characters in total. */
function withTexts(value: unknown, unit: string, size: number): unknown {
  const places = Math.max(textsIn(value), 1);
  return replaced(value, longText(unit, Math.floor(size / places)));
}

function textsIn(value: unknown): number {
  if (typeof value === "string") return 1;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + textsIn(inner), 0);
}

/** Replaces texts, except short words, so that the payload is still recognized. */
function replaced(value: unknown, text: string): unknown {
  if (typeof value === "string") return value.length <= 12 && !/\s/.test(value) ? value : text;
  if (Array.isArray(value)) return value.map((inner) => replaced(inner, text));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, replaced(inner, text)]);
  return Object.fromEntries(entries);
}

/** Enlarges the lists. */
function repeated(value: unknown, size: number): unknown {
  if (Array.isArray(value)) {
    const times = Math.ceil(size / Math.max(JSON.stringify(value).length, 1));
    return Array.from({ length: times }, () => value).flat();
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, repeated(inner, size)]);
  return Object.fromEntries(entries);
}

/** Adds many fields. */
function withMany(value: unknown, size: number): unknown {
  const more = Array.from({ length: size / 32 }, (_, i) => [`field${i}`, `${i} is there`]);
  return { ...(typeof value === "object" ? value : {}), ...Object.fromEntries(more) };
}
