// The conventions of contract 1 that all endpoints share: a test per rule.
import { beforeAll, describe, expect, test } from "vitest";
import { PREFIXES, prefixIdOf, type RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { routes } from "../../../src/routes.ts";
import { call } from "../../support/api/api.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
let world: Inhabited;
beforeAll(async () => {
  world = await makeInhabited("shapes");
});

/** Every route that returns the record of its path. */
const reads = routes.filter(
  ({ method, path, operation }) =>
    method === "GET" && path.endsWith("/:id") && operation !== "getIntegrationType",
);
const read = (operation: string, form: "id" | "prefixId" = "id") => {
  const { of } = sampleOf(operation);
  const route = reads.find((it) => it.operation === operation);
  const pair = world.ids[of as keyof Inhabited["ids"]];
  return world.api("GET", String(route?.path.replace(":id", pair[form])));
};
const named = reads.map((route) => [route.path, route.operation] as const);

describe("Identifier", () => {
  test.each(named)("%s takes either form and answers id", async (_, operation) => {
    const byId = await read(operation);
    expect(byId.body.id).toMatch(ULID);
    expect((await read(operation, "prefixId")).body).toEqual(byId.body);
  });
  test.each(named)("%s: prefix_id is a pure function of type and id", async (_, operation) => {
    const { of } = sampleOf(operation);
    const { body } = await read(operation);
    expect(body.prefix_id).toBe(prefixIdOf(of as RecordKind, body.id));
    expect(body.prefix_id).toMatch(/^[a-z]{3}_[A-Za-z0-9_-]{14}$/);
  });
  test("every *_ids field takes either form and answers ids", async () => {
    const { team, account_user } = world.ids;
    const { body } = await world.api("POST", "/broadcasts", {
      title: "x",
      destination_team_ids: [team.prefixId],
      destination_account_user_ids: [account_user.prefixId, account_user.id],
    });
    expect(body.destination_team_ids).toEqual([team.id]);
    expect(body.destination_account_user_ids).toEqual([account_user.id]);
    const { body: alert } = await world.api("POST", "/alerts", {
      title: "x",
      urgency: "silent",
      destination_team_ids: [team.prefixId],
    });
    expect(alert.destination_team_ids).toEqual([team.id]);
  });
  test("records created at the same time share no random bits", async () => {
    const make = () => world.api("POST", "/schedules", { name: "x" });
    const made = await Promise.all([make(), make(), make(), make()]);
    const tails = made.map(({ body }) => body.id.slice(10, 22));
    expect(new Set(tails).size).toBe(4);
  });
});

describe("Prefixes", () => {
  test.each([
    ["user", "usr"],
    ["account_user", "acu"],
    ["team", "tem"],
    ["schedule", "skd"],
    ["escalation_policy", "esp"],
    ["escalation_layer", "lay"],
    ["event", "evt"],
    ["absence", "abs"],
    ["alert", "alt"],
    ["alert_workflow", "wkf"],
    ["broadcast", "bro"],
    ["comment", "com"],
    ["integration", "int"],
    ["integration_type", "ity"],
    ["router", "rtr"],
    ["maintenance_window", "mwn"],
    ["company_holiday", "hol"],
    ["notification_rule", "nrl"],
    ["log", "log"],
    ["notification", "ntf"],
    ["api_key", "api"],
    ["email", "eml"],
    ["phone", "pho"],
  ] as const)("%s: %s", (kind, prefix) => {
    expect(PREFIXES[kind]).toBe(prefix);
    expect(world.ids[kind].prefixId.slice(0, 4)).toBe(`${prefix}_`);
  });
});

describe("Common attributes", () => {
  test.each(named)("%s", async (_, operation) => {
    const { body } = await read(operation);
    expect(body).toMatchObject({
      account_id: world.accountId,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      meta: expect.any(Object),
    });
  });
});

describe("Echo", () => {
  const creates = routes.filter(
    ({ method, operation }) => method === "POST" && /^create[A-Z]/.test(operation),
  );
  // Parameters that the record does not return under their name: it shows what they create, they are secret, or only
  // browsers send them.
  const notEchoed = [
    "user_attributes",
    "roles",
    "default_receiver_team_id",
    "keys",
    "expirationTime",
    "ical",
  ];
  test.each(creates.map((route) => [`POST ${route.path}`, route] as const))(
    "%s",
    async (_, route) => {
      const { of, body } = sampleOf(route.operation);
      const path = route.path.replace(":id", of ? world.ids[of].id : "");
      const sent = body?.(world) ?? {};
      const reply = await world.api("POST", path, sent);
      expect(reply.status, reply.text).toBe(201);
      for (const [name, value] of Object.entries(sent)) {
        if (notEchoed.includes(name) || name.endsWith("_attributes")) continue;
        expect(reply.body, name).toHaveProperty(name);
        if (name === "integration_type_id") continue;
        const shown = reply.body[name];
        const isTime = /_datetime$/.test(name);
        expect(isTime ? Date.parse(shown) : shown, name).toEqual(
          isTime ? Date.parse(value as string) : value,
        );
      }
    },
  );
  test("a secret option reads back as ***, and sending that back changes nothing", async () => {
    const path = `/integrations/${world.ids.integration.id}`;
    const { body } = await world.api("GET", path);
    expect(body.options.token).toBe("***");
    const sent = await world.api("PUT", path, { option_token: "***" });
    expect(sent.body.options.token).toBe("***");
    const event = { event_type: "create", Id: "echo", Title: "x" };
    const receiver = `/integration/${world.ids.integration.id}`;
    const headers = { "service-token": "shapes token" };
    expect((await call("POST", receiver, { body: event })).status).toBe(401);
    expect((await call("POST", receiver, { body: event, headers })).status).toBe(200);
  });
});

describe("Single record", () => {
  test("the bare object: create 201, read, update and action 200, delete 204 with no body", async () => {
    const { api } = world;
    const made = await api("POST", "/alerts", sampleOf("createAlert").body?.(world));
    const path = `/alerts/${made.body.id}`;
    expect([made.status, made.body.title]).toEqual([201, "Disk full"]);
    expect([(await api("GET", path)).status, (await api("PUT", path, {})).status]).toEqual([
      200, 200,
    ]);
    expect((await api("POST", `${path}/resolve`)).status).toBe(200);
    const deleted = await api("DELETE", path);
    expect([deleted.status, deleted.text]).toEqual([204, ""]);
  });
});

describe("List", () => {
  const lists = routes.filter(({ shows }) => shows.kind === "list" || shows.kind === "list_of");
  test.each(lists.map((route) => [route.path, route] as const))("%s", async (_, route) => {
    const { of } = sampleOf(route.operation);
    const path = route.path.replace(":id", of ? world.ids[of].id : "");
    const { body } = await world.api("GET", path);
    expect(Object.keys(body).sort()).toEqual(["data", "has_more", "total_count"]);
  });
  test("current_oncall and window_events alone are bare arrays", async () => {
    const { team, schedule } = world.ids;
    const window = "start=2026-01-01 00:00:00&end=2026-01-02 00:00:00";
    for (const path of [
      `/teams/${team.id}/current_oncall`,
      `/schedules/${schedule.id}/current_oncall`,
      `/schedules/${schedule.id}/window_events?${window}`,
    ]) {
      expect((await world.api("GET", path)).body, path).toBeInstanceOf(Array);
    }
  });
});

describe("Update", () => {
  test.each(["PUT", "PATCH"])("%s merges the given subset", async (method) => {
    const path = `/teams/${world.ids.team.id}`;
    const { body: before } = await world.api("GET", path);
    const { body } = await world.api(method, path, { notes: `by ${method}` });
    expect(body).toEqual({ ...before, notes: `by ${method}`, updated_at: body.updated_at });
    expect(Date.parse(body.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
  });
});

describe("Bodies", () => {
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  test("form-encoded: a=1, k[]=x, repeated keys", async () => {
    const { id } = world.ids.account_user;
    const members = `member_account_user_ids[]=${id}&member_account_user_ids[]=${world.accountUserId}`;
    const repeated = `admin_account_user_ids=${world.accountUserId}&admin_account_user_ids=${id}`;
    const reply = await world.api("POST", "/teams", `name=Form&${members}&${repeated}`, form);
    expect(reply.body, reply.text).toMatchObject({
      name: "Form",
      member_account_user_ids: [id, world.accountUserId],
      admin_account_user_ids: [world.accountUserId, id],
    });
  });
  test("an empty body with Content-Type: application/json is an empty object", async () => {
    const json = { "Content-Type": "application/json" };
    const path = `/teams/${world.ids.team.id}`;
    expect((await world.api("PUT", path, "", json)).status).toBe(200);
    expect((await world.api("POST", "/teams", "", json)).status).toBe(422);
  });
  test("over 1 MiB, also after unpacking: 413", async () => {
    const large = JSON.stringify({ body: "x".repeat(1_048_577) });
    expect((await world.api("POST", "/comments", large)).status).toBe(413);
    const packed = new Response(large).body?.pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    expect(bytes.length).toBeLessThan(10_000);
    const gzip = { "Content-Encoding": "gzip" };
    expect((await world.api("POST", "/comments", bytes, gzip)).status).toBe(413);
  });
  test("gzip is unpacked", async () => {
    const packed = new Response(JSON.stringify({ body: "Packed" })).body;
    const stream = packed?.pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const reply = await world.api("POST", "/comments", bytes, { "Content-Encoding": "gzip" });
    expect([reply.status, reply.body.body]).toEqual([201, "Packed"]);
  });
  test.each(["{", "[]", "1", '"x"', "null", "{'a':1}", "\f", "\v", "\u00a0", " \f{}"])(
    "malformed JSON → 400: %s",
    async (body) => {
      expect((await world.api("POST", "/comments", body)).status).toBe(400);
    },
  );
});

test("Allow-list: other parameters are dropped silently and never stored", async () => {
  const { body } = await world.api("POST", "/schedules", {
    name: "Allowed",
    id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    account_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    created_at: "2020-01-01T00:00:00Z",
    colour: "red",
  });
  expect(body).not.toHaveProperty("colour");
  expect(body.id).not.toBe("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  expect(body.account_id).toBe(world.accountId);
  expect(body.created_at).not.toContain("2020");
});

describe("Timestamps", () => {
  test("out: ISO 8601 UTC with milliseconds; in: with an offset", async () => {
    const shift = {
      ...sampleOf("createEvent").body?.(world),
      start_datetime: "2027-01-31T10:30:00+01:00",
    };
    const { body } = await world.api("POST", "/events", shift);
    expect(body.start_datetime).toBe("2027-01-31T09:30:00.000Z");
  });
  test("without an offset where no format is fixed: 422", async () => {
    const shift = {
      ...sampleOf("createEvent").body?.(world),
      start_datetime: "2027-01-31T10:30:00",
    };
    expect((await world.api("POST", "/events", shift)).status).toBe(422);
  });
  test("window_events and event filters: YYYY-MM-DD HH:mm:ss UTC, and ISO 8601", async () => {
    const path = `/schedules/${world.ids.schedule.id}`;
    for (const [start, end] of [
      ["2026-01-06 00:00:00", "2026-01-07 00:00:00"],
      ["2026-01-06T01:00:00+01:00", "2026-01-07T00:00:00Z"],
    ]) {
      const window = new URLSearchParams({ start: String(start), end: String(end) });
      expect((await world.api("GET", `${path}/window_events?${window}`)).body).toHaveLength(1);
      const after = new URLSearchParams({
        start_datetime: String(start),
        ops: "start_datetime:lt",
      });
      expect((await world.api("GET", `${path}/events?${after}`)).body.total_count).toBe(1);
    }
  });
});

test("Trailing slash: accepted", async () => {
  const { id } = world.ids.team;
  for (const path of ["/teams/", `/teams/${id}/`, `/teams/${id}/alerts/`, "/integrations/"]) {
    expect((await world.api("GET", path)).status, path).toBe(200);
  }
  expect((await world.api("POST", "/schedules/", { name: "Slash" })).status).toBe(201);
});

test("CORS: on for /api/*", async () => {
  const origin = { Origin: "https://app.example.com" };
  const reply = await world.api("GET", "/teams", undefined, origin);
  expect(reply.headers.get("access-control-allow-origin")).toBe("*");
  const preflight = await call("OPTIONS", "/api/v4/teams", {
    headers: {
      ...origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
    },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  expect(preflight.headers.get("access-control-allow-headers")?.toLowerCase()).toContain(
    "authorization",
  );
});

test("Versioning: every answer carries X-Request-Id", async () => {
  const seen = new Set<string>();
  for (const [method, path] of [
    ["GET", "/api/v4/teams"],
    ["GET", "/api/v4/nothing"],
    ["GET", "/api/v3/teams"],
    ["GET", "/nothing"],
    ["DELETE", "/api/v4/users/x"],
    ["OPTIONS", "/api/v4/teams"],
    ["GET", "/integration/nothing"],
    ["POST", "/integration/int_AAAAAAAAAAAAAA"],
  ] as const) {
    const reply = await call(method, path, { key: world.key });
    expect(reply.headers.get("x-request-id"), path).toMatch(/^[0-9a-f-]{36}$/);
    seen.add(String(reply.headers.get("x-request-id")));
  }
  expect(seen.size).toBe(8);
});
