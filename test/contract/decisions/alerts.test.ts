// The decisions of contract 3 and 5 about alerts, broadcasts and comments: a test each.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { call } from "../../support/api/api.ts";
import { faultyFields } from "../../support/people/people.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makeIntegration, makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let world: Inhabited;
let first: Person;
let second: Person;
/** In no team, and notified of no alert. */
let outsider: Person;

beforeAll(async () => {
  world = await makeInhabited("decided");
  first = await makePerson(world, "Grace First");
  second = await makePerson(world, "Sam Second");
  outsider = await makePerson(world, "Olga Outsider");
});
beforeEach(() => {
  openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const create = async (body: Record<string, unknown> = {}) => {
  const made = await world.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [first.accountUserId],
    ...body,
  });
  expect(made.status, made.text).toBe(201);
  return made.body;
};
const act = (alert: { id: string }, verb: string, key: string = world.key) =>
  call("POST", `/api/v4/alerts/${alert.id}/${verb}`, { key });
const workflows = async (alert: { id: string }) =>
  (await world.api("GET", `/alerts/${alert.id}/workflows?sort=id&direction=asc`)).body.data;
const teamOf = (...layers: readonly (readonly Person[])[]) =>
  makeTeam(
    world,
    layers.map((people) => ({ seconds: 600, people: people.map((it) => it.accountUserId) })),
  );

describe("Transitions", () => {
  test("create: POST /alerts answers after the first destination has a workflow: open", async () => {
    const alert = await create();
    expect(alert.status).toBe("open");
    expect(await workflows(alert)).toMatchObject([
      { state: "open", destination_type: "account_user" },
    ]);
  });
  test("acknowledge: the caller's workflows; the alert stays open while another workflow is open", async () => {
    const team = await teamOf([second]);
    const alert = await create({ destination_team_ids: [team.id] });
    const reply = await act(alert, "acknowledge", second.key);
    expect(reply.body).toMatchObject({ status: "open", acknowledged_at: expect.any(String) });
    const states = (await workflows(alert)).map((it: any) => [it.destination_type, it.state]);
    expect(states).toContainEqual(["team", "acknowledged"]);
    expect(states).toContainEqual(["account_user", "open"]);
    expect((await act(alert, "acknowledge", first.key)).body.status).toBe("acknowledged");
  });
  test("acknowledge by a caller in no workflow: acknowledges all", async () => {
    const team = await teamOf([second]);
    const alert = await create({ destination_team_ids: [team.id] });
    expect((await act(alert, "acknowledge", outsider.key)).body.status).toBe("acknowledged");
    expect((await workflows(alert)).map((it: any) => it.state)).toEqual([
      "acknowledged",
      "acknowledged",
    ]);
  });
  test("resolve: open workflows are cancelled", async () => {
    const alert = await create();
    expect((await act(alert, "resolve")).body.status).toBe("resolved");
    expect(await workflows(alert)).toMatchObject([{ state: "cancelled", next_step_at: null }]);
  });
  test("reject: status unchanged; when all on a layer rejected, the next layer starts at once", async () => {
    const team = await teamOf([first], [second]);
    const alert = await create({
      destination_account_user_ids: [],
      destination_team_ids: [team.id],
    });
    expect((await act(alert, "reject", first.key)).body.status).toBe("open");
    await vi.waitFor(async () => {
      expect(await workflows(alert)).toMatchObject([
        { layer: 2, account_user_ids: [second.accountUserId] },
      ]);
    }, soon);
  });
  test("everybody left to notify rejected it: the workflow is rejected, the alert dropped", async () => {
    const alert = await create();
    expect((await act(alert, "reject", first.key)).body.status).toBe("dropped");
    expect(await workflows(alert)).toMatchObject([{ state: "rejected" }]);
  });
  test("nobody on call on any layer: timed out and dropped at once", async () => {
    const team = await teamOf([], []);
    const alert = await create({
      destination_account_user_ids: [],
      destination_team_ids: [team.id],
    });
    expect(alert.status).toBe("dropped");
    expect(await workflows(alert)).toMatchObject([{ state: "timed_out" }]);
  });
  test("delete: later commands are answered 404; the timeline stays", async () => {
    const alert = await create();
    expect((await world.api("DELETE", `/alerts/${alert.id}`)).status).toBe(204);
    for (const verb of ["acknowledge", "resolve", "reject"]) {
      expect((await act(alert, verb)).status).toBe(404);
    }
    expect((await world.api("GET", `/logs/${alert.id}`)).status).toBe(200);
  });
});

describe("Rules", () => {
  test("an account user is one layer of ten minutes", async () => {
    const before = Date.now();
    const [workflow] = await workflows(await create());
    expect(workflow).toMatchObject({ layer: 1, pass: 1, account_user_ids: [first.accountUserId] });
    const wait = Date.parse(workflow.next_step_at) - before;
    expect(wait).toBeGreaterThanOrEqual(600_000);
    expect(wait).toBeLessThan(660_000);
  });
  test("a layer with nobody on call is skipped at once", async () => {
    const team = await teamOf([], [second]);
    const alert = await create({
      destination_account_user_ids: [],
      destination_team_ids: [team.id],
    });
    expect(await workflows(alert)).toMatchObject([{ layer: 2, state: "open" }]);
  });
  test("urgency silent: the workflow runs, nobody is notified", async () => {
    const silent = await create({ urgency: "silent" });
    const urgent = await create();
    const notificationsOf = async (alert: { id: string }) =>
      (await world.api("GET", `/alerts/${alert.id}/notifications`)).body.data;
    await vi.waitFor(async () => {
      expect(await notificationsOf(urgent)).toMatchObject([
        { event: "alert.open", status: "sent" },
      ]);
    }, soon);
    expect(await notificationsOf(silent)).toEqual([]);
    expect([silent.status, urgent.status]).toEqual(["open", "open"]);
    expect((await workflows(silent))[0].state).toBe("open");
  });
  test("the alert's extra fields", async () => {
    expect(await create({ tags: ["a"] })).toMatchObject({
      tags: ["a"],
      tag_list: ["a"],
      destination_team_ids: [],
      destination_router_ids: [],
      destination_account_user_ids: [first.accountUserId],
      additional_data: [],
      dedup_count: 0,
      incident: false,
      incident_severity: null,
      incident_message: null,
      meta: { incident: false, incident_severity: null, incident_message: null },
    });
  });
  test("PUT changes title, description, urgency, tags, meta; not status or destinations", async () => {
    const alert = await create();
    const { body } = await world.api("PUT", `/alerts/${alert.id}`, {
      title: "New",
      description: "Why",
      urgency: "low",
      tags: ["b"],
      meta: { runbook: 7 },
      status: "resolved",
      destination_account_user_ids: [second.accountUserId],
    });
    expect(body).toMatchObject({
      title: "New",
      description: "Why",
      urgency: "low",
      tags: ["b"],
      meta: { runbook: 7 },
      status: "open",
      destination_account_user_ids: [first.accountUserId],
    });
  });
  test("tag_list is an alias of tags; free meta is stored", async () => {
    const alert = await create({ tag_list: ["x"], meta: { runbook: { page: 7 } } });
    expect([alert.tags, alert.meta.runbook]).toEqual([["x"], { page: 7 }]);
  });
  test("incident: true without a severity is SEV-UNKNOWN", async () => {
    const alert = await create({ meta: { incident: true } });
    expect(alert.incident_severity).toBe("SEV-UNKNOWN");
  });
  test.each([
    "meta.incident=true",
    "status=open",
    "urgency=critical",
    "thirdparty_id=find-me",
    "tags=find-me",
  ])("filter: %s", async (query) => {
    const alert = await create({
      urgency: "critical",
      thirdparty_id: "find-me",
      tags: ["find-me"],
      meta: { incident: true },
    });
    const { body } = await world.api("GET", `/alerts?${query}&limit=100`);
    expect(body.data.map((it: any) => it.id)).toContain(alert.id);
    const [name = "", value = ""] = query.split("=");
    const isOther = (it: any) => !JSON.stringify(it[name.replace("meta.", "")]).includes(value);
    expect(body.data.filter(isOther)).toEqual([]);
  });
});

describe("Webhook matching", () => {
  const find = async (id: string) => (await world.api("GET", `/alerts?thirdparty_id=${id}`)).body;
  const send = async (Id: string, event_type: string, more: Record<string, unknown> = {}) => {
    const reply = await hook.send({ event_type, Id, Title: "Disk full", ...more });
    expect(reply.status).toBe(200);
    return reply;
  };
  let hook: Awaited<ReturnType<typeof makeIntegration>>;
  beforeAll(async () => {
    hook = await makeIntegration(world, [(await teamOf([first])).id]);
  });

  test("a repeated create raises dedup_count and makes no new alert", async () => {
    for (let i = 0; i < 3; i += 1) await send("repeat", "create");
    await vi.waitFor(async () => {
      expect(await find("repeat")).toMatchObject({ total_count: 1, data: [{ dedup_count: 2 }] });
    }, soon);
  });
  test("a create after a resolve makes a new alert", async () => {
    for (const event of ["create", "resolve", "create"]) await send("renewed", event);
    await vi.waitFor(async () => {
      const { data } = await find("renewed");
      expect(data.map((it: any) => it.status)).toEqual(["open", "resolved"]);
    }, soon);
  });
  test("no Id on create: a fresh one is generated", async () => {
    const reply = await hook.send({ event_type: "create", Title: "Without an Id" });
    await vi.waitFor(async () => {
      const { body } = await world.api("GET", `/alerts?source_log_id=${reply.body.log_id}`);
      expect(body.data[0]?.thirdparty_id).toEqual(expect.any(String));
    }, soon);
  });
  test("per integration: the same Id of another integration makes another alert", async () => {
    const other = await makeIntegration(world, [(await teamOf([first])).id]);
    await send("both", "create");
    await other.send({ event_type: "create", Id: "both", Title: "x" });
    await vi.waitFor(async () => expect((await find("both")).total_count).toBe(2), soon);
  });
  test("a refused acknowledge is logged, answered 200", async () => {
    for (const event of ["create", "resolve"]) await send("refused", event);
    const reply = await send("refused", "acknowledge");
    await vi.waitFor(async () => {
      const { body } = await world.api("GET", `/logs/${reply.body.log_id}`);
      expect(body.details?.message).toEqual(expect.any(String));
    }, soon);
    expect((await find("refused")).data[0].status).toBe("resolved");
  });
});

describe("Webhook answers", () => {
  test("200 with log_id; 401, 404, 405, 413, 422", async () => {
    const ids = [(await teamOf([first])).id];
    const event = { event_type: "create", Id: "answer", Title: "x" };
    const open = await makeIntegration(world, ids);
    const answered = await open.send(event);
    expect([answered.status, answered.body]).toEqual([200, { log_id: expect.any(String) }]);
    expect((await open.send({ ...event, Title: "" })).status).toBe(422);
    expect((await open.send({ ...event, event_type: "snooze" })).status).toBe(422);
    expect((await open.send("x".repeat(1_048_577))).status).toBe(413);
    expect((await call("POST", "/integration/int_AAAAAAAAAAAAAA", { body: event })).status).toBe(
      404,
    );
    const disabled = await makeIntegration(world, ids, { enabled: false });
    expect((await disabled.send(event)).status).toBe(405);
    const guarded = await makeIntegration(world, ids, { token: "secret" });
    expect((await guarded.send(event)).status).toBe(401);
    for (const header of ["service-token", "pagertree-token"]) {
      expect((await guarded.send(event, { [header]: "secret" })).status).toBe(200);
    }
  });
});

describe("Broadcasts", () => {
  const broadcast = async (body: Record<string, unknown> = {}) =>
    (
      await world.api("POST", "/broadcasts", {
        title: "Office closed",
        destination_account_user_ids: [first.accountUserId, second.accountUserId],
        response_requested: true,
        broadcast_response_options_attributes: [{ value: "yes" }, { value: "no" }],
        ...body,
      })
    ).body;
  const answer = (it: any, option: number, key: string) =>
    call("POST", `/api/v4/broadcasts/${it.id}/responses`, {
      key,
      body: { broadcast_response_option_id: it.broadcast_response_options[option].id },
    });
  const read = async (it: any) => (await world.api("GET", `/broadcasts/${it.id}`)).body;

  test("the last answer of a person counts", async () => {
    const it = await broadcast();
    await answer(it, 0, first.key);
    await answer(it, 1, first.key);
    const { broadcast_response_options: options, broadcast_responses } = await read(it);
    expect(options.map((option: any) => option.broadcast_responses_count)).toEqual([0, 1]);
    expect(broadcast_responses).toHaveLength(1);
  });
  test("closed when all have answered", async () => {
    const it = await broadcast();
    // The status after the messages are sent.
    await env.DB.prepare("update broadcasts set status = 'open' where id = ?").bind(it.id).run();
    await answer(it, 0, first.key);
    expect((await read(it)).status).not.toBe("closed");
    await answer(it, 0, second.key);
    expect((await read(it)).status).toBe("closed");
  });
  test("closed by PUT {status: closed}; other statuses cannot be set", async () => {
    const it = await broadcast();
    await vi.waitFor(async () => expect((await read(it)).status).toBe("open"), soon);
    const path = `/broadcasts/${it.id}`;
    expect((await world.api("PUT", path, { status: "errored" })).body.status).toBe("open");
    expect((await world.api("PUT", path, { status: "closed" })).body.status).toBe("closed");
    expect((await answer(it, 0, first.key)).status).toBe(409);
  });
  test("answers after the deadline → 409", async () => {
    const it = await broadcast({ response_requested_by: new Date(Date.now() - 1).toISOString() });
    expect((await answer(it, 0, first.key)).status).toBe(409);
  });
  test("tag_list accepts a list or a comma string", async () => {
    expect((await broadcast({ tag_list: "a, b,,c" })).tag_list).toEqual(["a", "b", "c"]);
    expect((await broadcast({ tag_list: ["a", "b"] })).tag_list).toEqual(["a", "b"]);
  });
});

describe("Comments", () => {
  test("POST /comments also accepts commentable_type and commentable_id", async () => {
    const { alert } = world.ids;
    const { body } = await world.api("POST", "/comments", {
      body: "x",
      commentable_type: "Alert",
      commentable_id: alert.prefixId,
    });
    expect(body).toMatchObject({
      commentable_type: "Alert",
      commentable_id: alert.id,
      parent_id: null,
      account_user_id: world.accountUserId,
      created_by_name: "decided Admin",
    });
    const list = await world.api("GET", `/alerts/${alert.id}/comments`);
    expect(list.body.data.map((it: any) => it.id)).toContain(body.id);
  });
  test("without them: a comment of the account", async () => {
    const { body } = await world.api("POST", "/comments", { body: "x" });
    expect([body.commentable_type, body.commentable_id]).toEqual([null, null]);
    const half = await world.api("POST", "/comments", { body: "x", commentable_type: "Alert" });
    expect([half.status, faultyFields(half)]).toEqual([422, ["commentable_id"]]);
  });
  test("deleting the parent deletes its comments", async () => {
    const alert = await create({ urgency: "silent" });
    const { body } = await world.api("POST", `/alerts/${alert.id}/comments`, { body: "x" });
    await world.api("DELETE", `/alerts/${alert.id}`);
    await vi.waitFor(async () => {
      expect((await world.api("GET", `/comments/${body.id}`)).status).toBe(404);
    }, soon);
  });
});
