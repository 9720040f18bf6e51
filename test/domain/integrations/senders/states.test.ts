// What a sender's states mean. One that a type does not know never ends in silence: it opens an alert, is logged as a
// warning, or is refused. An assignment acknowledges only where a human being assigned it to a human being: rules assign
// what they create, and an acknowledgement ends the escalation.
import { describe, expect, test } from "vitest";
import type { InboundEvent } from "../../../../src/products/integration-type.ts";
import { integrationTypeNamed } from "../../../../src/products/registry.ts";
import {
  readSent,
  type Sent,
  typesWithFixtures,
  variants,
} from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

const WORD = "zustandslos";

const isSilent = (event: InboundEvent) =>
  event.kind === "ignored" && event.isUnknown === undefined && event.reason.includes(WORD);

describe.each(typesWithFixtures)("%s", (_name, type, { options = {}, requests }) => {
  const sent = Object.entries(requests).filter(([name]) => name !== "malformed");

  test.each(sent)("in the request %s, no unknown value is ignored in silence", (_case, request) => {
    const whole = readSent(request as Sent);
    const changed = [
      ...[...variants(whole.body, () => WORD)].map((body) => ({ ...whole, body })),
      ...[...variants(whole.query, () => WORD)].map((query) => ({
        ...whole,
        query: query as object,
      })),
      ...[...variants(whole.headers, () => WORD)].map((headers) => ({
        ...whole,
        headers: headers as object,
      })),
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

const ASSIGNMENTS = [
  "assigned",
  "assign",
  "issue.assigned",
  "Assigned",
  "reassigned",
  "owner_changed",
];

const acknowledging = typesWithFixtures.filter(([, type]) => type.supports.acknowledge);

describe.each(acknowledging)("%s", (_name, type, { options = {}, requests }) => {
  // Its own acknowledgement stays one, whatever is in its other fields.
  const sent = Object.entries(requests).filter(
    ([name, one]) =>
      name !== "malformed" &&
      type.translate(readSent(one as Sent), options).every((event) => event.kind !== "acknowledge"),
  );

  test.each(sent)("no word for an assignment acknowledges in the request %s", (_case, request) => {
    const whole = readSent(request as Sent);
    for (const word of ASSIGNMENTS) {
      for (const body of variants(whole.body, () => word)) {
        const kinds = type.translate({ ...whole, body }, options).map((event) => event.kind);
        expect(kinds).not.toContain("acknowledge");
      }
    }
  });
});

const answerTo = (name: string, body: unknown, headers: Record<string, string> = {}) =>
  integrationTypeNamed(name)?.translate(
    inbound(body, { "content-type": "application/json", ...headers }),
    {},
  )[0]?.kind;

const [human, machine] = [
  { type: "user", id: "2", name: "Ben" },
  { type: "application", id: "sentry", name: "Sentry" },
];
const [person, team] = [
  { type: "user", id: "1", name: "Ann" },
  { type: "team", id: "7", name: "web" },
];

test.each([
  ["by a user to a user", human, person, "acknowledge"],
  ["by a user to a team", human, team, "ignored"],
  ["by a rule to a user", machine, person, "ignored"],
  ["by a rule to a team", machine, team, "ignored"],
  ["by nobody known", undefined, person, "ignored"],
  ["to nobody known", human, undefined, "ignored"],
])("Sentry: an issue assigned %s gives %4$s", (_how, actor, assignedTo, kind) => {
  const issue = { id: "1", title: "ReferenceError", assignedTo };
  const headers = { "sentry-hook-resource": "issue" };
  expect(answerTo("sentry", { action: "assigned", actor, data: { issue } }, headers)).toBe(kind);
});

test.each([
  ["zendesk", (assignee_name?: string) => ({ event_type: "acknowledge", id: "1", assignee_name })],
  ["servicenow", (assigned_to?: string) => ({ state: "In Progress", sys_id: "1", assigned_to })],
  [
    "freshdesk",
    (ticket_agent_name?: string) => ({
      freshdesk_webhook: { ticket_status: "Pending", ticket_id: 1, ticket_agent_name },
    }),
  ],
])("%s: a ticket whose assignee is empty is not acknowledged", (name, ticket) => {
  expect(answerTo(name, ticket("Ann"))).toBe("acknowledge");
  expect(answerTo(name, ticket())).toBe("acknowledge");
  expect(answerTo(name, ticket(""))).toBe("ignored");
});
