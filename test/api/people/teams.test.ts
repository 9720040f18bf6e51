import { describe, expect, test } from "vitest";
import { call, makeAccount } from "../../support/api/api.ts";

describe("teams", () => {
  test("a create adds the default schedule and policy, and the team reads back", async () => {
    const { api, accountUserId, accountId } = await makeAccount();
    const made = await api("POST", "/teams", {
      name: "Payments",
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [accountUserId],
      unheard_of: 1,
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      name: "Payments",
      account_id: accountId,
      member_account_user_ids: [accountUserId],
      drop_notifications: "team_admins",
      handoff_notifications: "none",
      meta: {},
      attachments: [],
    });
    expect(made.body).not.toHaveProperty("unheard_of");
    expect(made.headers.get("x-request-id")).toBeTruthy();
    const read = await api("GET", `/teams/${made.body.prefix_id}/`);
    expect(read.status).toBe(200);
    expect(read.body).toEqual(made.body);
    const schedule = await api("GET", `/schedules/${made.body.schedule_id}`);
    expect(schedule.body.name).toBe("Payments Schedule");
  });

  test("reports every missing or invalid parameter at once", async () => {
    const { api } = await makeAccount();
    const refused = await api("POST", "/teams", { member_account_user_ids: ["nope"] });
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe(422);
    expect(refused.body.errors.map((e: { field: string }) => e.field).sort()).toEqual([
      "admin_account_user_ids",
      "member_account_user_ids",
      "name",
    ]);
    const second = await api("POST", "/teams", { name: "x", member_account_user_ids: ["nope"] });
    expect(second.body.errors.map((e: { field: string }) => e.field).sort()).toEqual([
      "admin_account_user_ids",
      "member_account_user_ids",
    ]);
  });

  test("lists with filters, order, pages and totals", async () => {
    const { api, accountUserId } = await makeAccount();
    for (const name of ["Alpha", "Beta", "Gamma"]) {
      await api("POST", "/teams", {
        name,
        member_account_user_ids: [accountUserId],
        admin_account_user_ids: [accountUserId],
      });
    }
    const names = async (query: string) => {
      const { status, body } = await api("GET", `/teams?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return [
        body.data.map((team: { name: string }) => team.name),
        body.has_more,
        body.total_count,
      ];
    };
    expect(await names("limit=2&sort=name&direction=asc")).toEqual([["Alpha", "Beta"], true, 3]);
    expect(await names("limit=2&page=2&sort=name&direction=asc")).toEqual([["Gamma"], false, 3]);
    expect(await names("name=Beta")).toEqual([["Beta"], false, 1]);
    expect(await names("name=Be&ops=name:beginsWith")).toEqual([["Beta"], false, 1]);
    expect(await names("name=mm&ops=name:contains")).toEqual([["Gamma"], false, 1]);
    expect(await names("name=Beta&ops=name:gt")).toEqual([["Gamma"], false, 1]);
    expect(await names(`member_account_user_ids=${accountUserId}&sort=name`)).toEqual([
      ["Gamma", "Beta", "Alpha"],
      false,
      3,
    ]);
    expect((await names("q=ALPH"))[0]).toEqual(["Alpha"]);
    expect((await api("GET", "/teams?limit=0")).status).toBe(422);
    expect((await api("GET", "/teams?colour=red")).body.errors[0].message).toContain("name");
    expect((await api("GET", "/teams?ops=name")).status).toBe(400);
    expect((await api("GET", "/teams?created_at=yesterday")).status).toBe(400);
  });

  test("an update changes only the given fields", async () => {
    const { api, accountUserId } = await makeAccount();
    const { body: team } = await api("POST", "/teams", {
      name: "One",
      notes: "n",
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [accountUserId],
    });
    const changed = await api("PUT", `/teams/${team.id}`, { name: "Two" });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      name: "Two",
      notes: "n",
      admin_account_user_ids: [accountUserId],
    });
    expect((await api("PUT", `/teams/${team.id}`, { admin_account_user_ids: [] })).status).toBe(
      422,
    );
  });

  test("rejects requests without a valid key, path, method or body", async () => {
    expect((await call("GET", "/api/v4/teams")).status).toBe(401);
    expect((await call("GET", "/api/v4/teams", { key: "x" })).headers.get("www-authenticate")).toBe(
      "Bearer",
    );
    const { api, key } = await makeAccount();
    expect((await api("GET", "/nothing")).status).toBe(404);
    expect((await call("GET", "/api/v3/teams", { key })).body.errors[0].message).toContain(
      "/api/v4",
    );
    const wrong = await api("PUT", "/teams");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, POST");
    expect((await api("POST", "/teams", "{")).status).toBe(400);
    expect((await api("GET", "/teams/tem_%E0%A4%A")).status).toBe(404);
  });
});
