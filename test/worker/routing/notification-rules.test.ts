import { describe, expect, test } from "vitest";
import { call, makeAccount } from "../../support/api/api.ts";
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
          "rules line 5, column 36 (rules[0].actions[0].channels[0]): channels: must be one of email, sms, voice, push, ntfy, pushover, telegram, gotify, matrix, webhook",
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
