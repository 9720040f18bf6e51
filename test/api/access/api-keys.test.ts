import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { addColleague, faultyFields, keyOf } from "../../support/people/people.ts";

const withKey =
  (key: string): Account["api"] =>
  (method, path, body) =>
    call(method, `/api/v4${path}`, { key, ...(body !== undefined && { body }) });

describe("API keys", () => {
  test("a key is shown once, works at once, and stops working when it is revoked", async () => {
    const { api, accountId, accountUserId } = await makeAccount();
    const made = await api("POST", "/api_keys", { name: "deploys", meta: { for: "ci" } });
    expect(made.status).toBe(201);
    const { key, ...shown } = made.body;
    expect(key).toMatch(/^tocsin_[A-Za-z0-9_-]{43}$/);
    expect(shown).toMatchObject({
      account_id: accountId,
      account_user_id: accountUserId,
      name: "deploys",
      read_only: false,
      meta: { for: "ci" },
    });
    expect(shown).not.toHaveProperty("key_hash");
    const read = await api("GET", `/api_keys/${shown.prefix_id}`);
    expect(read.body).toEqual(shown);
    const listed = await api("GET", "/api_keys");
    expect(listed.body.total_count).toBe(2);
    expect(listed.text).not.toContain(key);
    const stored = await env.DB.prepare("select * from api_keys where id = ?")
      .bind(shown.id)
      .first();
    expect(JSON.stringify(stored)).not.toContain(key);
    const own = withKey(key);
    expect((await own("GET", "/teams")).status).toBe(200);
    expect((await api("DELETE", `/api_keys/${shown.id}`)).status).toBe(204);
    expect((await own("GET", "/teams")).status).toBe(401);
    expect((await api("GET", `/api_keys/${shown.id}`)).status).toBe(404);
    expect((await api("DELETE", `/api_keys/${shown.id}`)).status).toBe(404);
    expect((await api("GET", "/api_keys")).body.total_count).toBe(1);
  });

  test("a read-only key reads records other than API keys", async () => {
    const { api } = await makeAccount();
    const made = await api("POST", "/api_keys", { read_only: "true" });
    expect(made.body).toMatchObject({ read_only: true, name: "" });
    const reader = withKey(made.body.key);
    expect((await reader("GET", "/teams")).status).toBe(200);
    expect((await reader("POST", "/schedules", { name: "S" })).status).toBe(403);
    expect((await reader("POST", "/api_keys", {})).status).toBe(403);
    expect((await reader("GET", "/api_keys")).status).toBe(403);
    expect((await reader("GET", `/api_keys/${made.body.id}`)).status).toBe(403);
    expect((await reader("DELETE", `/api_keys/${made.body.id}`)).status).toBe(403);
  });

  test("a plain member can create, read and revoke only their own keys", async () => {
    const account = await makeAccount();
    const [me, other] = [await addColleague(account, "Me"), await addColleague(account, "Other")];
    const mine = await me.api("POST", "/api_keys", { name: "mine", account_user_id: me.id });
    expect(mine.status).toBe(201);
    const theirs = await other.api("POST", "/api_keys", { name: "theirs" });
    for (const id of [other.id, account.accountUserId, "acu_AAAAAAAAAAAAAA"]) {
      const refused = await me.api("POST", "/api_keys", { account_user_id: id });
      expect(refused.status).toBe(403);
    }
    const listed = await me.api("GET", "/api_keys?sort=name");
    expect(listed.body.total_count).toBe(2);
    expect(listed.body.data[0].name).toBe("mine");
    expect(listed.text).not.toContain(theirs.body.id);
    const path = `/api_keys/${theirs.body.id}`;
    expect((await me.api("GET", path)).status).toBe(404);
    expect((await me.api("DELETE", path)).status).toBe(404);
    expect((await other.api("GET", path)).status).toBe(200);
    expect((await me.api("DELETE", `/api_keys/${mine.body.prefix_id}`)).status).toBe(204);
  });

  test("an admin can create, read and revoke all keys of the account", async () => {
    const account = await makeAccount();
    const person = await addColleague(account, "Grace");
    const { body: member } = await account.api("GET", `/account_users/${person.id}`);
    const made = await account.api("POST", "/api_keys", { account_user_id: member.prefix_id });
    expect(made.body.account_user_id).toBe(person.id);
    const theirs = withKey(made.body.key);
    expect((await theirs("POST", "/schedules", { name: "S" })).status).toBe(403);
    const of = await account.api("GET", `/api_keys?account_user_id=${member.prefix_id}`);
    expect(of.body.total_count).toBe(2);
    expect((await account.api("DELETE", `/api_keys/${made.body.id}`)).status).toBe(204);
    expect((await theirs("GET", "/teams")).status).toBe(401);
  });

  test("reports every invalid field", async () => {
    const account = await makeAccount();
    const { api } = account;
    const other = await makeAccount();
    const refused = await api("POST", "/api_keys", {
      name: "x".repeat(256),
      read_only: "maybe",
      account_user_id: 7,
    });
    expect(refused.status).toBe(422);
    expect(faultyFields(refused)).toEqual(["account_user_id", "name", "read_only"]);
    for (const id of ["nobody", other.accountUserId]) {
      const unknown = await api("POST", "/api_keys", { account_user_id: id });
      expect(unknown.status).toBe(422);
      expect(faultyFields(unknown)).toEqual(["account_user_id"]);
    }
    const home = await addColleague(other, "Elsewhere");
    const invited = await api("POST", "/users", { name: "I", email: home.email });
    const early = await api("POST", "/api_keys", {
      account_user_id: invited.body.account_user_id,
    });
    expect(early.status).toBe(422);
    const nulls = await api("POST", "/api_keys", {
      name: null,
      read_only: null,
      account_user_id: null,
    });
    expect(nulls.status).toBe(201);
    const form = await api("POST", "/api_keys", "name=form&read_only=1", {
      "Content-Type": "application/x-www-form-urlencoded",
    });
    expect(form.body).toMatchObject({ name: "form", read_only: true });
  });

  test("another account's keys are not found", async () => {
    const { api } = await makeAccount();
    const other = await makeAccount();
    const { body } = await other.api("POST", "/api_keys", { name: "theirs" });
    for (const id of [body.id, body.prefix_id, "api_nothing"]) {
      expect((await api("GET", `/api_keys/${id}`)).status).toBe(404);
      expect((await api("DELETE", `/api_keys/${id}`)).status).toBe(404);
    }
    expect((await withKey(body.key)("GET", "/api_keys")).status).toBe(200);
    expect((await api("GET", "/api_keys?name=theirs")).body.total_count).toBe(0);
  });

  test("removing a person from the account revokes their keys", async () => {
    const account = await makeAccount();
    const person = await addColleague(account, "Grace");
    const second = await keyOf(account.accountId, person.id);
    expect((await second("GET", "/teams")).status).toBe(200);
    expect((await account.api("DELETE", `/account_users/${person.id}`)).status).toBe(204);
    expect((await second("GET", "/teams")).status).toBe(401);
    expect((await person.api("GET", "/teams")).status).toBe(401);
    expect((await account.api("GET", "/api_keys")).body.total_count).toBe(1);
    const back = await account.api("POST", "/users", { name: "Grace", email: person.email });
    expect(back.body.state).toBe("pending");
  });
});
