import { describe, expect, test } from "vitest";
import { type Account, makeAccount, type Reply } from "../../support/api/api.ts";
import { addColleague, faultyFields } from "../../support/people/people.ts";

async function makeTeam(
  { api, accountUserId }: Account,
  parameters: Record<string, unknown> = {},
): Promise<Reply["body"]> {
  const made = await api("POST", "/teams", {
    name: "Team",
    member_account_user_ids: [accountUserId],
    admin_account_user_ids: [accountUserId],
    ...parameters,
  });
  return made.body;
}

type Layer = { id: string; prefix_id: string; layer: number; timeout: number };
const layersOf = ({ body }: Reply) =>
  body.escalation_layers.map(({ layer, timeout }: Layer) => [layer, timeout]);

describe("escalation policies", () => {
  test("a create returns every parameter, and the policy can be read by either form of its id", async () => {
    const account = await makeAccount();
    const { api, accountId, accountUserId } = account;
    const [one, two] = [await makeTeam(account), await makeTeam(account)];
    const made = await api("POST", "/escalation_policies", {
      name: "Night",
      repeat: 2,
      reassign_team_ids: [two.prefix_id, one.id, two.id],
      reassign_account_user_ids: accountUserId,
      escalation_layers_attributes: [
        { layer: 2, timeout: 1, timeout_unit: "hours", color_hex: "#1E90ff" },
        { layer: 1, timeout: "5" },
      ],
      meta: { owner: "sre" },
      team_ids: [one.id],
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_id: accountId,
      name: "Night",
      repeat: 2,
      reassign_team_ids: [two.id, one.id],
      reassign_account_user_ids: [accountUserId],
      team_ids: [],
      meta: { owner: "sre" },
    });
    const [first, second, ...more] = made.body.escalation_layers;
    expect(more).toEqual([]);
    expect(first).toEqual({
      account_id: accountId,
      id: first.id,
      prefix_id: first.prefix_id,
      layer: 1,
      timeout: 5,
      timeout_unit: "minutes",
      color_hex: null,
    });
    expect(first.prefix_id).toMatch(/^lay_/);
    expect(second).toMatchObject({ layer: 2, timeout_unit: "hours", color_hex: "#1E90ff" });
    for (const id of [made.body.id, made.body.prefix_id]) {
      expect((await api("GET", `/escalation_policies/${id}`)).body).toEqual(made.body);
    }
    const bare = await api("POST", "/escalation_policies", { name: "Bare" });
    expect(bare.body).toMatchObject({
      repeat: 0,
      escalation_layers: [],
      reassign_team_ids: [],
      reassign_account_user_ids: [],
    });
  });

  test("names the teams that use it", async () => {
    const account = await makeAccount();
    const { body: policy } = await account.api("POST", "/escalation_policies", { name: "P" });
    const team = await makeTeam(account, { escalation_policy_id: policy.prefix_id });
    const read = await account.api("GET", `/escalation_policies/${policy.id}`);
    expect(read.body.team_ids).toEqual([team.id]);
    const listed = await account.api("GET", `/escalation_policies?team_ids=${team.id}`);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([policy.id]);
  });

  test("names every invalid field at once", async () => {
    const { api } = await makeAccount();
    expect(faultyFields(await api("POST", "/escalation_policies"))).toEqual(["name"]);
    const refused = await api("POST", "/escalation_policies", {
      name: " ",
      repeat: 4,
      reassign_team_ids: { a: 1 },
      escalation_layers_attributes: [
        { timeout: "soon" },
        { layer: 0, timeout: 0 },
        { layer: 1.5, timeout: 5, timeout_unit: "weeks", color_hex: "blue" },
      ],
    });
    expect(refused.status).toBe(422);
    const layer = (i: number, name: string) => `escalation_layers_attributes[${i}].${name}`;
    expect(faultyFields(refused)).toEqual([
      layer(0, "layer"),
      layer(0, "timeout"),
      layer(1, "layer"),
      layer(1, "timeout"),
      layer(2, "color_hex"),
      layer(2, "layer"),
      layer(2, "timeout_unit"),
      "name",
      "reassign_team_ids",
      "repeat",
    ]);
    const second = await api("POST", "/escalation_policies", {
      name: "P",
      reassign_team_ids: ["tem_nothing"],
      reassign_account_user_ids: ["acu_nothing"],
      escalation_layers_attributes: [
        { layer: 1, timeout: 5 },
        { layer: 1, timeout: 5 },
        { layer: 2, timeout: 30, timeout_unit: "days" },
        { id: "lay_nothing", timeout: 1 },
      ],
    });
    expect(second.status).toBe(422);
    expect(faultyFields(second)).toEqual([
      layer(1, "layer"),
      layer(2, "timeout"),
      layer(3, "id"),
      "reassign_account_user_ids",
      "reassign_team_ids",
    ]);
    const long = await api("POST", "/escalation_policies", {
      name: "P",
      escalation_layers_attributes: [{ layer: 1, timeout: 29, timeout_unit: "days" }],
    });
    expect(long.status).toBe(201);
  });

  test("accepts a form-encoded body", async () => {
    const { api } = await makeAccount();
    const made = await api(
      "POST",
      "/escalation_policies",
      "name=Form&repeat=1&escalation_layers_attributes[][layer]=1&escalation_layers_attributes[][timeout]=5" +
        "&escalation_layers_attributes[][layer]=2&escalation_layers_attributes[][timeout]=10",
      { "Content-Type": "application/x-www-form-urlencoded" },
    );
    expect(made.status, made.text).toBe(201);
    expect(made.body.repeat).toBe(1);
    expect(layersOf(made)).toEqual([
      [1, 5],
      [2, 10],
    ]);
  });

  test("adds, changes, swaps and removes layers", async () => {
    const { api } = await makeAccount();
    const { body: policy } = await api("POST", "/escalation_policies", {
      name: "P",
      escalation_layers_attributes: [
        { layer: 1, timeout: 5, color_hex: "fff" },
        { layer: 2, timeout: 10 },
      ],
    });
    const put = (entries: unknown) =>
      api("PUT", `/escalation_policies/${policy.prefix_id}`, {
        escalation_layers_attributes: entries,
      });
    const [one, two] = policy.escalation_layers;
    const swapped = await put([
      { id: one.id, layer: 2 },
      { id: two.prefix_id, layer: 1, timeout: 11 },
    ]);
    expect(swapped.status, swapped.text).toBe(200);
    expect(layersOf(swapped)).toEqual([
      [1, 11],
      [2, 5],
    ]);
    expect(swapped.body.escalation_layers[1]).toMatchObject({ id: one.id, color_hex: "fff" });
    const duplicate = await put([{ layer: 2, timeout: 1 }]);
    expect(faultyFields(duplicate)).toEqual(["escalation_layers_attributes[0].layer"]);
    const longer = await put([{ id: one.id, timeout_unit: "days", timeout: 31 }]);
    expect(faultyFields(longer)).toEqual(["escalation_layers_attributes[0].timeout"]);
    const replaced = await put([
      { id: one.id, _destroy: "true" },
      { layer: 2, timeout: 20 },
      { layer: 3, timeout: 30 },
    ]);
    expect(layersOf(replaced)).toEqual([
      [1, 11],
      [2, 20],
      [3, 30],
    ]);
    const cleared = await put([
      { id: two.id, color_hex: null, timeout: null },
      { id: one.id, timeout: 1 },
    ]);
    expect(cleared.status).toBe(422);
    expect(layersOf(await api("GET", `/escalation_policies/${policy.id}`))).toEqual(
      layersOf(replaced),
    );
    const race = await Promise.all([1, 2, 3].map(() => put([{ layer: 9, timeout: 9 }])));
    expect(race.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  test("an update merges, and null leaves a field that cannot be empty unchanged", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const team = await makeTeam(account);
    const { body: policy } = await api("POST", "/escalation_policies", {
      name: "P",
      repeat: 3,
      reassign_team_ids: [team.id],
      reassign_account_user_ids: [accountUserId],
      escalation_layers_attributes: [{ layer: 1, timeout: 5 }],
    });
    const path = `/escalation_policies/${policy.id}`;
    const renamed = await api("PATCH", path, { name: "Q", repeat: null });
    expect(renamed.body).toEqual({ ...policy, name: "Q", updated_at: renamed.body.updated_at });
    const cleared = await api("PUT", path, { reassign_team_ids: null, repeat: 0 });
    expect(cleared.body).toMatchObject({
      reassign_team_ids: [],
      reassign_account_user_ids: [accountUserId],
      repeat: 0,
    });
    expect((await api("PUT", path, { name: null })).status).toBe(422);
    expect((await api("PUT", path)).status).toBe(200);
  });

  test("admins of the account and of a team that uses a policy may change it", async () => {
    const account = await makeAccount();
    const [teamAdmin, member] = [
      await addColleague(account, "Lead"),
      await addColleague(account, "Member"),
    ];
    const team = await makeTeam(account, {
      admin_account_user_ids: [teamAdmin.id],
      member_account_user_ids: [member.id],
    });
    const { body: unused } = await account.api("POST", "/escalation_policies", { name: "U" });
    const used = `/escalation_policies/${team.escalation_policy_id}`;
    expect((await teamAdmin.api("PUT", used, { repeat: 1 })).body.repeat).toBe(1);
    expect((await member.api("PUT", used, { repeat: 2 })).status).toBe(403);
    expect((await teamAdmin.api("PUT", `/escalation_policies/${unused.id}`, {})).status).toBe(403);
    expect((await teamAdmin.api("POST", "/escalation_policies", { name: "X" })).status).toBe(403);
    expect((await teamAdmin.api("DELETE", used)).status).toBe(403);
    expect((await member.api("GET", used)).body.repeat).toBe(1);
  });

  test("does not find another account's policies and people", async () => {
    const { api } = await makeAccount();
    const other = await makeAccount();
    const { body: policy } = await other.api("POST", "/escalation_policies", { name: "P" });
    for (const id of [policy.id, policy.prefix_id, "esp_nothing"]) {
      const path = `/escalation_policies/${id}`;
      expect((await api("GET", path)).status).toBe(404);
      expect((await api("PUT", path, { name: "X" })).status).toBe(404);
      expect((await api("DELETE", path)).status).toBe(404);
    }
    const refused = await api("POST", "/escalation_policies", {
      name: "P",
      reassign_account_user_ids: [other.accountUserId],
    });
    expect(refused.status).toBe(422);
    expect((await api("GET", "/escalation_policies")).body.total_count).toBe(0);
  });

  test("lists with filters, search and order", async () => {
    const { api } = await makeAccount();
    for (const [name, repeat] of [
      ["Alpha", 0],
      ["Beta", 1],
      ["Gamma", 3],
    ]) {
      await api("POST", "/escalation_policies", { name, repeat });
    }
    const names = async (query: string) => {
      const { status, body } = await api("GET", `/escalation_policies?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map((policy: { name: string }) => policy.name);
    };
    expect(await names("sort=repeat")).toEqual(["Gamma", "Beta", "Alpha"]);
    expect(await names("repeat=1&ops=repeat:gte&sort=name&direction=asc")).toEqual([
      "Beta",
      "Gamma",
    ]);
    expect(await names("q=alph")).toEqual(["Alpha"]);
    expect((await api("GET", "/escalation_policies?escalation_layers=1")).status).toBe(422);
  });
});
