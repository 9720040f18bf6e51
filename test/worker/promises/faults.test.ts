// P1, P2, P4 and P5 under several faults at once: D1 fails some calls and then all, the queue duplicates, reorders and
// delays messages, the clock jumps.
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { outboxOf, runDueOutbox } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { randomGenerator } from "../../support/generated/sizes.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import {
  alertStub,
  endLeases,
  flakyDatabase,
  inboxStub,
  interceptQueue,
  rowsOf,
  shortenTimeouts,
  soon,
} from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
  type Person,
} from "../../support/worker/world.ts";

const HOUR = 3_600_000;

let mailbox: Mailbox;
let account: Account;
let crew: Person[];
let integration: Integration;

beforeEach(async () => {
  mailbox = openMailbox();
  vi.spyOn(console, "error").mockImplementation(() => {});
  account = await makeAccount();
  crew = [await makePerson(account, "Grace"), await makePerson(account, "Sam")];
  const layers = crew.map((it) => ({ seconds: 600, people: [it.accountUserId] }));
  integration = await makeIntegration(account, [(await makeTeam(account, layers)).id]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function send(Id: string, event_type = "create"): Promise<void> {
  const { status, text } = await integration.send({ event_type, Id, Title: Id });
  expect(status, text).toBe(200);
}

/** Subjects of the mails that notify the n-th person. */
const mailsTo = (n: number) =>
  mailbox.mails.filter((mail) => mail.to === crew[n]?.email).map((mail) => mail.subject);

type Shown = {
  id: string;
  prefix_id: string;
  thirdparty_id: string;
  dedup_count: number;
  status: string;
};

const alerts = async (): Promise<Shown[]> =>
  (await account.api("GET", "/alerts?limit=100")).body.data;

/** Lets the inbox load its configuration, so that its responses to senders need nothing else. */
async function warm(): Promise<void> {
  await send("warm");
  await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(1), soon);
  const inbox = inboxStub(integration.prefixId);
  await vi.waitFor(async () => {
    expect(await rowsOf(inbox, "select * from events")).toEqual([]);
  }, soon);
}

test("counts each event once while D1 fails a third of its calls, then all, then none", async () => {
  await warm();
  const faults = flakyDatabase(0.3, 20_261_121);
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `fault ${from + i}`);
  for (const Id of [...names(0, 10), ...names(0, 10)]) await send(Id);
  await scheduler.wait(500);
  faults.share = 1;
  for (const Id of [...names(10, 15), ...names(0, 5)]) await send(Id);
  await scheduler.wait(1_500);
  expect(faults.failed).toBeGreaterThan(10);
  expect(faults.calls).toBeGreaterThan(faults.failed);
  faults.mend();
  await vi.waitFor(async () => {
    const counts = (await alerts())
      .filter((it) => it.thirdparty_id !== "warm")
      .map((it) => [it.thirdparty_id, it.dedup_count])
      .sort();
    const expected = names(0, 15).map((Id, i) => [Id, i < 5 ? 2 : i < 10 ? 1 : 0]);
    expect(counts).toEqual(expected.sort());
  }, soon);
  // Pages that were claimed when D1 failed are retried once their leases end.
  await endLeases();
  for (const { prefix_id } of await alerts()) await runDueOutbox(alertStub(prefix_id));
  await vi.waitFor(async () => {
    expect(new Set(mailsTo(0)).size).toBe(16);
    expect(await storedNotifications(account.accountId, "status = 'queued'")).toEqual([]);
  }, soon);
  // At most one mail per attempt: an attempt is recorded before it is made.
  const rows = await storedNotifications(account.accountId, "event = 'alert.open'");
  const attempts = rows.reduce((sum, row) => sum + Number(row.attempts), 0);
  expect(rows).toHaveLength(16);
  expect(mailsTo(0).length).toBeLessThanOrEqual(attempts);
});

test("sends each page once while the queue delivers every message three times, late and in any order", async () => {
  const waiting: Promise<void>[] = [];
  const draw = randomGenerator();
  const deliver = async (body: unknown, delay: number) => {
    await scheduler.wait(delay);
    const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body };
    const batch = createMessageBatch("tocsin-pages", [message]);
    const context = createExecutionContext();
    await worker.queue(batch, env, context);
    await getQueueResult(batch, context);
  };
  interceptQueue(async (messages) => {
    for (const body of messages) {
      for (let copy = 0; copy < 3; copy += 1) {
        waiting.push(deliver(body, draw() * 1_500));
      }
    }
  });
  const ids = Array.from({ length: 8 }, (_, i) => `chaos ${i}`);
  await Promise.all(ids.map((Id) => send(Id)));
  await vi.waitFor(async () => {
    expect(mailsTo(0)).toHaveLength(8);
    for (const { prefix_id } of await alerts()) {
      expect(await outboxOf(alertStub(prefix_id))).toEqual([]);
    }
  }, soon);
  // Copies of a page that arrive after its acknowledgement notify nobody.
  for (const Id of ids.slice(0, 4)) await send(Id, "acknowledge");
  await Promise.all(waiting);
  expect(new Set(mailsTo(0)).size).toBe(8);
  expect(mailsTo(0)).toHaveLength(8);
  expect(mailsTo(1)).toEqual([]);
});

describe("a clock that jumps", () => {
  test("ahead runs due steps once, and gives the next layer its full time", async () => {
    await send("ahead");
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(1), soon);
    const [alert] = await alerts();
    const stub = alertStub(alert?.prefix_id ?? "");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
    for (let i = 0; i < 3; i += 1) await runDurableObjectAlarm(stub);
    await vi.waitFor(() => expect(mailsTo(1)).toHaveLength(1), soon);
    const { body } = await account.api("GET", `/alerts/${alert?.id}/workflows`);
    expect(body.data).toMatchObject([{ state: "open", layer: 2 }]);
    expect(Date.parse(body.data[0].next_step_at) - Date.now()).toBeGreaterThan(500_000);
    expect(mailsTo(0)).toHaveLength(1);
  });

  test("back notifies nobody twice, does not delay new events, and accepts answers", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
    await send("back");
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(1), soon);
    vi.useRealTimers();
    await send("back");
    await send("another");
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(2), soon);
    await vi.waitFor(async () => {
      const counts = (await alerts()).map((it) => [it.thirdparty_id, it.dedup_count]).sort();
      expect(counts).toEqual([
        ["another", 0],
        ["back", 1],
      ]);
    }, soon);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/logs?owner_type=Integration");
      expect(body.total_count).toBe(3);
    }, soon);
    await send("back", "resolve");
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/alerts?status=resolved");
      expect(body.data).toMatchObject([{ thirdparty_id: "back" }]);
    }, soon);
    await send("back");
    await vi.waitFor(() => expect(mailsTo(0)).toHaveLength(3), soon);
    expect(mailsTo(1)).toEqual([]);
  });
});

test("sends pages and runs timers although the queue did not respond", async () => {
  await warm();
  // The timeout of a queue is ten seconds, of an alarm's work thirty.
  shortenTimeouts(10_000, 1 / 20);
  const never = new Promise<void>(() => {});
  const queue = interceptQueue(() => never);
  await send("held");
  await vi.waitFor(async () => expect(await alerts()).toHaveLength(2), soon);
  const held = (await alerts()).find((it) => it.thirdparty_id === "held") as Shown;
  // The commit sends first; then the alarm sends, and waits for the response.
  await vi.waitFor(() => expect(queue.mock.calls.length).toBeGreaterThan(1), soon);
  queue.mockRestore();
  await vi.waitFor(() => expect(mailsTo(0)).toContainEqual(expect.stringContaining("held")), {
    timeout: 45_000,
    interval: 100,
  });
  await vi.waitFor(async () => {
    expect(await outboxOf(alertStub(held.prefix_id))).toEqual([]);
  }, soon);
});
