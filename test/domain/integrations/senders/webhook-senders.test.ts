// The payloads in `fixtures/webhook` are written by hand from the public source of each sender: Uptime
// Kuma, Healthchecks, LibreNMS, Apprise, ElastAlert2, Peekaping and noti.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { webhook } from "../../../../src/products/general/webhook.ts";
import type { InboundEvent } from "../../../../src/products/integration-type.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { fixture, inbound } from "../../../support/worker/fixtures.ts";

const CAPTURE = { capture_additional_data: true };

function only(events: readonly InboundEvent[]): InboundEvent {
  expect(events).toHaveLength(1);
  return events[0] as InboundEvent;
}

describe("requests of senders", () => {
  const translatedFixture = (name: string, options = {}) =>
    only(webhook.translate(fixture(`webhook/${name}`), options));

  test("Uptime Kuma: down, up with a null title, and a test message", () => {
    expect(translatedFixture("uptime-kuma-down", CAPTURE)).toMatchObject({
      kind: "create",
      thirdpartyId: "7",
      title: 'Uptime Kuma Monitor "Shop" is DOWN',
      urgency: "silent",
      additionalData: [{ label: "heartbeat" }, { label: "monitor" }],
    });
    expect(translatedFixture("uptime-kuma-up")).toEqual({
      kind: "resolve",
      thirdpartyId: "7",
      dedupKeys: [],
    });
    expect(translatedFixture("uptime-kuma-test", CAPTURE)).toMatchObject({
      kind: "create",
      thirdpartyId: "uptime-kuma",
      additionalData: [],
    });
  });

  test("Healthchecks: trigger and resolve by incident_key", () => {
    const thirdpartyId = "2f6a1e0b9c3d4e5f60718293a4b5c6d7e8f90a1b";
    expect(translatedFixture("healthchecks-down")).toMatchObject({
      kind: "create",
      thirdpartyId,
      title: "nightly backup is DOWN",
      tags: ["backup", "prod"],
    });
    expect(translatedFixture("healthchecks-up")).toMatchObject({ kind: "resolve", thirdpartyId });
  });

  test("LibreNMS: a numeric Id, acknowledged and resolved", () => {
    expect(translatedFixture("librenms-create")).toMatchObject({
      kind: "create",
      thirdpartyId: "4711",
      description: "<b>core-switch-1</b> is down",
    });
    const same = { thirdpartyId: "4711" };
    expect(translatedFixture("librenms-acknowledged")).toMatchObject({
      kind: "acknowledge",
      ...same,
    });
    expect(translatedFixture("librenms-resolved")).toMatchObject({ kind: "resolve", ...same });
  });

  test("Apprise: meta with strings as values", () => {
    expect(translatedFixture("apprise-create")).toMatchObject({
      kind: "create",
      urgency: "high",
      tags: ["backup", "nas"],
      incident: true,
      incidentSeverity: "SEV-2",
      incidentMessage: "Backups are failing",
      meta: { host: "nas1" },
    });
  });

  test("ElastAlert, Peekaping and noti", () => {
    expect(translatedFixture("elastalert-create")).toMatchObject({ title: "Too many 500s" });
    expect(translatedFixture("peekaping-create")).toMatchObject({
      thirdpartyId: "monitor-a1b2-1772357400",
      urgency: "critical",
      tags: ["api", "prod"],
      meta: { monitor_id: "a1b2" },
    });
    expect(translatedFixture("noti-create")).toMatchObject({
      title: "Deploy failed",
      urgency: "medium",
    });
  });
});

describe("any payload", () => {
  const names = [
    "event_type",
    "Id",
    "title",
    "Tags",
    "Meta",
    "urgency",
    "dedup_keys",
    "description",
  ];
  const fields = fc.dictionary(fc.constantFrom(...names, "__proto__", "other"), fc.jsonValue());
  const kinds = fc.constantFrom("create", "resolve", " Trigger ");
  const payloads = fc.oneof(
    fc.jsonValue(),
    fc.tuple(kinds, fields).map(([kind, rest]) => ({ ...rest, event_type: kind })),
  );

  test("is translated without throwing, and every create has a title and is within the limits", () => {
    fc.assert(
      fc.property(payloads, fc.boolean(), (body, capture) => {
        const request = inbound(JSON.stringify(body));
        const [event] = webhook.translate(request, { capture_additional_data: capture });
        if (event?.kind !== "create") return;
        expect(event.title.trim()).not.toBe("");
        expect(event.title.length).toBeLessThanOrEqual(1_024);
        expect(event.thirdpartyId === null || event.thirdpartyId.trim() !== "").toBe(true);
        expect(event.tags.every((tag) => tag.trim() !== "")).toBe(true);
        expect(event.incident && event.incidentSeverity === null).toBe(false);
      }),
      { numRuns: sized(1_000, 20_000) },
    );
  });

  test("is translated without throwing even if it was not parsed from a request", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (body, query) => {
        const request = { ...inbound(""), body, query: query as Record<string, unknown> };
        expect(webhook.translate(request, {}).length).toBeGreaterThan(0);
      }),
    );
  });
});
