// Every integration type with requests of its sender (`fixtures/senders`, each file with its origin): fire,
// duplicate, acknowledge, resolve, test message, unrelated event, malformed request.
import { describe, expect, test } from "vitest";
import type { InboundEvent } from "../../../../src/products/integration-type.ts";
import { integrationTypes } from "../../../../src/products/registry.ts";
import {
  readSent,
  type Sent,
  SILENT,
  senderFixtures,
  typesWithFixtures,
} from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

function only(events: readonly InboundEvent[]): InboundEvent {
  expect(events).toHaveLength(1);
  return events[0] as InboundEvent;
}

test("every type has a fixture, and every fixture a type", () => {
  const names = integrationTypes
    .filter((type) => !type.outgoing)
    .map((type) => type.name)
    .filter((name) => !SILENT.includes(name));
  expect([...senderFixtures.keys()].sort()).toEqual(names.sort());
});

/** The event with as many data as are expected: the known ones come before all others. */
function knownPart(event: InboundEvent, gives: object | undefined) {
  const { additionalData: expected } = (gives ?? {}) as { additionalData?: readonly unknown[] };
  if (expected === undefined || event.kind !== "create") return event;
  return { ...event, additionalData: event.additionalData.slice(0, expected.length) };
}

describe.each(typesWithFixtures)("%s", (_name, type, { origin, verified, options, requests }) => {
  const translated = (sent: Sent) => only(type.translate(readSent(sent), options ?? {}));
  const { fire, duplicate, test: testMessage, malformed, unrelated, ...others } = requests;
  const fired = translated(fire);

  test("has the origin of its payloads, and a description that says only what it connects", () => {
    // What no documentation of the sender confirms is known from another service's tests.
    expect(origin).toMatch(verified ? /\w{3}/ : /PagerTree/);
    expect(type.description).not.toMatch(/[{}]|not checked|option [a-z]+_/);
    expect(type.description.length).toBeLessThanOrEqual(120);
  });

  test("creates an alert", () => {
    expect(fired.kind).toBe("create");
    expect(knownPart(fired, fire.gives)).toMatchObject(fire.gives as object);
  });

  test("gives a duplicate the same id", () => {
    const { thirdpartyId } = fired as { thirdpartyId: string };
    expect(thirdpartyId).not.toBeNull();
    expect(translated(duplicate)).toMatchObject({ kind: "create", thirdpartyId });
  });

  test.each((["acknowledge", "resolve"] as const).filter((it) => type.supports[it]))(
    "translates %s",
    (kind) => {
      const { thirdpartyId } = fired as { thirdpartyId: string };
      expect(translated(requests[kind] as Sent)).toMatchObject({ kind, thirdpartyId });
    },
  );

  test("translates a test message", () => {
    const event = knownPart(translated(testMessage), testMessage.gives);
    expect(event).toMatchObject(testMessage.gives as object);
  });

  test("rejects or ignores a malformed request", () => {
    expect(["invalid", "ignored"]).toContain(translated(malformed).kind);
  });

  test("handles an unrelated event as the fixture expects", () => {
    expect(translated(unrelated)).toMatchObject(unrelated.gives ?? { kind: "ignored" });
  });

  test("gives no acknowledge or resolve that it does not support", () => {
    for (const sent of Object.values(requests)) {
      const { kind } = translated(sent);
      if (kind === "acknowledge" || kind === "resolve") expect(type.supports[kind]).toBe(true);
    }
  });

  const extra = Object.entries(others).filter(([, sent]) => sent.gives !== undefined);
  test.runIf(extra.length > 0).each(extra)("translates %s", (_case, sent) => {
    expect(knownPart(translated(sent), sent.gives)).toMatchObject(sent.gives as object);
  });

  test.each(['{"half":', "", "[]", "null", "7", '"text"', "{}"])(
    "creates no event from %j",
    (body) => {
      const event = only(type.translate(inbound(body), options ?? {}));
      expect(["invalid", "ignored"]).toContain(event.kind);
    },
  );

  test.runIf(typeof fire.body === "object")(
    "translates a list of up to 1,000 payloads to one event each",
    () => {
      const list = { ...fire, body: [fire.body, duplicate.body] };
      const events = type.translate(readSent(list), options ?? {});
      expect(events.map((event) => event.kind)).toEqual(["create", "create"]);
      const most = { ...fire, body: Array.from({ length: 1_001 }, () => fire.body) };
      expect(only(type.translate(readSent(most), options ?? {})).kind).toBe("invalid");
    },
  );
});
