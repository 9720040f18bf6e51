// Generates unusual requests for any route: bodies from the route's schema with valid and invalid
// values, queries with every filter and operation, odd headers and identifiers.
import fc from "fast-check";
import { OPERATIONS } from "../../../src/kernel/db/condition.ts";
import type { Route } from "../../../src/kernel/http/route.ts";
import { sampleOf } from "../integrations/samples.ts";
import type { Inhabited } from "../worker/inhabited.ts";

export type GeneratedRequest = {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

const PROTOTYPE_NAMES = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"];

const oddText = fc.oneof(
  fc.constantFrom("", " ", "\0", "a\0b", "null", "undefined", "NaN", "-1", "0", "1e999", "true"),
  fc.constantFrom("2026-02-30T00:00:00Z", "2026-01-01T00:00:00Z", "0000-00-00", "P1D", "UTC"),
  fc.constantFrom("'; drop table alerts; --", "%", "_", "\\", '"', "$.a", "{{x}}", "..", "a..b"),
  fc.constantFrom(
    "\ud800",
    "😀".repeat(40),
    "Ü\u0301",
    "\u202e",
    "é".repeat(300),
    "x".repeat(70_000),
  ),
  fc.constantFrom("high", "SEV-1", "closed", "minutes", "weekly", "+14155550123", "a@b.example"),
  fc.string({ unit: "binary", maxLength: 24 }),
  fc.string({ maxLength: 24 }),
);

const oddNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 1.5, 3, 7, 100, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, 1e-9),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const oddKey = fc.oneof(fc.constantFrom(...PROTOTYPE_NAMES), oddText);

/** Any JSON value; keys include inherited property names. */
const oddValue: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(oddText, oddNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(oddKey, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
})).value;

/** An object with these own properties, `__proto__` among them. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  const object = {};
  for (const [key, value] of entries) {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
  }
  return object;
}

const deep = fc.constantFrom(3, 63, 65, 2_000).map((depth) => {
  let value: unknown = "deep";
  for (let i = 0; i < depth; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
});

type Described = any;

/** Values for a schema: mostly valid, sometimes anything else. */
function valuesOf(schema: Described, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: validValues(schema, ids) },
    { weight: 2, arbitrary: oddValue },
    { weight: 1, arbitrary: fc.constantFrom(null, "", [], {}) },
  );
}

function validValues(schema: Described, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const definition = schema?._zod?.def;
  switch (definition?.type) {
    case "object":
      return objects(definition.shape, ids);
    case "array":
      return fc.array(valuesOf(definition.element, ids), { maxLength: 3 });
    case "pipe": {
      const { in: before, out: after } = definition;
      return validValues(before._zod.def.type === "transform" ? after : before, ids);
    }
    case "optional":
    case "nullable":
    case "default":
    case "nonoptional":
      return validValues(definition.innerType, ids);
    case "enum":
      return fc.constantFrom(...(Object.values(definition.entries) as string[]));
    case "literal":
      return fc.constantFrom(...definition.values);
    case "boolean":
      return fc.constantFrom(true, false, "true", "0", 1);
    case "number":
      return fc.oneof(fc.integer({ min: 0, max: 12 }), oddNumber);
    case "record":
      return fc.array(fc.tuple(oddKey, oddValue), { maxLength: 4 }).map(objectOf);
    case "string":
      return fc.oneof(ids, oddText, fc.constantFrom("2026-03-01T00:00:00Z", "Berlin", "Name"));
    default:
      return oddValue;
  }
}

function objects(shape: Record<string, Described>, ids: fc.Arbitrary<string>) {
  const fields = Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, valuesOf(field, ids)]),
  );
  const strays = fc.array(fc.tuple(oddKey, oddValue), { maxLength: 2 });
  return fc
    .tuple(fc.record(fields, { requiredKeys: [] }), strays)
    .map(([named, stray]) => objectOf([...Object.entries(named), ...stray]));
}

const text = (value: unknown) => JSON.stringify(value) ?? "";

/** The sample's body with one part replaced, generated bodies, or text that is not JSON. */
function bodies(route: Route, world: Inhabited, ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const valid = sampleOf(route.operation).body?.(world) ?? {};
  const names = Object.keys(valid);
  const replaced = fc
    .tuple(fc.constantFrom(...(names.length > 0 ? names : ["x"])), oddValue)
    .map(([name, value]) => text({ ...valid, [name]: value }));
  return fc.oneof(
    { weight: 5, arbitrary: valuesOf(route.body, ids).map(text) },
    { weight: 3, arbitrary: replaced },
    { weight: 1, arbitrary: fc.constant(text(valid)) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        oddText,
        deep.map(text),
        deep.map((it) => text({ meta: it })),
      ),
    },
  );
}

/** Filters with every attribute and operation, sorting, paging, and unknown parameters. */
function queries(attributes: readonly string[], ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom("id", ...attributes) },
    { weight: 1, arbitrary: fc.constantFrom('meta."', "meta.a\\", "meta.", "user.emails[0]", "x") },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom("meta", "roles"), oddText).map((it) => it.join(".")),
    },
  );
  const value = fc.oneof(
    oddText,
    ids,
    fc.constantFrom("2026-01-01T00:00:00Z", "1..2", "true", "3"),
  );
  const operation = fc.oneof(fc.constantFrom(...OPERATIONS), fc.constantFrom("like", "", "$gt"));
  const filter = fc.tuple(name, operation, value).map(
    ([attribute, op, it]) =>
      [
        [attribute, it],
        ["ops", `${attribute}:${op}`],
      ] as const,
  );
  const page = fc
    .tuple(
      fc.constantFrom("limit", "offset", "page", "sort", "direction", "q", "start", "end"),
      fc.oneof(value, name),
    )
    .map((pair) => [pair] as const);
  const repeated = fc
    .tuple(name, value, fc.integer({ min: 0, max: 150 }))
    .map(([attribute, it, times]) => Array.from({ length: times }, () => [attribute, it] as const));
  const part = fc.oneof(
    { weight: 6, arbitrary: filter },
    { weight: 3, arbitrary: page },
    { weight: 1, arbitrary: repeated },
  );
  return fc
    .array(part, { maxLength: 3 })
    .map((parts) =>
      new URLSearchParams(
        parts.flat().map(([key, it]) => [key.slice(0, 2_000), it.slice(0, 2_000)]),
      ).toString(),
    );
}

const headerText = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  })
  .map((it) => it.trim());

/** Headers that routes read, with arbitrary values. */
const headers = fc.record(
  {
    "content-type": fc.oneof(
      fc.constantFrom(
        "application/json",
        "application/x-www-form-urlencoded",
        "text/plain",
        "text/xml",
      ),
      fc.constantFrom("multipart/form-data", "application/json; charset=latin1", ";", ""),
    ),
    "content-encoding": fc.constantFrom("gzip", "br", "identity", "x-gzip"),
    "idempotency-key": fc.oneof(headerText, fc.constantFrom("same", "x".repeat(256))),
    "x-d1-bookmark": fc.oneof(headerText, fc.constantFrom("0-0-0-0", "first-primary", "abc", "-")),
    accept: headerText,
    origin: headerText,
    "x-http-method-override": fc.constantFrom("DELETE", "TRACE"),
  },
  { requiredKeys: [] },
);

const usually = <Value>(often: fc.Arbitrary<Value>, seldom: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 6, arbitrary: often }, { weight: 1, arbitrary: seldom });

/**
 * Generates requests to one route. A delete only gets ids that do not exist.
 *
 * @param attributes the filterable attributes of its list
 */
export function requestsAt(
  route: Route,
  world: Inhabited,
  attributes: readonly string[],
): fc.Arbitrary<GeneratedRequest> {
  const { of } = sampleOf(route.operation);
  const all = Object.values(world.ids).flatMap((pair) => [pair.id, pair.prefixId]);
  const strange = ["", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "tem_AAAAAAAAAAAAAA", "int_AAAAAAAAAAAAAA"];
  const ids = fc.constantFrom(...all, ...strange, world.accountUserId, world.accountId);
  const own = of ? [world.ids[of].id, world.ids[of].prefixId] : strange;
  const oddIds = fc.oneof(
    fc.constantFrom(...strange),
    oddText.map((it) => it.toWellFormed()),
  );
  const target =
    route.method === "DELETE" ? oddIds : usually(fc.constantFrom(...own), fc.oneof(ids, oddIds));
  const readsBody = route.body !== undefined;
  return fc
    .record({
      id: target,
      query: route.method === "GET" ? queries(attributes, ids) : fc.constant(""),
      headers: usually(fc.constant({}), headers),
      body: readsBody ? bodies(route, world, ids) : usually(fc.constant(""), oddText),
    })
    .map(({ id, query, headers: extra, body }) => ({
      route: `${route.method} ${route.path}`,
      method: route.method,
      path:
        route.path.replace(":id", encodeURIComponent(id.slice(0, 300))) + (query && `?${query}`),
      headers: { "content-type": "application/json", ...extra },
      ...(route.method !== "GET" && { body }),
    }));
}
