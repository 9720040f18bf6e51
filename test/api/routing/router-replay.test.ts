// A replay of past events: what a router's unsaved rules would have done with them, beside what the stored ones do.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { writeRequestLogs } from "../../../src/features/integrations/inbox/request-log-rows.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

const ONE_DAY = 86_400_000;
/** A Monday, 09:00 UTC. */
const MONDAY = Date.parse("2026-03-02T09:00:00Z");

/** Stores the logs of requests with these bodies, a day apart. */
async function log(account: Account, integrationId: string, bodies: readonly object[]) {
  const events = bodies.map((body, i) => {
    const at = MONDAY + i * ONE_DAY;
    const request = { url: "/", method: "POST", headers: { "x-shop": "north" }, params: {}, body };
    const known = { position: 0, acceptedAt: at, settledAt: at, level: "info", alertId: null };
    return { ...known, logId: newId(at), request: JSON.stringify(request), outcome: "Created" };
  });
  const queries = writeRequestLogs(account.accountId, integrationId, events, MONDAY);
  await env.DB.batch(queries.map((query) => statement(env.DB, query)));
}

async function world() {
  const account = await makeAccount();
  const ann = await makePerson(account, "Ann");
  const team = await makeTeam(account, [{ seconds: 60, people: [] }], { name: "Payments" });
  const { body: router } = await account.api("POST", "/routers", {
    name: "Front",
    rules: "rules: []",
    default_receiver_team_id: team.id,
  });
  const replay = (router: object, more: object = {}) =>
    account.api("POST", "/routers/replay", { router, ...more });
  return { account, ann, team, router, replay };
}

const create = (Title: string, more: object = {}) => ({
  event_type: "create",
  Id: Title,
  Title,
  ...more,
});
const rule = (match: object, ...actions: object[]) => ({ match, actions });
const summaries = (results: readonly any[]) =>
  results.map(({ title, different, before, after }) => [
    title,
    different ? `${before.summary} → ${after.summary}` : after.summary,
  ]);

test("a draft is compared with the stored router, by the names of the receivers", async () => {
  const { account, ann, router, replay } = await world();
  const integration = await makeIntegration(account, [], { routerIds: [router.id] });
  // Not sent to the router.
  const other = await makeIntegration(account, [router.default_receiver_team_id]);
  await log(account, other.id, [create("Elsewhere")]);
  await log(account, integration.id, [
    create("Monday"),
    create("Disk", { Shop: "north" }),
    create("Calm"),
    create("Noise"),
    create("Same"),
    create("Saturday"),
    { event_type: "resolve", Id: "Same" },
  ]);
  const rules = {
    rules: [
      rule(
        { "log.data.Shop": "north" },
        { type: "assign", receiver: ann.accountUserId, delay: "5m" },
      ),
      rule({ "alert.title": "Calm" }, { type: "setval", map: { urgency: "low" } }),
      rule({ "alert.title": "Noise" }, { type: "ignore" }),
      rule(
        { $day: { $in: [6, 7] }, "log.headers.x-shop": "north" },
        {
          type: "aggregate",
          by: ["alert.title"],
          timeout: "10m",
          receiver: router.default_receiver_team_id,
        },
      ),
    ],
  };
  const { status, body } = await replay({ id: router.prefix_id, rules });
  expect(status).toBe(200);
  expect(summaries(body.results)).toEqual([
    ["Saturday", "Payments → Payments, once per 10m for alerts with the same values"],
    ["Noise", "Payments → Ignored"],
    ["Calm", "Payments → Payments; urgency low"],
    ["Disk", "Payments → Ann after 5m"],
    ["Same", "Payments"],
    ["Monday", "Payments"],
  ]);
  expect(body).toMatchObject({ requests: 8, events: 6, same: 2, different: 4, complete: true });
  expect(body.results[3]).toMatchObject({
    at: "2026-03-03T09:00:00.000Z",
    integration_id: integration.id,
    after: {
      receivers: [{ type: "account_user", id: ann.accountUserId, name: "Ann", delay: 300 }],
    },
  });
  const { body: stored } = await account.api("GET", `/routers/${router.id}`);
  expect(stored).toEqual(router);
  expect((await account.api("GET", "/alerts")).body.total_count).toBe(0);
});

test("a new router is compared with the integrations' own destinations, and real requests are read", async () => {
  const { account, ann, team, replay } = await world();
  const integration = await makeIntegration(account, [team.id]);
  const { status } = await integration.send(create("Real", { token: "secret" }));
  expect(status).toBe(200);
  await vi.waitFor(async () => {
    expect((await account.api("GET", "/logs?owner_type=Integration")).body.total_count).toBe(1);
  }, soon);
  const { body } = await replay({ default_receiver_account_user_id: ann.accountUserId });
  expect(summaries(body.results)).toEqual([["Real", "Payments → Ann"]]);
});

test("reads the newest requests only, as many as asked for, and not too many bytes", async () => {
  const { account, router, replay } = await world();
  const integration = await makeIntegration(account, [], { routerIds: [router.id] });
  const large = create("Large", { text: "x".repeat(1_500_000) });
  await log(account, integration.id, [large, large, large]);
  expect((await replay({ id: router.id })).body).toMatchObject({ requests: 2, complete: false });
  await log(
    account,
    integration.id,
    Array.from({ length: 502 }, (_, i) => create(`No ${i}`)),
  );
  const all = await replay({ id: router.id });
  expect(all.body).toMatchObject({ requests: 500, events: 500, same: 500, complete: true });
  expect(all.body.results[0].title).toBe("No 501");
  const some = await replay({ id: router.id }, { limit: 3 });
  expect(some.body).toMatchObject({ requests: 3, events: 3 });
  for (const limit of [0, 501])
    expect((await replay({ id: router.id }, { limit })).status).toBe(422);
});

test("is for admins, about records of their own account", async () => {
  const { account, ann, router, replay } = await world();
  const { key } = (
    await account.api("POST", "/api_keys", { name: "Ann", account_user_id: ann.accountUserId })
  ).body;
  const { status } = await account.api(
    "POST",
    "/routers/replay",
    { router: { id: router.id } },
    { Authorization: `Bearer ${key}` },
  );
  expect(status).toBe(403);
  const away = await world();
  const errorsOf = async (given: object) => {
    const { status: refused, body } = await replay(given);
    expect(refused).toBe(422);
    return body.errors.map(({ field }: { field: string }) => field);
  };
  expect(await errorsOf({ id: away.router.id })).toEqual(["router.id"]);
  expect(await errorsOf({ default_receiver_team_id: away.team.id })).toEqual([
    "router.default_receiver_team_id",
  ]);
  const rules = { rules: [rule({ always: true }, { type: "assign", receiver: away.team.id })] };
  expect(await errorsOf({ id: router.id, rules })).toEqual(["router.rules"]);
  expect((await account.api("POST", "/routers/replay", {})).status).toBe(422);
});
