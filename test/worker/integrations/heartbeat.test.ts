// Heartbeats: a missed heartbeat opens an alert and the next one resolves it, also after a restart.

import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { evict, soon } from "../../support/worker/faults.ts";

let account: Account;
let integration: { id: string; prefix_id: string };
beforeEach(async () => {
  account = await makeAccount();
  const { body } = await account.api("POST", "/integrations", {
    name: "Nightly backup",
    urgency: "high",
    integration_type_id: "heartbeat",
    option_interval_minutes: 5,
    account_user_ids: [account.accountUserId],
  });
  integration = body;
});

const beat = () => call("GET", `/integration/${integration.prefix_id}`);
const inbox = () => env.INTEGRATION_INBOX.getByName(integration.prefix_id);
const alerts = async () => (await account.api("GET", "/alerts")).body.data;

/** The time of the inbox's alarm. */
const alarmAt = () => runInDurableObject(inbox(), (_object, state) => state.storage.getAlarm());

/** Moves the stored time of the last heartbeat back by some minutes. */
const elapse = (minutes: number) =>
  runInDurableObject(inbox(), (_object, state) => {
    state.storage.sql.exec("update heartbeat set last_at = last_at - ?", minutes * 60_000);
  });

test("a missed heartbeat opens an alert when the interval ends, and the next one resolves it", async () => {
  const before = Date.now();
  expect((await beat()).status).toBe(200);
  // After the log is written, the alarm is set only for the missed heartbeat.
  await vi.waitFor(async () => {
    const at = (await alarmAt()) ?? 0;
    expect(at).toBeGreaterThanOrEqual(before + 300_000);
    expect(at).toBeLessThanOrEqual(Date.now() + 300_000);
  }, soon);
  await elapse(4);
  await runDurableObjectAlarm(inbox());
  expect(await alerts()).toEqual([]);
  await elapse(1);
  await runDurableObjectAlarm(inbox());
  const expected = { title: "Nightly backup: no heartbeat for 5 minutes", status: "open" };
  await vi.waitFor(async () => expect(await alerts()).toMatchObject([expected]), soon);
  await beat();
  await vi.waitFor(
    async () => expect(await alerts()).toMatchObject([{ status: "resolved" }]),
    soon,
  );
  await elapse(5);
  await runDurableObjectAlarm(inbox());
  await vi.waitFor(async () => expect(await alerts()).toHaveLength(2), soon);
});

test("a restart keeps the time of the last heartbeat", async () => {
  await beat();
  await elapse(5);
  await evict(inbox());
  await account.api("PUT", `/integrations/${integration.id}`, { name: "Backup" });
  await runDurableObjectAlarm(inbox());
  await vi.waitFor(async () => {
    const title = expect.stringMatching(/backup: no heartbeat for 5 minutes$/i);
    expect(await alerts()).toMatchObject([{ title, status: "open" }]);
  }, soon);
});

test("a disabled integration expects no heartbeats, and an invalid interval is rejected", async () => {
  await beat();
  await vi.waitFor(
    async () => expect((await account.api("GET", "/logs")).body.total_count).toBe(1),
    soon,
  );
  await account.api("PUT", `/integrations/${integration.id}`, { enabled: false });
  await vi.waitFor(async () => {
    const rows = await runInDurableObject(inbox(), (_object, state) =>
      state.storage.sql.exec("select 1 from heartbeat").toArray(),
    );
    expect(rows).toEqual([]);
  }, soon);
  const path = `/integrations/${integration.id}`;
  const { status, body } = await account.api("PUT", path, { option_interval_minutes: 0 });
  expect([status, body.errors[0].field]).toEqual([422, "option_interval_minutes"]);
});
