// Bulk operations: a snapshot of the alerts that match, answered step by step by the operation's
// object, which may be interrupted between two steps and within one.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { BulkOperationObject } from "../../../src/features/alerts/bulk-operations/object.ts";
import { alertObject } from "../../../src/features/stubs.ts";
import { newId } from "../../../src/kernel/db/identifiers.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { readStorage } from "../../support/worker/everything.ts";
import { evict, failWrites, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let teamId: string;

beforeEach(async () => {
  account = await makeAccount();
  teamId = (await makeTeam(account, [{ seconds: 600, people: [account.accountUserId] }])).id;
});

const raise = async (title: string, more: object = {}): Promise<string> => {
  const body = { title, urgency: "silent", destination_team_ids: [teamId], ...more };
  const reply = await account.api("POST", "/alerts", body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.id;
};

async function start(body: object, headers?: Record<string, string>) {
  const reply = await account.api("POST", "/bulk_operations", body, headers);
  expect(reply.status, reply.text).toBe(201);
  return reply;
}

const read = async (id: string) => (await account.api("GET", `/bulk_operations/${id}`)).body;

const finished = (id: string) =>
  vi.waitFor(async () => {
    const operation = await read(id);
    expect(operation.status).toBe("finished");
    return operation;
  }, soon);

const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

const stubOf = ({ prefix_id }: { prefix_id: string }) =>
  env.BULK_OPERATION.get(env.BULK_OPERATION.idFromName(prefix_id));

const keysIn = (stub: ReturnType<typeof stubOf>) =>
  runInDurableObject(stub, (_, state) => [...state.storage.kv.list()].map(([key]) => key));

test("what matches when it starts is answered once, and refusals say which alert and why", async () => {
  const [first, second, other] = [
    await raise("Disk full", { tags: ["disk"] }),
    await raise("Disk slow", { tags: ["disk"] }),
    await raise("Network down"),
  ];
  const third = await raise("Disk odd", { tags: ["disk"] });
  await account.api("POST", `/alerts/${second}/acknowledge`);
  const headers = { "Idempotency-Key": "all-disks" };
  const body = { action: "acknowledge", filter: { tags: "disk" }, team_id: teamId };
  const { body: made } = await start(body, headers);
  expect(made).toMatchObject({ total_count: 3, team_id: teamId, filter: { tags: "disk" } });
  const late = await raise("Disk again", { tags: ["disk"] });
  expect(await finished(made.id)).toMatchObject({
    changed_count: 2,
    unchanged_count: 1,
    refused_count: 0,
  });
  expect(await Promise.all([first, third, second, other, late].map(statusOf))).toEqual([
    "acknowledged",
    "acknowledged",
    "acknowledged",
    "open",
    "open",
  ]);
  expect((await account.api("POST", `/alerts/${first}/undo`)).body.status).toBe("open");
  const again = await start(body, headers);
  expect([again.body.id, again.headers.get("Idempotent-Replayed")]).toEqual([made.id, "true"]);
  expect(await keysIn(stubOf(made))).toEqual([]);
});

test("an interrupted step runs again: what it had changed counts as changed", async () => {
  const [first, second] = [await raise("One"), await raise("Two")];
  const [resolved, deleted] = [await raise("Three"), await raise("Four")];
  await account.api("POST", `/alerts/${resolved}/resolve`);
  await account.api("DELETE", `/alerts/${deleted}`);
  const { body: made } = await start({ action: "acknowledge", filter: { title: "No such alert" } });
  expect([made.status, made.total_count]).toEqual(["finished", 0]);
  await env.DB.prepare("update bulk_operations set status = 'queued', total_count = 4").run();
  const stub = stubOf(made);
  const by = { accountUserId: account.accountUserId, name: "Ada" };
  const alertIds = [first, second, resolved, deleted];
  const operation = { id: made.id, accountId: account.accountId, action: "acknowledge" as const };
  await runInDurableObject(stub, (object) =>
    object.expect({ ...operation, by, alertIds, apiKeyId: null }),
  );
  // As if the object had died after the first alert.
  await account.api("POST", `/alerts/${first}/acknowledge`);
  await runInDurableObject(stub, (object) => object.start());
  const { refusals, ...counts } = await finished(made.id);
  expect(counts).toMatchObject({ changed_count: 2, unchanged_count: 0, refused_count: 2 });
  expect(refusals).toEqual([
    { alert_id: resolved, title: "Three", message: expect.stringContaining("resolved") },
    { alert_id: deleted, title: null, message: "the alert was deleted" },
  ]);
  expect(await statusOf(second)).toBe("acknowledged");
});

describe("while its object is held", () => {
  let release: () => void;

  /** Holds the object's steps, then starts an operation over two alerts with a key. */
  async function startHeld(key: string) {
    const alarm = vi.spyOn(BulkOperationObject.prototype, "alarm").mockResolvedValue();
    release = () => alarm.mockRestore();
    const alertIds = [await raise("One"), await raise("Two")];
    const { body: made } = await call("POST", "/api/v4/bulk_operations", {
      ...{ key, body: { action: "acknowledge", filter: { status: "open" } } },
    });
    expect(made.total_count).toBe(2);
    return { made, alertIds, stub: stubOf(made) };
  }

  const runAlarm = (stub: ReturnType<typeof stubOf>) =>
    runInDurableObject(stub, (object) => object.alarm());

  afterEach(() => {
    vi.restoreAllMocks();
  });

  test.each(["membership", "API key"])(
    "alerts are refused once the person who started it has lost the %s",
    async (lost) => {
      const grace = await makePerson(account, "Grace");
      const { made, alertIds, stub } = await startHeld(grace.key);
      const { data: keys } = (await account.api("GET", "/api_keys")).body;
      const own = keys.find((it: any) => it.account_user_id === grace.accountUserId);
      const path =
        lost === "membership" ? `/account_users/${grace.accountUserId}` : `/api_keys/${own?.id}`;
      expect((await account.api("DELETE", path)).status).toBe(204);
      release();
      await runAlarm(stub);
      const { refusals, ...counts } = await finished(made.id);
      expect(counts).toMatchObject({ changed_count: 0, refused_count: 2 });
      expect(refusals.map(({ message }: any) => message)).toEqual(
        Array(2).fill("the person who started the operation has no access any more"),
      );
      expect(await Promise.all(alertIds.map(statusOf))).toEqual(["open", "open"]);
    },
  );

  test("an alert that it changed before a restart counts as changed, also if D1 does not show it yet", async () => {
    const { made, alertIds, stub } = await startHeld(account.key);
    release();
    await evict(stub);
    const mend = failWrites();
    vi.spyOn(console, "error").mockImplementation(() => {});
    const by = { accountUserId: account.accountUserId, name: "Ada Admin" };
    const alert = alertObject(env, prefixIdOf("alert", alertIds[0] ?? ""));
    const acknowledge = { type: "acknowledge", by } as const;
    expect(await alert.command(account.accountId, acknowledge, "for_nothing")).toMatchObject({
      kind: "done",
    });
    await runAlarm(stub);
    mend();
    expect(await finished(made.id)).toMatchObject({ changed_count: 2, refused_count: 0 });
  });

  test("an erasure reaches what it stores of the person", async () => {
    const zora = await makePerson(account, "Zora Quince");
    const { stub } = await startHeld(zora.key);
    const stored = () => runInDurableObject(stub, (_, { storage }) => readStorage(storage));
    expect(await stored()).toContain("Zora Quince");
    const path = `/account_users/${zora.accountUserId}?erase=true`;
    expect((await account.api("DELETE", path)).status).toBe(204);
    expect(await stored()).not.toContain("Zora");
  });
});

describe("what takes more than a filter", () => {
  const all = { tags: "disk" };
  const tagged = (title: string) => raise(title, { tags: ["disk"] });
  const alertOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body;

  test("is a snooze until an instant", async () => {
    const [first, second, resolved] = [await tagged("A"), await tagged("B"), await tagged("C")];
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await account.api("POST", `/alerts/${second}/snooze`, { until });
    const { body: made } = await start({ action: "snooze", filter: all, until });
    await account.api("POST", `/alerts/${resolved}/resolve`);
    const done = await finished(made.id);
    expect(done).toMatchObject({ parameters: { until }, total_count: 3, unchanged_count: 1 });
    // The resolution of the third came before its turn, or after it.
    expect(done.changed_count + done.refused_count).toBe(2);
    expect(await alertOf(first)).toMatchObject({ status: "acknowledged", snoozed_until: until });
  });

  test("is a hand-off to destinations, with a note", async () => {
    const [first, second] = [await tagged("A"), await tagged("B")];
    const bob = await makePerson(account, "Bob");
    const other = await makeTeam(account, [{ seconds: 600, people: [bob.accountUserId] }]);
    const body = {
      action: "handoff",
      filter: all,
      destination_team_ids: [prefixIdOf("team", other.id)],
    };
    const { body: made } = await start({ ...body, note: "Yours" });
    expect(made.parameters).toEqual({ destination_team_ids: [other.id], note: "Yours" });
    expect(await finished(made.id)).toMatchObject({ changed_count: 2, refused_count: 0 });
    for (const id of [first, second]) {
      const { data } = (await account.api("GET", `/alerts/${id}/workflows?state=open`)).body;
      expect(data.map((it: any) => it.destination_id)).toEqual([other.id]);
    }
  });

  test("is handed off once, also if the step is interrupted", async () => {
    const [first, second] = [await tagged("A"), await tagged("B")];
    const { body: made } = await start({ action: "resolve", filter: { title: "No such alert" } });
    await env.DB.prepare("update bulk_operations set status = 'queued', total_count = 2").run();
    const stub = stubOf(made);
    const { accountId, accountUserId } = account;
    const destinations = { teamIds: [], routerIds: [], accountUserIds: [accountUserId] };
    const operation = {
      ...{ id: made.id, accountId, apiKeyId: null, alertIds: [first, second] },
      action: { type: "handoff", destinations, note: null } as const,
      by: { accountUserId, name: "Ada Admin" },
    };
    await runInDurableObject(stub, (object) => object.expect(operation));
    // As if the object had died after the first alert.
    const to = { destination_account_user_ids: [accountUserId] };
    expect((await account.api("POST", `/alerts/${first}/handoff`, to)).status).toBe(200);
    await runInDurableObject(stub, (object) => object.start());
    expect(await finished(made.id)).toMatchObject({ changed_count: 2, refused_count: 0 });
    for (const id of [first, second]) {
      const { body } = await account.api("GET", `/logs/${id}`);
      const lines = body.details.sublogs.map((it: any) => it.message);
      expect(lines.filter((it: string) => it.startsWith("Handed off by"))).toHaveLength(1);
    }
  });

  test("is a merge into one of them, or another", async () => {
    const ids = [];
    for (let i = 0; i < 45; i += 1) ids.push(await tagged(`Disk ${i}`));
    const [leader = "", merged = "", ...others] = ids;
    await account.api("POST", `/alerts/${leader}/merge`, { alert_ids: [merged] });
    const { body: made } = await start({ action: "merge", filter: all, into_alert_id: leader });
    expect(made).toMatchObject({ parameters: { into_alert_id: leader }, total_count: 43 });
    expect(await finished(made.id)).toMatchObject({ changed_count: 43, refused_count: 0 });
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?tags=disk&status=resolved&limit=100");
      const parts = body.data.filter((it: any) => it.merged_into_id === leader);
      expect(parts.length).toBe(44);
    }, soon);
    expect(await statusOf(leader)).toBe("open");
    expect(others).toHaveLength(43);
    await account.api("POST", `/alerts/${leader}/resolve`);
    await tagged("One more");
    const late = { action: "merge", filter: all, into_alert_id: leader };
    const refused = await account.api("POST", "/bulk_operations", late);
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      422,
      "into_alert_id: the alert is resolved",
    ]);
  });

  test("is refused by name if it is missing or cannot be", async () => {
    const faults = async (body: object) => {
      const reply = await account.api("POST", "/bulk_operations", { filter: all, ...body });
      expect(reply.status).toBe(422);
      return reply.body.errors.map(({ field }: { field: string }) => field);
    };
    expect(await faults({ action: "snooze" })).toEqual(["until"]);
    expect(await faults({ action: "snooze", until: "2001-01-01T00:00:00Z" })).toEqual(["until"]);
    expect(await faults({ action: "handoff" })).toEqual(["destination_team_ids"]);
    const nobody = { destination_team_ids: ["tem_AAAAAAAAAAAAAA"] };
    expect(await faults({ action: "handoff", ...nobody })).toEqual(["destination_team_ids"]);
    expect(await faults({ action: "merge" })).toEqual(["into_alert_id"]);
    expect(await faults({ action: "merge", into_alert_id: "alt_AAAAAAAAAAAAAA" })).toEqual([
      "into_alert_id",
    ]);
  });

  test("is refused if an alert would have more than 500 merged into it", async () => {
    const leader = await tagged("Leader");
    const { results } = await env.DB.prepare("pragma table_info(alerts)").all<{ name: string }>();
    const names = results.map(({ name }) => name).filter((name) => name !== "prefix_id");
    const copy = (from: number, to: number) =>
      env.DB.prepare(
        `insert into alerts (${names.join()})
          select ${names.map((name) => (name === "id" ? "it.value" : `t."${name}"`)).join()}
            from alerts t, json_each(?1) it where t.id = ?2`,
      )
        .bind(JSON.stringify(Array.from({ length: to - from }, (_, i) => newId(from + i))), leader)
        .run();
    await copy(0, 501);
    const body = { action: "merge", filter: all, into_alert_id: leader };
    const refused = await account.api("POST", "/bulk_operations", body);
    expect([refused.status, refused.body.errors[0]]).toEqual([
      422,
      { field: "filter", message: expect.stringContaining("more than 500 alerts match") },
    ]);
  });
});

test("a filter that the list does not have is refused by name", async () => {
  const body = { action: "delete", filter: { colour: "red" }, team_id: "tem_AAAAAAAAAAAAAA" };
  const reply = await account.api("POST", "/bulk_operations", body);
  expect(reply.status).toBe(422);
  const fields = reply.body.errors.map(({ field }: { field: string }) => field);
  expect(fields.toSorted()).toEqual(["action", "filter.colour", "team_id"]);
});

test("a filter whose values are no parameters is refused by name", async () => {
  const filter = JSON.parse(
    '{"status":["open",null],"q":{"toString":7},"tag":["disk"],"title":[["a"]]}',
  );
  const reply = await account.api("POST", "/bulk_operations", { action: "resolve", filter });
  expect(reply.status).toBe(422);
  const fields = reply.body.errors.map(({ field }: { field: string }) => field);
  expect(fields.toSorted()).toEqual(["filter.q", "filter.status", "filter.title"]);
});

test("a filter is saved for one person, under a name of its own", async () => {
  const make = (name: string) =>
    account.api("POST", "/saved_filters", { name, filter: { status: "open", team_id: teamId } });
  const { body: made } = await make("Payments");
  expect(made.filter).toEqual({ status: "open", team_id: teamId });
  const taken = await make("Payments");
  expect([taken.status, taken.body.errors[0].field]).toEqual([422, "name"]);
  const { body: second } = await make("Others");
  const renamed = await account.api("PUT", `/saved_filters/${second.id}`, { name: "Payments" });
  expect(renamed.status).toBe(422);
  const changed = await account.api("PUT", `/saved_filters/${second.id}`, { filter: { q: "x" } });
  expect(changed.body).toMatchObject({ name: "Others", filter: { q: "x" } });
  expect((await account.api("DELETE", `/saved_filters/${made.id}`)).status).toBe(204);
  const { body: list } = await account.api("GET", "/saved_filters");
  expect(list.data.map(({ name }: { name: string }) => name)).toEqual(["Others"]);
});
