// A state, or a type of notification, that a type does not know never ends in silence: it opens an alert, is logged as
// a warning, or is refused. Every value of every sender's requests is replaced by a word that no sender uses.
import { describe, expect, test } from "vitest";
import type { InboundEvent } from "../../../../src/integrations/integration-type.ts";
import { isPayload } from "../../../../src/integrations/reading/payload.ts";
import { integrationTypeNamed } from "../../../../src/integrations/registry.ts";
import {
  readSent,
  type Sent,
  typesWithFixtures,
} from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

const WORD = "zustandslos";

/** The value with one scalar replaced, for each of its scalars. */
function* replaced(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) {
      for (const changed of replaced(inner)) yield value.with(index, changed);
    }
  } else if (isPayload(value)) {
    for (const [key, inner] of Object.entries(value)) {
      for (const changed of replaced(inner)) yield { ...value, [key]: changed };
    }
  } else if (value !== null && value !== undefined && value !== "") {
    yield WORD;
  }
}

const isSilent = (event: InboundEvent) =>
  event.kind === "ignored" && event.isUnknown === undefined && event.reason.includes(WORD);

describe.each(typesWithFixtures)("%s", (_name, type, { options = {}, requests }) => {
  const sent = Object.entries(requests).filter(([name]) => name !== "malformed");

  test.each(sent)("in the request %s, no unknown value is ignored in silence", (_case, request) => {
    const whole = readSent(request as Sent);
    const changed = [
      ...[...replaced(whole.body)].map((body) => ({ ...whole, body })),
      ...[...replaced(whole.query)].map((query) => ({ ...whole, query: query as object })),
      ...[...replaced(whole.headers)].map((headers) => ({ ...whole, headers: headers as object })),
    ];
    for (const one of changed) {
      const events = type.translate(one as typeof whole, options);
      expect(events.filter(isSilent)).toEqual([]);
    }
  });
});

/** What a type makes of its sender's request with this word as its state. */
const outcomeOf = (name: string, body: unknown, headers?: Record<string, string>) =>
  integrationTypeNamed(name)?.translate(inbound(body, headers), {})[0];

test.each([
  ["Fehler", "create", "44"],
  ["Fehler (Bestätigt)", "acknowledge", "44"],
  ["Fehler beendet (jetzt: OK)", "resolve", "44"],
  ["Fehler beendet (jetzt: Pausiert)", "ignored", undefined],
  ["Warnung", "create", "44 warning"],
  ["Warnung beendet (jetzt: OK)", "resolve", "44 warning"],
  ["Erreur", "create", "44"],
  ["Erreur (confirmé)", "acknowledge", "44"],
  ["Erreur terminé (maintenant : OK)", "resolve", "44"],
  ["Caído", "create", "44"],
  ["Caído (Confirmado)", "acknowledge", "44"],
  ["Storing", "create", "44"],
  ["Down (Partial)", "create", "44"],
  ["ダウン", "create", "44"],
  ["ダウン 終了 (現在: アップ)", "ignored", undefined],
])("PRTG's status %s gives %s", (status, kind, thirdpartyId) => {
  const event = outcomeOf("prtg", { sensorid: "44", sensor: "Ping", status });
  expect(event).toMatchObject({ kind, ...(thirdpartyId && { thirdpartyId }) });
});

test("a sender's end with a successor in an unknown language is a warning", () => {
  const status = "ダウン 終了 (現在: アップ)";
  expect(outcomeOf("prtg", { sensorid: "44", status })).toMatchObject({ isUnknown: true });
});

test.each([
  ["site24x7", { STATUS: WORD, MONITORNAME: "Shop", MONITOR_ID: "1" }],
  ["victorops", { message_type: WORD, entity_id: "db1" }],
  ["datadog", { ALERT_TRANSITION: WORD, ALERT_ID: "1" }],
  ["nagios", { NOTIFICATIONTYPE: WORD, HOSTNAME: "db1" }],
  ["zabbix", { event_value: WORD, trigger_id: "1", title: "Disk full" }],
  ["uptimerobot", { alertTypeFriendlyName: "Abajo", monitorID: "1" }],
  ["prometheus", { status: WORD, groupKey: "g", alerts: [{ labels: { alertname: "Disk" } }] }],
])("%s reports only troubles: an unknown state opens an alert", (name, body) => {
  expect(outcomeOf(name, body)).toMatchObject({ kind: "create" });
});

test.each([
  ["jira", { webhookEvent: WORD }],
  ["servicenow", { state: WORD, sys_id: "1" }],
  ["zendesk", { event_type: WORD, id: "1" }],
  ["freshdesk", { freshdesk_webhook: { ticket_status: WORD } }],
  ["gitlab", { object_kind: WORD }],
  ["honeybadger", { event: WORD }],
  ["rollbar", { event_name: WORD }],
])("%s also reports other things: an unknown state is a warning", (name, body) => {
  expect(outcomeOf(name, body)).toMatchObject({ kind: "ignored", isUnknown: true });
});
