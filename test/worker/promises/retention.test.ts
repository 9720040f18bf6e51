// Retention deletes old, ended records from the database and the objects, some in each run. Nothing that arrives late
// restores them.
import { createScheduledController, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { retire } from "../../../src/features/operations/retention/retention.ts";
import { alertObject, dedupKeyObject } from "../../../src/features/stubs.ts";
import worker from "../../../src/index.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { outboxOf, storedAlert } from "../../support/alerts/stored-alert.ts";
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

/** Moves the service's clock forward. Alarms that are set meanwhile do not fire, since real time does not pass. */
const passDays = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: start + days * DAY });

const sweep = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);

const drained = () =>
  vi.waitFor(async () => {
    const events = await rowsOf(inboxStub(integration.prefixId), "select * from events");
    expect(events).toEqual([]);
  }, soon);

/** Creates an alert of the integration, with everything that can refer to one. */
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
    expect(await outboxOf(alertStub(prefix_id))).toEqual([]);
  }, soon);
  const comment = { body: "Seen", commentable_type: "Alert", commentable_id: id };
  const { status, body, text } = await account.api("POST", "/comments", comment);
  expect(status, text).toBe(201);
  const reply = { body: "Me too", commentable_type: "Comment", commentable_id: body.id };
  expect((await account.api("POST", "/comments", reply)).status).toBe(201);
  return { id: id as string, prefixId: prefix_id as string };
}

/** The account's number of rows per table, without notices of a drop. */
async function rows(): Promise<Record<string, number>> {
  const tables = ["alerts", "alert_destinations", "notifications", "logs", "comments"];
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
const contentsOf = (stub: DurableObjectStub) =>
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

test("deletes an alert that ended long ago with everything that refers to it, but no open alert", async () => {
  const old = await makeAlert("old", ["shared"]);
  await account.api("POST", `/alerts/${old.id}/resolve`);
  const open = await makeAlert("open");
  const inbox = inboxStub(integration.prefixId);
  // An alert that has ended is forgotten at once, whatever is retained of it.
  const keysOf = () => rowsOf(inbox, "select ordering_key from ordering_keys");
  await vi.waitFor(async () => expect(await keysOf()).toEqual([{ ordering_key: "open" }]), soon);
  expect(await rowsOf(inbox, "select * from dedup_keys")).toEqual([]);
  await vi.waitFor(
    async () => expect(await contentsOf(alertStub(old.prefixId))).toEqual(NOTHING),
    soon,
  );
  const before = await rows();

  passDays(399);
  await sweep();
  // The request logs are older than 30 days.
  const logs = (before.logs ?? 0) - 2;
  expect(await rows()).toEqual({ ...before, logs });

  passDays(401);
  await sweep();
  // Left: the open alert with its destination, page and comments.
  expect(await rows()).toEqual({
    ...{ alerts: 1, alert_destinations: 1, notifications: 1, logs: 0, comments: 2 },
  });
  expect((await account.api("GET", `/logs/${open.id}`)).status).toBe(200);
  expect((await account.api("GET", `/alerts/${old.id}`)).status).toBe(404);
  expect((await account.api("GET", "/alerts")).body.total_count).toBe(1);
  expect(await contentsOf(alertStub(old.prefixId))).toEqual(NOTHING);
  expect(await keysOf()).toEqual([{ ordering_key: "open" }]);
});

test("deletes the timeline, the object and the dedup keys of a deleted alert", async () => {
  const { id, prefixId } = await makeAlert("gone", ["a key"]);
  const digest = createHash("sha256").update("a key").digest("hex");
  const keys = `${account.accountId}:${digest}`;
  expect(await dedupKeyObject(env, keys).look()).toBe(id);
  expect((await account.api("DELETE", `/alerts/${id}`)).status).toBe(204);
  passDays(401);
  await sweep();
  expect((await rows()).logs).toBe(0);
  expect(await contentsOf(alertStub(prefixId))).toEqual(NOTHING);
  expect(await contentsOf(env.DEDUP_KEY.getByName(keys))).toEqual(NOTHING);
});

test("late calls do not restore the alert; a late event creates another", async () => {
  const { id, prefixId } = await makeAlert("back");
  const stored = await storedAlert(alertStub(prefixId));
  if (stored === null) throw new Error("the object is empty");
  const { accountId, title, urgency, source } = stored.alert;
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
    mergedIntoId: null,
  });
  const by = { accountUserId: null, name: "nobody" };
  expect(await object.command(accountId, { type: "acknowledge", by }, "for_nothing")).toMatchObject(
    {
      reason: "not_found",
    },
  );
  const page = { event: "alert.open", accountUserId: "somebody", workflowId: null } as const;
  const lines = [{ key: "x", level: "error", message: "too late" }] as const;
  await object.confirm([{ effectId: `${id}:0`, lines, unreached: true, page }], accountId);
  await object.poke();
  expect(await object.retire(accountId, Date.now(), true)).toBe(true);
  expect(await contentsOf(alertStub(prefixId))).toEqual(NOTHING);
  await integration.send({ event_type: "create", Id: "back", Title: "back" });
  await vi.waitFor(async () => {
    const { body } = await account.api("GET", "/alerts?thirdparty_id=back");
    expect(body.data).toMatchObject([{ dedup_count: 0 }]);
    expect(body.data[0].id).not.toBe(id);
  }, soon);
});

test("keeps an open alert's object and row although the row says that it is resolved", async () => {
  const { id, prefixId } = await makeAlert("behind");
  await env.DB.prepare("update alerts set status = 'resolved' where id = ?").bind(id).run();
  passDays(401);
  await sweep();
  expect((await rows()).alerts).toBe(1);
  expect(await storedAlert(alertStub(prefixId))).not.toBeNull();
});

/**
 * Runs retention, one batch of this many records in each run, until these tables have no row of the account; returns
 * the number of runs. Checks that no run deletes more, of all accounts: rows of other tests may be deleted first.
 */
async function retireAll(tables: readonly string[], most: number): Promise<number> {
  const countAll = async () => {
    const queries = tables.map((table) => env.DB.prepare(`select count(*) as n from ${table}`));
    return (await env.DB.batch<{ n: number }>(queries)).map((it) => it.results[0]?.n ?? 0);
  };
  for (let runs = 0; ; runs += 1) {
    const own = await rows();
    if (tables.every((table) => own[table] === 0)) return runs;
    expect(runs, JSON.stringify(own)).toBeLessThan(100);
    const before = await countAll();
    await retire(env, Date.now(), { batch: most, rounds: 1, ms: 60_000, rows: most });
    for (const [i, left] of (await countAll()).entries()) {
      expect((before[i] ?? 0) - left, tables[i]).toBeLessThanOrEqual(most);
    }
  }
}

test("deletes a bounded number of alerts in each run, until none is left", async () => {
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
  expect(await retireAll(["alerts"], 3)).toBeGreaterThan(2);
  expect(await rows()).toMatchObject({ alerts: 0, alert_destinations: 0, logs: 0 });
  for (const name of made) expect(await contentsOf(alertStub(name))).toEqual(NOTHING);
});

test("deletes a bounded number of logs and of notices without an alert in each run", async () => {
  for (let i = 0; i < 5; i += 1) await integration.send({ event_type: "nonsense" });
  await drained();
  const notices = [1, 2, 3].map((i) => {
    const { id, createdAt } = newIdentity("notification", start);
    return env.DB.prepare(
      `insert into notifications (id, created_at, updated_at, account_id, effect, account_user_id,
        channel, event, status) values (?, ?, ?, ?, ?, 'somebody', 'email', 'oncall.handoff', 'sent')`,
    ).bind(id, createdAt, createdAt, account.accountId, `notice ${i}`);
  });
  await env.DB.batch(notices);
  await vi.waitFor(async () => expect((await rows()).logs).toBe(5), soon);
  passDays(401);
  expect(await rows()).toMatchObject({ logs: 5, notifications: 3 });
  const runs = await retireAll(["logs", "notifications"], 2);
  expect(runs).toBeGreaterThan(2);
  expect(await rows()).toMatchObject({ logs: 0, notifications: 0 });
});

test("the sweep, retention and erasure take one concurrent round trip each", async () => {
  // First processes what earlier tests wrote directly to D1.
  await sweep();
  await untilQuiet();
  const { trips, depth } = await countTrips(sweep);
  // The one before them: until a restore has ended they rest.
  expect({ trips, depth }).toEqual({ trips: 4, depth: 2 });
});

test("deletes finished idempotency keys after a day", async () => {
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
