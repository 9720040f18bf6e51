// A test per row of the tables of contract 1, Lists, and contract 1, Errors; and the version in the path (contract 1).
import { beforeAll, describe, expect, test } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { faultyFields, freshEmail } from "../../support/people/people.ts";
import { makeIntegration, makeTeam } from "../../support/worker/world.ts";

const NAMES = ["ab", "abc", "b", "bc", "c", "d", "e", "f", "g", "h", "i", "j"];
let account: Account;
let teamId: string;

beforeAll(async () => {
  account = await makeAccount();
  for (const name of NAMES) await account.api("POST", "/schedules", { name });
});

const list = async (query = "") => (await account.api("GET", `/schedules${query}`)).body;
const names = async (query: string) =>
  (await list(`${query}&sort=name&direction=asc&limit=100`)).data.map((it: any) => it.name);

describe("Pagination query parameters", () => {
  test("limit: default 10, between 1 and 100", async () => {
    expect((await list()).data).toHaveLength(10);
    expect((await list("?limit=1")).data).toHaveLength(1);
    expect((await list("?limit=100")).data).toHaveLength(12);
    for (const limit of ["0", "101", "-1", "ten", "1.5"]) {
      const reply = await account.api("GET", `/schedules?limit=${limit}`);
      expect([reply.status, faultyFields(reply)], limit).toEqual([422, ["limit"]]);
    }
  });
  test("offset: default 0, elements to skip", async () => {
    const all = (await list("?limit=100")).data;
    expect((await list("?limit=100&offset=0")).data).toEqual(all);
    expect((await list("?limit=100&offset=5")).data).toEqual(all.slice(5));
  });
  test("page: default 1, the offset computed from the limit", async () => {
    const all = (await list("?limit=100")).data;
    expect((await list("?limit=5&page=1")).data).toEqual(all.slice(0, 5));
    expect((await list("?limit=5&page=3")).data).toEqual(all.slice(10));
  });
});

describe("List response", () => {
  test("data: array", async () => expect((await list()).data).toBeInstanceOf(Array));
  test("has_more: false at the end of the set", async () => {
    expect((await list()).has_more).toBe(true);
    expect((await list("?offset=2")).has_more).toBe(false);
    expect((await list("?limit=12")).has_more).toBe(false);
  });
  test("total_count: all that exist", async () =>
    expect((await list("?limit=3&offset=9")).total_count).toBe(12));
});

describe("Filter operations", () => {
  test("equals, also without ops", async () => {
    expect(await names("?name=b")).toEqual(["b"]);
    expect(await names("?name=b&ops=name:equals")).toEqual(["b"]);
  });
  test("ne", async () =>
    expect(await names("?name=b&ops=name:ne")).toEqual(NAMES.filter((it) => it !== "b")));
  test("lt", async () => expect(await names("?name=b&ops=name:lt")).toEqual(["ab", "abc"]));
  test("lte", async () => expect(await names("?name=b&ops=name:lte")).toEqual(["ab", "abc", "b"]));
  test("gt", async () => expect(await names("?name=h&ops=name:gt")).toEqual(["i", "j"]));
  test("gte", async () => expect(await names("?name=h&ops=name:gte")).toEqual(["h", "i", "j"]));
  test("beginsWith", async () =>
    expect(await names("?name=b&ops=name:beginsWith")).toEqual(["b", "bc"]));
  test("contains: a string", async () =>
    expect(await names("?name=b&ops=name:contains")).toEqual(["ab", "abc", "b", "bc"]));
  test("contains: an array", async () => {
    const alert = {
      title: "x",
      urgency: "silent",
      destination_account_user_ids: [account.accountUserId],
    };
    await account.api("POST", "/alerts", { ...alert, tags: ["disk", "db"] });
    await account.api("POST", "/alerts", { ...alert, tags: ["db2"] });
    const { body } = await account.api("GET", "/alerts?tags=db&ops=tags:contains");
    expect(body.data.map((it: any) => it.tags)).toEqual([["disk", "db"]]);
  });
});

describe("Sorting", () => {
  test("sort and direction", async () => {
    expect((await list("?sort=name&direction=asc&limit=2")).data.map((it: any) => it.name)).toEqual(
      ["ab", "abc"],
    );
    const down = await list("?sort=name&direction=desc&limit=2");
    expect(down.data.map((it: any) => it.name)).toEqual(["j", "i"]);
    const created = await list("?sort=created_at&direction=asc&limit=1");
    expect(created.data[0].name).toBe("ab");
  });
});

describe("Condition", () => {
  beforeAll(async () => {
    teamId = (await makeTeam(account, [])).id;
  });
  test.each([
    "/users",
    "/teams",
    "/schedules",
    "/escalation_policies",
    "/events",
    "/alerts",
    "/broadcasts",
    "/comments",
    "/integrations",
  ])("A required parameter is missing on create: POST %s", async (path) => {
    const reply = await account.api("POST", path, {});
    expect(reply.status).toBe(422);
    expect(reply.body.errors.length).toBeGreaterThan(0);
    for (const error of reply.body.errors) expect(error.field).toBeTypeOf("string");
  });
  test("Team created without at least one member and one admin", async () => {
    const reply = await account.api("POST", "/teams", { name: "Empty" });
    expect([reply.status, faultyFields(reply)]).toEqual([
      422,
      ["admin_account_user_ids", "member_account_user_ids"],
    ]);
  });
  test("Delete of a user", async () => {
    const { body } = await account.api("POST", "/users", { name: "Ada", email: freshEmail() });
    expect((await account.api("DELETE", `/users/${body.id}`)).status).toBe(405);
  });
  test("Webhook sent without the token when the integration has one", async () => {
    const integration = await makeIntegration(account, [teamId], { token: "secret" });
    const reply = await integration.send({ event_type: "create", Id: "1", Title: "x" });
    expect(reply.status).toBe(401);
    expect((await account.api("GET", "/alerts?thirdparty_id=1")).body.total_count).toBe(0);
  });
});

describe("Versioning", () => {
  test("the version is part of the path", async () => {
    expect((await call("GET", "/api/v4/teams", { key: account.key })).status).toBe(200);
    for (const path of ["/api/v3/teams", "/api/teams", "/api/v5/teams"]) {
      const reply = await call("GET", path, { key: account.key });
      expect(reply.status).toBe(404);
      expect(reply.body.errors[0].message).toContain("/api/v4");
    }
  });
  test("the receiver's path has no version", async () => {
    const integration = await makeIntegration(account, [teamId]);
    const body = { event_type: "create", Id: "2", Title: "x" };
    const path = `/integration/${integration.prefixId}`;
    expect((await call("POST", path, { body })).status).toBe(200);
    expect((await call("POST", `/api/v4${path}`, { body, key: account.key })).status).toBe(404);
  });
});
