// The identity of an alert in every type: its create and its resolve (or acknowledge) have the same id, however the
// sender or its user's template spells the keys and writes the identifiers.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../../../src/domain/shared/json.ts";
import type { InboundEvent, InboundRequest } from "../../../../src/products/integration-type.ts";
import { interpretRequest } from "../../../../src/products/interpret.ts";
import { sized } from "../../../support/generated/sizes.ts";
import {
  readSent,
  type Sent,
  typesWithFixtures,
} from "../../../support/integrations/sender-fixtures.ts";

const RUNS = { numRuns: sized(60, 2_000) };

/** Reads keys by the integration's own expressions, which are case-sensitive. */
const CASE_SENSITIVE = ["custom_webhook"];
/** Contract 3: an update with neither an `Id` nor keys is answered 200 and logged as unmatched. */
const UNMATCHED = ["webhook"];

/** Every key of a value, at any depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** The value with its keys renamed and its scalars rewritten, at any depth. */
function rewritten(
  value: unknown,
  rename: (key: string) => string,
  write: (scalar: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((inner) => rewritten(inner, rename, write));
  if (!isJsonObject(value)) return write(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [rename(key), rewritten(inner, rename, write)]),
  );
}

const SPELLINGS: readonly ((key: string) => string)[] = [
  (key) => key.toLowerCase(),
  (key) => key.toUpperCase(),
  (key) => key.slice(0, 1).toUpperCase() + key.slice(1),
];

/** Numbers as strings and, where lossless, strings as numbers: senders and templates do either. */
const NOTATIONS: readonly ((scalar: unknown) => unknown)[] = [
  (scalar) => scalar,
  (scalar) => (typeof scalar === "number" ? String(scalar) : scalar),
  (scalar) =>
    typeof scalar === "string" && String(Number(scalar)) === scalar ? Number(scalar) : scalar,
];

const idOf = (event: InboundEvent | undefined) =>
  event && "thirdpartyId" in event ? event.thirdpartyId : null;
const keysOf = (event: InboundEvent | undefined) =>
  event && "dedupKeys" in event ? event.dedupKeys : [];

/** Types for chats and forms are left out: they create an alert for every message. */
const pairs = typesWithFixtures.flatMap(([name, type, { options = {}, requests }]) =>
  (["acknowledge", "resolve"] as const)
    .filter((kind) => type.supports[kind] && requests[kind] !== undefined)
    .map((kind) => [name, kind, type, options, requests.fire, requests[kind] as Sent] as const),
);

test("most types have a create and an update to compare", () => {
  expect(pairs.length).toBeGreaterThan(40);
});

describe.each(pairs)("%s, %s", (name, kind, type, options, fire, update) => {
  const events = (request: InboundRequest) => interpretRequest(type, request, options);
  const [first, last] = [readSent(fire), readSent(update)];
  const sentKeys = [first.body, last.body, first.query].flatMap(keysIn);
  const keys = CASE_SENSITIVE.includes(name) ? [] : [...new Set(sentKeys)];
  const changes = fc.record({
    which: fc.option(fc.subarray(keys), { nil: null }),
    spell: fc.constantFrom(...SPELLINGS),
    write: fc.constantFrom(...NOTATIONS),
    writeUpdate: fc.constantFrom(...NOTATIONS),
  });

  test("has the same id in any spelling of any keys", () => {
    fc.assert(
      fc.property(changes, ({ which, spell, write, writeUpdate }) => {
        const respelled = which ?? keys;
        const rename = (key: string) => (respelled.includes(key) ? spell(key) : key);
        const sent = (request: InboundRequest, as: (scalar: unknown) => unknown) => ({
          ...request,
          body: rewritten(request.body, rename, as),
          query: rewritten(request.query, rename, as) as Record<string, unknown>,
        });
        const [created] = events(sent(first, write));
        const [updated] = events(sent(last, writeUpdate));
        if (created?.kind === "create") {
          expect(idOf(created) ?? keysOf(created)[0] ?? null).not.toBeNull();
        }
        if (created?.kind !== "create" || updated?.kind !== kind) return;
        const shared = keysOf(created).some((key) => keysOf(updated).includes(key));
        expect(shared || idOf(created) === idOf(updated)).toBe(true);
      }),
      RUNS,
    );
  });

  test.skipIf(UNMATCHED.includes(name))("is refused without any identifier", () => {
    const [updated] = events(last);
    expect(updated?.kind).toBe(kind);
    const id = idOf(updated) ?? "";
    const withoutId = rewritten(
      last.body,
      (key) => key,
      (scalar) => (id.includes(String(scalar)) && String(scalar) !== "" ? null : scalar),
    );
    const [event] = events({ ...last, body: withoutId });
    if (event?.kind !== kind) return;
    expect(idOf(event) ?? keysOf(event)[0] ?? null).not.toBeNull();
  });
});
