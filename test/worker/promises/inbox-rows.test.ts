// An inbox writes few rows per alert and forgets alerts that have ended; killed between any two steps, it makes no
// second alert, reopens none and counts each event once (P1, P2).
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import { integrationInbox } from "../../../src/features/stubs.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import {
  evict,
  failWrites,
  inboxStub,
  rewriteConfiguration,
  rowsOf,
  soon,
} from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

let account: Account;
let integration: Integration;
let teamId: string;

beforeEach(async () => {
  openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
  integration = await makeIntegration(account, [teamId]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const inbox = () => inboxStub(integration.prefixId);
const events = () => rowsOf(inbox(), "select * from events order by sequence");
const alarm = () => runInDurableObject(inbox(), (_, state) => state.storage.getAlarm());
const keys = () => rowsOf(inbox(), "select * from ordering_keys order by ordering_key");

async function send(event_type: string, Id: string, more: object = {}): Promise<void> {
  const { status, text } = await integration.send({ event_type, Id, Title: Id, ...more });
  expect(status, text).toBe(200);
}

const drained = () => vi.waitFor(async () => expect(await events()).toEqual([]), soon);

type Shown = { id: string; status: string; dedup_count: number; title: string };

const alertsOf = async (Id: string): Promise<Shown[]> =>
  (await account.api("GET", `/alerts?thirdparty_id=${Id}&direction=asc`)).body.data;

const summaryOf = async (Id: string) =>
  (await alertsOf(Id)).map((alert) => `${alert.status} ${alert.dedup_count}`);

const forget = (alertId: string, Id: string) =>
  integrationInbox(env, integration.prefixId).forgetAlert(alertId, Id);

/** Waits until this many events are stored and all of them are settled, as the inbox knows. */
const settled = (count: number) =>
  vi.waitFor(async () => {
    const stored = await events();
    expect(stored).toHaveLength(count);
    const stub = integrationInbox(env, integration.prefixId);
    for (const { log_id } of stored) {
      expect(await stub.outcome(String(log_id))).not.toBeNull();
    }
  }, soon);

/** The logged outcomes of all requests, the oldest first. */
async function outcomes(): Promise<string[]> {
  const { body } = await account.api("GET", "/logs?owner_type=Integration&direction=asc&limit=100");
  return body.data.map((log: { details: { message: string } }) =>
    log.details.message.replace(/ alt_.{14}/, ""),
  );
}

/** Counts the rows and alarms that the inbox writes. */
async function countRows() {
  const counted = { rows: 0, alarms: 0 };
  const own = await runInDurableObject(inbox(), (_, state) => [state.storage, state.storage.sql]);
  const [storage, sql] = own as [DurableObjectStorage, SqlStorage];
  const { exec } = Object.getPrototypeOf(sql) as SqlStorage;
  vi.spyOn(Object.getPrototypeOf(sql), "exec").mockImplementation(function (
    this: unknown,
    ...given: unknown[]
  ) {
    const cursor = exec.apply(this as SqlStorage, given as Parameters<SqlStorage["exec"]>);
    if (this === sql) counted.rows += cursor.rowsWritten;
    return cursor;
  });
  const { setAlarm } = Object.getPrototypeOf(storage) as DurableObjectStorage;
  vi.spyOn(Object.getPrototypeOf(storage), "setAlarm").mockImplementation(function (
    this: unknown,
    ...given: unknown[]
  ) {
    if (this === storage) counted.alarms += 1;
    return setAlarm.apply(this as DurableObjectStorage, given as [number]);
  });
  return counted;
}

describe("an inbox", () => {
  test("writes five rows for the whole life of an alert", async () => {
    await send("create", "warm");
    await drained();
    await vi.waitFor(async () => expect(await alarm()).toBeNull(), soon);
    const counted = await countRows();
    await send("create", "disk");
    await drained();
    const [alert] = await alertsOf("disk");
    await account.api("POST", `/alerts/${alert?.id}/resolve`);
    expect(await forget(alert?.id ?? "", "disk")).toBe(true);
    expect(counted).toEqual({ rows: 4, alarms: 1 });
    expect(await keys()).toMatchObject([{ ordering_key: "warm" }]);
    // Again: nothing to do.
    expect(await forget(alert?.id ?? "", "disk")).toBe(true);
    expect(counted.rows).toBe(4);
  });

  test("stores an alert's id with its first event: killed before the delivery, it makes that alert", async () => {
    await send("create", "warm");
    await drained();
    // Nothing is delivered.
    const timer = vi.spyOn(globalThis, "setTimeout").mockReturnValue(0 as never);
    await send("create", "disk");
    await send("create", "disk");
    const stored = (await keys()).find((it) => it.ordering_key === "disk");
    timer.mockRestore();
    expect(stored).toBeDefined();
    await evict(inbox());
    await drained();
    expect(await alertsOf("disk")).toMatchObject([{ id: stored?.alert_id, dedup_count: 1 }]);
  });

  test("names an alert as new in the first call only: D1 is asked about it in all others", async () => {
    const create = vi.spyOn(AlertObject.prototype, "create");
    create.mockRejectedValueOnce(new Error("the object is out of reach"));
    await send("create", "disk");
    await drained();
    await send("create", "disk");
    await drained();
    expect(create.mock.calls.map((it) => it[3])).toEqual([true, false, false]);
    expect(await summaryOf("disk")).toEqual(["open 1"]);
  });

  test("makes another alert of a forgotten Id, and finds none to acknowledge or resolve", async () => {
    await send("create", "disk");
    await drained();
    const [alert] = await alertsOf("disk");
    await account.api("POST", `/alerts/${alert?.id}/resolve`);
    expect(await forget(alert?.id ?? "", "disk")).toBe(true);
    await send("acknowledge", "disk");
    await send("resolve", "disk");
    await send("create", "disk");
    await drained();
    expect(await summaryOf("disk")).toEqual(["resolved 0", "open 0"]);
    expect((await outcomes()).slice(1)).toEqual([
      "Unmatched: no alert has this Id or key, nothing to acknowledge",
      "Unmatched: no alert has this Id or key, nothing to resolve",
      "Created alert",
    ]);
    // The key is now another alert's.
    expect(await forget(alert?.id ?? "", "disk")).toBe(true);
    expect(await keys()).toHaveLength(1);
  });

  test("forgets an alert only after its stored events, and then by itself", async () => {
    await send("create", "disk");
    await drained();
    const mend = failWrites();
    await send("resolve", "disk");
    const alertId = String((await keys())[0]?.alert_id);
    const forgotten = forget(alertId, "disk");
    await vi.waitFor(async () => expect((await events())[0]?.settled_at).not.toBeNull(), soon);
    expect(await keys()).toHaveLength(1);
    expect(await forgotten).toBe(false);
    expect(await keys()).toHaveLength(1);
    mend();
    await drained();
    expect(await keys()).toEqual([]);
  });

  test("forgets the other Ids of an alert with a common dedup key", async () => {
    await send("create", "one", { dedup_keys: ["shared"] });
    await drained();
    await send("create", "two", { dedup_keys: ["shared"] });
    await drained();
    const [alert] = await alertsOf("one");
    expect(await keys()).toMatchObject([{ alert_id: alert?.id }, { alert_id: alert?.id }]);
    expect(await forget(alert?.id ?? "", "one")).toBe(true);
    expect(await keys()).toEqual([]);
    expect(await rowsOf(inbox(), "select * from dedup_keys")).toEqual([]);
  });
});

describe("killed after each step, an inbox", () => {
  /** Lets each delivery to an alert happen; then the inbox dies before it knows. */
  function loseAnswers() {
    const methods = ["create", "command"] as const;
    const spies = methods.map((name) => {
      const original = AlertObject.prototype[name] as (...given: unknown[]) => Promise<unknown>;
      return vi.spyOn(AlertObject.prototype, name).mockImplementation(async function (
        this: AlertObject,
        ...given: unknown[]
      ) {
        await original.apply(this, given);
        return new Promise<never>(() => {});
      });
    });
    return {
      called: (times: number) =>
        vi.waitFor(() => {
          const calls = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
          expect(calls).toBeGreaterThanOrEqual(times);
        }, soon),
      mend: () => {
        for (const spy of spies) spy.mockRestore();
      },
    };
  }

  test("applies create and resolve once, in order, and makes the next create another alert", async () => {
    await send("create", "warm");
    await drained();
    const mend = failWrites();
    // Each verb: delivered, its answer lost, the inbox killed; delivered again, and killed before its log.
    const verbs = ["create", "resolve", "create", "acknowledge", "create"];
    for (const [i, verb] of verbs.entries()) {
      const lost = loseAnswers();
      await send(verb, "disk");
      await lost.called(1);
      lost.mend();
      await abortAllDurableObjects();
      await settled(i + 1);
      await evict(inbox());
    }
    expect((await events()).length).toBe(5);
    mend();
    await drained();
    await vi.waitFor(async () => {
      expect(await summaryOf("disk")).toEqual(["resolved 0", "acknowledged 1"]);
    }, soon);
    const logged = (await outcomes()).slice(1);
    expect(logged).toHaveLength(5);
    // When the first event was delivered for the last time, its alert had ended.
    expect(logged[0]).toMatch(/^(?:Created|Counted on) alert$/);
    expect([logged[2], logged[4]]).toEqual(["Created alert", "Counted on alert"]);
  });

  test("does not give an event of the last alert to the next one", async () => {
    await send("create", "warm");
    await drained();
    const mend = failWrites();
    await send("create", "disk", { Title: "First" });
    await settled(1);
    await send("resolve", "disk");
    await settled(2);
    // Dies when the next alert's id is stored and the alert is not created.
    const blocked = vi
      .spyOn(AlertObject.prototype, "create")
      .mockImplementation(() => new Promise<never>(() => {}));
    const [first] = await keys();
    await send("create", "disk", { Title: "Second" });
    // Asks the first alert, which has ended, before it stores the next one.
    await vi.waitFor(() => expect(blocked).toHaveBeenCalled(), soon);
    blocked.mockRestore();
    const answer = AlertObject.prototype.create;
    const stopped = vi.spyOn(AlertObject.prototype, "create").mockImplementation(async function (
      this: AlertObject,
      ...given
    ) {
      if (given[0].id === first?.alert_id) return answer.apply(this, given);
      return new Promise<never>(() => {});
    });
    await abortAllDurableObjects();
    await vi.waitFor(async () => {
      expect((await keys())[0]?.alert_id).not.toBe(first?.alert_id);
    }, soon);
    stopped.mockRestore();
    await abortAllDurableObjects();
    mend();
    await drained();
    await vi.waitFor(async () => {
      expect(await alertsOf("disk")).toMatchObject([
        { title: "First", status: "resolved", dedup_count: 0 },
        { title: "Second", status: "open", dedup_count: 0 },
      ]);
    }, soon);
  });

  test("counts creates of one title once, whose Ids differ", async () => {
    const options = { kept: { aggregate_window: 10 } };
    integration = await makeIntegration(account, [teamId], options);
    await send("create", "warm");
    await drained();
    const mend = failWrites();
    await send("create", "one", { Title: "Same" });
    await settled(1);
    await send("create", "two", { Title: "Same" });
    await settled(2);
    await abortAllDurableObjects();
    await settled(2);
    mend();
    await drained();
    await vi.waitFor(async () => expect(await summaryOf("one")).toEqual(["open 1"]), soon);
    expect(await summaryOf("two")).toEqual([]);
  });

  test("forgets no ordering key of an event that would be delivered again", async () => {
    await send("create", "warm");
    await drained();
    const mend = failWrites();
    await send("create", "disk");
    await settled(1);
    const [alert] = await keys();
    const alertId = String(alert?.alert_id);
    const forgotten = forget(alertId, "disk");
    await abortAllDurableObjects();
    await forgotten.catch(() => false);
    expect(await keys()).toContainEqual(alert);
    mend();
    await drained();
    await vi.waitFor(async () => expect(await summaryOf("disk")).toEqual(["open 0"]), soon);
  });
});

test("an event is counted although the clock was set back", async () => {
  await send("create", "disk");
  await drained();
  await evict(inbox());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60_000 });
  await send("create", "disk");
  await drained();
  expect(await summaryOf("disk")).toEqual(["open 1"]);
  const [alert] = await alertsOf("disk");
  await account.api("POST", `/alerts/${alert?.id}/resolve`);
  await evict(inbox());
  vi.setSystemTime(Date.now() - 3_600_000);
  await send("create", "disk");
  await drained();
  expect((await summaryOf("disk")).sort()).toEqual(["open 0", "resolved 1"]);
});

test("a configuration that did not change is not written again", async () => {
  await send("create", "disk");
  await drained();
  await rewriteConfiguration(inbox(), "update configuration set loaded_at = 0");
  await evict(inbox());
  const counted = await countRows();
  await send("acknowledge", "other");
  await drained();
  // The event, its outcome and its deletion.
  expect(counted.rows).toBe(3);
  expect(await rowsOf(inbox(), "select loaded_at from configuration")).toEqual([{ loaded_at: 0 }]);
});
