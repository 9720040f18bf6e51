// No type loses an alert's identity: what it accepts as the beginning and as the end (or the acknowledgement) of the same
// thing has the same id, however the sender or its user's template spells the keys and writes the identifiers.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type {
  InboundEvent,
  InboundRequest,
} from "../../../../src/integrations/integration-type.ts";
import { interpretRequest } from "../../../../src/integrations/interpret.ts";
import { isPayload } from "../../../../src/integrations/reading/payload.ts";
import { sized } from "../../../support/generated/sizes.ts";
import {
  readSent,
  type Sent,
  typesWithFixtures,
} from "../../../support/integrations/sender-fixtures.ts";

const RUNS = { numRuns: sized(60, 2_000) };

/** Reads keys by the integration's own expressions, which mean exactly what they say. */
const OWN_KEYS = ["custom_webhook"];
/** Contract 3: an end that has neither an `Id` nor keys is answered 200 and logged as unmatched. */
const UNMATCHED = ["webhook"];

/** Every key that stands in a value, at any depth. */
function keysIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysIn);
  if (!isPayload(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** The value with its keys renamed and its scalars rewritten, everywhere alike. */
function rewritten(
  value: unknown,
  rename: (key: string) => string,
  write: (scalar: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((inner) => rewritten(inner, rename, write));
  if (!isPayload(value)) return write(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [rename(key), rewritten(inner, rename, write)]),
  );
}

const SPELLINGS: readonly ((key: string) => string)[] = [
  (key) => key.toLowerCase(),
  (key) => key.toUpperCase(),
  (key) => key.slice(0, 1).toUpperCase() + key.slice(1),
];

/** Numbers as text and, where nothing is lost, text as numbers: senders and templates do either. */
const WRITINGS: readonly ((scalar: unknown) => unknown)[] = [
  (scalar) => scalar,
  (scalar) => (typeof scalar === "number" ? String(scalar) : scalar),
  (scalar) =>
    typeof scalar === "string" && String(Number(scalar)) === scalar ? Number(scalar) : scalar,
];

const idOf = (event: InboundEvent | undefined) =>
  event && "thirdpartyId" in event ? event.thirdpartyId : null;
const keysOf = (event: InboundEvent | undefined) =>
  event && "dedupKeys" in event ? event.dedupKeys : [];

/** Types for chat and forms give every message an alert of its own. */
const pairs = typesWithFixtures.flatMap(([name, type, { options = {}, requests }]) =>
  (["acknowledge", "resolve"] as const)
    .filter((kind) => type.supports[kind] && requests[kind] !== undefined)
    .map((kind) => [name, kind, type, options, requests.fire, requests[kind] as Sent] as const),
);

test("most types have a beginning and an end to compare", () => {
  expect(pairs.length).toBeGreaterThan(40);
});

describe.each(pairs)("%s, %s", (name, kind, type, options, fire, end) => {
  const events = (request: InboundRequest) => interpretRequest(type, request, options);
  const [first, last] = [readSent(fire), readSent(end)];
  const sentKeys = [first.body, last.body, first.query].flatMap(keysIn);
  const keys = OWN_KEYS.includes(name) ? [] : [...new Set(sentKeys)];
  const changes = fc.record({
    which: fc.option(fc.subarray(keys), { nil: null }),
    spell: fc.constantFrom(...SPELLINGS),
    write: fc.constantFrom(...WRITINGS),
    writeEnd: fc.constantFrom(...WRITINGS),
  });

  test("the same id, in any spelling of any keys", () => {
    fc.assert(
      fc.property(changes, ({ which, spell, write, writeEnd }) => {
        const respelled = which ?? keys;
        const rename = (key: string) => (respelled.includes(key) ? spell(key) : key);
        const sent = (request: InboundRequest, as: (scalar: unknown) => unknown) => ({
          ...request,
          body: rewritten(request.body, rename, as),
          query: rewritten(request.query, rename, as) as Record<string, unknown>,
        });
        const [began] = events(sent(first, write));
        const [ended] = events(sent(last, writeEnd));
        if (began?.kind === "create") {
          expect(idOf(began) ?? keysOf(began)[0] ?? null).not.toBeNull();
        }
        if (began?.kind !== "create" || ended?.kind !== kind) return;
        const shared = keysOf(began).some((key) => keysOf(ended).includes(key));
        expect(shared || idOf(began) === idOf(ended)).toBe(true);
      }),
      RUNS,
    );
  });

  test.skipIf(UNMATCHED.includes(name))("an end without any identifier is refused", () => {
    const [ended] = events(last);
    expect(ended?.kind).toBe(kind);
    const id = idOf(ended) ?? "";
    const gone = rewritten(
      last.body,
      (key) => key,
      (scalar) => (id.includes(String(scalar)) && String(scalar) !== "" ? null : scalar),
    );
    const [event] = events({ ...last, body: gone });
    if (event?.kind !== kind) return;
    expect(idOf(event) ?? keysOf(event)[0] ?? null).not.toBeNull();
  });
});
