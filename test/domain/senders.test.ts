// Every sender's type against requests of the sender (`fixtures/senders`, each file with its origin): fire,
// duplicate, acknowledge, resolve, test message, unrelated event, malformed; and against whatever may be sent.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { InboundEvent, IntegrationType } from "../../src/integrations/integration-type.ts";
import { integrationTypeNamed, integrationTypes } from "../../src/integrations/registry.ts";
import { inbound } from "../support/fixtures.ts";

type Sent = { headers: Record<string, string>; query?: string; body: unknown; gives?: object };
type Fixture = {
  origin: string;
  options?: Record<string, unknown>;
  requests: Record<string, Sent> & { fire: Sent; duplicate: Sent; test: Sent };
};

const folder = resolve(import.meta.dirname, "../fixtures/senders");
const fixtures = readdirSync(folder).map((file) => {
  const fixture: Fixture = JSON.parse(readFileSync(resolve(folder, file), "utf8"));
  return [file.replace(/\.json$/, ""), fixture] as const;
});

/** These have tests of their own, and so have those that tell others. */
const APART = ["webhook", "prometheus", "email", "heartbeat"];

const URL_OF_ALL = "https://tocsin.example.org/integration/int_AAAAAAAAAAAAAA";
const read = ({ headers, query, body }: Sent) => inbound(body, headers, URL_OF_ALL + (query ?? ""));

function only(events: readonly InboundEvent[]): InboundEvent {
  expect(events).toHaveLength(1);
  return events[0] as InboundEvent;
}

test("every type has its fixtures, and every fixture its type", () => {
  const names = integrationTypes
    .filter((type) => !type.outgoing)
    .map((type) => type.name)
    .filter((name) => !APART.includes(name));
  expect(fixtures.map(([name]) => name).sort()).toEqual(names.sort());
});

describe.each(fixtures)("%s", (name, { origin, options = {}, requests }) => {
  const type = integrationTypeNamed(name) as IntegrationType;
  const said = (sent: Sent) => only(type.translate(read(sent), options));
  const { fire, duplicate, ...others } = requests;
  const fired = said(fire);

  test("says where its payloads are from", () => expect(origin).toMatch(/\w{3}/));

  test("fires", () => {
    expect(fired.kind).toBe("create");
    expect(fired).toMatchObject(fire.gives as object);
  });

  test("a duplicate is of the same id", () => {
    const { thirdpartyId } = fired as { thirdpartyId: string };
    expect(thirdpartyId).not.toBeNull();
    expect(said(duplicate)).toMatchObject({ kind: "create", thirdpartyId });
  });

  test.each((["acknowledge", "resolve"] as const).filter((it) => type.supports[it]))(
    "%s",
    (kind) => {
      const { thirdpartyId } = fired as { thirdpartyId: string };
      expect(said(requests[kind] as Sent)).toMatchObject({ kind, thirdpartyId });
    },
  );

  test("what it does not support it never says", () => {
    for (const sent of Object.values(requests)) {
      const { kind } = said(sent);
      if (kind === "acknowledge" || kind === "resolve") expect(type.supports[kind]).toBe(true);
    }
  });

  const extra = Object.entries(others).filter(([, sent]) => sent.gives !== undefined);
  test.each(extra)("%s", (_case, sent) => {
    expect(said(sent)).toMatchObject(sent.gives as object);
  });

  test.runIf(requests.unrelated)("an unrelated event is ignored", () => {
    expect(said(requests.unrelated as Sent).kind).toBe("ignored");
  });

  test.each(['{"half":', "", "[]", "null", "7", '"text"', "{}"])("%j is no event", (body) => {
    const event = only(type.translate(inbound(body), options));
    expect(["invalid", "ignored"]).toContain(event.kind);
  });

  test("a list of payloads is as many events", () => {
    if (typeof fire.body === "string") return;
    const list = { ...fire, body: [fire.body, duplicate.body] };
    expect(type.translate(read(list), options).map((event) => event.kind)).toEqual([
      "create",
      "create",
    ]);
  });

  test("whatever stands in its fields: never a throw, never an alert without a title", () => {
    const names = typeof fire.body === "object" ? Object.keys(fire.body as object) : [];
    const odd = fc.dictionary(fc.constantFrom(...names, "other", "__proto__"), fc.jsonValue());
    const bodies = odd.map((changes) => merged(fire.body, changes));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), bodies), fc.boolean(), (body, capture) => {
        const request = { ...read(fire), body };
        const given = { ...options, capture_additional_data: capture };
        for (const event of type.translate(request, given)) {
          if (event.kind === "create") expect(event.title.trim()).not.toBe("");
        }
      }),
      { numRuns: 100 },
    );
  });
});

const merged = (body: unknown, changes: object): unknown =>
  typeof body === "object" ? { ...body, ...changes } : changes;

test("no translate costs more than a small multiple of reading the same with JSON.parse", () => {
  const rows = Array.from({ length: 3_000 }, (_, i) => [`field${i}`, `${"x".repeat(60)} ${i}`]);
  const large = { ...Object.fromEntries(rows), message: "a ".repeat(20_000) };
  const text = JSON.stringify(large);
  // Into objects of our own making, one key at a time, as any reading does.
  const reading = fastest(() => JSON.parse(text, (_key, value) => value));
  for (const [name, { options = {}, requests }] of fixtures) {
    const type = integrationTypeNamed(name) as IntegrationType;
    const request = read(requests.fire);
    const body = merged(request.body ?? {}, large);
    const translating = fastest(() => type.translate({ ...request, body }, options));
    // On a busy machine the one may be measured in a worse moment; what is not linear costs thousands of times as much.
    expect(translating / reading, name).toBeLessThan(100);
  }
});

/** The shortest of three runs, in milliseconds. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.max(Math.min(...times), 0.01);
}
