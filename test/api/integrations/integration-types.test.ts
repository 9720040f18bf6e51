import { describe, expect, test } from "vitest";
import { integrationTypeId as idOf } from "../../../src/products/integration-type-id.ts";
import { integrationTypes } from "../../../src/products/registry.ts";
import { makeAccount } from "../../support/api/api.ts";

describe("integration types", () => {
  test("are found by id, prefix_id and name, with the common options", async () => {
    const { api } = await makeAccount();
    const byName = await api("GET", "/integration_types/webhook");
    expect(byName.status).toBe(200);
    expect(byName.body).toMatchObject({
      // The ids are derived from the names and never change.
      id: "0000000000KZ89VGSN8QWWR6DR",
      prefix_id: expect.stringMatching(/^ity_[A-Za-z0-9_-]{14}$/),
      name: "webhook",
      supports: { create: true, acknowledge: true, resolve: true },
    });
    const options = byName.body.options as { key: string }[];
    expect(options.find((option) => option.key === "token")).toEqual({
      key: "token",
      type: "secret",
      required: false,
      default: null,
      help: expect.any(String),
    });
    expect(options.map((option) => option.key)).toContain("capture_additional_data");
    for (const id of [byName.body.id, byName.body.prefix_id, byName.body.id.toLowerCase()]) {
      expect((await api("GET", `/integration_types/${id}`)).body).toEqual(byName.body);
    }
    expect((await api("GET", "/integration_types/carrier_pigeon")).status).toBe(404);
  });

  test("are listed by name, in pages", async () => {
    const { api } = await makeAccount();
    const names = integrationTypes.map((type) => type.name).sort();
    const all = await api("GET", "/integration_types?limit=100");
    expect(all.body.data.map((type: { name: string }) => type.name)).toEqual(names);
    const steps = all.body.data.map((type: { set_up: { steps: string[] } }) => type.set_up.steps);
    expect(steps.every(({ length }: string[]) => length > 0)).toBe(true);
    expect(all.body).toMatchObject({ has_more: false, total_count: names.length });
    const first = await api("GET", "/integration_types?limit=1");
    expect(first.body).toMatchObject({
      data: [{ name: names[0] }],
      has_more: names.length > 1,
      total_count: names.length,
    });
    const last = await api("GET", "/integration_types?limit=1&sort=name&direction=desc");
    expect(last.body.data[0].name).toBe(names.at(-1));
    const page = await api("GET", `/integration_types?limit=1&page=${names.length}`);
    expect(page.body).toMatchObject({ data: [{ name: names.at(-1) }], has_more: false });
    const found = await api("GET", "/integration_types?q=WEBHOOK");
    expect(found.body.data.map((type: { name: string }) => type.name)).toContain("webhook");
    expect((await api("GET", "/integration_types?name=webhook")).body.total_count).toBe(1);
    const others = await api("GET", "/integration_types?name=webhook&ops=name:ne&limit=100");
    expect(others.body.total_count).toBe(names.length - 1);
    expect((await api("GET", "/integration_types?colour=red")).status).toBe(422);
    expect((await api("GET", "/integration_types?limit=0")).status).toBe(422);
  });

  test("have the common attributes of records, and are sorted and filtered by them", async () => {
    const { api, accountId } = await makeAccount();
    const one = (await api("GET", "/integration_types/webhook")).body;
    const common = {
      account_id: accountId,
      created_at: "1970-01-01T00:00:00.000Z",
      updated_at: "1970-01-01T00:00:00.000Z",
      meta: {},
    };
    expect(one).toMatchObject(common);
    for (const sort of ["created_at", "updated_at", "account_id"]) {
      const ids = async (direction: string) => {
        const path = `/integration_types?sort=${sort}&direction=${direction}&limit=100`;
        const { status, body } = await api("GET", path);
        expect(status, sort).toBe(200);
        for (const type of body.data) expect(type).toMatchObject(common);
        return body.data.map(({ id }: { id: string }) => id);
      };
      const ascending = await ids("asc");
      expect(ascending).toEqual(integrationTypes.map(({ name }) => idOf(name)).sort());
      expect(await ids("desc")).toEqual(ascending.toReversed());
    }
    const total = async (query: string) =>
      (await api("GET", `/integration_types?${query}`)).body.total_count;
    expect(await total("created_at=1970-01-01T00:00:00.000Z")).toBe(integrationTypes.length);
    expect(await total("created_at=2000-01-01T00:00:00Z&ops=created_at:gt")).toBe(0);
    expect(await total("created_at=2000-01-01T01:00:00%2B01:00&ops=created_at:lt")).toBe(
      integrationTypes.length,
    );
    expect(await total(`account_id=${accountId}`)).toBe(integrationTypes.length);
  });
});
