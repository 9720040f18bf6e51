// More pages for one person at once than the limit: the first are sent at once, the others as one message per
// channel. Every alert has its own row.
import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { givePhone } from "../../support/people/phones.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { openTwilio } from "../../support/providers/twilio.ts";
import { interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../support/worker/world.ts";

const ALERTS = 100;
/** Longer than the span in which messages are counted (ms). */
const PAST_SPAN = 31_000;

let mailbox: Mailbox;
let account: Account;
let person: Person;
let teamId: string;
/** The messages in the queue. */
let queued: unknown[];

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 3_600, people: [person.accountUserId] }])).id;
  queued = [];
  interceptQueue(async (messages) => {
    queued.push(...messages);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const create = (title: string, urgency = "high") =>
  account.api("POST", "/alerts", { title, urgency, destination_team_ids: [teamId] });

/** Delivers the queue to the consumer, ten messages at a time, with a limit of three pages at once. */
async function deliver(): Promise<void> {
  while (queued.length > 0) {
    const bodies = queued.splice(0, 10);
    const messages = bodies.map((body, i) => ({
      ...{ id: `message-${i}`, timestamp: new Date(), attempts: 1, body },
    }));
    const batch = createMessageBatch("tocsin-pages", messages);
    const context = createExecutionContext();
    await worker.queue(batch, { ...env, EMAIL: env.EMAIL, PAGES_AT_ONCE: "3" }, context);
    await getQueueResult(batch, context);
  }
}

const rows = async (status: string) =>
  (await storedNotifications(account.accountId, "status = ? and event = 'alert.open'", status))
    .length;

test(`${ALERTS} alerts at once send three mails at once and one for the rest, the first without delay`, async () => {
  await create("The first");
  await vi.waitFor(() => expect(queued).toHaveLength(1), soon);
  await deliver();
  expect(mailbox.mails.map((mail) => mail.subject)).toEqual(["[HIGH] The first"]);
  const others = Array.from({ length: ALERTS - 1 }, (_, i) => `Alert ${i}`);
  for (let i = 0; i < others.length; i += 20)
    await Promise.all(others.slice(i, i + 20).map((title) => create(title)));
  await vi.waitFor(() => expect(queued.length).toBeGreaterThanOrEqual(ALERTS - 1), soon);
  await deliver();
  expect(mailbox.mails).toHaveLength(3);
  expect([await rows("sent"), await rows("queued")]).toEqual([3, ALERTS - 3]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + PAST_SPAN });
  const { accountUserId } = person;
  const stub = env.PERSON.getByName(await nameOf(accountUserId));
  await runDurableObjectAlarm(stub);
  await deliver();
  expect(mailbox.mails).toHaveLength(4);
  const bundle = mailbox.mails.at(-1);
  expect(`${bundle?.subject} ${bundle?.text}`).toContain(String(ALERTS - 3));
  expect([await rows("sent"), await rows("queued")]).toEqual([ALERTS, 0]);
});

test("the worst of a burst is sent at once and by itself in every channel, and no message twice", async () => {
  const number = await givePhone(person.accountUserId);
  const update =
    "update users set notify_sms = 1, notify_voice = 1 where id = (select user_id from account_users where id = ?)";
  await env.DB.prepare(update).bind(person.accountUserId).run();
  const twilio = openTwilio();
  for (let i = 1; i <= 4; i += 1) await create(`Slow disk ${i}`, "low");
  await create("Database is down", "critical");
  await vi.waitFor(() => expect(queued.length).toBeGreaterThanOrEqual(5), soon);
  await deliver();
  /** Of each channel, the messages that are about an alert. */
  const about = (title: string) => [
    mailbox.mails.filter((it) => `${it.subject} ${it.text}`.includes(title)).length,
    ...["Body", "Twiml"].map(
      (part) =>
        twilio.taken.filter(({ form }) => form.To === number && form[part]?.includes(title)).length,
    ),
  ];
  const all = () => [
    mailbox.mails.length,
    ...["Messages", "Calls"].map((of) => twilio.taken.filter((it) => it.resource === of).length),
  ];
  expect(about("Database is down")).toEqual([1, 1, 1]);
  expect(all()).toEqual([4, 4, 4]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + PAST_SPAN });
  await runDurableObjectAlarm(env.PERSON.getByName(await nameOf(person.accountUserId)));
  await deliver();
  expect(all()).toEqual([5, 5, 5]);
  expect(about("Database is down")).toEqual([1, 1, 1]);
  for (let i = 1; i <= 4; i += 1) expect(about(`Slow disk ${i}`)).toEqual([1, 1, 1]);
});

test("the bundle of a person who was removed is not sent", async () => {
  for (let i = 0; i < 5; i += 1) await create(`Alert ${i}`);
  await vi.waitFor(() => expect(queued.length).toBeGreaterThanOrEqual(5), soon);
  await deliver();
  expect([mailbox.mails.length, await rows("queued")]).toEqual([3, 2]);
  const name = await nameOf(person.accountUserId);
  const removed = await account.api("DELETE", `/account_users/${person.accountUserId}`);
  expect(removed.status, removed.text).toBe(204);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + PAST_SPAN });
  await runDurableObjectAlarm(env.PERSON.getByName(name));
  await deliver();
  expect(mailbox.mails.filter(({ to }) => to === person.email)).toHaveLength(3);
  const query =
    "select distinct status from notifications where account_user_id = ? and bundle = 'burst'";
  const { results } = await env.DB.prepare(query).bind(person.accountUserId).all();
  expect(results).toEqual([{ status: "skipped" }]);
});

test("six alerts at once call four times, and twice more a minute after", async () => {
  const number = await givePhone(person.accountUserId);
  await env.DB.prepare(
    `update users set notify_email = 0, notify_push = 0, notify_voice = 1
      where id = (select user_id from account_users where id = ?)`,
  )
    .bind(person.accountUserId)
    .run();
  const twilio = openTwilio();
  for (let i = 0; i < 6; i += 1) await create(`Alert ${i}`);
  await vi.waitFor(() => expect(queued.length).toBeGreaterThanOrEqual(6), soon);
  await deliver();
  const calls = () => twilio.taken.filter(({ form }) => form.To === number).length;
  expect(calls()).toBe(3);
  const stub = env.PERSON.getByName(await nameOf(person.accountUserId));
  const start = Date.now();
  /** Sends what is due after some seconds; what that plans is sent by the second alarm. */
  const at = async (seconds: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: start + seconds * 1_000 });
    for (let i = 0; i < 2; i += 1) {
      await runDurableObjectAlarm(stub);
      await deliver();
    }
    return calls();
  };
  // The bundle of the last three; the first three, as one call; nothing before the minute is over.
  expect([await at(31), await at(62), await at(90)]).toEqual([4, 5, 5]);
  // The repetitions of the bundle are gathered for at most ten seconds.
  await at(93);
  expect([await at(104), await at(300)]).toEqual([6, 6]);
});

const nameOf = async (id: string): Promise<string> =>
  (await account.api("GET", `/account_users/${id}`)).body.prefix_id;
