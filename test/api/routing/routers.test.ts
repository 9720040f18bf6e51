import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { routeAlert } from "../../../src/domain/routing/routing.ts";
import { readRouters } from "../../../src/features/routing/routers/rows.ts";
import { openSession } from "../../../src/kernel/db/database.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

const assign = (receiver: string, more = "") => `rules:
  - match:
      alert.urgency: critical
    actions:
      - type: assign
        receiver: ${receiver}
${more}`;

const messages = (reply: { body: { errors: { message: string }[] } }) =>
  reply.body.errors.map(({ message }) => message);

async function makeRouter({ api }: Account, body: Record<string, unknown>) {
  const made = await api("POST", "/routers", { name: "By service", ...body });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

describe("routers", () => {
  test("a create reads back by either id, in lists and by filters", async () => {
    const account = await makeAccount();
    const { api, accountId } = account;
    const team = await makeTeam(account, []);
    const rules = assign(team.id);
    const router = await makeRouter(account, {
      rules,
      default_receiver_team_id: team.id,
      meta: { a: 1 },
      unheard_of: true,
    });
    expect(router).toMatchObject({
      account_id: accountId,
      name: "By service",
      enabled: true,
      rules,
      default_receiver_team_id: team.id,
      default_receiver_router_id: null,
      default_receiver_account_user_id: null,
      meta: { a: 1 },
    });
    expect(router.prefix_id).toMatch(/^rtr_/);
    expect(router).not.toHaveProperty("unheard_of");
    expect((await api("GET", `/routers/${router.prefix_id}`)).body).toEqual(router);
    const other = await makeRouter(account, {
      name: "Other",
      default_receiver_account_user_id: account.accountUserId,
    });
    expect(other.rules).toBe("");
    const list = await api("GET", `/routers?default_receiver_team_id=${team.id}`);
    expect(list.body).toMatchObject({ data: [{ id: router.id }], total_count: 1 });
    expect((await api("GET", "/routers?q=oth")).body.data[0].id).toBe(other.id);
    expect((await api("GET", "/routers")).body.total_count).toBe(2);
  });

  test("accept rules as a JSON document", async () => {
    const account = await makeAccount();
    const actions = [{ type: "ignore" }];
    const rules = { rules: [{ match: { always: true }, actions }] };
    const router = await makeRouter(account, {
      rules,
      default_receiver_account_user_id: account.accountUserId,
    });
    expect(JSON.parse(router.rules)).toEqual(rules);
  });

  test("report all errors at once, with line and column", async () => {
    const { api } = await makeAccount();
    const refused = await api("POST", "/routers", {
      rules: "rules:\n  - match:\n      $where: 1\n    actions: []\n",
      enabled: "perhaps",
    });
    expect(refused.status).toBe(422);
    expect(refused.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
      "default_receiver_team_id",
      "enabled",
      "name",
      "rules",
      "rules",
    ]);
    expect(messages(refused)).toContain(
      "rules line 3, column 7 (rules[0].match.$where): unknown operator $where",
    );
  });

  test("report every receiver outside the account, including the default one", async () => {
    const account = await makeAccount();
    const elsewhere = await makeTeam(await makeAccount(), []);
    const refused = await account.api("POST", "/routers", {
      name: "x",
      rules: assign(`[${elsewhere.id}, tem_AAAAAAAAAAAAAA, ${account.accountUserId}]`),
      default_receiver_team_id: elsewhere.id,
    });
    expect(refused.status).toBe(422);
    const receiver = "no such team, router or account user";
    expect(messages(refused)).toEqual([
      `rules line 6, column 20 (rules[0].actions[0].receiver[0]): ${receiver} ${elsewhere.id}`,
      `rules line 6, column 48 (rules[0].actions[0].receiver[1]): ${receiver} tem_AAAAAAAAAAAAAA`,
      `default_receiver_team_id: no such team ${elsewhere.id}`,
    ]);
  });

  test("require exactly one default receiver, which an update can replace", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const team = await makeTeam(account, []);
    expect((await api("POST", "/routers", { name: "x" })).status).toBe(422);
    const both = {
      default_receiver_team_id: team.id,
      default_receiver_account_user_id: accountUserId,
    };
    expect((await api("POST", "/routers", { name: "x", ...both })).status).toBe(422);
    const { id } = await makeRouter(account, { default_receiver_team_id: team.id });
    expect((await api("PUT", `/routers/${id}`, both)).status).toBe(422);
    const none = await api("PUT", `/routers/${id}`, { default_receiver_team_id: null });
    expect(messages(none)[0]).toContain("exactly one of default_receiver_team_id");
    const moved = await api("PUT", `/routers/${id}`, {
      default_receiver_account_user_id: accountUserId,
    });
    expect(moved.body).toMatchObject({
      default_receiver_team_id: null,
      default_receiver_account_user_id: accountUserId,
    });
  });

  test("an update changes only the given fields", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const rules = assign(accountUserId);
    const router = await makeRouter(account, {
      rules,
      default_receiver_account_user_id: accountUserId,
    });
    const renamed = await api("PATCH", `/routers/${router.prefix_id}`, {
      name: "New",
      enabled: false,
    });
    expect(renamed.body).toMatchObject({ name: "New", enabled: false, rules });
    const cleared = await api("PUT", `/routers/${router.id}`, { rules: "" });
    expect(cleared.body).toMatchObject({ name: "New", rules: "" });
    const stored = await env.DB.prepare(
      "select count(*) as n from router_receivers where router_id = ?",
    )
      .bind(router.id)
      .first();
    expect(stored?.n).toBe(0);
    expect((await api("PUT", "/routers/rtr_AAAAAAAAAAAAAA", { name: "x" })).status).toBe(404);
  });

  test("refuse a loop through defaults and rules, and name its path", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const person = { default_receiver_account_user_id: accountUserId };
    const a = await makeRouter(account, { name: "A", ...person });
    const b = await makeRouter(account, { name: "B", default_receiver_router_id: a.id });
    const c = await makeRouter(account, { name: "C", rules: assign(b.prefix_id), ...person });
    const byDefault = await api("PUT", `/routers/${a.id}`, { default_receiver_router_id: c.id });
    expect(byDefault.status).toBe(422);
    expect(messages(byDefault)).toEqual([
      "default_receiver_router_id creates a loop: A → C → B → A",
    ]);
    const byRule = await api("PUT", `/routers/${a.id}`, { rules: assign(`[${c.id}]`) });
    expect(messages(byRule)).toEqual(["rules creates a loop: A → C → B → A"]);
    const itself = await api("PUT", `/routers/${a.id}`, { rules: assign(a.id) });
    expect(messages(itself)).toEqual(["rules creates a loop: A → A"]);
    // Two paths to one router are not a loop, and receivers that an update replaces no longer count.
    const d = await makeRouter(account, {
      name: "D",
      rules: assign(`[${a.id}, ${b.id}]`),
      ...person,
    });
    expect((await api("PUT", `/routers/${b.id}`, person)).status).toBe(200);
    expect((await api("PUT", `/routers/${a.id}`, { rules: assign(c.id) })).status).toBe(200);
    expect((await api("PUT", `/routers/${b.id}`, { rules: assign(d.id) })).status).toBe(422);
  });

  test("refuse one of two concurrent updates that together would create a loop", async () => {
    const account = await makeAccount();
    const person = { default_receiver_account_user_id: account.accountUserId };
    for (let round = 0; round < 3; round += 1) {
      const [a, b] = [await makeRouter(account, person), await makeRouter(account, person)];
      const replies = await Promise.all([
        account.api("PUT", `/routers/${a.id}`, { default_receiver_router_id: b.id }),
        account.api("PUT", `/routers/${b.id}`, { default_receiver_router_id: a.id }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
    }
  });

  test("cannot be deleted while an integration, a router or an open alert refers to them", async () => {
    const account = await makeAccount();
    const { api, accountId, accountUserId } = account;
    const person = { default_receiver_account_user_id: accountUserId };
    const router = await makeRouter(account, { ...person, name: "Used" });
    const byDefault = await makeRouter(account, {
      name: "Default",
      default_receiver_router_id: router.id,
    });
    const byRule = await makeRouter(account, {
      ...person,
      name: "Rule",
      rules: assign(router.prefix_id),
    });
    const integration = await api("POST", "/integrations", {
      name: "Monitoring",
      urgency: "high",
      integration_type_id: "webhook",
      router_ids: [router.id],
    });
    expect(integration.status, integration.text).toBe(201);
    await env.DB.prepare(
      `insert into alerts (id, account_id, created_at, updated_at, version, title, status, urgency,
        destination_router_ids) values (?, ?, 1, 1, 1, 'Disk full', 'open', 'high', json_array(?))`,
    )
      .bind(`A${router.id.slice(1)}`, accountId, router.id)
      .run();
    const refused = await api("DELETE", `/routers/${router.id}`);
    expect(refused.status).toBe(409);
    expect(messages(refused).sort()).toEqual(
      [
        `still in use by the alert ${router.prefix_id.replace("rtr", "alt")} (Disk full)`,
        `still in use by the integration ${integration.body.prefix_id} (Monitoring)`,
        `still in use by the router ${byDefault.prefix_id} (Default)`,
        `still in use by the router ${byRule.prefix_id} (Rule)`,
      ].sort(),
    );
    expect((await api("DELETE", `/routers/${byRule.id}`)).status).toBe(204);
    expect((await api("GET", `/routers/${byRule.id}`)).status).toBe(404);
    expect((await api("DELETE", `/routers/${byRule.id}`)).status).toBe(404);
  });

  test("can be changed only by admins, and read only within the account", async () => {
    const account = await makeAccount();
    const person = { default_receiver_account_user_id: account.accountUserId };
    const router = await makeRouter(account, person);
    const member = await makePerson(account, "Grace");
    const asMember = (method: string, path: string, body?: unknown) =>
      call(method, `/api/v4${path}`, { key: member.key, body });
    expect((await asMember("GET", `/routers/${router.id}`)).status).toBe(200);
    expect((await asMember("PUT", `/routers/${router.id}`, { name: "x" })).status).toBe(403);
    expect((await asMember("POST", "/routers", { name: "x", ...person })).status).toBe(403);
    expect((await asMember("DELETE", `/routers/${router.id}`)).status).toBe(403);
    const stranger = await makeAccount();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const body = method === "PUT" ? { name: "x" } : undefined;
      expect((await stranger.api(method, `/routers/${router.id}`, body)).status).toBe(404);
    }
  });

  test("are read for routing in one query, with all reachable routers", async () => {
    const account = await makeAccount();
    const { accountId, accountUserId } = account;
    const person = { default_receiver_account_user_id: accountUserId };
    const team = await makeTeam(account, []);
    const last = await makeRouter(account, { ...person, rules: assign(team.id.toLowerCase()) });
    const first = await makeRouter(account, { default_receiver_router_id: last.id });
    await makeRouter(account, person);
    const db = openSession(env.DB, null, true);
    const routers = await readRouters(db, accountId, [first.prefix_id]);
    expect([...routers.keys()].sort()).toEqual([first.id, last.id].sort());
    const content = {
      title: "Disk full",
      description: null,
      urgency: "critical" as const,
      tags: [],
      meta: {},
    };
    const subject = { content, facts: {}, log: null };
    const routed = routeAlert(routers, [{ type: "router", id: first.id }], subject, 0);
    expect(routed.deliveries).toEqual([
      { receiver: { type: "team", id: team.id }, delayMs: 0, aggregate: null },
    ]);
  });
});
