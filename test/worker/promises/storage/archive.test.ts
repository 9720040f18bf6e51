// What is removed is in the archive before: complete, once, and nothing while the archive fails.
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dayOf, recordsOf } from "../../../../src/domain/shared/archive.ts";
import { prefixIdOf } from "../../../../src/domain/shared/identifiers.ts";
import { AlertObject } from "../../../../src/features/alerts/object/object.ts";
import { retire } from "../../../../src/features/operations/retention/retention.ts";
import worker from "../../../../src/index.ts";
import { outboxOf } from "../../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { alertStub, inboxStub, rowsOf, soon } from "../../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../../support/worker/world.ts";

const DAY = 86_400_000;
const MINUTE = 60_000;

let account: Account;
let integration: Integration;
let start: number;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  const layers = [{ seconds: 600, people: [person.accountUserId] }];
  integration = await makeIntegration(account, [(await makeTeam(account, layers)).id]);
  start = Date.now();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Moves the service's clock to this many days after the start. */
const passDays = (days: number) => vi.useFakeTimers({ toFake: ["Date"], now: start + days * DAY });

const sweep = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);

type Made = { readonly id: string; readonly prefix_id: string };

/** Creates an alert by webhook that pages one person, resolves it, and waits until D1 has all of it. */
async function makeEnded(Id: string): Promise<Made> {
  await integration.send({ event_type: "create", Id, Title: Id });
  const alert = await vi.waitFor(async () => {
    const { body } = await account.api("GET", `/alerts?thirdparty_id=${Id}`);
    expect(body.data).toHaveLength(1);
    return body.data[0] as Made;
  }, soon);
  const stub = alertStub(alert.prefix_id);
  await vi.waitFor(async () => {
    expect(await outboxOf(stub)).toEqual([]);
  }, soon);
  expect((await account.api("POST", `/alerts/${alert.id}/resolve`)).status).toBe(200);
  await vi.waitFor(async () => {
    expect(await outboxOf(stub)).toEqual([]);
    expect(await rowsOf(inboxStub(integration.prefixId), "select * from events")).toEqual([]);
  }, soon);
  return alert;
}

/** The archive objects of the account, with their records. */
async function archived() {
  const { objects } = await env.ARCHIVE.list({ prefix: prefixIdOf("account", account.accountId) });
  const found = objects.map(async ({ key }) => {
    const body = (await env.ARCHIVE.get(key))?.body.pipeThrough(new DecompressionStream("gzip"));
    return { key, records: recordsOf(await new Response(body).text()) };
  });
  return Promise.all(found);
}

const archivedIds = async (kind: string) =>
  (await archived())
    .filter(({ key }) => key.includes(`/${kind}-`))
    .flatMap(({ records }) => records.map(({ id }) => id))
    .sort();

const statusOf = async ({ id }: Made) => (await account.api("GET", `/alerts/${id}`)).status;

test("the archive has an alert as the API showed it, with everything that belongs to it", async () => {
  const made = await makeEnded("complete");
  const comment = { body: "Seen", commentable_type: "Alert", commentable_id: made.id };
  const { body: top } = await account.api("POST", "/comments", comment);
  const answer = { body: "Me too", commentable_type: "Comment", commentable_id: top.id };
  const { body: reply } = await account.api("POST", "/comments", answer);
  const read = async (path: string) => (await account.api("GET", path)).body;
  const alert = await read(`/alerts/${made.id}`);
  const timeline = (await read(`/logs/${made.id}`)).details.sublogs;
  const { data: workflows } = await read(`/alerts/${made.id}/workflows`);
  const { data: notifications } = await read(`/alerts/${made.id}/notifications?event=alert.open`);
  const { data: logs } = await read("/logs?owner_type=Integration");
  expect([timeline.length > 2, workflows.length, notifications.length]).toEqual([true, 1, 1]);
  passDays(401);
  await sweep();
  expect(await statusOf(made)).toBe(404);
  const folder = `${prefixIdOf("account", account.accountId)}/${dayOf(made.id)}`;
  expect(await archived()).toEqual([
    {
      key: `${folder}/alerts-${made.id}.ndjson.gz`,
      records: [
        {
          ...alert,
          timeline,
          workflows,
          notifications: expect.arrayContaining(notifications),
          comments: [top, reply],
        },
      ],
    },
    { key: `${folder}/logs-${logs[0].id}.ndjson.gz`, records: logs },
  ]);
});

test("the archive has the timeline of a deleted alert", async () => {
  const made = await makeEnded("deleted");
  expect((await account.api("DELETE", `/alerts/${made.id}`)).status).toBe(204);
  const { body: log } = await account.api("GET", `/logs/${made.id}`);
  passDays(401);
  await sweep();
  expect((await account.api("GET", `/logs/${made.id}`)).status).toBe(404);
  const records = (await archived()).flatMap((it) => it.records);
  expect(records.find(({ id }) => id === made.id)).toMatchObject({
    deleted: true,
    timeline: log.details.sublogs,
  });
});

test("request logs leave after 30 days, unless their retention is that of alerts", async () => {
  await makeEnded("logged");
  const logs = async () =>
    (await account.api("GET", "/logs?owner_type=Integration")).body.total_count;
  passDays(29);
  await sweep();
  expect(await logs()).toBe(1);
  passDays(32);
  await retire({ ...env, REQUEST_LOG_RETENTION_DAYS: "off" }, Date.now());
  expect(await logs()).toBe(1);
  await sweep();
  expect(await logs()).toBe(0);
  expect(await archivedIds("logs")).toHaveLength(1);
});

/** Creates an alert that nobody answers, and waits until its drop notice is sent and its log written. */
async function makeDropped(Id: string) {
  const nobody = await makeIntegration(account, [(await makeTeam(account, [])).id]);
  const send = () => nobody.send({ event_type: "create", Id, Title: Id });
  const find = async () => (await account.api("GET", `/alerts?thirdparty_id=${Id}`)).body.data;
  await send();
  await vi.waitFor(async () => expect(await find()).toMatchObject([{ status: "dropped" }]), soon);
  const [alert] = (await find()) as [Made];
  await vi.waitFor(async () => {
    expect(await outboxOf(alertStub(alert.prefix_id))).toEqual([]);
    expect(await rowsOf(inboxStub(nobody.prefixId), "select * from events")).toEqual([]);
  }, soon);
  return { id: alert.id, send, find };
}

test("a dropped alert leaves, and its Id makes a new one", async () => {
  const { id, send, find } = await makeDropped("dropped");
  passDays(401);
  await sweep();
  expect(await find()).toEqual([]);
  expect(await archivedIds("alerts")).toEqual([id]);
  await send();
  await vi.waitFor(async () => expect(await find()).toMatchObject([{ dedup_count: 0 }]), soon);
});

test("a late event opens a dropped alert again while it is archived, and it stays", async () => {
  const { id, send, find } = await makeDropped("late");
  passDays(401);
  const real = AlertObject.prototype.retire;
  const late = vi.spyOn(AlertObject.prototype, "retire").mockImplementation(async function (
    this: AlertObject,
    ...given
  ) {
    await send();
    await vi.waitFor(async () => expect(await find()).toMatchObject([{ dedup_count: 1 }]), soon);
    return real.apply(this, given);
  });
  await sweep();
  expect(late).toHaveBeenCalledOnce();
  late.mockRestore();
  expect(await find()).toMatchObject([{ id, dedup_count: 1 }]);
  const { body } = await account.api("GET", `/logs/${id}`);
  expect(body.details.sublogs.length).toBeGreaterThan(2);
});

test("nothing is removed while the archive fails, which is logged once an hour", async () => {
  const made = await makeEnded("kept");
  const errors = vi.spyOn(console, "error").mockImplementation(() => {});
  const reports = () =>
    errors.mock.calls.filter(([line]) => String(line?.message).startsWith("the archive failed"));
  const put = vi
    .spyOn(Object.getPrototypeOf(env.ARCHIVE), "put")
    .mockRejectedValue(new Error("put: We encountered an internal error. (10001)"));
  for (const minutes of [0, 1, 59, 61]) {
    passDays(401 + (minutes * MINUTE) / DAY);
    await sweep();
    expect([minutes, reports().length]).toEqual([minutes, minutes > 60 ? 2 : 1]);
  }
  expect(await statusOf(made)).toBe(200);
  expect(await archived()).toEqual([]);
  put.mockRestore();
  await sweep();
  expect(await statusOf(made)).toBe(404);
  expect(await archivedIds("alerts")).toEqual([made.id]);
});

test("a run that ends between archive and deletion is repeated without loss or repetition", async () => {
  const made = [await makeEnded("first"), await makeEnded("second")];
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const emptying = vi.spyOn(AlertObject.prototype, "retire").mockRejectedValue(new Error("gone"));
  passDays(401);
  await sweep();
  emptying.mockRestore();
  const before = await archived();
  expect(await archivedIds("alerts")).toEqual(made.map(({ id }) => id).sort());
  for (const alert of made) expect(await statusOf(alert)).toBe(200);
  await sweep();
  for (const alert of made) expect(await statusOf(alert)).toBe(404);
  expect(await archived()).toEqual(before);
});

test("an object that another run has written keeps its records", async () => {
  const made = await makeEnded("again");
  const folder = `${prefixIdOf("account", account.accountId)}/${dayOf(made.id)}`;
  const key = `${folder}/alerts-${made.id}.ndjson.gz`;
  const earlier = new Blob([`{"id":"${made.id}","title":"old"}\n{"id":"7ZZ","title":"other"}\n`]);
  const zipped = new Response(earlier.stream().pipeThrough(new CompressionStream("gzip")));
  await env.ARCHIVE.put(key, await zipped.arrayBuffer());
  passDays(401);
  await sweep();
  const records = (await archived()).find((it) => it.key === key)?.records;
  expect(records).toMatchObject([
    { id: made.id, title: "again" },
    { id: "7ZZ", title: "other" },
  ]);
});

test("an alert that changes while it is archived stays, with the change", async () => {
  const made = await makeEnded("late");
  passDays(401);
  const real = AlertObject.prototype.retire;
  const late = vi.spyOn(AlertObject.prototype, "retire").mockImplementation(async function (
    this: AlertObject,
    ...given
  ) {
    // The row is read; the object still allows the removal, and then D1 gets a later version.
    await env.DB.prepare("update alerts set version = version + 1, title = 'Later' where id = ?")
      .bind(made.id)
      .run();
    return made.prefix_id === this.ctx.id.name ? true : real.apply(this, given);
  });
  await sweep();
  expect((await account.api("GET", `/alerts/${made.id}`)).body).toMatchObject({ title: "Later" });
  const { body } = await account.api("GET", `/alerts/${made.id}/workflows`);
  expect(body.total_count).toBe(1);
  expect((await account.api("GET", `/logs/${made.id}`)).status).toBe(200);
  late.mockRestore();
  await sweep();
  expect(await statusOf(made)).toBe(404);
  const records = (await archived()).flatMap((it) => it.records);
  expect(records.filter(({ id }) => id === made.id)).toMatchObject([{ title: "Later" }]);
});

test("a comment that is written while its alert is archived stays, with the alert", async () => {
  const made = await makeEnded("discussed");
  passDays(401);
  const real = AlertObject.prototype.retire;
  const late = vi.spyOn(AlertObject.prototype, "retire").mockImplementation(async function (
    this: AlertObject,
    ...given
  ) {
    const comment = { body: "Again", commentable_type: "Alert", commentable_id: made.id };
    expect((await account.api("POST", "/comments", comment)).status).toBe(201);
    return real.apply(this, given);
  });
  await sweep();
  late.mockRestore();
  expect(await statusOf(made)).toBe(200);
  passDays(401.01);
  await sweep();
  expect(await statusOf(made)).toBe(404);
  const [alert] = (await archived()).flatMap((it) => it.records).filter(({ id }) => id === made.id);
  expect(alert).toMatchObject({ comments: [{ body: "Again" }] });
});

test("without a bucket, records are removed without a copy", async () => {
  const made = await makeEnded("unbound");
  passDays(401);
  const { ARCHIVE: _, ...unbound } = env;
  await retire(unbound as Cloudflare.Env, Date.now());
  expect(await statusOf(made)).toBe(404);
  expect(await archived()).toEqual([]);
});
