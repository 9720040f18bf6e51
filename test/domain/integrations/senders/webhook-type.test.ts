import { describe, expect, test } from "vitest";
import { webhook } from "../../../../src/products/general/webhook.ts";
import type { CreateEvent, InboundEvent } from "../../../../src/products/integration-type.ts";
import { inbound } from "../../../support/worker/fixtures.ts";

const CAPTURE = { capture_additional_data: true };

function only(events: readonly InboundEvent[]): InboundEvent {
  expect(events).toHaveLength(1);
  return events[0] as InboundEvent;
}

function translated(body: unknown, options = {}): InboundEvent {
  return only(webhook.translate(inbound(body), options));
}

function created(fields: object, options = {}): CreateEvent {
  const event = translated({ event_type: "create", title: "Disk full", ...fields }, options);
  expect(event.kind).toBe("create");
  return event as CreateEvent;
}

describe("the event type", () => {
  const words: [string, string][] = [
    ["create", "create"],
    [" CREATE ", "create"],
    ["trigger", "create"],
    ["acknowledge", "acknowledge"],
    ["Acknowledged", "acknowledge"],
    ["resolve", "resolve"],
    ["resolved\n", "resolve"],
  ];
  test.each(words)("%j is %s", (word, kind) => {
    expect(translated({ event_type: word, Id: "1", Title: "Disk full" }).kind).toBe(kind);
  });

  const unknown = ["delete", "", null, 7, {}, ["create", "resolve"], "constructor", "__proto__"];
  test.each(unknown)("%j is invalid, with an error of the field", (word) => {
    expect(translated({ event_type: word, title: "Disk full" })).toMatchObject({
      kind: "invalid",
      errors: [{ field: "event_type" }],
    });
  });

  test("is invalid for an unparseable body, with an error of the body", () => {
    expect(translated("event_type: create")).toMatchObject({
      kind: "invalid",
      errors: [{ message: "the body is neither JSON nor form-encoded" }, { field: "event_type" }],
    });
  });

  test.each([[[]], [[{ event_type: "create" }]], ["null"], ["3"]])(
    "is invalid for a body that is not an object: %j",
    (body) => {
      expect(translated(body).kind).toBe("invalid");
    },
  );
});

describe("the identifier", () => {
  const identifiers: [object, string | null][] = [
    [{ Id: "a" }, "a"],
    [{ ID: "a" }, "a"],
    [{ id: 7 }, "7"],
    [{ id: 0 }, "0"],
    [{ id: " a " }, "a"],
    [{ incident_key: "k" }, "k"],
    [{ id: "a", incident_key: "k" }, "a"],
    [{ id: "", incident_key: "k" }, "k"],
    [{}, null],
    [{ id: null }, null],
    [{ id: " " }, null],
    [{ id: true }, null],
    [{ id: {} }, null],
    [{ id: { host: "a", port: 1 } }, '{"host":"a","port":1}'],
  ];
  test.each(identifiers)("of %j is %j", (fields, thirdpartyId) => {
    expect(created(fields).thirdpartyId).toBe(thirdpartyId);
    expect(translated({ event_type: "resolve", ...fields })).toEqual({
      kind: "resolve",
      thirdpartyId,
      dedupKeys: [],
    });
  });

  test("preserves integers beyond the safe range", () => {
    const [one, other] = ["9007199254740993", "9007199254740992"].map((id) =>
      translated(`{"event_type":"create","title":"Disk full","id":${id}}`),
    );
    expect(one).toMatchObject({ thirdpartyId: "9007199254740993" });
    expect(other).toMatchObject({ thirdpartyId: "9007199254740992" });
  });

  test("is bounded if long, equally for every event, and differs if only the end differs", () => {
    const long = "é".repeat(1_500);
    const { thirdpartyId } = created({ id: `${long}1` });
    expect(thirdpartyId).toHaveLength(1_000);
    expect(thirdpartyId?.startsWith("é".repeat(900))).toBe(true);
    expect(translated({ event_type: "resolve", id: `${long}1` })).toMatchObject({ thirdpartyId });
    expect(created({ id: `${long}2` }).thirdpartyId).not.toBe(thirdpartyId);
    expect(created({ id: "x".repeat(1_000) }).thirdpartyId).toBe("x".repeat(1_000));
  });

  test("has characters that a database cannot store as JSON escapes", () => {
    expect(created({ id: "a\0b\ud800c" }).thirdpartyId).toBe("a\\u0000b\\ud800c");
  });

  test("dedup_keys are one value or a list, as strings without duplicates", () => {
    expect(created({ dedup_keys: "k" }).dedupKeys).toEqual(["k"]);
    expect(created({ Dedup_keys: [1, "a", "", null, "a", 1] }).dedupKeys).toEqual(["1", "a"]);
    expect(translated({ event_type: "acknowledge", dedup_keys: ["a"] })).toEqual({
      kind: "acknowledge",
      thirdpartyId: null,
      dedupKeys: ["a"],
    });
  });
});

describe("title and description", () => {
  test.each([{}, { title: null }, { title: "  " }, { Title: "" }, { title: [] }])(
    "a create with %j is invalid without a title",
    (fields) => {
      expect(translated({ event_type: "create", ...fields })).toEqual({
        kind: "invalid",
        errors: [{ message: "title can't be blank", field: "title" }],
      });
    },
  );

  test("are trimmed, and the description is optional", () => {
    expect(created({ title: " Disk full\n", description: " /var \n" })).toMatchObject({
      title: "Disk full",
      description: "/var",
    });
    expect(created({}).description).toBeNull();
    expect(created({ description: null }).description).toBeNull();
  });

  test("are converted to strings, so that no page is lost", () => {
    const event = created({ title: 503, description: { host: "a" } });
    expect(event).toMatchObject({ title: "503", description: '{"host":"a"}' });
  });

  test("a title over 1,024 characters is truncated, and complete before the description", () => {
    const fits = "x".repeat(1_024);
    expect(created({ title: fits, description: "d" })).toMatchObject({
      title: fits,
      description: "d",
    });
    const long = `${fits}y`;
    expect(created({ title: long, description: "d" })).toMatchObject({
      title: `${"x".repeat(1_023)}…`,
      description: `${long}\n\nd`,
    });
    expect(created({ title: long }).description).toBe(long);
  });

  test("truncation does not split a surrogate pair", () => {
    const { title } = created({ title: `${"x".repeat(1_022)}${"🔥".repeat(9)}` });
    expect(title).toBe(`${"x".repeat(1_022)}…`);
  });

  test("a description is truncated to 65,536 characters", () => {
    const { description } = created({ description: "d".repeat(70_000) });
    expect(description).toBe(`${"d".repeat(65_535)}…`);
  });
});

describe("urgency and tags", () => {
  const urgencies: [unknown, string | null][] = [
    ["critical", "critical"],
    [" HIGH ", "high"],
    ["silent", "silent"],
    ["P1 - Critical", "critical"],
    ["Highly important", "high"],
    ["Highest", "critical"],
    ["warning", "medium"],
    ["slow", null],
    ["silently high", "high"],
    ["whatever", null],
    ["toString", null],
    [3, null],
    [null, null],
    [["low"], "low"],
  ];
  test.each(urgencies)("urgency %j is %j", (urgency, expected) => {
    expect(created({ urgency }).urgency).toBe(expected);
  });

  const tags: [unknown, string[]][] = [
    [
      ["a", "b c", "a", "", null],
      ["a", "b c"],
    ],
    [["a,b"], ["a,b"]],
    ["web", ["web"]],
    ["web, prod env,,", ["web", "prod env"]],
    ["web  prod", ["web", "prod"]],
    [7, ["7"]],
    [null, []],
    ["", []],
    [["x".repeat(300)], [`${"x".repeat(254)}…`]],
  ];
  test.each(tags)("tags %j are %j", (sent, expected) => {
    expect(created({ Tags: sent }).tags).toEqual(expected);
  });

  test("tags are limited to 100", () => {
    const many = Array.from({ length: 150 }, (_, index) => `t${index}`);
    expect(created({ tags: many }).tags).toEqual(many.slice(0, 100));
  });
});

describe("meta and the incident flags", () => {
  const flags: [object, boolean, string | null][] = [
    [{ incident: true, incident_severity: " sev-2 " }, true, "SEV-2"],
    [{ incident: "true", incident_severity: "SEV_1" }, true, "SEV-1"],
    [{ incident: 1, incident_severity: 3 }, true, "SEV-3"],
    [{ incident: true }, true, "SEV-UNKNOWN"],
    [{ incident: true, incident_severity: "sev-9" }, true, "SEV-UNKNOWN"],
    [{ incident: "false", incident_severity: "SEV-4" }, false, "SEV-4"],
    [{ incident: false, incident_severity: null, incident_message: null }, false, null],
    [{ incident: "no" }, false, null],
    [{}, false, null],
  ];
  test.each(flags)("meta %j sets the flags", (meta, incident, incidentSeverity) => {
    expect(created({ Meta: meta })).toMatchObject({ incident, incidentSeverity });
  });

  test("the rest of meta is stored without the flags", () => {
    const meta = { incident: true, incident_message: "All down", Host: "a", nested: { b: [1] } };
    expect(created({ meta })).toMatchObject({
      incidentMessage: "All down",
      meta: { Host: "a", nested: { b: [1] } },
    });
    expect(Object.keys(created({ meta }).meta)).toEqual(["Host", "nested"]);
  });

  test.each(["text", 3, [1], null])("meta %j is treated as empty", (meta) => {
    expect(created({ meta }).meta).toEqual({});
  });

  test("a very large meta is truncated, not refused", () => {
    const { meta } = created({ meta: { a: "x".repeat(200_000), b: "kept" } });
    expect(meta).toMatchObject({ a: expect.stringContaining("[cut: 200000 characters]") });
    expect(meta).toMatchObject({ b: "kept" });
  });
});

describe("additional data", () => {
  const fields = { id: 1, Host: "db1", load: 3.5, checks: ["a"], api_token: "s3cret", none: null };

  test("is empty unless the integration captures it", () => {
    expect(created(fields).additionalData).toEqual([]);
    expect(created(fields, { capture_additional_data: "yes" }).additionalData).toEqual([]);
  });

  test("has every other field, except secrets", () => {
    expect(created(fields, CAPTURE).additionalData).toEqual([
      { format: "text", label: "host", value: "db1" },
      { format: "text", label: "load", value: "3.5" },
      { format: "text", label: "checks", value: '["a"]' },
    ]);
  });
});

describe("other forms of a request", () => {
  test("a query only", () => {
    const url =
      "https://tocsin.example.org/integration/x/g?event_type=create&Title=Down&id=7&tags=a&tags=b";
    expect(only(webhook.translate(inbound("", {}, url), {}))).toMatchObject({
      kind: "create",
      title: "Down",
      thirdpartyId: "7",
      tags: ["a", "b"],
    });
  });

  test("a body takes precedence over the query, in any case of the keys, except for null", () => {
    const url = "https://tocsin.example.org/integration/x?id=1&title=Query&urgency=low";
    const body = { event_type: "create", Id: 2, TITLE: "Body", urgency: null };
    expect(only(webhook.translate(inbound(body, {}, url), {}))).toMatchObject({
      thirdpartyId: "2",
      title: "Body",
      urgency: "low",
    });
  });

  test("a form", () => {
    const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
    const body = "event_type=create&Title=Disk+full&Tags[]=a&Tags[]=b&Meta[incident]=true";
    expect(only(webhook.translate(inbound(body, form), {}))).toMatchObject({
      title: "Disk full",
      tags: ["a", "b"],
      incident: true,
      incidentSeverity: "SEV-UNKNOWN",
    });
  });

  test("JSON with another content type", () => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "application/octet-stream"];
    for (const type of types) {
      const body = '\ufeff {"event_type":"resolve","Id":1}';
      const request = inbound(body, { "content-type": type });
      expect(only(webhook.translate(request, {}))).toMatchObject({ kind: "resolve" });
    }
  });
});
