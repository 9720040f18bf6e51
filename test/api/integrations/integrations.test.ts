import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { IntegrationConfiguration } from "../../../src/domain/integrations/integration-configuration.ts";
import { readIntegrationConfiguration } from "../../../src/features/integrations/inbox/integration-rows.ts";
import { configureInbox } from "../../../src/features/integrations/integrations/configure-inbox.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { addColleague, faultyFields } from "../../support/people/people.ts";

const UNSET = {
  title_template: null,
  description_template: null,
  severity_map: null,
  auto_resolve_after: null,
  lower_urgency: false,
  pause_for: null,
  reopen_within: null,
  aggregate_window: null,
};

const HASH_OF_SECRET = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"; // of "secret"

async function typeId(account: Account, name: string): Promise<string> {
  return (await account.api("GET", `/integration_types/${name}`)).body.id;
}

async function makeIntegration(account: Account, more: Record<string, unknown> = {}) {
  const made = await account.api("POST", "/integrations", {
    name: "Billing",
    urgency: "high",
    integration_type_id: await typeId(account, "webhook"),
    account_user_ids: [account.accountUserId],
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

const rowOf = (id: string) =>
  env.DB.prepare("select * from integrations where id = ?")
    .bind(id)
    .first<Record<string, string>>();

/** Fake inboxes that record the configurations they receive. */
function inboxes(failures = 0) {
  const received: IntegrationConfiguration[] = [];
  let left = failures;
  // A stub that has failed once is broken, as a real one may be.
  const newStub = () => {
    let isBroken = false;
    const configure = async (configuration: IntegrationConfiguration) => {
      left -= 1;
      isBroken ||= left >= 0;
      if (isBroken) throw new Error("unreachable");
      received.push(configuration);
    };
    return { configure };
  };
  const places: unknown[] = [];
  const getByName = (_: string, options?: { locationHint: string }) => {
    places.push(options?.locationHint);
    return newStub();
  };
  const INTEGRATION_INBOX = { getByName };
  return {
    received,
    places,
    env: { ...env, DB: env.DB, INTEGRATION_INBOX } as unknown as Cloudflare.Env,
  };
}

describe("integrations", () => {
  test("a create returns every parameter, and both forms of the id find the record", async () => {
    const account = await makeAccount();
    const { api, accountId, accountUserId } = account;
    const { body: team } = await api("POST", "/teams", {
      name: "Payments",
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [accountUserId],
    });
    const id = await typeId(account, "webhook");
    const made = await makeIntegration(account, {
      team_ids: [team.prefix_id],
      option_capture_additional_data: "true",
      option_unheard_of: "x",
      unheard_of: 1,
    });
    expect(made).toEqual({
      warnings: [],
      not_understood_at: null,
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      prefix_id: expect.stringMatching(/^int_/),
      account_id: accountId,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      meta: {},
      name: "Billing",
      enabled: true,
      urgency: "high",
      integration_type_id: id,
      integration_type: {
        id,
        prefix_id: expect.stringMatching(/^ity_/),
        name: "webhook",
        title: expect.any(String),
      },
      options: { token: null, capture_additional_data: true, ...UNSET },
      account_user_ids: [accountUserId],
      router_ids: [],
      team_ids: [team.id],
      accepts_id: true,
      accepts_get: false,
      url: expect.stringMatching(/^https:\/\/tocsin\.test\/integration\/[\w-]{41}$/),
      intake_key: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{32}$/),
    });
    expect((await api("GET", `/integrations/${made.prefix_id}`)).body).toEqual(made);
    const changed = await api("PUT", `/integrations/${made.id}`, { enabled: false });
    expect(changed.body).toMatchObject({ enabled: false, urgency: "high", team_ids: [team.id] });
    const fewer = await api("PATCH", `/integrations/${made.id}`, { account_user_ids: [] });
    expect(fewer.body).toMatchObject({ account_user_ids: [], team_ids: [team.id] });
    const none = await api("PUT", `/integrations/${made.id}`, { team_ids: [] });
    expect([none.status, faultyFields(none)]).toEqual([422, ["team_ids"]]);
    expect((await api("DELETE", `/integrations/${made.id}`)).status).toBe(204);
    expect((await api("GET", `/integrations/${made.id}`)).status).toBe(404);
    expect((await api("DELETE", `/integrations/${made.id}`)).status).toBe(404);
  });

  test("reports all invalid fields", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const blank = await api("POST", "/integrations", {});
    expect([blank.status, faultyFields(blank)]).toEqual([
      422,
      ["integration_type_id", "name", "team_ids", "urgency"],
    ]);
    const whole = {
      name: "x",
      urgency: "silent",
      integration_type_id: await typeId(account, "webhook"),
      account_user_ids: [accountUserId],
    };
    const refusals: [Record<string, unknown>, string[]][] = [
      [{ urgency: "loud" }, ["urgency"]],
      [{ integration_type_id: "int_nothing" }, ["integration_type_id"]],
      [{ account_user_ids: [] }, ["team_ids"]],
      [{ router_ids: ["rtr_nothing"] }, ["router_ids"]],
      [{ option_capture_additional_data: "maybe" }, ["option_capture_additional_data"]],
      [{ option_token: { a: 1 }, enabled: "perhaps" }, ["enabled", "option_token"]],
      [{ option_token: { a: 1 } }, ["option_token"]],
    ];
    for (const [more, fields] of refusals) {
      const refused = await api("POST", "/integrations", { ...whole, ...more });
      expect([refused.status, faultyFields(refused)], JSON.stringify(more)).toEqual([422, fields]);
    }
  });

  test("stores only the hash of a token, and never shows it", async () => {
    const account = await makeAccount();
    const { api } = account;
    const made = await makeIntegration(account, { option_token: "secret" });
    expect(made.options.token).toBe("***");
    const stored = async () => JSON.parse((await rowOf(made.id))?.secrets ?? "");
    expect(await stored()).toEqual({ token_sha256: HASH_OF_SECRET });
    expect(JSON.stringify(await rowOf(made.id))).not.toContain('secret"');
    const path = `/integrations/${made.id}`;
    await api("PUT", path, { option_token: "***", name: "Same token" });
    expect(await stored()).toEqual({ token_sha256: HASH_OF_SECRET });
    await api("PUT", path, { name: "Still the same" });
    expect(await stored()).toEqual({ token_sha256: HASH_OF_SECRET });
    await api("PUT", path, { option_token: "another" });
    expect((await stored()).token_sha256).toMatch(/^(?!2bb80d)[0-9a-f]{64}$/);
    expect((await api("PUT", path, { option_token: "" })).body.options.token).toBeNull();
    expect(await stored()).toEqual({});
    await api("PUT", path, { option_token: "secret" });
    expect((await api("PUT", path, { option_token: null })).body.options.token).toBeNull();
  });

  test("lists with filters, and members cannot filter by what only admins see", async () => {
    const account = await makeAccount();
    const { api, accountUserId } = account;
    const member = await addColleague(account, "Mo Member");
    const one = await makeIntegration(account, { name: "One" });
    const two = await makeIntegration(account, { name: "Two", enabled: false, urgency: "low" });
    const names = async (query: string) => {
      const { status, body } = await member.api("GET", `/integrations?sort=name&${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map((it: { name: string }) => it.name);
    };
    expect(await names("")).toEqual(["Two", "One"]);
    expect(await names("enabled=1")).toEqual(["One"]);
    expect(await names("q=tw")).toEqual(["Two"]);
    expect(await names("urgency=low")).toEqual(["Two"]);
    expect(await names(`account_user_ids=${accountUserId}&name=One`)).toEqual(["One"]);
    const { prefix_id: person } = (await api("GET", `/account_users/${accountUserId}`)).body;
    expect(await names(`account_user_ids=${person}`)).toEqual(["Two", "One"]);
    expect(await names(`integration_type_id=${one.integration_type.prefix_id}`)).toHaveLength(2);
    expect(await names("integration_type_id=prometheus")).toEqual([]);
    const seen = (await member.api("GET", `/integrations/${two.id}`)).body;
    for (const name of ["intake_key", "url"]) expect(seen).not.toHaveProperty(name);
    expect({ ...seen, intake_key: two.intake_key, url: two.url }).toEqual(two);
    for (const key of ["intake_key", "url", "options"]) {
      expect((await member.api("GET", `/integrations?${key}=x`)).status, key).toBe(422);
    }
    expect((await member.api("PUT", `/integrations/${one.id}`, { name: "x" })).status).toBe(403);
    expect((await member.api("DELETE", `/integrations/${one.id}`)).status).toBe(403);
    const stranger = await makeAccount();
    for (const method of ["GET", "PUT", "DELETE"]) {
      const reply = await stranger.api(
        method,
        `/integrations/${one.prefix_id}`,
        method === "PUT" ? {} : undefined,
      );
      expect(reply.status, method).toBe(404);
    }
  });

  test("creates one integration per Idempotency-Key, also if the first response was lost", async () => {
    const account = await makeAccount();
    const body = {
      name: "Once",
      urgency: "high",
      integration_type_id: await typeId(account, "webhook"),
      account_user_ids: [account.accountUserId],
      option_token: "secret",
    };
    const send = () => account.api("POST", "/integrations", body, { "Idempotency-Key": "k" });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    const lost = "update idempotency_keys set status = null, claimed_until = 0, answer = '{}'";
    await env.DB.prepare(`${lost} where account_id = ?`).bind(account.accountId).run();
    expect((await send()).body).toEqual(first.body);
    expect((await account.api("GET", "/integrations")).body.total_count).toBe(1);
  });

  test("applies all concurrent updates", async () => {
    const account = await makeAccount();
    const made = await makeIntegration(account);
    const path = `/integrations/${made.id}`;
    const replies = await Promise.all([
      account.api("PUT", path, { option_token: "secret" }),
      account.api("PUT", path, { option_capture_additional_data: true }),
      account.api("PUT", path, { name: "Renamed" }),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect((await account.api("GET", path)).body).toMatchObject({
      name: "Renamed",
      options: { token: "***", capture_additional_data: true, ...UNSET },
    });
  });
});

test("an integration that becomes another type accepts GET as that type does", async () => {
  const account = await makeAccount();
  const { id } = await makeIntegration(account);
  const update = async (type: string, more: object = {}) => {
    const body = { integration_type_id: await typeId(account, type), ...more };
    return (await account.api("PUT", `/integrations/${id}`, body)).body.accepts_get;
  };
  expect(await update("heartbeat", { option_interval_minutes: 5 })).toBe(true);
  expect(await update("heartbeat", { accepts_get: false })).toBe(false);
  expect(await update("heartbeat")).toBe(false);
  expect(await update("uptimerobot")).toBe(true);
  expect(await update("webhook")).toBe(false);
  expect(await update("heartbeat", { accepts_get: false, option_interval_minutes: 5 })).toBe(false);
  expect(await update("webhook", { accepts_get: true })).toBe(true);
});

describe("an integration's inbox", () => {
  async function configurationOf(prefixId: string): Promise<IntegrationConfiguration> {
    const found = await readIntegrationConfiguration(env.DB, prefixId);
    if (found === null) throw new Error("no such integration");
    return found;
  }

  test("gets its configuration before it has received an event", async () => {
    const account = await makeAccount();
    const made = await makeIntegration(account, { option_token: "secret" });
    const { received, env: withInboxes } = inboxes();
    await configureInbox(withInboxes, await configurationOf(made.prefix_id), () => {});
    expect(received).toEqual([
      {
        id: made.id,
        prefixId: made.prefix_id,
        accountId: account.accountId,
        name: "Billing",
        enabled: true,
        urgency: "high",
        integrationType: "webhook",
        options: {},
        secrets: {},
        intakeKey: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{32}$/),
        tokenSha256: HASH_OF_SECRET,
        acceptsId: true,
        acceptsGet: false,
        addressVersion: 1,
        previousAddressUntil: null,
        receivers: { teamIds: [], routerIds: [], accountUserIds: [account.accountUserId] },
        receivedAt: null,
        maintenanceWindows: [],
        region: null,
        updatedAt: Date.parse(made.updated_at),
      },
    ]);
    const changed = await account.api("PUT", `/integrations/${made.id}`, { name: "Again" });
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(received[0]?.updatedAt ?? 0);
    const background: Promise<unknown>[] = [];
    const flaky = inboxes(2);
    const [configuration] = received as [IntegrationConfiguration];
    await configureInbox(flaky.env, configuration, (work) => background.push(work));
    expect(flaky.received).toEqual([]);
    await Promise.all(background);
    expect(flaky.received).toEqual([configuration]);
  });

  test("is created in the integration's region, else where the deployment says", async () => {
    const account = await makeAccount();
    const made = await makeIntegration(account);
    const configuration = await configurationOf(made.prefix_id);
    const { places, env: placed } = inboxes();
    for (const LOCATION_HINT of ["", "apac"] as const) {
      for (const region of [null, "weur"]) {
        const deployment = { ...placed, LOCATION_HINT } as unknown as Cloudflare.Env;
        await configureInbox(deployment, { ...configuration, region }, () => {});
      }
    }
    expect(places).toEqual([undefined, "weur", "apac", "weur"]);
  });

  test("is not created for a type that only sends", async () => {
    const account = await makeAccount();
    const made = await makeIntegration(account);
    const sends = { ...(await configurationOf(made.prefix_id)), integrationType: "slack" };
    const { received, env: withInboxes } = inboxes();
    await configureInbox(withInboxes, sends, () => {});
    expect(received).toEqual([]);
  });

  test("applies an update from the next request on", async () => {
    const account = await makeAccount();
    const made = await makeIntegration(account);
    const path = `/integrations/${made.id}`;
    const send = async (headers = {}) => {
      const body = { event_type: "create", Id: "1", Title: "Disk full", Description: "d" };
      const url = `/integration/${made.prefix_id}`;
      return (await call("POST", url, { body, headers })).status;
    };
    await account.api("PUT", path, { option_token: "secret" });
    expect(await send()).toBe(401);
    expect(await send({ "service-token": "secret" })).toBe(200);
    await account.api("PUT", path, { option_token: null, enabled: false });
    expect(await send()).toBe(405);
    await account.api("PUT", path, { enabled: true });
    expect(await send()).toBe(200);
    await account.api("DELETE", path);
    expect(await send()).not.toBe(200);
  });
});
