// The payloads in `fixtures/prometheus` were sent by Prometheus Alertmanager 0.25.0 (Debian 0.25.0-1+b4), headers
// and bodies untouched: alerts fired and ended with amtool, two routes, one of them with max_alerts: 2.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CreateEvent, InboundEvent } from "../../../../src/products/integration-type.ts";
import { prometheus } from "../../../../src/products/metrics/prometheus.ts";
import { sized } from "../../../support/generated/sizes.ts";
import { fixture, inbound } from "../../../support/worker/fixtures.ts";

function only(events: readonly InboundEvent[]): InboundEvent {
  expect(events).toHaveLength(1);
  return events[0] as InboundEvent;
}

const sent = (name: string) => only(prometheus.translate(fixture(`prometheus/${name}`), {}));
const translated = (body: unknown) => only(prometheus.translate(inbound(body), {}));

function created(group: object): CreateEvent {
  const event = translated({ status: "firing", groupKey: "{}:{}", ...group });
  expect(event.kind).toBe("create");
  return event as CreateEvent;
}

const WEST = '{}:{alertname="DiskAlmostFull", cluster="west"}';
const DB1 = "instance=db1:9100, severity=warning";
const EAST = '{}:{alertname="InstanceDown", cluster="east"}';

describe("a request of Alertmanager", () => {
  test("creates an alert for one firing alert", () => {
    expect(sent("firing")).toEqual({
      kind: "create",
      thirdpartyId: WEST,
      title: "DiskAlmostFull: Disk of db1 is 91% full",
      description: "Disk of db1 is 91% full\n\nFilesystem /var on db1 has 9% left.",
      urgency: "medium",
      tags: ["cluster:west", "instance:db1:9100", "severity:warning"],
      meta: {},
      incident: false,
      incidentSeverity: null,
      incidentMessage: null,
      dedupKeys: [],
      additionalData: [
        { format: "link", label: "externalURL", value: "http://vm:9102" },
        {
          format: "link",
          label: "generatorURL",
          value: "http://prometheus.example.org/graph?g0.expr=disk",
        },
        { format: "link", label: "runbook_url", value: "https://runbooks.example.org/disk" },
        { format: "text", label: "receiver", value: "tocsin" },
        { format: "text", label: "alertname", value: "DiskAlmostFull" },
        { format: "text", label: "cluster", value: "west" },
        { format: "text", label: "instance", value: "db1:9100" },
        { format: "text", label: "severity", value: "warning" },
      ],
      members: { names: [DB1], from: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
  });

  test("resolves by the same groupKey", () => {
    const identified = { kind: "resolve", thirdpartyId: WEST, dedupKeys: [] };
    expect(sent("resolved")).toEqual({ ...identified, ended: [DB1] });
  });

  test("with two alerts of a group creates one alert that describes both", () => {
    expect(sent("firing-group")).toMatchObject({
      kind: "create",
      thirdpartyId: EAST,
      title: "InstanceDown",
      description: "web1 is down\nweb2 is down",
      urgency: "critical",
      tags: ["cluster:east", "severity:critical"],
    });
  });

  test("that repeats an earlier one gives the same event", () => {
    expect(sent("firing-group-again")).toEqual(sent("firing-group"));
  });

  test("does not resolve a group of which an alert still fires", () => {
    expect(sent("firing-group-partly-resolved")).toMatchObject({
      kind: "create",
      thirdpartyId: EAST,
      description: "web2 is down",
    });
    expect(sent("resolved-group")).toMatchObject({ kind: "resolve", thirdpartyId: EAST });
  });

  test("for several alert names gives the first, the number of others and the worst severity", () => {
    expect(sent("firing-truncated")).toMatchObject({
      kind: "create",
      thirdpartyId: '{}/{team="storage"}:{team="storage"}',
      title: "PoolDegraded and 2 more",
      description: "Pool tank is degraded\nScrub is late\n… and 1 more",
      urgency: "high",
      tags: ["instance:nas1", "team:storage"],
    });
  });

  test("does not resolve a group of which max_alerts omitted alerts, as one may still fire", () => {
    expect(sent("resolved-truncated")).toMatchObject({ kind: "ignored" });
  });
});

describe("the title", () => {
  const labels = { alertname: "HighLatency" };
  const titles: [object, string][] = [
    [{ summary: "p99 above 2 s on checkout" }, "HighLatency: p99 above 2 s on checkout"],
    [{ summary: "highlatency on checkout" }, "highlatency on checkout"],
    [{ summary: "" }, "HighLatency"],
    [{ summary: "One line\nand another" }, "HighLatency"],
    [{ summary: "long ".repeat(50) }, "HighLatency"],
    [{ description: "p99 above 2 s" }, "HighLatency"],
    [{}, "HighLatency"],
  ];
  test.each(titles)("with the common annotations %j", (commonAnnotations, title) => {
    const { thirdpartyId, ...event } = created({ commonLabels: labels, commonAnnotations });
    expect(event.title).toBe(title);
    expect(thirdpartyId).toBe("{}:{}");
  });

  test("of alerts with summaries of their own is their name", () => {
    const alerts = ["a", "b"].map((summary) => ({
      status: "firing",
      labels,
      annotations: { summary },
    }));
    expect(created({ commonLabels: labels, alerts }).title).toBe("HighLatency");
  });
});

describe("severity", () => {
  const severities: [unknown, string | null][] = [
    ["critical", "critical"],
    ["high", "high"],
    ["medium", "medium"],
    ["low", "low"],
    ["silent", "silent"],
    ["page", "critical"],
    ["error", "high"],
    ["Warning", "medium"],
    ["info", "low"],
    ["none", null],
    ["not critical", null],
    ["", null],
    [null, null],
  ];
  test.each(severities)("%j is %j", (severity, urgency) => {
    expect(created({ commonLabels: { alertname: "A", severity } }).urgency).toBe(urgency);
  });
});

describe("unusual payloads", () => {
  const alert = {
    status: "firing",
    labels: { alertname: "HostDown", instance: "a", severity: "page" },
    annotations: { description: "a does not answer" },
    fingerprint: "f00d",
    generatorURL: "javascript:alert(1)",
  };

  test("without common labels and annotations use those of the first alert", () => {
    expect(translated({ status: "firing", alerts: [alert] })).toMatchObject({
      kind: "create",
      thirdpartyId: "f00d",
      title: "HostDown",
      description: "a does not answer",
      urgency: "critical",
      tags: ["instance:a", "severity:page"],
    });
  });

  test("have an unsafe link as text", () => {
    const { additionalData } = created({ alerts: [alert] });
    const link = additionalData.find(({ label }) => label === "generatorURL");
    expect(link).toEqual({ format: "text", label: "generatorURL", value: "javascript:alert(1)" });
  });

  test("without alerts use the receiver's name", () => {
    expect(created({ receiver: "night" }).title).toBe("Prometheus night firing");
    expect(created({ alerts: [] })).toMatchObject({
      title: "Prometheus alert firing",
      description: null,
      urgency: null,
      tags: [],
    });
  });

  test("without annotations list the labels that differ", () => {
    const alerts = ["a", "b"].map((instance) => ({
      labels: { alertname: "HostDown", instance },
    }));
    const { description } = created({ commonLabels: { alertname: "HostDown" }, alerts });
    expect(description).toBe("instance=a\ninstance=b");
  });

  test("give at most twenty lines of description", () => {
    const alerts = Array.from({ length: 25 }, (_, index) => ({
      annotations: { summary: `host ${index} is down` },
    }));
    const lines = created({ alerts }).description?.split("\n");
    expect(lines).toHaveLength(21);
    expect(lines?.at(-1)).toBe("… and 5 more");
  });

  test("without a status use those of their alerts", () => {
    const ended = { ...alert, status: "resolved" };
    expect(translated({ groupKey: "g", alerts: [ended, alert] })).toMatchObject({ kind: "create" });
    expect(translated({ groupKey: "g", alerts: [ended, ended] })).toMatchObject({
      kind: "resolve",
      thirdpartyId: "g",
    });
  });

  test("with a numeric groupKey, as of old versions, preserve every digit", () => {
    const event = translated('{"status":"resolved","groupKey":16195843421458712361}');
    expect(event).toMatchObject({ thirdpartyId: "16195843421458712361" });
  });

  test("with long groupKeys that differ only at the end have different ids", () => {
    const group = (pod: string) => ({ groupKey: `{}:{${"label, ".repeat(200)}pod="${pod}"}` });
    expect(created(group("a")).thirdpartyId).not.toBe(created(group("b")).thirdpartyId);
  });

  test.each([{}, [], "firing", { status: "pending" }, { status: null, alerts: [] }, { alerts: 3 }])(
    "%j does not throw",
    (body) => {
      const event = translated(JSON.stringify(body));
      const hasAlerts = "alerts" in Object(body) && Object(body).alerts === 3;
      expect(event.kind).toBe(hasAlerts ? "create" : "invalid");
    },
  );
});

describe("any payload", () => {
  const value = fc.jsonValue();
  const alert = fc.record(
    { status: value, labels: value, annotations: value, fingerprint: value },
    { requiredKeys: [] },
  );
  const group = fc.record(
    {
      status: fc.constantFrom("firing", "resolved", "Firing", null),
      groupKey: value,
      receiver: value,
      alerts: fc.oneof(fc.array(alert), value),
      commonLabels: fc.oneof(value, fc.dictionary(fc.string(), value)),
      commonAnnotations: value,
      truncatedAlerts: value,
    },
    { requiredKeys: [] },
  );

  test("is translated without throwing, and every create has a title", () => {
    fc.assert(
      fc.property(fc.oneof(group, value), (body) => {
        for (const event of prometheus.translate(inbound(JSON.stringify(body)), {})) {
          if (event.kind === "create") expect(event.title.trim()).not.toBe("");
        }
      }),
      { numRuns: sized(1_000, 20_000) },
    );
  });
});
