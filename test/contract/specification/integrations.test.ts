// A test per row of the tables of contract 2, Integrations, contract 2, Integration types, and contract 7, The
// receiver.
import { beforeAll, describe, expect, test, vi } from "vitest";
import { call } from "../../support/api/api.ts";
import { faultyFields } from "../../support/people/people.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { type Integration, makeIntegration } from "../../support/worker/world.ts";

let world: Inhabited;
let integration: any;

const create = (body: Record<string, unknown> = {}) =>
  world.api("POST", "/integrations", {
    name: "Monitoring",
    urgency: "high",
    integration_type_id: world.ids.integration_type.id,
    account_user_ids: [world.accountUserId],
    ...body,
  });

beforeAll(async () => {
  world = await makeInhabited("spec-integrations");
  const made = await create({
    enabled: false,
    option_capture_additional_data: true,
    router_ids: [world.ids.router.id],
    team_ids: [world.ids.team.id],
  });
  expect(made.status, made.text).toBe(201);
  integration = made.body;
});

describe("Field: Integration", () => {
  test("name", () => expect(integration.name).toBe("Monitoring"));
  test("enabled: boolean", async () => {
    expect(integration.enabled).toBe(false);
    expect((await create()).body.enabled).toBe(true);
  });
  test("urgency: the default of its alerts", () => expect(integration.urgency).toBe("high"));
  test("integration_type: object", () =>
    expect(integration.integration_type).toMatchObject({
      id: world.ids.integration_type.id,
      name: "webhook",
    }));
  test("options: hash", () =>
    expect(integration.options).toMatchObject({ token: null, capture_additional_data: true }));
});

describe("Create parameters: Integration", () => {
  test.each(["name", "urgency", "integration_type_id"])("%s is required", async (name) => {
    const reply = await create({ [name]: undefined });
    expect([reply.status, faultyFields(reply)]).toEqual([422, [name]]);
  });
  test("at least one destination is required", async () => {
    expect((await create({ account_user_ids: [] })).status).toBe(422);
    expect((await create({ account_user_ids: undefined })).status).toBe(422);
  });
  test("account_user_ids[], router_ids[], team_ids[]", () =>
    expect(integration).toMatchObject({
      account_user_ids: [world.accountUserId],
      router_ids: [world.ids.router.id],
      team_ids: [world.ids.team.id],
    }));
  test("integration_type_id is obtained from the listing", async () => {
    const { body } = await world.api("GET", "/integration_types?name=webhook");
    expect((await create({ integration_type_id: body.data[0].id })).status).toBe(201);
    const unknown = await create({ integration_type_id: world.ids.team.id });
    expect([unknown.status, faultyFields(unknown)]).toEqual([422, ["integration_type_id"]]);
  });
});

describe("Endpoints: Integrations and integration types", () => {
  test("POST /integrations", () => expect(integration.prefix_id).toMatch(/^int_/));
  test("GET /integrations/:id", async () =>
    expect((await world.api("GET", `/integrations/${integration.id}`)).body).toEqual(integration));
  test("PUT /integrations/:id", async () => {
    const { body } = await create();
    const reply = await world.api("PUT", `/integrations/${body.id}`, { name: "Renamed" });
    expect(reply.body).toMatchObject({ name: "Renamed", urgency: "high" });
  });
  test("DELETE /integrations/:id", async () => {
    const { body } = await create();
    expect((await world.api("DELETE", `/integrations/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `/integrations/${body.id}`)).status).toBe(404);
  });
  test("GET /integrations: list", async () => {
    const { body } = await world.api("GET", "/integrations?limit=100");
    expect(body.data.map((it: any) => it.id)).toContain(integration.id);
  });
  test("GET /integration_types/:id: returns an integration type", async () => {
    const { id, prefixId } = world.ids.integration_type;
    expect((await world.api("GET", `/integration_types/${id}`)).body.prefix_id).toBe(prefixId);
  });
  test("GET /integration_types: list", async () => {
    const { body } = await world.api("GET", "/integration_types?limit=100");
    expect(body.total_count).toBe(body.data.length);
    expect(body.data.map((it: any) => it.name)).toContain("webhook");
  });
});

describe("Inbound webhook receiver", () => {
  let webhook: Integration;
  beforeAll(async () => {
    webhook = await makeIntegration(world, [world.ids.team.id]);
  });
  const find = async (id: string) =>
    (await world.api("GET", `/alerts?thirdparty_id=${encodeURIComponent(id)}`)).body.data[0];
  const waitForAlert = (id: string, matches: Record<string, unknown>) =>
    vi.waitFor(async () => expect(await find(id)).toMatchObject(matches), soon);

  test("POST {base_url}/integration/<integration_id>", async () => {
    for (const id of [webhook.id, webhook.prefixId]) {
      const body = { event_type: "create", Id: `path-${id}`, Title: "x", Description: "y" };
      expect((await call("POST", `/integration/${id}`, { body })).status).toBe(200);
      await waitForAlert(`path-${id}`, { status: "open" });
    }
  });
  test("event_type: one of create, acknowledge, resolve", async () => {
    for (const event_type of ["create", "acknowledge", "resolve"]) {
      expect((await webhook.send({ event_type, Id: "type", Title: "x" })).status).toBe(200);
    }
    expect((await webhook.send({ event_type: "snooze", Id: "type", Title: "x" })).status).toBe(422);
    expect((await webhook.send({ Id: "type", Title: "x" })).status).toBe(422);
    await waitForAlert("type", { status: "resolved" });
  });
  test("Id: a unique identifier of the third-party event", async () => {
    await webhook.send({ event_type: "create", Id: "an id/with ümlaut", Title: "x" });
    await waitForAlert("an id/with ümlaut", { thirdparty_id: "an id/with ümlaut" });
  });
  test("Title: non-empty", async () => {
    for (const Title of ["", "  ", null, undefined]) {
      const reply = await webhook.send({ event_type: "create", Id: "untitled", Title });
      expect([reply.status, faultyFields(reply)]).toEqual([422, ["title"]]);
    }
    expect(await find("untitled")).toBeUndefined();
  });
  test("Description", async () => {
    await webhook.send({ event_type: "create", Id: "described", Title: "x", Description: "Why" });
    await waitForAlert("described", { description: "Why" });
  });
  test("Tags: string array, optional", async () => {
    await webhook.send({ event_type: "create", Id: "tagged", Title: "x", Tags: ["a", "b"] });
    await waitForAlert("tagged", { tags: ["a", "b"] });
  });
  test("Meta: map, with the incident flags", async () => {
    const Meta = { incident: true, incident_severity: "SEV-1", incident_message: "All", more: 1 };
    await webhook.send({ event_type: "create", Id: "meta", Title: "x", Meta });
    await waitForAlert("meta", { meta: Meta, incident: true, incident_severity: "SEV-1" });
  });
  test("Rule 1. create: an alert is created and sent to the integration's destinations", async () => {
    await webhook.send({ event_type: "create", Id: "rule-1", Title: "x" });
    await waitForAlert("rule-1", { destination_team_ids: [world.ids.team.id], urgency: "high" });
    const { id } = await find("rule-1");
    const { body } = await world.api("GET", `/alerts/${id}/workflows`);
    expect(body.data).toMatchObject([{ destination_id: world.ids.team.id }]);
  });
  test("Rule 2. acknowledge", async () => {
    await webhook.send({ event_type: "create", Id: "rule-2", Title: "x" });
    await webhook.send({ event_type: "acknowledge", Id: "rule-2" });
    await waitForAlert("rule-2", { status: "acknowledged" });
  });
  test("Rule 3. resolve (also called resolved)", async () => {
    await webhook.send({ event_type: "create", Id: "rule-3", Title: "x" });
    await webhook.send({ event_type: "resolved", Id: "rule-3" });
    await waitForAlert("rule-3", { status: "resolved" });
  });
  test("Rule 4. other data is captured only when the option is on", async () => {
    const event = { event_type: "create", Title: "x", host: "db-1" };
    await webhook.send({ ...event, Id: "rule-4 off" });
    await waitForAlert("rule-4 off", { additional_data: [] });
    const capturing = await makeIntegration(world, [world.ids.team.id], { capture: true });
    await capturing.send({ ...event, Id: "rule-4 on" });
    await waitForAlert("rule-4 on", {
      additional_data: [{ format: "text", label: "host", value: "db-1" }],
    });
  });
});

describe("Authentication", () => {
  test("1. with a token, service-token is required", async () => {
    const guarded = await makeIntegration(world, [world.ids.team.id], { token: "secret" });
    const event = { event_type: "create", Id: "token", Title: "x" };
    for (const headers of [undefined, { "service-token": "wrong" }, { "service-token": "" }]) {
      expect((await guarded.send(event, headers)).status).toBe(401);
    }
    expect((await guarded.send(event, { "service-token": "secret" })).status).toBe(200);
  });
  test("2. the capture option is false by default", async () =>
    expect((await create()).body.options.capture_additional_data).toBe(false));
  test("3. operations are those of the API key's user", async () => {
    const { body } = await world.api("POST", "/comments", { body: "Mine" });
    expect(body.account_user_id).toBe(world.accountUserId);
  });
});
