import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { type Account, makeAccount, type Reply } from "../../support/api/api.ts";
import { addColleague, faultyFields, freshEmail, keyOf } from "../../support/people/people.ts";

const NO_ROLES = { admin: false, billing: false, broadcaster: false, communicator: false };

async function makeTeam({ api, accountUserId }: Account, name: string): Promise<Reply["body"]> {
  const made = await api("POST", "/teams", {
    name,
    member_account_user_ids: [accountUserId],
    admin_account_user_ids: [accountUserId],
  });
  return made.body;
}

async function makeNotificationRule(accountId: string): Promise<string> {
  const id = `01JZZZZZZZ${accountId.slice(10)}`;
  await env.DB.prepare(
    `insert into notification_rules (id, prefix_id, created_at, updated_at, account_id, name)
      values (?, 'nrl_AAAAAAAAAAAAAA', 1, 1, ?, 'rule')`,
  )
    .bind(id, accountId)
    .run();
  return id;
}

describe("account users", () => {
  test("a create as the vendor's client sends it reads back by either id", async () => {
    const account = await makeAccount();
    const { api, accountId } = account;
    const team = await makeTeam(account, "Payments");
    const email = freshEmail();
    const made = await api("POST", "/account_users", {
      user_attributes: { name: "Grace", emails_attributes: [{ email }] },
      roles: {},
      team_ids: [team.prefix_id],
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_id: accountId,
      state: "active",
      meta: {},
      roles: NO_ROLES,
      member_team_ids: [team.id],
      team_ids: [team.id],
      notification_rule_id: null,
      user: {
        name: "Grace",
        time_zone: "UTC",
        preferred_language: "en",
        notify_push: true,
        notify_email: true,
        notify_sms: false,
        notify_voice: false,
        emails: [{ email, primary: true }],
        phones: [],
      },
    });
    expect(made.body.prefix_id).toMatch(/^acu_/);
    expect(made.body.user.prefix_id).toMatch(/^usr_/);
    for (const id of [made.body.id, made.body.prefix_id]) {
      expect((await api("GET", `/account_users/${id}`)).body).toEqual(made.body);
    }
    const joined = await api("GET", `/teams/${team.id}`);
    expect(joined.body.member_account_user_ids).toEqual([account.accountUserId, made.body.id]);
    expect((await api("GET", `/users/${made.body.user.id}`)).body.name).toBe("Grace");
  });

  test("returns every field that was set", async () => {
    const { api, accountId } = await makeAccount();
    const ruleId = await makeNotificationRule(accountId);
    const [first, second] = [freshEmail(), freshEmail()];
    const made = await api("POST", "/account_users", {
      user_attributes: {
        name: "Grace",
        notify_sms: true,
        notify_email: false,
        preferred_language: "de",
        emails_attributes: [{ email: first }, { email: second, primary: true }],
        phones_attributes: [{ phone: "+4915112345678" }],
      },
      time_zone: "Berlin",
      roles: { broadcaster: true, billing: "true", root: true },
      notification_rule_id: "nrl_AAAAAAAAAAAAAA",
      meta: { cost_centre: "42" },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      roles: { ...NO_ROLES, broadcaster: true, billing: true },
      notification_rule_id: ruleId,
      meta: { cost_centre: "42" },
      user: {
        time_zone: "Berlin",
        preferred_language: "de",
        notify_sms: true,
        notify_email: false,
        emails: [
          { email: first, primary: false },
          { email: second, primary: true },
        ],
        phones: [{ phone: "+4915112345678", country: "DE", primary: true, confirmed: false }],
      },
    });
    expect(made.body.roles).not.toHaveProperty("root");
    const cleared = await api("PUT", `/account_users/${made.body.id}`, {
      notification_rule_id: null,
      roles: null,
      user_attributes: null,
    });
    expect(cleared.body).toEqual({
      ...made.body,
      notification_rule_id: null,
      updated_at: cleared.body.updated_at,
    });
  });

  test("reports all invalid fields at once", async () => {
    const { api } = await makeAccount();
    const bare = await api("POST", "/account_users");
    expect(bare.status).toBe(422);
    expect(faultyFields(bare)).toEqual([
      "user_attributes.emails_attributes",
      "user_attributes.name",
    ]);
    const refused = await api("POST", "/account_users", {
      user_attributes: {
        name: "x",
        emails_attributes: [{ email: "nobody" }],
        phones_attributes: [{ phone: "12345" }],
      },
      roles: { admin: "sometimes" },
      time_zone: "Nowhere",
    });
    expect(faultyFields(refused)).toEqual([
      "roles.admin",
      "time_zone",
      "user_attributes.emails_attributes[0].email",
      "user_attributes.phones_attributes[0].phone",
    ]);
    const taken = freshEmail();
    await api("POST", "/users", { name: "T", email: taken });
    const references = await api("POST", "/account_users", {
      user_attributes: { name: "x", emails_attributes: [{ email: taken }] },
      team_ids: ["tem_nothing"],
      notification_rule_id: "nrl_nothing",
    });
    expect(references.status).toBe(422);
    expect(faultyFields(references)).toEqual([
      "notification_rule_id",
      "team_ids",
      "user_attributes.emails_attributes",
    ]);
    expect((await api("POST", "/account_users", { roles: ["admin"] })).status).toBe(422);
  });

  test("accept form-encoded bodies", async () => {
    const { api } = await makeAccount();
    const email = freshEmail();
    const made = await api(
      "POST",
      "/account_users",
      `user_attributes[name]=Form&user_attributes[emails_attributes][][email]=${encodeURIComponent(email)}&roles[admin]=true`,
      { "Content-Type": "application/x-www-form-urlencoded" },
    );
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      roles: { ...NO_ROLES, admin: true },
      user: { name: "Form", emails: [{ email, primary: true }] },
    });
  });

  test("an update merges roles and user attributes, and replaces the teams", async () => {
    const account = await makeAccount();
    const { api } = account;
    const [one, two] = [await makeTeam(account, "One"), await makeTeam(account, "Two")];
    const person = await addColleague(account, "Grace", { broadcaster: true });
    const put = (body: unknown) => api("PUT", `/account_users/${person.id}`, body);
    expect((await put({ roles: { billing: true } })).body.roles).toEqual({
      ...NO_ROLES,
      broadcaster: true,
      billing: true,
    });
    const renamed = await put({ user_attributes: { name: "Amazing Grace" } });
    expect(renamed.body.user).toMatchObject({
      name: "Amazing Grace",
      emails: [{ email: person.email }],
    });
    const ids = [one.id, two.id].sort();
    expect((await put({ member_team_ids: [two.prefix_id, one.id] })).body.member_team_ids).toEqual(
      ids,
    );
    expect((await put({ team_ids: [two.id] })).body.member_team_ids).toEqual([two.id]);
    const team = await api("GET", `/teams/${one.id}`);
    expect(team.body.member_account_user_ids).toEqual([account.accountUserId]);
    expect((await put({ member_team_ids: [] })).body.member_team_ids).toEqual([]);
    expect((await put({ member_team_ids: ["tem_x"] })).status).toBe(422);
    expect((await api("PATCH", `/account_users/${person.id}`)).status).toBe(200);
  });

  test("an invited person is a pending member, of whom the account can change only the membership", async () => {
    const home = await makeAccount();
    const account = await makeAccount();
    const { api } = account;
    const team = await makeTeam(account, "T");
    const person = await addColleague(home, "Real Name");
    const invited = await api("POST", "/account_users", {
      user_attributes: {
        name: "As Invited",
        emails_attributes: [{ email: person.email }],
        phones_attributes: [{ phone: "+14155550123" }],
      },
      member_team_ids: [team.id],
      roles: { broadcaster: true },
    });
    expect(invited.status, invited.text).toBe(201);
    expect(invited.body).toMatchObject({
      state: "pending",
      member_team_ids: [team.id],
      roles: { ...NO_ROLES, broadcaster: true },
      user: { id: person.userId, name: "As Invited", time_zone: null, notify_push: null },
    });
    const path = `/account_users/${invited.body.id}`;
    expect((await api("PUT", path, { roles: { broadcaster: false } })).body.roles).toEqual(
      NO_ROLES,
    );
    expect((await api("PUT", path, { user_attributes: { name: "X" } })).status).toBe(403);
    const theirs = await home.api("GET", `/account_users/${person.id}`);
    expect(theirs.body.user).toMatchObject({ name: "Real Name", phones: [] });
    const early = await keyOf(account.accountId, invited.body.id);
    expect((await early("GET", "/users")).status).toBe(401);
  });

  test("a plain member can change their own user attributes, but not their membership", async () => {
    const account = await makeAccount();
    const [me, other] = [await addColleague(account, "Me"), await addColleague(account, "Other")];
    const own = `/account_users/${me.id}`;
    const renamed = await me.api("PUT", own, {
      user_attributes: { name: "Myself", phones_attributes: [{ phone: "+14155550123" }] },
    });
    expect(renamed.status, renamed.text).toBe(200);
    expect(renamed.body.user).toMatchObject({ name: "Myself", phones: [{ primary: true }] });
    for (const body of [{ roles: { admin: true } }, { member_team_ids: [] }, { meta: {} }]) {
      expect((await me.api("PUT", own, body)).status, JSON.stringify(body)).toBe(403);
    }
    const theirs = `/account_users/${other.id}`;
    expect((await me.api("PUT", theirs, { user_attributes: { name: "X" } })).status).toBe(403);
    expect((await me.api("PUT", theirs, {})).status).toBe(403);
    expect((await me.api("DELETE", theirs)).status).toBe(403);
    const added = { user_attributes: { name: "X", emails_attributes: [{ email: freshEmail() }] } };
    expect((await me.api("POST", "/account_users", added)).status).toBe(403);
    expect((await me.api("GET", theirs)).status).toBe(200);
  });

  test("a role takes effect with the next request", async () => {
    const account = await makeAccount();
    const person = await addColleague(account, "Grace");
    const make = () => person.api("POST", "/schedules", { name: "S" });
    expect((await make()).status).toBe(403);
    await account.api("PUT", `/account_users/${person.id}`, { roles: { admin: true } });
    expect((await make()).status).toBe(201);
    await account.api("PUT", `/account_users/${person.id}`, { roles: { admin: false } });
    expect((await make()).status).toBe(403);
  });

  test("the last admin cannot be demoted or removed", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const own = `/account_users/${accountUserId}`;
    const demote = (who: typeof api) =>
      who("PUT", own, { roles: { admin: false }, meta: { x: 1 } });
    const refused = await demote(api);
    expect(refused.status).toBe(409);
    expect(refused.body.errors[0].message).toContain("admin");
    expect((await api("DELETE", own)).status).toBe(409);
    const stored = await api("GET", own);
    expect(stored.body).toMatchObject({ roles: { admin: true }, meta: {} });
    const second = await addColleague(account, "Second", { admin: true });
    const both = await Promise.all([
      demote(second.api),
      api("PUT", `/account_users/${second.id}`, { roles: { admin: false } }),
    ]);
    const admins = await env.DB.prepare(
      "select count(*) as n from account_users where account_id = ? and admin",
    )
      .bind(account.accountId)
      .first<{ n: number }>();
    expect(admins?.n).toBe(1);
    expect(both.map((it) => it.status)).toContain(200);
  });

  test("another account's memberships are not found", async () => {
    const { api } = await makeAccount();
    const other = await makeAccount();
    const person = await addColleague(other, "Grace");
    for (const id of [person.id, person.userId, "acu_nothing"]) {
      expect((await api("GET", `/account_users/${id}`)).status).toBe(404);
      expect((await api("PUT", `/account_users/${id}`, { roles: {} })).status).toBe(404);
      expect((await api("DELETE", `/account_users/${id}`)).status).toBe(404);
    }
    expect((await other.api("GET", `/account_users/${person.id}`)).status).toBe(200);
  });

  test("lists with filters, search and order", async () => {
    const account = await makeAccount("Zed");
    const { api } = account;
    const team = await makeTeam(account, "T");
    const grace = await addColleague(account, "Grace", { broadcaster: true });
    await api("PUT", `/account_users/${grace.id}`, { member_team_ids: [team.id] });
    const names = async (query: string) => {
      const { status, body } = await api("GET", `/account_users?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map(({ user }: { user: { name: string } }) => user.name);
    };
    expect(await names("")).toEqual(["Grace", "Zed"]);
    expect(await names("limit=1&offset=1")).toEqual(["Zed"]);
    expect(await names("roles.broadcaster=true")).toEqual(["Grace"]);
    expect(await names("roles.admin=true")).toEqual(["Zed"]);
    expect(await names("user.name=Grace")).toEqual(["Grace"]);
    expect(await names(`user.id=${grace.userId}`)).toEqual(["Grace"]);
    expect((await names(`team_ids=${team.id}`)).sort()).toEqual(["Grace", "Zed"]);
    expect(await names(`q=${grace.email.slice(0, 12)}`)).toEqual(["Grace"]);
    expect(await names("state=pending")).toEqual([]);
    const { body } = await api("GET", "/account_users?limit=1");
    expect([body.has_more, body.total_count]).toEqual([true, 2]);
    expect((await api("GET", "/account_users?roles=admin")).status).toBe(422);
  });
});
