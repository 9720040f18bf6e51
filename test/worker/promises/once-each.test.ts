// P4: a page is attempted at least once, and not twice for one effect, under duplicated, reordered, delayed and lost
// queue messages. In the one remaining window, a second page is preferred to none.
import {
  abortAllDurableObjects,
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageMessage } from "../../../src/domain/notifications/page.ts";
import { AlertObject } from "../../../src/features/alerts/object/object.ts";
import worker from "../../../src/index.ts";
import { outboxOf, runDueOutbox } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import {
  alertStub,
  endLeases,
  failDatabase,
  interceptQueue,
  soon,
} from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

let mailbox: Mailbox;
let account: Account;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Creates an alert that pages these people at once, for ten minutes. */
async function page(people: readonly Person[]) {
  const ids = people.map((person) => person.accountUserId);
  const team = await makeTeam(account, [{ seconds: 600, people: ids }]);
  const { body } = await account.api("POST", "/alerts", {
    title: "Once each",
    urgency: "high",
    destination_team_ids: [team.id],
  });
  return { id: body.id as string, stub: alertStub(body.prefix_id) };
}

const crew = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => makePerson(account, `Person ${i}`)));

const mailsTo = (person: Person) => mailbox.mails.filter((mail) => mail.to === person.email).length;

type Row = { status: string; reason: string | null; channel: string; attempts: number };

async function notificationsOf(alertId: string): Promise<Row[]> {
  return (await account.api("GET", `/alerts/${alertId}/notifications?event=alert.open&limit=100`))
    .body.data;
}

/** The unconfirmed effects for an event. */
const unconfirmed = async (stub: DurableObjectStub, event: string) =>
  (await outboxOf(stub)).filter((page) => page.event === event).map(({ effectId }) => effectId);

async function timelineOf(alertId: string): Promise<string[]> {
  const { body } = await account.api("GET", `/logs/${alertId}`);
  return body.details.sublogs.map((line: { message: string }) => line.message);
}

/** Creates an alert, and returns its messages instead of sending them to the queue. */
async function intercept(
  make: () => Promise<{ id: string; stub: DurableObjectStub }>,
  count: number,
) {
  const messages: PageMessage[] = [];
  const queue = interceptQueue(async (sent) => {
    messages.push(...(sent as PageMessage[]));
  });
  const alert = await make();
  // Alerts of earlier tests may still send theirs.
  const own = () => messages.filter((it) => it.alert?.id === alert.id);
  await vi.waitFor(() => expect(own()).toHaveLength(count), soon);
  queue.mockRestore();
  return { ...alert, messages: own() };
}

/** Delivers a batch to the worker as the queue would. */
async function deliver(
  bodies: readonly unknown[],
  options: { queue?: string; attempts?: number } = {},
) {
  const batch = createMessageBatch(
    options.queue ?? "tocsin-pages",
    bodies.map((body, i) => ({
      id: `message-${i}`,
      timestamp: new Date(),
      attempts: options.attempts ?? 1,
      body,
    })),
  );
  const context = createExecutionContext();
  const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
  await worker.queue(batch, env, context);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, context);
  const pauses = retries.flatMap((retry) => retry.mock.calls.map(([it]) => it?.delaySeconds));
  return {
    acknowledged: explicitAcks.length,
    retried: retryMessages.map((it) => it.msgId),
    pauses,
  };
}

describe("a page of one effect", () => {
  test("is sent once for messages that arrive twice, in reverse and in concurrent batches", async () => {
    const people = await crew(6);
    const { id, stub, messages } = await intercept(() => page(people), 6);
    const backwards = messages.toReversed();
    await Promise.all([
      deliver(messages),
      deliver(backwards),
      deliver([...messages, ...backwards]),
      env.PAGES.sendBatch([...backwards, ...messages].map((body) => ({ body }))),
    ]);
    await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
    for (const person of people) expect(mailsTo(person)).toBe(1);
    const rows = await notificationsOf(id);
    expect(rows).toHaveLength(6);
    for (const row of rows) expect(row).toMatchObject({ status: "sent", attempts: 1 });
    await deliver(messages);
    expect(people.map(mailsTo)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test("is recorded as skipped if its message arrives after the acknowledgement", async () => {
    const people = await crew(2);
    const { id, messages } = await intercept(() => page(people), 2);
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await deliver(messages);
    expect(people.map(mailsTo)).toEqual([0, 0]);
    expect(await notificationsOf(id)).toMatchObject([
      { status: "skipped", channel: "email" },
      { status: "skipped", channel: "email" },
    ]);
  });

  test("is sent for a reopened alert although readers' rows are outdated", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const first = await intercept(() => page([person]), 1);
    // Outdated rows: the workflow has timed out.
    await env.DB.prepare(
      `update alerts set version = 1, workflows = json_set(workflows, '$[0].state', 'timed_out')
        where id = ?`,
    )
      .bind(first.id)
      .run();
    const [message] = first.messages as [PageMessage];
    const later = { ...message, alert: { ...message.alert, version: 2 } };
    await deliver([later]);
    expect(mailsTo(person)).toBe(1);
  });
});

describe("a page in transit", () => {
  test("is sent again by the outbox if the queue loses it, and arrives once", async () => {
    const people = await crew(2);
    const { stub } = await intercept(() => page(people), 2);
    expect(people.map(mailsTo)).toEqual([0, 0]);
    expect(await outboxOf(stub)).toHaveLength(2);
    await runDueOutbox(stub);
    await vi.waitFor(() => expect(people.map(mailsTo)).toEqual([1, 1]), soon);
    await vi.waitFor(async () => expect(await outboxOf(stub)).toEqual([]), soon);
  });

  test("is not sent again while the queue is slow, and no alarm runs in a loop", async () => {
    const people = await crew(2);
    const alarms = vi.spyOn(AlertObject.prototype, "alarm");
    const asked: string[] = [];
    const queue = interceptQueue(async (messages) => {
      asked.push(...new Set(messages.map((it) => (it as PageMessage).alert?.id ?? "")));
      await scheduler.wait(1_500);
    });
    const { id, stub } = await page(people);
    await scheduler.wait(1_700);
    expect(asked.filter((it) => it === id)).toHaveLength(1);
    const nameOf = (it: unknown) => (it as { readonly ctx: DurableObjectState }).ctx.id.name;
    const own = alarms.mock.contexts.filter((it) => nameOf(it) === stub.name);
    expect(own.length).toBeLessThanOrEqual(2);
    queue.mockRestore();
    await runDueOutbox(stub);
    await vi.waitFor(() => expect(people.map(mailsTo)).toEqual([1, 1]), soon);
  });

  test("arrives although the provider is down and then everything is killed", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, stub, messages } = await intercept(() => page([person]), 1);
    mailbox.failure = refusal("E_DELIVERY_FAILED");
    await deliver(messages);
    expect(await notificationsOf(id)).toMatchObject([{ status: "queued", attempts: 1 }]);
    // The queue loses its messages with the process.
    await abortAllDurableObjects();
    mailbox.failure = null;
    expect(await outboxOf(stub)).toHaveLength(1);
    await endLeases();
    await runDueOutbox(stub);
    await vi.waitFor(() => expect(mailsTo(person)).toBe(1), soon);
    await vi.waitFor(async () => {
      expect(await notificationsOf(id)).toMatchObject([{ status: "sent" }]);
      expect(await outboxOf(stub)).toEqual([]);
    }, soon);
  });

  test("is sent a second time after the pause if the provider's response is lost", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { messages, id } = await intercept(() => page([person]), 1);
    mailbox.loseAnswer = true;
    const first = await deliver(messages);
    expect(first.pauses).toEqual([2]);
    mailbox.loseAnswer = false;
    await deliver(messages);
    expect(mailsTo(person)).toBe(1);
    await endLeases();
    await deliver(messages);
    expect(mailsTo(person)).toBe(2);
    expect(await notificationsOf(id)).toMatchObject([{ status: "sent", attempts: 2 }]);
  });

  test("is not sent again if D1 failed after it was sent, but recorded when it is back", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { messages, id, stub } = await intercept(() => page([person]), 1);
    let mend = () => {};
    mailbox.failure = () => {
      mend = failDatabase();
      return null;
    };
    expect(await deliver(messages)).toMatchObject({ retried: ["message-0"] });
    mend();
    mailbox.failure = null;
    expect(await notificationsOf(id)).toMatchObject([{ status: "queued", attempts: 1 }]);
    await endLeases();
    await deliver(messages);
    expect(mailsTo(person)).toBe(1);
    expect(await notificationsOf(id)).toMatchObject([{ status: "sent" }]);
    expect(await unconfirmed(stub, "alert.open")).toEqual([]);
  });

  test("is retried when the lease of a killed consumer ends, not before", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { messages } = await intercept(() => page([person]), 1);
    vi.spyOn(env.EMAIL, "send").mockImplementationOnce(() => new Promise(() => {}));
    void deliver(messages);
    await vi.waitFor(() => expect(env.EMAIL.send).toHaveBeenCalled(), soon);
    const again = await deliver(messages);
    expect(again).toMatchObject({ acknowledged: 0, pauses: [expect.toBeOneOf([18, 19, 20])] });
    await endLeases();
    await deliver(messages);
    expect(mailsTo(person)).toBe(1);
  });
});

test("the sweep skips the page of a killed consumer if the alert was acknowledged meanwhile", async () => {
  const [person] = await crew(1);
  if (!person) throw new Error("nobody");
  const { id, messages } = await intercept(() => page([person]), 1);
  vi.spyOn(env.EMAIL, "send").mockImplementationOnce(() => new Promise(() => {}));
  void deliver(messages);
  await vi.waitFor(() => expect(env.EMAIL.send).toHaveBeenCalled(), soon);
  await account.api("POST", `/alerts/${id}/acknowledge`);
  const sweep = () => worker.scheduled(createScheduledController({ cron: "* * * * *" }), env);
  await sweep();
  expect(await notificationsOf(id)).toMatchObject([{ status: "queued" }]);
  await env.DB.prepare("update notifications set claimed_until = claimed_until - 90000").run();
  await sweep();
  expect(await notificationsOf(id)).toMatchObject([{ status: "skipped", attempts: 1 }]);
});

describe("failures", () => {
  test("that are temporary are retried with growing pauses, then recorded in the row and the timeline", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, stub, messages } = await intercept(() => page([person]), 1);
    mailbox.failure = refusal("E_RATE_LIMIT_EXCEEDED");
    const pauses: unknown[] = [];
    for (let tries = 1; tries <= 6; tries += 1) {
      pauses.push(...(await deliver(messages, { attempts: tries })).pauses);
      await endLeases();
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32]);
    expect(await notificationsOf(id)).toMatchObject([
      { status: "failed", attempts: 6, reason: "mail service: E_RATE_LIMIT_EXCEEDED" },
    ]);
    await vi.waitFor(async () => {
      const lines = (await timelineOf(id)).filter((line) => line.startsWith("Not notified"));
      expect(lines).toEqual([
        "Not notified by email: mail service: E_RATE_LIMIT_EXCEEDED (Person 0)",
      ]);
    }, soon);
    expect(await unconfirmed(stub, "alert.open")).toEqual([]);
  });

  test("that are permanent are recorded at once, and once however many copies arrive", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, messages } = await intercept(() => page([person]), 1);
    mailbox.failure = refusal("E_RECIPIENT_SUPPRESSED");
    await deliver([...messages, ...messages]);
    await Promise.all([deliver(messages), deliver(messages)]);
    expect(await notificationsOf(id)).toMatchObject([{ status: "failed", attempts: 1 }]);
    await vi.waitFor(async () => {
      const lines = (await timelineOf(id)).filter((line) => line.endsWith("(Person 0)"));
      expect(lines).toEqual([
        "Not notified by email: mail service: E_RECIPIENT_SUPPRESSED (Person 0)",
      ]);
    }, soon);
  });

  test("for lack of an address are recorded in a row, and in the timeline with the name", async () => {
    const person = await makePerson(account, "Nora Nowhere", { email: null });
    const { id, stub } = await page([person]);
    await vi.waitFor(async () => {
      expect(await notificationsOf(id)).toMatchObject([
        { status: "failed", channel: "none", reason: "Nora Nowhere has no usable address" },
      ]);
      expect(await timelineOf(id)).toContain("Not notified: Nora Nowhere has no usable address");
      expect(await outboxOf(stub)).toEqual([]);
    }, soon);
  });

  test("are skipped if the alert is acknowledged before the retry", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, messages } = await intercept(() => page([person]), 1);
    mailbox.failure = refusal("E_DELIVERY_FAILED");
    await deliver(messages);
    mailbox.failure = null;
    await account.api("POST", `/alerts/${id}/acknowledge`);
    await deliver(messages);
    expect(await notificationsOf(id)).toMatchObject([{ status: "skipped", channel: "email" }]);
    expect(mailsTo(person)).toBe(0);
  });
});

describe("messages that cannot be handled", () => {
  test("as dead letters leave a failed row, a timeline entry, and nothing in the outbox", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, stub, messages } = await intercept(() => page([person]), 1);
    const dead = await deliver(messages, { queue: "tocsin-pages-dead" });
    expect(dead.acknowledged).toBe(1);
    expect(await notificationsOf(id)).toMatchObject([{ status: "failed", channel: "none" }]);
    expect(await unconfirmed(stub, "alert.open")).toEqual([]);
    await vi.waitFor(async () => {
      expect(await timelineOf(id)).toContain(
        "Not notified: processing failed repeatedly and was abandoned",
      );
    }, soon);
  });

  test("leave a failed row and a timeline entry after five attempts, and notify the drop recipients", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, stub, messages } = await intercept(() => page([person]), 1);
    const poison = messages.map((it) => ({ ...it, alert: { ...it.alert, createdAt: 1e300 } }));
    for (const attempts of [1, 2, 3, 4]) {
      expect(await deliver(poison, { attempts })).toMatchObject({ retried: ["message-0"] });
      await endLeases();
    }
    expect(await deliver(poison, { attempts: 5 })).toMatchObject({ acknowledged: 1, retried: [] });
    const reason = "processing failed repeatedly and was abandoned";
    expect(await notificationsOf(id)).toMatchObject([{ status: "failed", reason }]);
    expect(await unconfirmed(stub, "alert.open")).toEqual([]);
    await vi.waitFor(async () => {
      expect(await timelineOf(id)).toContain(`Not notified: ${reason}`);
    }, soon);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/alerts/${id}/notifications`);
      const unreached = body.data.filter(
        (row: { event: string }) => row.event === "alert.unreached",
      );
      expect(unreached).toMatchObject([{ account_user_id: account.accountUserId }]);
    }, soon);
  });

  test("because D1 fails are sent again by the outbox, not abandoned", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, stub, messages } = await intercept(() => page([person]), 1);
    const mend = failDatabase();
    expect(await deliver(messages, { attempts: 5 })).toMatchObject({ acknowledged: 1 });
    mend();
    expect(await notificationsOf(id)).toEqual([]);
    await runDueOutbox(stub);
    await vi.waitFor(() => expect(mailsTo(person)).toBe(1), soon);
  });

  test("as dead letters of sent pages change nothing", async () => {
    const [person] = await crew(1);
    if (!person) throw new Error("nobody");
    const { id, messages } = await intercept(() => page([person]), 1);
    await deliver(messages);
    await deliver(messages, { queue: "tocsin-pages-dead" });
    expect(await notificationsOf(id)).toMatchObject([{ status: "sent" }]);
  });

  test.each([
    ["null", null],
    ["a string", "page"],
    ["no page", { alert: {}, page: {} }],
  ])("do not fail their batch: %s", async (_, poison) => {
    const people = await crew(2);
    const { messages } = await intercept(() => page(people), 2);
    const [one, other] = messages;
    const result = await deliver([one, poison, other]);
    expect(people.map(mailsTo)).toEqual([1, 1]);
    expect(result).toMatchObject({ acknowledged: 3, retried: [] });
  });

  test("because D1 refuses them do not fail their batch, and are not retried forever", async () => {
    const people = await crew(2);
    const { messages } = await intercept(() => page(people), 2);
    const [one, other] = messages as [PageMessage, PageMessage];
    const poison = { ...one, page: { ...one.page, event: null, effectId: "poison" } };
    const { retried } = await deliver([one, poison, other]);
    expect(people.map(mailsTo)).toEqual([1, 1]);
    expect(retried).toEqual(["message-1"]);
    expect(await deliver([poison], { attempts: 5 })).toMatchObject({ acknowledged: 1 });
  });
});
