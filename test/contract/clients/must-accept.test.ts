// Requests of existing senders and clients that a strict reading of the specification would reject: a test per row.
// All are accepted, except where the row says otherwise.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "../../support/api/api.ts";
import { freshEmail } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { type Integration, makeIntegration } from "../../support/worker/world.ts";

let world: Inhabited;
let hook: Integration;
beforeAll(async () => {
  world = await makeInhabited("accepting");
  hook = await makeIntegration(world, [world.ids.team.id], { acceptsGet: true });
});

const find = async (id: string) =>
  (await world.api("GET", `/alerts?thirdparty_id=${encodeURIComponent(id)}`)).body.data[0];
const waitForAlert = (id: string, matches: Record<string, unknown>) =>
  vi.waitFor(async () => expect(await find(id)).toMatchObject(matches), soon);
async function send(body: unknown, headers?: Record<string, string>) {
  const reply = await hook.send(body, headers);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toEqual({ log_id: expect.any(String) });
}

describe("the webhook receiver", () => {
  test("1. the header pagertree-token", async () => {
    const guarded = await makeIntegration(world, [world.ids.team.id], { token: "secret" });
    const event = { event_type: "create", Id: "one", Title: "x" };
    expect((await guarded.send(event, { "pagertree-token": "secret" })).status).toBe(200);
    expect((await guarded.send(event, { "pagertree-token": "wrong" })).status).toBe(401);
  });
  test.each(["Id", "id", "ID"])("2. keys in any case: %s", async (name) => {
    const value = `two-${name}`;
    await send({
      event_type: "create",
      [name]: value,
      TITLE: "Disk",
      description: "why",
      TAGS: ["a"],
      META: { runbook: "7" },
      Urgency: "low",
      Dedup_keys: [`k-${name}`],
    });
    await waitForAlert(value, {
      title: "Disk",
      description: "why",
      tags: ["a"],
      urgency: "low",
      dedup_keys: [`k-${name}`],
      meta: { runbook: "7" },
    });
  });
  test("3. a numeric or missing id; ids are stored as strings", async () => {
    await send({ event_type: "create", id: 42, title: "x" });
    await waitForAlert("42", { thirdparty_id: "42" });
    await send({ event_type: "create", title: "no id" });
  });
  test("4. null or no title and description on acknowledge and resolve; none on create", async () => {
    await send({ event_type: "create", id: "four", title: "x" });
    await send({ event_type: "acknowledge", id: "four", title: null, description: null });
    await waitForAlert("four", { status: "acknowledged", description: null });
    await send({ event_type: "resolve", id: "four" });
    await waitForAlert("four", { status: "resolved", title: "x" });
  });
  test.each([
    ["one", ["one"]],
    ["one, two", ["one", "two"]],
    ["one two", ["one", "two"]],
  ])("5. tags as a string: %s", async (tags, expected) => {
    await send({ event_type: "create", id: `five ${tags}`, title: "x", Tags: tags });
    await waitForAlert(`five ${tags}`, { tags: expected });
  });
  test.each(["silent", "low", "medium", "high", "critical"])("6. urgency %s", async (urgency) => {
    await send({ event_type: "create", id: `six-${urgency}`, title: "x", urgency });
    await waitForAlert(`six-${urgency}`, { urgency });
  });
  test.each([
    [" Create ", "open"],
    ["TRIGGER", "open"],
    ["acknowledged", "acknowledged"],
    ["Resolved", "resolved"],
  ])("7. event_type %s", async (event_type, status) => {
    const id = `seven ${event_type.trim()}`;
    if (status !== "open") await send({ event_type: "create", id, title: "x" });
    await send({ event_type, id, title: "x" });
    await waitForAlert(id, { status });
  });
  test("8. an unknown event_type is a 422 and is logged", async () => {
    const own = await makeIntegration(world, [world.ids.team.id]);
    expect((await own.send({ event_type: "snooze", id: "eight", title: "x" })).status).toBe(422);
    await vi.waitFor(async () => {
      const { body } = await world.api("GET", `/logs?owner_id=${own.id}`);
      expect(body.data[0]?.details.message).toContain("event_type");
    }, soon);
  });
  test("9. extra fields, nested objects, string booleans in meta", async () => {
    await send({
      event_type: "create",
      id: "nine",
      title: "x",
      client: { name: "monitor", list: [1, { a: null }] },
      meta: { incident: "true", deep: { a: [1] } },
    });
    await waitForAlert("nine", { incident: true, incident_severity: "SEV-UNKNOWN" });
  });
  test.each([
    ["a form", "event_type=create&id=ten-0&title=x", "application/x-www-form-urlencoded"],
    ["text/plain holding JSON", '{"event_type":"create","id":"ten-1","title":"x"}', "text/plain"],
    ["JSON without a content type", '{"event_type":"create","id":"ten-2","title":"x"}', ""],
  ])("10. bodies as %s", async (_, body, type) => {
    const id = /ten-\d/.exec(body)?.[0] as string;
    await send(body, { "Content-Type": type });
    await waitForAlert(id, { title: "x" });
  });
  test.each(["POST", "GET"])("10. query-string-only, by %s", async (method) => {
    const query = `event_type=create&id=query-${method}&title=x`;
    const reply = await call(method, `/integration/${hook.prefixId}?${query}`);
    expect(reply.status).toBe(200);
    await waitForAlert(`query-${method}`, { title: "x" });
  });
  test("11. GET on /integration/:id/g", async () => {
    const path = `/integration/${hook.prefixId}/g?event_type=create&id=eleven&title=x`;
    expect((await call("GET", path)).status).toBe(200);
    await waitForAlert("eleven", { title: "x" });
  });
  test("11. no GET where the integration does not say so", async () => {
    const other = await makeIntegration(world, [world.ids.team.id]);
    for (const more of ["", "/g"]) {
      const path = `/integration/${other.prefixId}${more}?event_type=create&id=image&title=x`;
      for (const method of ["GET", "HEAD"]) {
        const reply = await call(method, path);
        expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
      }
    }
    expect((await other.send({ event_type: "create", id: "posted", title: "x" })).status).toBe(200);
    await waitForAlert("posted", { title: "x" });
    expect(await find("image")).toBeUndefined();
  });
  test("12. look-up by prefix_id and by id", async () => {
    for (const id of [hook.id, hook.prefixId]) {
      const body = { event_type: "create", id: `twelve-${id}`, title: "x" };
      expect((await call("POST", `/integration/${id}`, { body })).status).toBe(200);
      await waitForAlert(`twelve-${id}`, { source_id: hook.id });
    }
  });
  test("13. exactly 200, with a small JSON body", async () => {
    const reply = await hook.send({ event_type: "create", id: "thirteen", title: "x" });
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ["log_id"]]);
    expect(reply.text.length).toBeLessThan(200);
  });
});

describe("the API", () => {
  const alert = (more: Record<string, unknown> = {}) => ({
    title: "Disk full",
    urgency: "silent",
    destination_account_user_ids: [world.accountUserId],
    ...more,
  });
  const create = async (more: Record<string, unknown> = {}) =>
    (await world.api("POST", "/alerts", alert(more))).body;

  test("14. Content-Type: application/json with an empty body on POST, GET and DELETE", async () => {
    const json = { "Content-Type": "application/json" };
    const { id } = await create();
    const empty = (method: string, path: string, body?: string) =>
      world.api(method, path, body, json);
    expect((await empty("GET", `/alerts/${id}`)).status).toBe(200);
    expect((await empty("POST", `/alerts/${id}/acknowledge`, "")).status).toBe(200);
    expect((await empty("DELETE", `/alerts/${id}`, "")).status).toBe(204);
  });
  test("15. thirdparty_id, urgency silent, null meta values, empty arrays on POST /alerts", async () => {
    const made = await create({
      thirdparty_id: "fifteen",
      meta: { incident: null, incident_severity: null, runbook: null },
      destination_team_ids: [],
      destination_router_ids: [],
      tags: [],
      dedup_keys: [],
    });
    expect(made).toMatchObject({ thirdparty_id: "fifteen", urgency: "silent", incident: false });
  });
  test("16. unknown body keys are dropped", async () => {
    const reply = await world.api(
      "POST",
      "/alerts",
      alert({ destination_route_ids: [], status: 7 }),
    );
    expect([reply.status, reply.body.status]).toEqual([201, "open"]);
  });
  test("17. q, thirdparty_id, status, enabled on lists; others are a 422", async () => {
    for (const query of ["q=x", "thirdparty_id=x", "status=open"]) {
      expect((await world.api("GET", `/alerts?${query}`)).status).toBe(200);
    }
    for (const value of ["1", "0", "true", "false"]) {
      expect((await world.api("GET", `/integrations?enabled=${value}`)).status).toBe(200);
    }
    expect((await world.api("GET", "/alerts?fields=id")).status).toBe(422);
  });
  test("18. form-encoded bodies, with repeated keys and key[]", async () => {
    const form = { "Content-Type": "application/x-www-form-urlencoded; charset=utf-8" };
    const people = [world.accountUserId, world.ids.account_user.id];
    for (const name of ["destination_account_user_ids", "destination_account_user_ids[]"]) {
      const body = new URLSearchParams([
        ["title", "Form & more"],
        ["urgency", "silent"],
        ...people.map((id) => [name, id] as [string, string]),
        ["meta[incident]", "true"],
      ]);
      const reply = await world.api("POST", "/alerts", body.toString(), form);
      expect(reply.body, reply.text).toMatchObject({
        title: "Form & more",
        destination_account_user_ids: people,
        incident: true,
      });
    }
  });
  test("19. start_time/end_time and start_datetime/end_datetime on events, also in filters", async () => {
    const shift = {
      layer: 1,
      time_zone: "UTC",
      account_user_ids: [world.accountUserId],
      start_time: "2028-01-05T09:00:00Z",
      end_time: "2028-01-05T17:00:00Z",
    };
    const { body } = await world.api("POST", "/events", shift);
    expect(body).toMatchObject({
      start_datetime: "2028-01-05T09:00:00.000Z",
      start_time: "2028-01-05T09:00:00.000Z",
      end_datetime: "2028-01-05T17:00:00.000Z",
      end_time: "2028-01-05T17:00:00.000Z",
    });
    for (const name of ["start_time", "start_datetime"]) {
      const query = new URLSearchParams({ [name]: "2028-01-01 00:00:00", ops: `${name}:gte` });
      expect((await world.api("GET", `/events?${query}`)).body.data).toMatchObject([
        { id: body.id },
      ]);
    }
  });
  test.each(["team_ids", "member_team_ids"])("20. %s on account users", async (name) => {
    const { body } = await world.api("POST", "/account_users", {
      user_attributes: { name: "Grace", emails_attributes: [{ email: freshEmail() }] },
      [name]: [world.ids.team.id],
    });
    expect([body.team_ids, body.member_team_ids]).toEqual([
      [world.ids.team.id],
      [world.ids.team.id],
    ]);
  });
  test("21. id or prefix_id in paths and *_ids", async () => {
    const { account_user, team } = world.ids;
    const made = await create({
      destination_team_ids: [team.prefixId],
      destination_account_user_ids: [account_user.prefixId],
    });
    expect(made.destination_team_ids).toEqual([team.id]);
    expect((await world.api("GET", `/alerts/${made.prefix_id}`)).body.id).toBe(made.id);
  });
  test("22. tags and tag_list, and all three destination_*_ids on alerts", async () => {
    expect(await create({ tags: ["a"] })).toMatchObject({
      tags: ["a"],
      tag_list: ["a"],
      destination_team_ids: [],
      destination_router_ids: [],
      destination_account_user_ids: [world.accountUserId],
    });
  });
  test("23. a trailing slash", async () => {
    expect((await world.api("GET", "/integrations/")).status).toBe(200);
    expect((await world.api("POST", "/alerts/", alert())).status).toBe(201);
  });
  test("24. integration_type and roles are objects always", async () => {
    const { body: integrations } = await world.api("GET", "/integrations");
    for (const it of integrations.data) expect(it.integration_type.name).toBeTypeOf("string");
    const { body: people } = await world.api("GET", "/account_users");
    for (const it of people.data) expect(it.roles.admin).toBeTypeOf("boolean");
  });
  test("25. partial PUT bodies", async () => {
    const { team, integration, schedule } = world.ids;
    for (const path of [
      `/teams/${team.id}`,
      `/integrations/${integration.id}`,
      `/schedules/${schedule.id}`,
    ]) {
      const { body: before } = await world.api("GET", path);
      const { body } = await world.api("PUT", path, {});
      expect({ ...body, updated_at: null }).toEqual({ ...before, updated_at: null });
    }
  });
});

describe("Keep", () => {
  test("POST /alerts form-encoded, repeated keys without [], a status and SEV_UNKNOWN", async () => {
    const body = new URLSearchParams([
      ["title", "From Keep"],
      ["urgency", "low"],
      ["incident", "false"],
      ["severities", "SEV-5"],
      ["incident_message", ""],
      ["description", ""],
      ["status", "queued"],
      ["destination_team_ids", world.ids.team.id],
      ["destination_router_ids", ""],
      ["destination_account_user_ids", world.accountUserId],
      ["destination_account_user_ids", world.ids.account_user.id],
      ["tags", "one"],
      ["tags", "two"],
      ["meta[incident_severity]", "SEV_UNKNOWN"],
    ]);
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      Accept: "application/json",
    };
    const reply = await world.api("POST", "/alerts", body.toString(), headers);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body).toMatchObject({
      title: "From Keep",
      status: "open",
      tags: ["one", "two"],
      destination_account_user_ids: [world.accountUserId, world.ids.account_user.id],
      incident_severity: "SEV-UNKNOWN",
    });
  });
  test("GET /alerts: the fields of its rows", async () => {
    const { body } = await world.api("GET", "/alerts");
    for (const name of ["id", "status", "urgency", "title", "created_at", "description"]) {
      expect(body.data[0]).toHaveProperty(name);
    }
  });
});

describe("Rootly", () => {
  test("title, description, urgency, severity, teams, users, incident beside documented parameters", async () => {
    const made = await world.api("POST", "/alerts", {
      title: "From Rootly",
      description: "Incident 7",
      urgency: "high",
      severity: "SEV-1",
      teams: [{ id: world.ids.team.id, name: "x" }],
      users: [],
      incident: true,
      destination_team_ids: [world.ids.team.id],
      meta: { incident: true, incident_severity: "SEV-1" },
    });
    expect([made.status, made.body.incident_severity], made.text).toEqual([201, "SEV-1"]);
    const path = `/alerts/${made.body.prefix_id}`;
    const update = { pagertree_alert_id: made.body.id, title: "Renamed", severity: "auto" };
    expect((await world.api("PUT", path, update)).body.title).toBe("Renamed");
    expect((await world.api("POST", `${path}/resolve`, {})).body.status).toBe("resolved");
  });
});
