import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { readRecipients } from "../../../src/features/people/contacts/recipient-rows.ts";
import { call, makeAccount } from "../../support/api/api.ts";
import { addColleague, faultyFields, freshEmail } from "../../support/people/people.ts";
import { makePerson } from "../../support/worker/world.ts";

const RULES = `rules:
  - match: { alert.urgency: { $in: [high, critical] } }
    types: [alert.open, alert.dropped]
    actions:
      - { type: notify, channels: [push, sms], timeout: 1m }
      - { type: repeat, times: 2 }
  - match: { always: true }
    actions:
      - { type: hold, until: "08:00", timezone: Europe/Berlin }
`;

describe("notification rules", () => {
  test("a create reads back, an update changes only the given fields, and lists can be filtered", async () => {
    const { api, accountId } = await makeAccount();
    const made = await api("POST", "/notification_rules", { name: "Nights", rules: RULES });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_id: accountId,
      name: "Nights",
      enabled: true,
      rules: RULES,
      meta: {},
    });
    expect(made.body.prefix_id).toMatch(/^nrl_/);
    const path = `/notification_rules/${made.body.prefix_id}`;
    expect((await api("GET", path)).body).toEqual(made.body);
    const changed = await api("PUT", path, { enabled: false });
    expect(changed.body).toMatchObject({ name: "Nights", enabled: false, rules: RULES });
    expect((await api("PATCH", path, { rules: null })).body.rules).toBe("");
    expect((await api("GET", "/notification_rules?enabled=false")).body.total_count).toBe(1);
    expect((await api("GET", "/notification_rules?q=none")).body.total_count).toBe(0);
  });

  test("report errors with line and column", async () => {
    const { api } = await makeAccount();
    const refused = await api("POST", "/notification_rules", {
      rules: RULES.replace("push, sms", "pigeon").replace("times: 2", "times: 4"),
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([
      { message: "name can't be blank", field: "name" },
      {
        message:
          "rules line 5, column 36 (rules[0].actions[0].channels[0]): channels: must be one of email, sms, voice, push, ntfy, pushover, telegram, whatsapp, slack, teams, gotify, matrix, webhook",
        field: "rules",
      },
      {
        message: "rules line 6, column 32 (rules[0].actions[1].times): repeat needs times, 0 to 3",
        field: "rules",
      },
    ]);
  });

  test("deleting one removes it from its account users only", async () => {
    const account = await makeAccount();
    const { api } = account;
    const [rule, other] = [
      (await api("POST", "/notification_rules", { name: "a" })).body,
      (await api("POST", "/notification_rules", { name: "b" })).body,
    ];
    const users = [await makePerson(account, "Grace"), await makePerson(account, "Alan")];
    for (const [i, { accountUserId }] of users.entries()) {
      const given = { notification_rule_id: [rule, other][i].id };
      expect((await api("PUT", `/account_users/${accountUserId}`, given)).status).toBe(200);
    }
    expect((await api("DELETE", `/notification_rules/${rule.prefix_id}`)).status).toBe(204);
    expect((await api("DELETE", `/notification_rules/${rule.id}`)).status).toBe(404);
    const left = await Promise.all(
      users.map(async ({ accountUserId }) => {
        const { body } = await api("GET", `/account_users/${accountUserId}`);
        return body.notification_rule_id;
      }),
    );
    expect(left).toEqual([null, other.id]);
  });

  test("can be changed only by admins, and read only within the account", async () => {
    const account = await makeAccount();
    const { body: rule } = await account.api("POST", "/notification_rules", { name: "a" });
    const member = await makePerson(account, "Grace");
    const path = `/notification_rules/${rule.id}`;
    const asMember = (method: string, body?: unknown) =>
      call(method, `/api/v4${path}`, { key: member.key, body });
    expect((await asMember("GET")).status).toBe(200);
    expect((await asMember("PUT", { name: "x" })).status).toBe(403);
    expect((await asMember("DELETE")).status).toBe(403);
    const stranger = await makeAccount();
    expect((await stranger.api("GET", path)).status).toBe(404);
    expect((await stranger.api("PUT", path, { name: "x" })).status).toBe(404);
    expect((await stranger.api("DELETE", path)).status).toBe(404);
  });
});

describe("a person's own notification rules", () => {
  const OWN =
    "rules:\n  - match: { always: true }\n    actions: [{ type: notify, channels: [email] }]\n";

  async function makeOwn() {
    const account = await makeAccount();
    const grace = await addColleague(account, "Grace Hopper");
    const made = await grace.api("POST", "/notification_rules", {
      ...{ name: "Mine", rules: OWN, account_user_id: grace.id },
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ account_user_id: grace.id, name: "Mine" });
    return { account, grace, rule: made.body };
  }

  test("are created, changed, used and deleted by the person without a role", async () => {
    const { account, grace, rule } = await makeOwn();
    const path = `/notification_rules/${rule.prefix_id}`;
    const changed = await grace.api("PATCH", path, { name: "Nights" });
    expect(changed.body, changed.text).toMatchObject({ name: "Nights", account_user_id: grace.id });
    const used = await grace.api("PATCH", `/account_users/${grace.id}`, {
      notification_rule_id: rule.prefix_id,
    });
    expect(used.body.notification_rule_id, used.text).toBe(rule.id);
    const preview = await account.api("POST", "/alerts/preview", {
      ...{ title: "x", urgency: "high", destination_account_user_ids: [grace.id] },
    });
    expect(preview.body.pages?.[0]?.decided_by, preview.text).toBe(
      "notification rule Nights, line 2",
    );
    expect((await grace.api("DELETE", path)).status).toBe(204);
    const { body: after } = await grace.api("GET", `/account_users/${grace.id}`);
    expect(after.notification_rule_id).toBe(null);
  });

  test("by a prefix_id, and by an admin for somebody else", async () => {
    const account = await makeAccount();
    const grace = await addColleague(account, "Grace Hopper");
    const { body: person } = await account.api("GET", `/account_users/${grace.id}`);
    for (const api of [grace.api, account.api]) {
      const body = { name: "Mine", account_user_id: person.prefix_id };
      const made = await api("POST", "/notification_rules", body);
      expect(made.body.account_user_id, made.text).toBe(grace.id);
    }
  });

  test("are nobody else's to create, change, delete or use, except that admins change them", async () => {
    const { account, grace, rule } = await makeOwn();
    const alan = await addColleague(account, "Alan Turing");
    const { body: shared } = await account.api("POST", "/notification_rules", { name: "All" });
    for (const body of [{ name: "x" }, { name: "x", account_user_id: grace.id }]) {
      expect((await alan.api("POST", "/notification_rules", body)).status).toBe(403);
    }
    for (const { id } of [rule, shared]) {
      expect((await alan.api("PATCH", `/notification_rules/${id}`, { name: "x" })).status).toBe(
        403,
      );
      expect((await alan.api("DELETE", `/notification_rules/${id}`)).status).toBe(403);
    }
    const taken = { notification_rule_id: rule.id };
    for (const api of [alan.api, account.api]) {
      const refused = await api("PATCH", `/account_users/${alan.id}`, taken);
      expect(refused.status, refused.text).toBe(422);
      expect(faultyFields(refused)).toEqual(["notification_rule_id"]);
    }
    const added = await account.api("POST", "/account_users", {
      user_attributes: { name: "New", emails_attributes: [{ email: freshEmail() }] },
      ...taken,
    });
    expect(faultyFields(added)).toEqual(["notification_rule_id"]);
    const chosen = await alan.api("PATCH", `/account_users/${alan.id}`, {
      notification_rule_id: shared.id,
    });
    expect(chosen.body.notification_rule_id, chosen.text).toBe(shared.id);
    expect((await alan.api("PATCH", `/account_users/${grace.id}`, taken)).status).toBe(403);
    const byAdmin = await account.api("PATCH", `/account_users/${grace.id}`, taken);
    expect(byAdmin.body.notification_rule_id, byAdmin.text).toBe(rule.id);
    const path = `/notification_rules/${rule.id}`;
    expect((await account.api("PATCH", path, { enabled: false })).body.enabled).toBe(false);
  });

  test("keep their owner, and are gone with the membership", async () => {
    const { account, grace, rule } = await makeOwn();
    const path = `/notification_rules/${rule.id}`;
    const { id } = await addColleague(account, "Alan Turing");
    await account.api("PATCH", path, { name: "Still", account_user_id: id });
    expect((await account.api("GET", path)).body.account_user_id).toBe(grace.id);
    expect((await account.api("DELETE", `/account_users/${grace.id}`)).status).toBe(204);
    expect((await account.api("GET", path)).status).toBe(404);
    expect((await account.api("GET", "/notification_rules")).body.total_count).toBe(0);
  });

  test("are 20 of a person at most, of people who are known", async () => {
    const { account, grace } = await makeOwn();
    const make = (api = grace.api, owner: string = grace.id) =>
      api("POST", "/notification_rules", { name: "x", account_user_id: owner });
    for (let made = 1; made < 20; made += 1) expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(409);
    const unknown = await make(account.api, "acu_0000000000000000");
    expect(faultyFields(unknown)).toEqual(["account_user_id"]);
  });

  test("stay out of the account's configuration file, which does not take them away", async () => {
    const { account, grace, rule } = await makeOwn();
    await grace.api("PATCH", `/account_users/${grace.id}`, { notification_rule_id: rule.id });
    const { text } = await account.api("GET", "/configuration");
    expect(text).not.toContain("Mine");
    const applied = await account.api("POST", "/configuration", { configuration: text });
    expect(applied.status, applied.text).toBe(200);
    const { body: after } = await account.api("GET", `/account_users/${grace.id}`);
    expect(after.notification_rule_id).toBe(rule.id);
  });
});

test("of many people who are notified at once, each has their own rule", async () => {
  const account = await makeAccount();
  const people: { readonly id: string; readonly name: string }[] = [];
  // Together more documents than are remembered.
  for (let i = 0; i < 120; i += 1) {
    const name = `Rule ${i}`;
    const rules = `${RULES}# ${i}\n`;
    const rule = await account.api("POST", "/notification_rules", { name, rules });
    const { accountUserId: id } = await makePerson(account, `Person ${i}`);
    const body = { notification_rule_id: rule.body.id };
    expect((await account.api("PUT", `/account_users/${id}`, body)).status).toBe(200);
    people.push({ id, name });
  }
  const requests = people.map(({ id }) => ({
    accountId: account.accountId,
    alert: null,
    page: { effectId: id, accountUserId: id, workflowId: "" },
  }));
  const batches = [requests, requests.slice(0, 60), requests.slice(60)];
  for (const read of await Promise.all(batches.map((it) => readRecipients(env.DB, it)))) {
    const names = [...read].map(([id, { rule }]) => ({ id, name: rule?.name }));
    expect(names).toEqual(people.filter(({ id }) => read.has(id)));
  }
});
