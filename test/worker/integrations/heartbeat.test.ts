// Heartbeats: a missed heartbeat opens an alert and the next one resolves it, also after a restart.

import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { evict, rewrite, rowsOf, soon } from "../../support/worker/faults.ts";

let account: Account;
let integration: { id: string; prefix_id: string; intake_key: string };
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

describe("the alarm of the next heartbeat", () => {
  /** Waits until the inbox has nothing else to do. */
  const rest = () =>
    vi.waitFor(async () => {
      expect(await rowsOf(inbox(), "select 1 from events")).toEqual([]);
      expect((await alarmAt()) ?? 0).toBeGreaterThan(Date.now() + 60_000);
    }, soon);
  const isTold = () =>
    vi.waitFor(
      async () => {
        const query = "select count(*) as count from changed_windows";
        expect(await rowsOf(inbox(), query)).toEqual([{ count: 0 }]);
      },
      { timeout: 20_000, interval: 50 },
    );

  test("hides no delivery that is under way: an earlier one resumes it", async () => {
    await beat();
    await rest();
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const create = AlertObject.prototype.create;
    const spy = vi.spyOn(AlertObject.prototype, "create").mockImplementation(async function (
      this: AlertObject,
      ...given: Parameters<typeof create>
    ) {
      await held;
      return create.apply(this, given);
    });
    const payload = { summary: "Disk full", source: "db-1", severity: "error" };
    const body = { routing_key: integration.intake_key, event_action: "trigger", payload };
    expect((await call("POST", "/v2/enqueue", { body })).status).toBe(202);
    await vi.waitFor(() => expect(spy).toHaveBeenCalled(), soon);
    await runDurableObjectAlarm(inbox());
    expect(await alarmAt()).toBeLessThanOrEqual(Date.now() + 1_000);
    open();
    await vi.waitFor(async () => expect(await alerts()).toHaveLength(1), soon);
    spy.mockRestore();
  });

  test("hides no changed window, and what follows the first alerts follows at once", async () => {
    await beat();
    await rest();
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
    const { body: window } = await account.api("POST", "/maintenance_windows", {
      ...{ name: "Upgrade", start_datetime: at(-1), end_datetime: at(10), time_zone: "Etc/UTC" },
      integration_ids: [integration.id],
    });
    await rest();
    await account.api("DELETE", `/maintenance_windows/${window.id}`);
    await isTold();
    await rest();
    // More alerts than are told at a time, of which none has anything to do.
    for (let i = 0; i < 90; i += 1) {
      const id = `0000000000000000000000AA${String(i).padStart(2, "0")}`;
      await rewrite(inbox(), "insert into ordering_keys values (?, ?)", `${i}`, id);
    }
    await rewrite(inbox(), "insert or replace into changed_windows values (1, '')");
    await runDurableObjectAlarm(inbox());
    await isTold();
  });
});
