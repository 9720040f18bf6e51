// Every field that a sender sends is shown in its alert, known ones under their names: in the title, the description,
// the tags, the identifier or the additional data. A type names what it deliberately leaves out.
import { describe, expect, test } from "vitest";
import { isJsonObject } from "../../../../src/domain/shared/json.ts";
import type { CreateEvent } from "../../../../src/products/integration-type.ts";
import { remainingData } from "../../../../src/products/reading/additional-data.ts";
import { parseJsonObject } from "../../../../src/products/reading/inbound.ts";
import { fieldsOf, textOf } from "../../../../src/products/reading/payload.ts";
import { isSecretName } from "../../../../src/products/reading/redact.ts";
import { integrationTypeNamed } from "../../../../src/products/registry.ts";
import { readSent, typesWithFixtures } from "../../../support/integrations/sender-fixtures.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

/** Contract 7: other data only with the option; and a message's own fields, which are not a payload. */
const WITHOUT_REST = ["webhook", "custom_webhook", "email"];
/** A group of alerts has a format of its own (prometheus-type.test.ts). */
const GROUPS = ["prometheus", "grafana"];
/** What wraps the payload: an SNS delivery, a form with JSON. */
const WRAPPERS = ["Message", "payload", "data"];

type Leaf = { readonly path: string; readonly text: string };

/** The scalars of a payload by their paths; entries of lists have the path of their list. */
function leavesOf(value: unknown, path = ""): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, path));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      isSecretName(key) ? [] : leavesOf(inner, path === "" ? key : `${path}.${key}`),
    );
  }
  const text = textOf(value);
  return text === null ? [] : [{ path, text }];
}

/** The payload without what wraps it. */
function unwrapped(fields: Readonly<Record<string, unknown>>) {
  const inner = WRAPPERS.map((name) => parseJsonObject(fields[name])).find((it) => it !== null);
  return inner ?? fields;
}

const creates = typesWithFixtures
  .filter(([name]) => !WITHOUT_REST.includes(name) && !GROUPS.includes(name))
  .flatMap(([name, type, { options = {}, requests }]) =>
    Object.entries(requests).flatMap(([about, sent]) => {
      const request = readSent(sent);
      const [event] = type.translate(request, options);
      const isOne = event?.kind === "create" && !Array.isArray(request.body);
      return isOne ? [[name, about, type, request, event] as const] : [];
    }),
  );

/** Whether an alert shows a field: its value in a text, or beside its name. */
function isShown({ path, text }: Leaf, event: CreateEvent): boolean {
  const { title, description, thirdpartyId, tags, dedupKeys, additionalData } = event;
  const texts = [title, description, thirdpartyId, ...tags, ...dedupKeys].map((it) => it ?? "");
  const values = additionalData.map((one) => one.value);
  // Lines of a text are indented.
  const plain = text.replaceAll(/\s+/g, " ");
  return (
    [...texts, ...values].some((it) => it.replaceAll(/\s+/g, " ").includes(plain)) ||
    text.split(/[,\s]+/).every((part) => texts.includes(part)) ||
    additionalData.some(({ label, value }) => path.endsWith(label) && value === text)
  );
}

describe("every type", () => {
  test.each(creates)(
    "%s shows every field of its request %s",
    (_name, _about, type, request, event) => {
      const leaves = leavesOf(unwrapped(fieldsOf(request)));
      const missing = leaves.filter(
        (leaf) => !type.leavesOut?.test(leaf.path) && !isShown(leaf, event),
      );
      expect(missing).toEqual([]);
    },
  );

  test.each(typesWithFixtures)(
    "%s leaves nothing out that none of its requests has",
    (_name, type) => {
      const { leavesOut } = type;
      if (leavesOut === undefined) return;
      // Neither the state nor the name of a trouble.
      for (const path of ["status", "state", "title", "message", "host", "severity"]) {
        expect(leavesOut.test(path)).toBe(false);
      }
    },
  );
});

const created = (name: string, body: unknown) => {
  const [event] = integrationTypeNamed(name)?.translate(inbound(body), {}) ?? [];
  return event as CreateEvent;
};

test("VictorOps: the host, the link and custom fields of Zabbix and Alertmanager are shown", () => {
  const { additionalData } = created("victorops", {
    message_type: "CRITICAL",
    entity_id: "8123",
    entity_display_name: "Disk full",
    hostname: "db1.example.org",
    event_info: "https://zabbix.example.org/tr_events.php?eventid=8123",
    Environment: "production",
    nested: { team: "web" },
  });
  expect(additionalData).toEqual(
    expect.arrayContaining([
      { format: "text", label: "hostname", value: "db1.example.org" },
      {
        format: "link",
        label: "event_info",
        value: "https://zabbix.example.org/tr_events.php?eventid=8123",
      },
      { format: "text", label: "Environment", value: "production" },
      { format: "text", label: "nested.team", value: "web" },
    ]),
  );
});

test("Alertmanager: every common annotation is shown", () => {
  const { additionalData } = created("prometheus", {
    status: "firing",
    groupKey: "g",
    commonLabels: { alertname: "Disk" },
    commonAnnotations: {
      summary: "Disk full",
      dashboard: "https://g.example.org/d/1",
      owner: "db",
    },
    alerts: [{ status: "firing", labels: { alertname: "Disk" } }],
  });
  expect(additionalData).toEqual(
    expect.arrayContaining([
      { format: "link", label: "dashboard", value: "https://g.example.org/d/1" },
      { format: "text", label: "owner", value: "db" },
    ]),
  );
});

describe("the remaining data", () => {
  const nothing = { texts: [], data: [] };
  const of = (payload: Record<string, unknown>) =>
    remainingData(payload, nothing).map(({ label, value }) => [label, value]);

  test("are labelled by their paths, the shallow ones first", () => {
    const payload = { a: { b: { c: { d: 1, e: { f: 2 } } } }, g: [1, 2], h: [{ i: 3 }], j: null };
    expect(of(payload)).toEqual([
      ["g", "1, 2"],
      ["h", "-\n  i: 3"],
      ["a.b.c.d", "1"],
      ["a.b.c.e", "f: 2"],
    ]);
  });

  test("have no secrets, neither by name nor as pairs", () => {
    const pairs = [
      { key: "API_TOKEN", value: "s3cret" },
      { name: "region", value: "eu" },
    ];
    const payload = { password: "s3cret", a: { apiKey: "s3cret", ok: { token: "s3cret" } }, pairs };
    expect(JSON.stringify(of(payload))).not.toContain("s3cret");
    expect(of(payload)).toEqual([["pairs", "-\n  name: region\n  value: eu"]]);
  });

  test("are at most a hundred, of any payload", () => {
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, { v: i }]));
    expect(of(wide).length).toBeLessThanOrEqual(100);
    expect(of({ list: Array.from({ length: 5_000 }, (_, i) => ({ i })) })).toHaveLength(1);
  });
});
