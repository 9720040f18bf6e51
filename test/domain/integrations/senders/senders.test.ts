// Every sender's type against requests of the sender (`fixtures/senders`, each file with its origin): fire,
// duplicate, acknowledge, resolve, test message, unrelated event, malformed one.
import { describe, expect, test } from "vitest";
import type { InboundEvent } from "../../../../src/integrations/integration-type.ts";
import { integrationTypes } from "../../../../src/integrations/registry.ts";
import {
  readSent,
  type Sent,
  SILENT,
  senderFixtures,
  typesWithFixtures,
} from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

const NOT_CHECKED = /not checked against/;

function only(events: readonly InboundEvent[]): InboundEvent {
  expect(events).toHaveLength(1);
  return events[0] as InboundEvent;
}

test("every type has its fixtures, and every fixture its type", () => {
  const names = integrationTypes
    .filter((type) => !type.outgoing)
    .map((type) => type.name)
    .filter((name) => !SILENT.includes(name));
  expect([...senderFixtures.keys()].sort()).toEqual(names.sort());
});

describe.each(typesWithFixtures)("%s", (_name, type, { origin, verified, options, requests }) => {
  const said = (sent: Sent) => only(type.translate(readSent(sent), options ?? {}));
  const { fire, duplicate, test: trial, malformed, unrelated, ...others } = requests;
  const fired = said(fire);

  test("says where its payloads are from, and its description where they could not be checked", () => {
    expect(origin).toMatch(/\w{3}/);
    expect(NOT_CHECKED.test(type.description)).toBe(!verified);
  });

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

  test("a test message says something", () => {
    expect(said(trial)).toMatchObject(trial.gives as object);
  });

  test("a malformed one is nothing", () => {
    expect(["invalid", "ignored"]).toContain(said(malformed).kind);
  });

  test("an unrelated event is ignored, or not understood", () => {
    expect(said(unrelated)).toMatchObject(unrelated.gives ?? { kind: "ignored" });
  });

  test("what it does not support it never says", () => {
    for (const sent of Object.values(requests)) {
      const { kind } = said(sent);
      if (kind === "acknowledge" || kind === "resolve") expect(type.supports[kind]).toBe(true);
    }
  });

  const extra = Object.entries(others).filter(([, sent]) => sent.gives !== undefined);
  test.runIf(extra.length > 0).each(extra)("%s", (_case, sent) => {
    expect(said(sent)).toMatchObject(sent.gives as object);
  });

  test.each(['{"half":', "", "[]", "null", "7", '"text"', "{}"])("%j is no event", (body) => {
    const event = only(type.translate(inbound(body), options ?? {}));
    expect(["invalid", "ignored"]).toContain(event.kind);
  });

  test.runIf(typeof fire.body === "object")("a list of payloads is as many events", () => {
    const list = { ...fire, body: [fire.body, duplicate.body] };
    const events = type.translate(readSent(list), options ?? {});
    expect(events.map((event) => event.kind)).toEqual(["create", "create"]);
    const most = { ...fire, body: Array.from({ length: 1_001 }, () => fire.body) };
    expect(only(type.translate(readSent(most), options ?? {})).kind).toBe("invalid");
  });
});
