// What objects keep does not grow with the alerts that have ended: the alerts' own objects and those
// of their dedup keys are empty, inboxes know none of their `Id`s, people have no timers.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeRuled } from "../../../support/alerts/ruled.ts";
import { outboxOf, storedAlert } from "../../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import { alertStub, evict, inboxStub, rowsOf, soon } from "../../../support/worker/faults.ts";
import { type Integration, makeIntegration, makeTeam } from "../../../support/worker/world.ts";

const RULES = `rules:
  - match: { always: true }
    actions: [{ type: notify, channels: [email], timeout: 1m }, { type: repeat, times: 2 }]
`;

let account: Account;
let integration: Integration;

beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  const person = await makeRuled(account, "Ida", RULES);
  const team = await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }]);
  integration = await makeIntegration(account, [team.id]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const find = async (query: string) => (await account.api("GET", `/alerts?${query}`)).body.data;

/** Creates an alert by a webhook and waits until its page is recorded. */
async function makeAlert(Id: string) {
  const keys = { dedup_keys: [`key of ${Id}`] };
  await integration.send({ event_type: "create", Id, Title: `Alert ${Id}`, ...keys });
  return vi.waitFor(async () => {
    const [alert] = await find(`thirdparty_id=${Id}`);
    expect(alert?.status).toBe("open");
    expect(await outboxOf(alertStub(alert.prefix_id))).toEqual([]);
    return alert as { id: string; prefix_id: string };
  }, soon);
}

/** The values and rows that objects of a kind store; of one object, if it is given. */
async function storedIn(namespace: DurableObjectNamespace, only?: DurableObjectStub) {
  const ids = await listDurableObjectIds(namespace);
  const stubs = only ? [only] : ids.map((id) => namespace.get(id));
  let stored = 0;
  for (const stub of stubs) {
    stored += await runInDurableObject(stub, (_, { storage }) => {
      const tables = storage.sql
        .exec<{ name: string }>(
          "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'",
        )
        .toArray();
      const rows = tables.map(
        ({ name }) =>
          storage.sql.exec<{ n: number }>(`select count(*) as n from "${name}"`).one().n,
      );
      return rows.reduce((sum, n) => sum + n, [...storage.kv.list()].length);
    });
  }
  return stored;
}

test("an account whose alerts have all ended stores as much in objects after ten alerts as after two", async () => {
  const inbox = inboxStub(integration.prefixId);
  const stored: number[] = [];
  for (const [from, to] of [
    [0, 2],
    [2, 10],
  ] as const) {
    const alerts: { id: string; prefix_id: string }[] = [];
    for (let i = from; i < to; i += 1) alerts.push(await makeAlert(`${i}`));
    for (const [i, { id }] of alerts.entries()) {
      if (i % 2 === 0) await account.api("POST", `/alerts/${id}/acknowledge`);
      const end = i % 3 === 0 ? ["DELETE", `/alerts/${id}`] : ["POST", `/alerts/${id}/resolve`];
      expect((await account.api(...(end as [string, string]))).status).toBeLessThan(300);
    }
    await vi.waitFor(async () => {
      for (const { prefix_id } of alerts)
        expect(await storedIn(env.ALERT, alertStub(prefix_id))).toBe(0);
      expect(await rowsOf(inbox, "select * from events")).toEqual([]);
      expect(await rowsOf(inbox, "select * from ordering_keys")).toEqual([]);
      expect(await rowsOf(inbox, "select * from dedup_keys")).toEqual([]);
    }, soon);
    stored.push(await storedIn(env.DEDUP_KEY), await storedIn(env.INTEGRATION_INBOX, inbox));
  }
  expect(stored.slice(2)).toEqual(stored.slice(0, 2));
});

test("a late command finds the state in D1's primary, not in a replica, and is announced there", async () => {
  const { id, prefix_id } = await makeAlert("late");
  await account.api("POST", `/alerts/${id}/resolve`);
  const stub = alertStub(prefix_id);
  await vi.waitFor(async () => expect(await storedAlert(stub)).toBeNull(), soon);
  await evict(stub);
  // A replica would be read through a session.
  const sessions = vi.spyOn(Object.getPrototypeOf(env.DB), "withSession");
  const by = { accountUserId: account.accountUserId, name: "Ada" };
  const changes = { title: "Changed after the end" };
  const command = { type: "change", changes, by } as const;
  const result = await stub.command(account.accountId, command, "for_readers");
  expect(result).toMatchObject({ kind: "done", alert: { status: "resolved" } });
  expect(sessions).not.toHaveBeenCalled();
  sessions.mockRestore();
  expect((await account.api("GET", `/alerts/${id}`)).body.title).toBe("Changed after the end");
  const { body } = await account.api("GET", `/logs/${id}`);
  const lines = body.details.sublogs.map((it: { message: string }) => it.message);
  expect(lines[0]).toContain("Created by");
  expect(lines.at(-1)).toContain("Changed by Ada");
  // And it empties itself again.
  await vi.waitFor(async () => expect(await storedAlert(stub)).toBeNull(), soon);
});

test("an alert of another account is not found by its name alone", async () => {
  const { id, prefix_id } = await makeAlert("theirs");
  await account.api("POST", `/alerts/${id}/resolve`);
  const stub = alertStub(prefix_id);
  await vi.waitFor(async () => expect(await storedAlert(stub)).toBeNull(), soon);
  const other = await makeAccount();
  const by = { accountUserId: null, name: "a stranger" };
  const result = await stub.command(other.accountId, { type: "delete", by }, "for_readers");
  expect(result).toMatchObject({ reason: "not_found" });
  expect((await account.api("GET", `/alerts/${id}`)).status).toBe(200);
});

test("a timeline of any length is complete for readers, in chunks", async () => {
  const { id, prefix_id } = await makeAlert("long");
  const stub = alertStub(prefix_id);
  const by = { accountUserId: null, name: "Editor" };
  const count = 450;
  for (let i = 0; i < count; i += 1) {
    const changes = { title: `Title ${i}` };
    await stub.command(account.accountId, { type: "change", changes, by }, "for_nothing");
  }
  await stub.show(account.accountId);
  const linesOf = async (): Promise<string[]> => {
    const { body } = await account.api("GET", `/logs/${id}`);
    return body.details.sublogs
      .map((it: { message: string }) => it.message)
      .filter((message: string) => message.startsWith("Changed by"));
  };
  const lines = await linesOf();
  expect(lines).toHaveLength(count);
  expect(new Set(lines).size).toBe(count);
  const chunks = "select count(*) as n from alert_timelines where alert_id = ?";
  const stored = () => env.DB.prepare(chunks).bind(id).first<{ n: number }>();
  expect((await stored())?.n).toBeGreaterThan(2);
  expect((await storedAlert(stub))?.timeline.length).toBeLessThan(250);
  // The log of a deleted alert has all of it.
  expect((await account.api("DELETE", `/alerts/${id}`)).status).toBe(204);
  expect(await linesOf()).toEqual(lines);
  expect((await stored())?.n).toBe(0);
});
