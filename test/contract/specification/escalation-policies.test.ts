// A test per row of the table of contract 2, Escalation policies.
import { beforeAll, describe, expect, test } from "vitest";
import { faultyFields } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

let world: Inhabited;
let policy: any;

beforeAll(async () => {
  world = await makeInhabited("spec-policies");
  const made = await world.api("POST", "/escalation_policies", {
    name: "Days",
    repeat: 2,
    reassign_team_ids: [world.ids.team.prefixId],
    reassign_account_user_ids: [world.ids.account_user.id],
    escalation_layers_attributes: [
      { layer: 1, timeout: 5, timeout_unit: "minutes", color_hex: "#ff0000" },
      { layer: 2, timeout: 1, timeout_unit: "hours" },
    ],
  });
  expect(made.status, made.text).toBe(201);
  policy = made.body;
});

describe("Field: EscalationPolicy", () => {
  test("name: string", () => expect(policy.name).toBe("Days"));
  test("reassign_account_user_ids", () =>
    expect(policy.reassign_account_user_ids).toEqual([world.ids.account_user.id]));
  test("team_ids: the teams currently using this policy", async () => {
    expect(policy.team_ids).toEqual([]);
    await world.api("PUT", `/teams/${world.ids.team.id}`, { escalation_policy_id: policy.id });
    const { body } = await world.api("GET", `/escalation_policies/${policy.id}`);
    expect(body.team_ids).toEqual([world.ids.team.id]);
  });
  test("escalation_layers: each with its seven entries", () =>
    expect(policy.escalation_layers).toEqual([
      {
        account_id: world.accountId,
        id: expect.stringMatching(/^[0-9A-Z]{26}$/),
        prefix_id: expect.stringMatching(/^lay_/),
        layer: 1,
        timeout: 5,
        timeout_unit: "minutes",
        color_hex: "#ff0000",
      },
      expect.objectContaining({ layer: 2, timeout: 1, timeout_unit: "hours" }),
    ]));
});

describe("Create parameters: EscalationPolicy", () => {
  test("name is required", async () => {
    const reply = await world.api("POST", "/escalation_policies", { repeat: 1 });
    expect([reply.status, faultyFields(reply)]).toEqual([422, ["name"]]);
  });
  test("repeat", () => expect(policy.repeat).toBe(2));
  test("reassign_team_ids[]", () => expect(policy.reassign_team_ids).toEqual([world.ids.team.id]));
  test("escalation_layers_attributes[]: id, layer, timeout, timeout_unit, color_hex, _destroy", async () => {
    const { body } = await world.api("POST", "/escalation_policies", {
      name: "Layers",
      escalation_layers_attributes: [
        { layer: 1, timeout: 5 },
        { layer: 2, timeout: 5 },
      ],
    });
    const [first, second] = body.escalation_layers;
    const changed = await world.api("PUT", `/escalation_policies/${body.id}`, {
      escalation_layers_attributes: [
        { id: first.id, timeout: 9, timeout_unit: "seconds", color_hex: "#00ff00" },
        { id: second.prefix_id, _destroy: true },
        { layer: 3, timeout: 1, timeout_unit: "days" },
      ],
    });
    expect(changed.body.escalation_layers).toMatchObject([
      { id: first.id, layer: 1, timeout: 9, timeout_unit: "seconds", color_hex: "#00ff00" },
      { layer: 3, timeout: 1, timeout_unit: "days", color_hex: null },
    ]);
  });
});

describe("Endpoints: Escalation policies", () => {
  test("POST /escalation_policies", () => expect(policy.prefix_id).toMatch(/^esp_/));
  test("GET /escalation_policies/:id: returns the policy", async () => {
    const { status, body } = await world.api("GET", `/escalation_policies/${policy.prefix_id}`);
    expect([status, body.id]).toEqual([200, policy.id]);
  });
  test("PUT /escalation_policies/:id", async () => {
    const path = `/escalation_policies/${policy.id}`;
    const { body } = await world.api("PUT", path, { name: "Nights" });
    expect(body).toMatchObject({ name: "Nights", repeat: 2 });
    expect(body.escalation_layers).toEqual(policy.escalation_layers);
  });
  test("DELETE /escalation_policies/:id", async () => {
    const { body } = await world.api("POST", "/escalation_policies", { name: "Short" });
    expect((await world.api("DELETE", `/escalation_policies/${body.id}`)).status).toBe(204);
    expect((await world.api("GET", `/escalation_policies/${body.id}`)).status).toBe(404);
  });
  test("GET /escalation_policies: list", async () => {
    const { body } = await world.api("GET", "/escalation_policies?limit=100");
    expect(body.data.map((it: any) => it.id)).toContain(policy.id);
  });
});
