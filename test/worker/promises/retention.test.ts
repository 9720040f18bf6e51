// What is over and old leaves the database and its objects, some in each run; what is not stays. Nothing that comes
// late brings it back.
import { createScheduledController, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newIdentity } from "../../../src/db/shared/identifiers.ts";
import worker from "../../../src/index.ts";
import { alertObject, dedupKeyObject } from "../../../src/objects/shared/stubs.ts";
import { retire } from "../../../src/queue/shared/retention.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, inboxStub, rowsOf, soon } from "../../support/worker/faults.ts";
import { countTrips, untilQuiet } from "../../support/worker/round-trips.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

const DAY = 86_400_000;

let account: Account;
let integration: Integration;
let teamId: string;
let start: number;
beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
  integration = await makeIntegration(account, [teamId]);
  start = Date.now();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The clock as the service reads it. Forward only: no alarm that is set meanwhile is due in truth. */
const passDays = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: start + days * DAY });

const sweep = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);

const drained = () =>
  vi.waitFor(async () => {
    const held = await rowsOf(inboxStub(integration.prefixId), "select * from events");
    expect(held).toEqual([]);
  }, soon);

/** An alert of the integration, with everything that may hang on one. */
async function makeAlert(Id: string, keys: readonly string[] = []) {
  const before = await account.api("GET", `/alerts?thirdparty_id=${Id}`);
  expect(before.body.total_count).toBe(0);
  await integration.send({ event_type: "create", Id, Title: Id, dedup_keys: keys });
  await drained();
  const { id, prefix_id } = await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts?thirdparty_id=${Id}`);
    expect(body.total_count).toBe(1);
    return body.data[0];
  }, soon);
  await vi.waitFor(async () => {
    expect(await rowsOf(alertStub(prefix_id), "select * from outbox")).toEqual([]);
    expect(await rowsOf(alertStub(prefix_id), "select * from story")).toEqual([]);
  }, soon);
  const comment = { body: "Seen", commentable_type: "Alert", commentable_id: id };
  const { status, body, text } = await account.api("POST", "/comments", comment);
  expect(status, text).toBe(201);
  const reply = { body: "Me too", commentable_type: "Comment", commentable_id: body.id };
  expect((await account.api("POST", "/comments", reply)).status).toBe(201);
  return { id: id as string, prefixId: prefix_id as string };
}

/** How many rows the account has where; telling somebody that nobody answered aside. */
async function rows(): Promise<Record<string, number>> {
  const tables = ["alerts", "alert_workflows", "notifications", "logs", "sublogs", "comments"];
  const counts = await env.DB.batch<{ n: number }>(
    tables.map((table) =>
      env.DB.prepare(
        `select count(*) as n from ${table} where account_id = ?
          ${table === "notifications" ? "and event <> 'alert.dropped'" : ""}`,
      ).bind(account.accountId),
    ),
  );
  return Object.fromEntries(tables.map((name, i) => [name, counts[i]?.results[0]?.n ?? -1]));
}

/** Tables, values and alarm of an object. */
const holdings = (stub: DurableObjectStub) =>
  runInDurableObject(stub, async (_, { storage }) => ({
    tables: storage.sql
      .exec(
        "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'",
      )
      .toArray(),
    values: [...storage.kv.list()],
    alarm: await storage.getAlarm(),
  }));

const NOTHING = { tables: [], values: [], alarm: null };

test("an alert that ended long ago goes with everything that hangs on it; one that has not stays", async () => {
  const old = await makeAlert("old", ["shared"]);
  await account.api("POST", `/alerts/${old.id}/resolve`);
  const open = await makeAlert("open");
  const inbox = inboxStub(integration.prefixId);
  expect(await rowsOf(inbox, "select id from lanes order by id")).toHaveLength(2);
  expect(await rowsOf(inbox, "select key from keys")).toEqual([{ key: "shared" }]);
  const before = await rows();

  passDays(399);
  await sweep();
  // The open alert's next layer is long due: its story goes on.
  expect({ ...(await rows()), sublogs: before.sublogs }).toEqual(before);

  passDays(401);
  await sweep();
  // What is left: the open alert with its workflow, its page, its story and comments. Requests' logs are old.
  const story = await account.api("GET", `/logs/${open.id}`);
  const steps = story.body.details.sublogs.length;
  expect(await rows()).toEqual({
    alerts: 1,
    alert_workflows: 1,
    notifications: 1,
    logs: 1,
    sublogs: steps,
    comments: 2,
  });
  expect((await account.api("GET", `/alerts/${old.id}`)).status).toBe(404);
  expect((await account.api("GET", "/alerts")).body.total_count).toBe(1);
  expect(await holdings(alertStub(old.prefixId))).toEqual(NOTHING);
  expect(await rowsOf(inbox, "select id from lanes")).toEqual([{ id: "open" }]);
  expect(await rowsOf(inbox, "select key from keys")).toEqual([]);
});

test("a deleted alert's story and object go too, and the keys that it had", async () => {
  const { id, prefixId } = await makeAlert("gone", ["a key"]);
  const digest = createHash("sha256").update("a key").digest("hex");
  const keys = `${account.accountId}:${digest}`;
  expect(await dedupKeyObject(env, keys).look()).toBe(id);
  expect((await account.api("DELETE", `/alerts/${id}`)).status).toBe(204);
  passDays(401);
  await sweep();
  expect((await rows()).logs).toBe(0);
  expect(await holdings(alertStub(prefixId))).toEqual(NOTHING);
  expect(await holdings(env.DEDUP_KEY.getByName(keys))).toEqual(NOTHING);
});

test("what comes late does not bring it back: it is another alert's", async () => {
  const { id, prefixId } = await makeAlert("back");
  const [row] = await rowsOf(alertStub(prefixId), "select state from alert");
  const { accountId, title, urgency, source } = JSON.parse(String(row?.state));
  await account.api("POST", `/alerts/${id}/resolve`);
  passDays(401);
  await sweep();
  const object = alertObject(env, prefixId);
  const draft = {
    ...{ id, accountId, title, urgency, source, thirdpartyId: "back", dedupKeys: [], tags: [] },
    destinations: { teamIds: [teamId], routerIds: [], accountUserIds: [] },
    ...{ description: null, meta: {}, additionalData: [], log: null, maintenance: null },
    ...{ requestId: null, autoResolveMs: null },
  };
  expect(await object.create(draft, [1], "for_nothing")).toEqual({
    kind: "finished",
    countedSequence: 0,
  });
  const by = { accountUserId: null, name: "nobody" };
  expect(await object.command(accountId, { type: "acknowledge", by }, "for_nothing")).toMatchObject(
    {
      reason: "not_found",
    },
  );
  const page = { event: "alert.open", accountUserId: "somebody", workflowId: null } as const;
  const lines = [{ key: "x", level: "error", message: "too late" }] as const;
  await object.confirm([{ effectId: `${id}:0`, lines, unreached: true, page }]);
  await object.poke();
  expect(await object.retire(Date.now())).toBe(true);
  expect(await holdings(alertStub(prefixId))).toEqual(NOTHING);
  await integration.send({ event_type: "create", Id: "back", Title: "back" });
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/alerts?thirdparty_id=back");
    expect(body.data).toMatchObject([{ dedup_count: 0 }]);
    expect(body.data[0].id).not.toBe(id);
  }, soon);
});

test("readers' rows that are behind the object are no reason to empty it", async () => {
  const { id, prefixId } = await makeAlert("behind");
  await env.DB.prepare("update alerts set status = 'resolved' where id = ?").bind(id).run();
  passDays(401);
  await sweep();
  expect((await rows()).alerts).toBe(1);
  expect(await rowsOf(alertStub(prefixId), "select one from alert")).toHaveLength(1);
});

type Bounds = { readonly alerts: number; readonly rows: number };

/**
 * Retires until nothing of the account is left in these tables; how many runs it took. No run takes more than its bounds
 * allow: they are for all accounts, and what other tests left may be taken first.
 */
async function retireAll(tables: readonly string[], bounds: Bounds): Promise<number> {
  const everybodys = async () => {
    const queries = tables.map((table) => env.DB.prepare(`select count(*) as n from ${table}`));
    return (await env.DB.batch<{ n: number }>(queries)).map((it) => it.results[0]?.n ?? 0);
  };
  for (let runs = 0; ; runs += 1) {
    const own = await rows();
    if (tables.every((table) => own[table] === 0)) return runs;
    expect(runs, JSON.stringify(own)).toBeLessThan(100);
    const before = await everybodys();
    await retire(env, Date.now(), bounds);
    for (const [i, left] of (await everybodys()).entries()) {
      const most = tables[i] === "alerts" ? bounds.alerts : bounds.rows;
      expect((before[i] ?? 0) - left, tables[i]).toBeLessThanOrEqual(most);
    }
  }
}

test("some in each run, until all are gone", async () => {
  const many = 7;
  const made = await Promise.all(
    Array.from({ length: many }, async (_, i) => {
      const { body } = await account.api("POST", "/alerts", {
        title: `Many ${i}`,
        urgency: "silent",
        destination_team_ids: [teamId],
      });
      await account.api("POST", `/alerts/${body.id}/resolve`);
      return body.prefix_id as string;
    }),
  );
  passDays(401);
  expect(await retireAll(["alerts"], { alerts: 3, rows: 2 })).toBeGreaterThan(2);
  expect(await rows()).toMatchObject({ alerts: 0, alert_workflows: 0, logs: 0, sublogs: 0 });
  for (const name of made) expect(await holdings(alertStub(name))).toEqual(NOTHING);
});

test("logs of requests and notices about no alert: some in each run", async () => {
  for (let i = 0; i < 5; i += 1) await integration.send({ event_type: "nonsense" });
  await drained();
  const notices = [1, 2, 3].map((i) => {
    const { id, prefixId, createdAt } = newIdentity("notification", start);
    return env.DB.prepare(
      `insert into notifications (id, prefix_id, created_at, updated_at, account_id, effect_id, account_user_id,
        channel, event, status) values (?, ?, ?, ?, ?, ?, 'somebody', 'email', 'oncall.handoff', 'sent')`,
    ).bind(id, prefixId, createdAt, createdAt, account.accountId, `notice ${i}`);
  });
  await env.DB.batch(notices);
  await vi.waitFor(async () => expect((await rows()).logs).toBe(5), soon);
  passDays(401);
  expect(await rows()).toMatchObject({ logs: 5, sublogs: 5, notifications: 3 });
  const runs = await retireAll(["logs", "notifications"], { alerts: 0, rows: 2 });
  expect(runs).toBeGreaterThan(2);
  expect(await rows()).toMatchObject({ logs: 0, sublogs: 0, notifications: 0 });
});

test("the minute's sweep asks the database once, and so do retention and erasure", async () => {
  // What the tests before wrote behind the API is notified first.
  await sweep();
  await untilQuiet();
  const { trips, depth } = await countTrips(sweep);
  expect({ trips, depth }).toEqual({ trips: 3, depth: 1 });
});

test("finished idempotency keys go after a day", async () => {
  const made = { title: "Once", urgency: "silent", destination_team_ids: [teamId] };
  await account.api("POST", "/alerts", made, { "Idempotency-Key": "once" });
  const keys = async () =>
    (
      await env.DB.prepare("select key from idempotency_keys where account_id = ?")
        .bind(account.accountId)
        .all()
    ).results;
  await sweep();
  expect(await keys()).toEqual([{ key: "once" }]);
  passDays(1.01);
  await sweep();
  expect(await keys()).toEqual([]);
});
