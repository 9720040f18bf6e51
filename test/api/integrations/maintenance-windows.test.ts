// Maintenance windows over the API: their times in their time zone, and the copies that the inboxes store.
import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { IntegrationConfiguration } from "../../../src/domain/integrations/integration-configuration.ts";
import { readIntegrationConfiguration } from "../../../src/features/integrations/inbox/integration-rows.ts";
import { integrationInbox } from "../../../src/features/stubs.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, faultyFields } from "../../support/people/people.ts";
import { type Integration, makeIntegration, makeTeam } from "../../support/worker/world.ts";

const DAY = 86_400_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY).toISOString();

const windowOf = (integrationIds: readonly string[], more: Record<string, unknown> = {}) => ({
  name: "Upgrade",
  start_datetime: "2031-07-01T10:00:00+02:00",
  end_datetime: "2031-07-01T12:00:00+02:00",
  time_zone: "Berlin",
  integration_ids: integrationIds,
  ...more,
});

async function makeSource(account: Account): Promise<Integration> {
  const team = await makeTeam(account, [{ seconds: 600, people: [] }]);
  return makeIntegration(account, [team.id]);
}

describe("maintenance windows", () => {
  test("have both names of their times, and are found by both forms of their id", async () => {
    const account = await makeAccount();
    const source = await makeSource(account);
    const body = windowOf([source.prefixId], { description: "db", unheard_of: 1 });
    const made = await account.api("POST", "/maintenance_windows", body);
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_id: account.accountId,
      name: "Upgrade",
      description: "db",
      start_datetime: "2031-07-01T08:00:00.000Z",
      end_datetime: "2031-07-01T10:00:00.000Z",
      start_time: "2031-07-01T08:00:00.000Z",
      end_time: "2031-07-01T10:00:00.000Z",
      time_zone: "Berlin",
      integration_ids: [source.id],
      meta: {},
    });
    expect(made.body.prefix_id).toMatch(/^mwn_/);
    expect(made.body).not.toHaveProperty("unheard_of");
    for (const id of [made.body.id, made.body.prefix_id]) {
      expect((await account.api("GET", `/maintenance_windows/${id}`)).body).toEqual(made.body);
    }
  });

  test("read times without an offset in their own time zone, under both names", async () => {
    const account = await makeAccount();
    const { id } = await makeSource(account);
    const times = async (more: Record<string, unknown>) => {
      const { start_datetime: _, end_datetime: __, ...rest } = windowOf([id]);
      const made = await account.api("POST", "/maintenance_windows", { ...rest, ...more });
      expect(made.status, made.text).toBe(201);
      return [made.body.start_datetime, made.body.end_datetime];
    };
    const summer = { start_time: "2031-07-01 10:00", end_time: "2031-07-01 12:00" };
    expect(await times(summer)).toEqual(["2031-07-01T08:00:00.000Z", "2031-07-01T10:00:00.000Z"]);
    const winter = {
      start_datetime: "2031-01-01 10:00",
      end_datetime: "2031-01-01T18:00:00Z",
      time_zone: "America/New_York",
    };
    expect(await times(winter)).toEqual(["2031-01-01T15:00:00.000Z", "2031-01-01T18:00:00.000Z"]);
  });

  test("are rejected with all invalid fields at once", async () => {
    const account = await makeAccount();
    const { id } = await makeSource(account);
    const refused = async (body: unknown) => {
      const reply = await account.api("POST", "/maintenance_windows", body);
      expect(reply.status, reply.text).toBe(422);
      return faultyFields(reply);
    };
    const all = ["end_datetime", "integration_ids", "name", "start_datetime", "time_zone"];
    expect(await refused({})).toEqual(all);
    const nulls = Object.fromEntries(all.map((name) => [name, null]));
    expect(await refused(nulls)).toEqual(all);
    expect(
      await refused({
        name: "",
        start_datetime: "tomorrow",
        end_datetime: "2031-02-30 10:00",
        time_zone: "Mars",
        integration_ids: [],
      }),
    ).toEqual(all);
    const backwards = { end_datetime: "2031-07-01T10:00:00+02:00" };
    expect(await refused(windowOf([id], backwards))).toEqual(["end_datetime"]);
    expect(await refused(windowOf(["int_AAAAAAAAAAAAAA"], backwards))).toEqual([
      "end_datetime",
      "integration_ids",
    ]);
  });

  test("are merged with an update, and the result is validated", async () => {
    const account = await makeAccount();
    const { api } = account;
    const [first, second] = [await makeSource(account), await makeSource(account)];
    const { body: made } = await api("POST", "/maintenance_windows", windowOf([first.id]));
    const path = `/maintenance_windows/${made.prefix_id}`;
    const change = async (body: unknown, method = "PUT") => {
      const reply = await api(method, path, body);
      expect(reply.status, reply.text).toBe(200);
      const { updated_at: _, ...rest } = reply.body;
      return rest;
    };
    const { updated_at: _, ...stored } = made;
    expect(await change({})).toEqual(stored);
    expect(await change({ description: "why" }, "PATCH")).toEqual({
      ...stored,
      description: "why",
    });
    expect(await change({ description: null, time_zone: "London" })).toEqual({
      ...stored,
      time_zone: "London",
    });
    const later = "2031-07-01T11:30:00.000Z";
    expect(await change({ end_time: "2031-07-01 12:30" })).toMatchObject({
      start_time: stored.start_time,
      end_datetime: later,
      end_time: later,
    });
    expect(await change({ integration_ids: [second.prefixId] })).toMatchObject({
      integration_ids: [second.id],
      end_datetime: later,
    });
    const refuse = async (body: unknown) => faultyFields(await api("PUT", path, body));
    expect(await refuse({ start_datetime: later })).toEqual(["end_datetime"]);
    expect(await refuse({ start_datetime: null })).toEqual(["start_datetime"]);
    expect(await refuse({ integration_ids: [] })).toEqual(["integration_ids"]);
    expect(await change({})).toMatchObject({ integration_ids: [second.id] });
  });

  test("are listed with filters, a sort order and totals", async () => {
    const account = await makeAccount();
    const [first, second] = [await makeSource(account), await makeSource(account)];
    const make = (name: string, year: number, ids: string[]) =>
      account.api(
        "POST",
        "/maintenance_windows",
        windowOf(ids, {
          name,
          start_datetime: `${year}-01-01T00:00:00Z`,
          end_datetime: `${year}-01-02T00:00:00Z`,
        }),
      );
    await make("b", 2031, [first.id]);
    await make("a", 2032, [first.id, second.id]);
    const names = async (query: string) => {
      const { status, body, text } = await account.api("GET", `/maintenance_windows?${query}`);
      expect(status, text).toBe(200);
      return body.data.map((it: { name: string }) => it.name);
    };
    expect(await names("")).toEqual(["a", "b"]);
    expect(await names("sort=start_time&direction=asc")).toEqual(["b", "a"]);
    expect(await names(`integration_ids=${second.prefixId}`)).toEqual(["a"]);
    const from = encodeURIComponent("2032-01-01T00:00:00Z");
    expect(await names(`start_datetime=${from}&ops=start_datetime:lt`)).toEqual(["b"]);
    expect(await names("q=A")).toEqual(["a"]);
    expect((await account.api("GET", "/maintenance_windows?limit=1")).body).toMatchObject({
      has_more: true,
      total_count: 2,
    });
  });

  test("are written only by admins, and not found by other accounts", async () => {
    const account = await makeAccount();
    const other = await makeAccount();
    const source = await makeSource(account);
    const { body: made } = await account.api("POST", "/maintenance_windows", windowOf([source.id]));
    const path = `/maintenance_windows/${made.id}`;
    const colleague = await addColleague(account, "Ben Member", { broadcaster: true });
    expect((await colleague.api("GET", path)).status).toBe(200);
    for (const [method, where, body] of [
      ["POST", "/maintenance_windows", windowOf([source.id])],
      ["PUT", path, { name: "x" }],
      ["DELETE", path, undefined],
    ] as const) {
      expect((await colleague.api(method, where, body)).status, method).toBe(403);
    }
    expect((await other.api("GET", path)).status).toBe(404);
    expect((await other.api("PUT", path, { name: "x" })).status).toBe(404);
    expect((await other.api("DELETE", path)).status).toBe(404);
    const stolen = await other.api("POST", "/maintenance_windows", windowOf([source.id]));
    expect([stolen.status, faultyFields(stolen)]).toEqual([422, ["integration_ids"]]);
    expect((await account.api("DELETE", path)).status).toBe(204);
    expect((await account.api("DELETE", path)).status).toBe(404);
    expect((await account.api("GET", "/maintenance_windows")).body.total_count).toBe(0);
  });

  test("no longer contain an integration after it is deleted", async () => {
    const account = await makeAccount();
    const [deleted, remaining] = [await makeSource(account), await makeSource(account)];
    const { body: made } = await account.api(
      "POST",
      "/maintenance_windows",
      windowOf([deleted.id, remaining.id]),
    );
    expect(made.integration_ids).toEqual([deleted.id, remaining.id].sort());
    await account.api("DELETE", `/integrations/${deleted.id}`);
    const read = await account.api("GET", `/maintenance_windows/${made.id}`);
    expect(read.body.integration_ids).toEqual([remaining.id]);
  });
});

/** The configuration that the inbox stores. */
async function storedConfiguration(source: Integration): Promise<IntegrationConfiguration> {
  const stub = env.INTEGRATION_INBOX.getByName(source.prefixId);
  return runInDurableObject(stub, (_, state) => {
    const row = state.storage.sql.exec<{ body: string }>("select body from configuration").one();
    return JSON.parse(row.body) as IntegrationConfiguration;
  });
}

const storedWindows = async (source: Integration) =>
  (await storedConfiguration(source)).maintenanceWindows;

/** Creates an integration whose inbox has its configuration. */
async function makeConfiguredSource(account: Account): Promise<Integration> {
  const source = await makeSource(account);
  const configuration = await readIntegrationConfiguration(env.DB, source.prefixId);
  if (configuration === null) throw new Error("no such integration");
  await integrationInbox(env, source.prefixId).configure(configuration);
  return source;
}

describe("inboxes", () => {
  test("get each write at once, without windows that have ended", async () => {
    const account = await makeAccount();
    const { api } = account;
    const [first, second] = [
      await makeConfiguredSource(account),
      await makeConfiguredSource(account),
    ];
    const times = { start_datetime: daysFromNow(-1), end_datetime: daysFromNow(1) };
    const interval = {
      startAt: Date.parse(times.start_datetime),
      endAt: Date.parse(times.end_datetime),
    };
    const over = windowOf([first.id], {
      start_datetime: daysFromNow(-2),
      end_datetime: daysFromNow(-1),
    });
    expect((await api("POST", "/maintenance_windows", over)).status).toBe(201);
    expect(await storedWindows(first)).toEqual([]);
    const { body: made } = await api("POST", "/maintenance_windows", windowOf([first.id], times));
    expect([await storedWindows(first), await storedWindows(second)]).toEqual([[interval], []]);
    const path = `/maintenance_windows/${made.id}`;
    await api("PUT", path, { integration_ids: [second.id] });
    expect([await storedWindows(first), await storedWindows(second)]).toEqual([[], [interval]]);
    const longer = daysFromNow(2);
    await api("PUT", path, { end_datetime: longer });
    expect(await storedWindows(second)).toEqual([{ ...interval, endAt: Date.parse(longer) }]);
    await api("DELETE", path);
    expect(await storedWindows(second)).toEqual([]);
  });

  test("ignore an older configuration that arrives late", async () => {
    const account = await makeAccount();
    const source = await makeConfiguredSource(account);
    const before = await storedConfiguration(source);
    const times = { start_datetime: daysFromNow(-1), end_datetime: daysFromNow(1) };
    const { body: made } = await account.api(
      "POST",
      "/maintenance_windows",
      windowOf([source.id], times),
    );
    const during = await storedConfiguration(source);
    await integrationInbox(env, source.prefixId).configure(before);
    expect(await storedConfiguration(source)).toEqual(during);
    await account.api("DELETE", `/maintenance_windows/${made.id}`);
    await integrationInbox(env, source.prefixId).configure(during);
    expect((await storedConfiguration(source)).maintenanceWindows).toEqual([]);
  });

  test("keep the windows when the integration is updated", async () => {
    const account = await makeAccount();
    const source = await makeConfiguredSource(account);
    const times = { start_datetime: daysFromNow(1), end_datetime: daysFromNow(2) };
    await account.api("POST", "/maintenance_windows", windowOf([source.id], times));
    const renamed = await account.api("PUT", `/integrations/${source.id}`, { name: "Other" });
    expect(renamed.status, renamed.text).toBe(200);
    expect(await storedWindows(source)).toHaveLength(1);
  });
});
