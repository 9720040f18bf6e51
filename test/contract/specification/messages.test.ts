// A test per row of the tables of contract 5.
import { beforeAll, describe, expect, test } from "vitest";
import { faultyFields } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

let world: Inhabited;
let broadcast: any;

const create = (body: Record<string, unknown> = {}) =>
  world.api("POST", "/broadcasts", {
    title: "Office closed",
    destination_account_user_ids: [world.accountUserId],
    ...body,
  });

beforeAll(async () => {
  world = await makeInhabited("spec-messages");
  const made = await create({
    description: "Snow",
    tag_list: ["weather"],
    response_requested: true,
    response_requested_by: "2031-01-01T00:00:00Z",
    destination_team_ids: [world.ids.team.id],
    broadcast_response_options_attributes: [{ value: "At home" }, { value: "On my way" }],
  });
  expect(made.status, made.text).toBe(201);
  const option = made.body.broadcast_response_options[1].id;
  const path = `/broadcasts/${made.body.id}`;
  const responded = await world.api("POST", `${path}/responses`, {
    broadcast_response_option_id: option,
  });
  expect(responded.status, responded.text).toBe(201);
  broadcast = (await world.api("GET", path)).body;
});

describe("Field: Broadcast", () => {
  test("title", () => expect(broadcast.title).toBe("Office closed"));
  test("description", () => expect(broadcast.description).toBe("Snow"));
  test("tag_list", () => expect(broadcast.tag_list).toEqual(["weather"]));
  test("status: one of four", () =>
    expect(["queued", "open", "closed", "errored"]).toContain(broadcast.status));
  test("response_requested_by: timestamp", () =>
    expect(broadcast.response_requested_by).toBe("2031-01-01T00:00:00.000Z"));
  test("broadcast_response_options: id, value, position, broadcast_responses_count", () =>
    expect(broadcast.broadcast_response_options).toMatchObject([
      { id: expect.any(String), value: "At home", position: 0, broadcast_responses_count: 0 },
      { id: expect.any(String), value: "On my way", position: 1, broadcast_responses_count: 1 },
    ]));
  test("broadcast_responses: their six entries", () =>
    expect(broadcast.broadcast_responses).toEqual([
      {
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        prefix_id: expect.any(String),
        account_user_id: world.accountUserId,
        broadcast_response_option_id: broadcast.broadcast_response_options[1].id,
        channel: "api",
        created_at: expect.stringMatching(/Z$/),
      },
    ]));
});

describe("Create parameters: Broadcast", () => {
  test("title is required", async () => {
    const reply = await create({ title: "" });
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["title"]]);
  });
  test("at least one destination is required", async () => {
    const reply = await create({ destination_account_user_ids: [], destination_team_ids: [] });
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["destination_team_ids"]]);
  });
  test("a requested response needs at least one option", async () => {
    const reply = await create({ response_requested: true });
    expect([reply.status, faultyFields(reply)]).toEqual([
      422,
      ["broadcast_response_options_attributes"],
    ]);
  });
  test("destination_team_ids[] or destination_account_user_ids[] alone is enough", async () => {
    const { team } = world.ids;
    const byTeam = { destination_account_user_ids: [], destination_team_ids: [team.prefixId] };
    expect((await create(byTeam)).body.destination_team_ids).toEqual([team.id]);
    expect((await create()).body.destination_account_user_ids).toEqual([world.accountUserId]);
  });
});

describe("Endpoints: Broadcasts", () => {
  test("POST /broadcasts", () => expect(broadcast.prefix_id).toMatch(/^bro_/));
  test("GET /broadcasts/:id: returns the broadcast", async () => {
    const { body } = await world.api("GET", `/broadcasts/${broadcast.prefix_id}`);
    // Its status moves on by itself.
    const { status, updated_at } = body;
    expect(body).toEqual({ ...broadcast, status, updated_at });
    expect(["queued", "open", "closed", "errored"]).toContain(status);
  });
  test("PUT /broadcasts/:id", async () => {
    const { body } = await create();
    const changed = await world.api("PUT", `/broadcasts/${body.id}`, { description: "Ice" });
    expect(changed.body).toMatchObject({ title: "Office closed", description: "Ice" });
  });
  test("DELETE /broadcasts/:id", async () => {
    const { body } = await create();
    expect((await world.api("DELETE", `/broadcasts/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `/broadcasts/${body.id}`)).status).toBe(404);
  });
  test("GET /broadcasts: list", async () => {
    const { body } = await world.api("GET", "/broadcasts?limit=100");
    expect(body.data.map((it: any) => it.id)).toContain(broadcast.id);
  });
});

describe("Comments", () => {
  const paths = () => ({
    "/alerts/:id/comments": `/alerts/${world.ids.alert.id}/comments`,
    "/broadcasts/:id/comments": `/broadcasts/${broadcast.id}/comments`,
    "/comments": "/comments",
    "/comments/:id/comments": `/comments/${world.ids.comment.id}/comments`,
  });
  const names = Object.keys({
    "/alerts/:id/comments": 0,
    "/broadcasts/:id/comments": 0,
    "/comments": 0,
    "/comments/:id/comments": 0,
  }) as (keyof ReturnType<typeof paths>)[];

  test.each(names)("POST %s: body (required)", async (name) => {
    const path = paths()[name];
    const made = await world.api("POST", path, { body: `On ${name}` });
    expect([made.status, made.body.body]).toEqual([201, `On ${name}`]);
    for (const nothing of [{}, { body: "" }, { body: null }]) {
      const reply = await world.api("POST", path, nothing);
      expect([reply.status, faultyFields(reply)]).toEqual([422, ["body"]]);
    }
  });
  test.each(names)("GET %s: list", async (name) => {
    const path = paths()[name];
    const made = await world.api("POST", path, { body: "Again" });
    const { body } = await world.api("GET", `${path}?limit=100`);
    expect(body.data.map((it: any) => it.id)).toContain(made.body.id);
  });
  test("GET /comments/:id: returns the comment", async () => {
    const { body } = await world.api("GET", `/comments/${world.ids.comment.id}`);
    expect(body.prefix_id).toBe(world.ids.comment.prefixId);
  });
  test("Field: Comment.body", async () => {
    const made = await world.api("POST", "/comments", { body: "  Text as it is\n" });
    expect(made.body.body).toBe("  Text as it is\n");
  });
  test.each(["PUT", "DELETE"])("%s /comments/:id is not supported", async (method) => {
    expect((await world.api(method, `/comments/${world.ids.comment.id}`, {})).status).toBe(405);
  });
});
