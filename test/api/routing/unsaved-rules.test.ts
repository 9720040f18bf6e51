// Previews with unsaved rules: a router and a notification rule from an editor are validated and applied as if they
// were saved, and nothing of them is stored.
import { expect, test } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

const AT = "2031-03-01T09:00:00Z";

const toReceiver = (receiver: string, match: object = { always: true }) =>
  JSON.stringify({ rules: [{ match, actions: [{ type: "assign", receiver }] }] });

async function world() {
  const account = await makeAccount();
  const ann = await makePerson(account, "Ann");
  const bob = await makePerson(account, "Bob");
  const others = await makeTeam(account, [{ seconds: 60, people: [] }], { name: "Others" });
  const { body: router } = await account.api("POST", "/routers", {
    name: "Front",
    rules: toReceiver(ann.accountUserId),
    default_receiver_team_id: others.id,
  });
  const preview = (more: object) =>
    account.api("POST", "/alerts/preview", {
      title: "Disk full",
      urgency: "high",
      at: AT,
      ...more,
    });
  return { account, ann, bob, others, router, preview };
}

type Shown = { readonly body: { readonly pages: readonly { name: string; event: string }[] } };
const paged = ({ body }: Shown) =>
  body.pages.filter(({ event }) => event === "alert.open").map(({ name }) => name);

const messagesOf = ({ body }: { body: { steps: readonly { message: string }[] } }) =>
  body.steps.map(({ message }) => message).join("\n");

test("a router's unsaved rules replace the stored ones, wherever the router is in the path", async () => {
  const { account, bob, router, preview } = await world();
  const through = { destination_router_ids: [router.prefix_id] };
  const changed = { id: router.id, rules: toReceiver(bob.accountUserId) };
  expect(paged(await preview(through))).toEqual(["Ann"]);
  const tried = await preview({ ...through, router: changed });
  expect(paged(tried)).toEqual(["Bob"]);
  expect(messagesOf(tried)).toContain(
    `Router Front (${router.prefix_id}): rule 1 (line 1) matched`,
  );
  const { body: before } = await account.api("POST", "/routers", {
    name: "Gate",
    default_receiver_router_id: router.id,
  });
  const behind = { destination_router_ids: [before.id], router: changed };
  expect(paged(await preview(behind))).toEqual(["Bob"]);
  const off = { ...through, router: { ...changed, enabled: false, name: "Side" } };
  expect(messagesOf(await preview(off))).toContain(`Router Side (${router.prefix_id}): disabled`);
  const stored = await account.api("GET", `/routers/${router.id}`);
  expect(stored.body).toEqual(router);
  expect(paged(await preview(through))).toEqual(["Ann"]);
});

test("the router's fields that are not given keep their stored values", async () => {
  const { bob, router, preview } = await world();
  const through = { destination_router_ids: [router.id] };
  const renamed = await preview({ ...through, router: { id: router.id, name: "Side" } });
  expect(paged(renamed)).toEqual(["Ann"]);
  const empty = { id: router.id, rules: "rules: []", default_receiver_team_id: null };
  const to = { default_receiver_account_user_id: bob.accountUserId };
  expect(paged(await preview({ ...through, router: { ...empty, ...to } }))).toEqual(["Bob"]);
});

test("the alert goes to a router that is not created yet, in addition to its other destinations", async () => {
  const { account, ann, bob, others, router, preview } = await world();
  const made = {
    rules: toReceiver(router.id, { "alert.tags": "disk" }),
    default_receiver_account_user_id: bob.accountUserId,
  };
  expect(paged(await preview({ router: made }))).toEqual(["Bob"]);
  expect(paged(await preview({ router: made, tags: ["disk"] }))).toEqual(["Ann"]);
  const both = { router: made, destination_account_user_ids: [ann.accountUserId] };
  expect(paged(await preview(both)).sort()).toEqual(["Ann", "Bob"]);
  expect((await account.api("GET", "/routers")).body.total_count).toBe(1);
  const team = { router: { default_receiver_team_id: others.id } };
  expect(messagesOf(await preview(team))).toContain("no rule matched");
});

test("errors and loops are refused as on save, with line, column and field path", async () => {
  const { account, router, preview } = await world();
  const errorsOf = async (given: object) => {
    const { status, body } = await preview({ destination_router_ids: [router.id], ...given });
    expect(status).toBe(422);
    return body.errors;
  };
  const rules = "rules:\n  - match: { always: true }\n    actions:\n      - { type: assing }\n";
  const saved = await account.api("PUT", `/routers/${router.id}`, { rules });
  const [{ message }] = saved.body.errors;
  expect(message).toMatch(/^rules line 4, column 17/);
  expect(await errorsOf({ router: { id: router.id, rules } })).toEqual([
    { field: "router.rules", message: `router.${message}` },
  ]);
  expect(await errorsOf({ router: { rules: toReceiver(router.id) } })).toEqual([
    { field: "router.default_receiver_team_id", message: expect.stringMatching(/^exactly one of/) },
  ]);
  const nobody = { id: router.id, rules: toReceiver("tem_0000000000000A") };
  expect(await errorsOf({ router: nobody })).toEqual([
    {
      field: "router.rules",
      message: expect.stringMatching(/^router\.rules line 1, column \d+.*no such team/),
    },
  ]);
  const loop = { id: router.id, rules: toReceiver(router.id) };
  expect(await errorsOf({ router: loop })).toEqual([
    { field: "router.rules", message: "router.rules creates a loop: Front → Front" },
  ]);
  for (const id of ["rtr_0000000000000A", "nonsense"]) {
    expect(await errorsOf({ router: { id } })).toEqual([
      { field: "router.id", message: `router.id: no such router ${id}` },
    ]);
  }
  expect(await errorsOf({ notification_rule: { rules } })).toMatchObject([
    { field: "notification_rule.rules" },
  ]);
});

test("an unsaved notification rule applies to everybody who would be paged", async () => {
  const { account, ann, preview } = await world();
  const rules = (action: object, more: object = {}) =>
    JSON.stringify({ rules: [{ match: { "alert.urgency": "high" }, actions: [action], ...more }] });
  const { body: stored } = await account.api("POST", "/notification_rules", {
    name: "Quiet",
    rules: rules({ type: "ignore" }),
  });
  await account.api("PUT", `/account_users/${ann.accountUserId}`, {
    notification_rule_id: stored.id,
  });
  const to = { destination_account_user_ids: [ann.accountUserId] };
  const ways = async (notification_rule?: object) => {
    const { body } = await preview({ ...to, notification_rule });
    return body.pages.map((it: any) => [it.event, it.channel, it.decided_by ?? it.reason]);
  };
  const ignored = ["alert.open", null, "ignored by notification rule Quiet, line 1"];
  expect(await ways()).toEqual([ignored]);
  const mail = { name: "Loud", rules: rules({ type: "notify", channels: ["email"] }) };
  const loud = ["alert.open", "email", "notification rule Loud, line 1"];
  expect(await ways(mail)).toEqual([loud]);
  expect(await ways({ ...mail, name: undefined })).toEqual([
    ["alert.open", "email", "notification rule as written, line 1"],
  ]);
  const own = ["alert.open", "email", "their own settings"];
  expect(await ways({ ...mail, enabled: false })).toEqual([own]);
  expect(await ways({ rules: "rules: []" })).toEqual([own]);
  const late = rules({ type: "notify", channels: ["email"] }, { types: ["alert.timeout"] });
  expect(await ways({ ...mail, rules: late })).toEqual([
    own,
    ["alert.timeout", "email", "notification rule Loud, line 1"],
  ]);
});

test("an integration's payload is routed by source, body and headers, as if its sender had sent it", async () => {
  const { account, ann, bob, others, router } = await world();
  const integration = await makeIntegration(account, [others.id]);
  const { body: stored } = await account.api("GET", "/integrations");
  const preview = (more: object) =>
    account.api("POST", `/integrations/${integration.prefixId}/preview`, {
      payload: { event_type: "create", Title: "Down", shop: { name: "north" } },
      at: AT,
      ...more,
    });
  expect((await preview({})).body.previews).toEqual([]);
  const own = await preview({ pages: true });
  expect(messagesOf({ body: own.body.previews[0] })).toContain("Others, step 1: nobody is on call");
  const match = { "log.data.shop.name": "north", "alert.source_id": stored.data[0].id };
  const made = {
    rules: toReceiver(ann.accountUserId, match),
    default_receiver_account_user_id: bob.accountUserId,
  };
  const tried = async (more: object) => {
    const { status, body, text } = await preview({ pages: true, router: made, ...more });
    expect(status, text).toBe(200);
    return paged({ body: body.previews[0] });
  };
  expect(await tried({})).toEqual(["Ann"]);
  expect(await tried({ payload: { event_type: "create", Title: "Down" } })).toEqual(["Bob"]);
  const byHeader = { ...made, rules: toReceiver(ann.accountUserId, { "log.headers.x-shop": "n" }) };
  expect(await tried({ router: byHeader, headers: { "X-Shop": "n" } })).toEqual(["Ann"]);
  const { default_receiver_account_user_id: _, ...changed } = { ...made, id: router.id };
  const through = { destination_router_ids: [router.id] };
  expect(await tried({ ...through, router: changed })).toEqual(["Ann"]);
  const resolves = await preview({ pages: true, payload: { event_type: "resolve", Id: "1" } });
  expect(resolves.body.previews).toEqual([]);
  const unknown = await preview({ pages: true, destination_team_ids: ["tem_0000000000000A"] });
  expect(unknown.body.errors).toMatchObject([{ field: "destination_team_ids" }]);
});

test("in a maintenance window nobody would be paged before it ends", async () => {
  const { account, ann } = await world();
  const team = await makeTeam(account, [{ seconds: 60, people: [ann.accountUserId] }]);
  const integration = await makeIntegration(account, [team.id]);
  const { body } = await account.api("GET", "/integrations");
  await account.api("POST", "/maintenance_windows", {
    name: "Upgrade",
    start_datetime: "2031-03-01T08:00:00Z",
    end_datetime: "2031-03-01T10:00:00Z",
    time_zone: "UTC",
    integration_ids: [body.data[0].id],
  });
  const preview = await account.api("POST", `/integrations/${integration.prefixId}/preview`, {
    ...{ payload: { event_type: "create", Title: "Down" }, pages: true, at: AT },
  });
  const [forecast] = preview.body.previews;
  expect(forecast.pages.map(({ at }: { at: string }) => at)).toEqual(["2031-03-01T10:00:00.000Z"]);
});
