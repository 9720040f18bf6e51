// What the events of every type do to an alert that they have created: a higher urgency raises it, a
// further member is noticed, and an end of a part does not end the rest (contract 3, Matching of
// events).
import { describe, expect, test } from "vitest";
import type { Alert } from "../../../../src/domain/alerts/alert.ts";
import { memberNames } from "../../../../src/domain/alerts/members.ts";
import type {
  CreateEvent,
  InboundEvent,
  IntegrationType,
} from "../../../../src/products/integration-type.ts";
import { integrationTypeNamed } from "../../../../src/products/registry.ts";
import {
  readSent,
  type Sent,
  typesWithFixtures,
} from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";
import { draft, history, knowing, personAlone, team } from "../../alerts/alert-makers.ts";

const TEAM = team("t", ["ann", "bob"]);

/** An alert that receives events, in order. */
function receiver() {
  const it = history([TEAM]);
  it.facts = knowing([TEAM, personAlone("ann")]);
  let sequence = 0;
  const by = { accountUserId: null, name: "integration x", integrationId: "integration" };
  return {
    it,
    receive(event: InboundEvent, minute = 0) {
      if (event.kind === "create") {
        const { title, description, additionalData, members, thirdpartyId } = event;
        const said = { title, description, additionalData, members, thirdpartyId };
        const urgency = event.urgency ?? DEFAULT;
        sequence += 1;
        const made = draft([TEAM], { ...said, urgency });
        it.do({ type: "create", draft: made, sequences: [sequence] }, minute);
      }
      if (event.kind === "resolve") {
        const { thirdpartyId, ended: names } = event;
        it.do({ type: "resolve", by, ...(names && { ended: { thirdpartyId, names } }) }, minute);
      }
      return it.alert as Alert;
    },
  };
}

const WORDS = ["info", "low", "warning", "warn", "critical", "P1", "P4", "1", "2", "4", "5"];
const OTHERS = ["ok", "ALERT_DEGRADED", "Warn", "WARNING", "CRITICAL", "DISASTER", "Error"];

/** The same value with each of its texts and numbers replaced by each word, one at a time. */
function* mutantsOf(value: unknown): Generator<unknown> {
  if (typeof value === "string" || typeof value === "number") {
    for (const word of [...WORDS, ...OTHERS]) yield word;
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const mutant of mutantsOf(inner)) {
      if (!Array.isArray(value)) yield { ...value, [key]: mutant };
      else yield value.map((it, i) => (String(i) === key ? mutant : it));
    }
  }
}

/** The integration's urgency, for events without one. */
const DEFAULT = "high";
const RANKS = ["silent", "low", "medium", "high", "critical"];
const isCreate = (event: InboundEvent | undefined): event is CreateEvent =>
  event?.kind === "create";

/** Two events of one `Id`, the second more urgent; null if the type tells no such difference. */
function worsening(type: IntegrationType, fire: Sent, options: object) {
  const request = readSent(fire);
  const [fired] = type.translate(request, { ...options });
  if (!isCreate(fired)) return null;
  const bodies = [...mutantsOf(request.body)].map((body) => ({ ...request, body }));
  const events = bodies.map((it) => type.translate(it, { ...options })[0]).filter(isCreate);
  const same = [fired, ...events].filter(({ thirdpartyId }) => thirdpartyId === fired.thirdpartyId);
  const rankOf = (event: CreateEvent | undefined) => RANKS.indexOf(event?.urgency ?? DEFAULT);
  const ranked = same.filter(({ urgency }) => urgency !== "silent");
  ranked.sort((a, b) => rankOf(a) - rankOf(b));
  const [low, high] = [ranked[0], ranked.at(-1)];
  return low && high && rankOf(low) < rankOf(high) ? { low, high } : null;
}

const pairs = typesWithFixtures.flatMap(([name, type, { requests, options = {} }]) => {
  const pair = worsening(type, requests.fire, options);
  return pair === null ? [] : [[name, pair] as const];
});

test("many types tell urgencies under one Id", () => {
  expect(pairs.length).toBeGreaterThan(20);
});

test.each(pairs)("%s: an event that is more urgent raises an acknowledged alert", (_, pair) => {
  const { it, receive } = receiver();
  receive(pair.low);
  it.do({ type: "acknowledge", by: { accountUserId: "ann", name: "Ann" } }, 1);
  const before = it.pages.length;
  const urgency = pair.high.urgency ?? DEFAULT;
  expect(receive(pair.high, 2)).toMatchObject({ urgency, status: "open" });
  expect(it.pages.slice(before).map((page) => page.accountUserId)).toEqual(["ann"]);
  receive(pair.high, 3);
  expect(it.pages).toHaveLength(before + 1);
});

const ending = typesWithFixtures.filter(([, type]) => type.supports.resolve);

test.each(ending)("%s: the end of what it reported ends the alert", (_name, type, fixture) => {
  const { requests, options = {} } = fixture;
  const { receive } = receiver();
  for (const sent of [requests.fire, requests.duplicate, requests.resolve]) {
    for (const event of type.translate(readSent(sent as Sent), { ...options })) receive(event);
  }
  expect(receive({ kind: "ignored", reason: "" }).status).toBe("resolved");
});

// ── Types whose events speak of several things ──

const of = (name: string, body: unknown): InboundEvent => {
  const [event] = (integrationTypeNamed(name) as IntegrationType).translate(inbound(body), {});
  return event as InboundEvent;
};

const alertmanager = (instance: string, cluster: string, firing: string[], resolved: string[]) => {
  const alert = (status: string) => (name: string) => ({
    status,
    labels: { alertname: "Down", cluster, instance: name },
  });
  return {
    status: firing.length > 0 ? "firing" : "resolved",
    groupKey: '{}:{alertname="Down"}',
    groupLabels: { alertname: "Down" },
    commonLabels: { alertname: "Down" },
    externalURL: instance,
    alerts: [...firing.map(alert("firing")), ...resolved.map(alert("resolved"))],
  };
};

const kuma = (name: string, status: number) => ({
  heartbeat: { status, monitorID: 1 },
  monitor: { id: 1, name },
});
const sensor = (device: string, status: string) => ({
  ...{ sensorid: "2001", sensor: "Ping", device, status },
});
const problem = (event: string, value: string) => ({
  ...{ title: "Log", event_value: value, trigger_id: "16189", event_id: event, event_source: "0" },
});
const rule = (ruleName: string, state: string) => ({ ruleId: 1, ruleName, state });
const datadog = (scope: string, transition: string) => ({
  ...{ ALERT_CYCLE_KEY: "1", ALERT_SCOPE: scope, ALERT_TITLE: "x", ALERT_TRANSITION: transition },
});

/** Two things under one `Id`, and their ends. */
const SEVERAL: readonly (readonly [
  type: string,
  one: unknown,
  other: unknown,
  endOfOther: unknown,
  endOfOne: unknown,
])[] = [
  [
    "prometheus",
    alertmanager("prod", "prod", ["p1"], []),
    alertmanager("staging", "staging", ["s1"], []),
    alertmanager("staging", "staging", [], ["s1"]),
    alertmanager("prod", "prod", [], ["p1"]),
  ],
  [
    "grafana",
    alertmanager("prod", "prod", ["p1"], []),
    alertmanager("staging", "staging", ["s1"], []),
    alertmanager("staging", "staging", [], ["s1"]),
    alertmanager("prod", "prod", [], ["p1"]),
  ],
  ["grafana", rule("A", "alerting"), rule("B", "alerting"), rule("B", "ok"), rule("A", "ok")],
  ["zabbix", problem("501", "1"), problem("502", "1"), problem("501", "0"), problem("502", "0")],
  ["uptime_kuma", kuma("A", 0), kuma("B", 0), kuma("B", 1), kuma("A", 1)],
  ["prtg", sensor("a", "Down"), sensor("b", "Down"), sensor("b", "Up"), sensor("a", "Up")],
  [
    "datadog",
    datadog("host:a", "Triggered"),
    datadog("host:b", "Triggered"),
    datadog("host:b", "Recovered"),
    datadog("host:a", "Recovered"),
  ],
];

describe.each(SEVERAL)("%s: a second thing under one Id", (type, one, other, endOfOther, end) => {
  test("is news of an acknowledged alert; its end leaves the first open", () => {
    const { it, receive } = receiver();
    receive(of(type, one));
    it.do({ type: "acknowledge", by: { accountUserId: "ann", name: "Ann" } }, 1);
    const before = it.pages.length;
    expect(receive(of(type, other), 2).status).toBe("open");
    expect(it.pages.slice(before).map((page) => page.detail)).toEqual([
      expect.stringMatching(/^1 more: /),
    ]);
    receive(of(type, other), 3);
    expect(it.pages).toHaveLength(before + 1);
    const left = receive(of(type, endOfOther), 4);
    expect(left.status).toBe("open");
    expect(memberNames(left)).toHaveLength(1);
    expect(receive(of(type, end), 5).status).toBe("resolved");
  });
});

test("the replicas of one Alertmanager are not two senders", () => {
  const { it, receive } = receiver();
  receive(of("prometheus", alertmanager("http://a", "prod", ["p1", "p2"], [])));
  receive(of("prometheus", alertmanager("http://b", "prod", ["p1", "p2"], [])), 1);
  receive(of("prometheus", alertmanager("http://b", "prod", ["p1"], ["p2"])), 2);
  receive(of("prometheus", alertmanager("http://a", "prod", ["p1"], [])), 3);
  expect(it.log.map(({ message }) => message).filter((text) => / more: /.test(text))).toEqual([]);
  const end = alertmanager("http://a", "prod", [], ["p1"]);
  expect(receive(of("prometheus", end), 4).status).toBe("resolved");
});

test("a group that max_alerts cut short forgets nobody, and its log warns", () => {
  const { receive } = receiver();
  receive(of("prometheus", alertmanager("a", "prod", ["p1", "p2"], [])));
  const short = { ...alertmanager("a", "prod", ["p3"], []), truncatedAlerts: 1 };
  const event = of("prometheus", short);
  expect(event).toMatchObject({ kind: "create", warning: expect.stringMatching(/max_alerts/) });
  expect(memberNames(receive(event))).toHaveLength(3);
  const end = { ...alertmanager("a", "prod", [], ["p3"]), truncatedAlerts: 1 };
  expect(of("prometheus", end)).toMatchObject({ kind: "ignored", isWarning: true });
});
