// A call about an alert that nobody answers is repeated once after a minute (contract 6, Channels).
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { selectRepeatedPages } from "../../../src/features/operations/audits/audit-rows.ts";
import { all } from "../../../src/kernel/db/select.ts";
import { personStub, runNextTimer, timersOf } from "../../support/alerts/ruled.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { givePhone } from "../../support/people/phones.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { callBack, openTwilio, type Twilio, twilioError } from "../../support/providers/twilio.ts";
import { evict, interceptQueue, soon } from "../../support/worker/faults.ts";
import { makePerson, type Person } from "../../support/worker/world.ts";

let account: Account;
let twilio: Twilio;
let mailbox: Mailbox;
beforeAll(async () => {
  account = await makeAccount("Ada Admin");
});
beforeEach(() => {
  twilio = openTwilio();
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MINUTE_MS = 60_000;

type Called = Person & { readonly number: string };

const CALLS_ONLY = {
  notify_push: false,
  notify_email: false,
  notify_sms: false,
  notify_voice: true,
};

async function makeCalled(wants: object = CALLS_ONLY): Promise<Called> {
  const person = await makePerson(account, "Ida");
  const number = await givePhone(person.accountUserId);
  const changed = await account.api("PUT", `/account_users/${person.accountUserId}`, {
    user_attributes: wants,
  });
  expect(changed.status, changed.text).toBe(200);
  return { ...person, number };
}

async function raise({ accountUserId }: Called): Promise<string> {
  const made = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [accountUserId],
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const callsTo = ({ number }: Called) =>
  twilio.taken.filter(({ form, resource }) => form.To === number && resource === "Calls");

type Shown = { readonly id: string; readonly channel: string; readonly status: string };

async function shownOf(alertId: string): Promise<(readonly [string, string])[]> {
  const { body } = await account.api("GET", `/alerts/${alertId}/notifications`);
  return body.data.map(({ channel, status }: Shown) => [channel, status] as const).sort();
}

const untilShown = (alertId: string, expected: readonly (readonly [string, string])[]) =>
  vi.waitFor(async () => expect(await shownOf(alertId)).toEqual(expected), soon);

const untilTimers = (person: Called, count: number) =>
  vi.waitFor(async () => {
    const timers = await timersOf(person);
    expect(timers).toHaveLength(count);
    return timers;
  }, soon);

/** Waits until the first call is recorded and its repetition is expected. */
async function untilCalled(person: Called, alertId: string) {
  await untilShown(alertId, [["voice", "sent"]]);
  return untilTimers(person, 1);
}

/** Lets a minute pass since the calls of an alert. */
const passMinute = (alertId: string) =>
  env.DB.prepare("update notifications set sent_at = sent_at - ? where owner_id = ?")
    .bind(MINUTE_MS, alertId)
    .run();

async function repeat(person: Called, alertId: string): Promise<void> {
  await passMinute(alertId);
  await runNextTimer(person);
}

describe("a call that nobody answers", () => {
  test("is repeated once, a minute after it was made", async () => {
    const ida = await makeCalled();
    const alertId = await raise(ida);
    const [timer] = await untilCalled(ida, alertId);
    const [first] = callsTo(ida);
    expect(timer?.next_at).toBeGreaterThanOrEqual((first?.at ?? 0) + MINUTE_MS);
    await repeat(ida, alertId);
    await untilShown(alertId, [
      ["voice", "sent"],
      ["voice", "sent"],
    ]);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(2);
    expect(callsTo(ida).map(({ form }) => form.Twiml?.includes("Disk full"))).toEqual([true, true]);
    expect(await all(env.DB, selectRepeatedPages())).toEqual([]);
  });

  test("is repeated although a voice mailbox or nobody took it, beside the next channel", async () => {
    const ida = await makeCalled();
    const alertId = await raise(ida);
    await untilCalled(ida, alertId);
    const [first] = callsTo(ida);
    const report = { CallSid: first?.sid ?? "", CallStatus: "no-answer" };
    await callBack(first?.form.StatusCallback ?? "", report);
    await untilShown(alertId, [
      ["email", "sent"],
      ["voice", "failed"],
    ]);
    await untilTimers(ida, 1);
    await repeat(ida, alertId);
    await untilShown(alertId, [
      ["email", "sent"],
      ["voice", "failed"],
      ["voice", "sent"],
    ]);
    expect(mailbox.mails.filter(({ to }) => to === ida.email)).toHaveLength(1);
  });

  test("is repeated once although queue messages are lost and doubled, and the object is evicted", async () => {
    const ida = await makeCalled();
    const alertId = await raise(ida);
    await untilCalled(ida, alertId);
    await passMinute(alertId);
    const lost: unknown[] = [];
    // Other people's messages may leave in the meantime too.
    const isHers = (message: unknown) => JSON.stringify(message).includes(alertId);
    const queue = interceptQueue(async (messages) => void lost.push(...messages.filter(isHers)));
    await runNextTimer(ida);
    expect(lost).toHaveLength(1);
    expect(callsTo(ida)).toHaveLength(1);
    queue.mockRestore();
    await evict(personStub(ida));
    await runNextTimer(ida);
    await vi.waitFor(() => expect(callsTo(ida)).toHaveLength(2), soon);
    await untilTimers(ida, 0);
    await env.PAGES.send(lost[0]);
    await env.PAGES.send(lost[0]);
    // The copies expect a release each, which finds nothing to send.
    await scheduler.wait(2_000);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(2);
  });

  test("is not repeated by a message that comes too early", async () => {
    const ida = await makeCalled();
    const alertId = await raise(ida);
    await untilCalled(ida, alertId);
    await runNextTimer(ida);
    await scheduler.wait(1_000);
    expect(callsTo(ida)).toHaveLength(1);
    expect(await timersOf(ida)).toHaveLength(1);
  });

  test("is repeated if it was made because an SMS was not delivered", async () => {
    const ida = await makeCalled({ ...CALLS_ONLY, notify_voice: false, notify_sms: true });
    await env.DB.prepare(
      "update user_emails set blocked_at = 1 where user_id = (select user_id from account_users where id = ?)",
    )
      .bind(ida.accountUserId)
      .run();
    const alertId = await raise(ida);
    await untilShown(alertId, [["sms", "sent"]]);
    const [text] = twilio.taken.filter(({ form }) => form.To === ida.number);
    const report = {
      MessageSid: text?.sid ?? "",
      MessageStatus: "undelivered",
      ErrorCode: "30003",
    };
    await callBack(text?.form.StatusCallback ?? "", report);
    const shown = [
      ["sms", "failed"],
      ["voice", "sent"],
    ] as const;
    await untilShown(alertId, shown);
    await untilTimers(ida, 1);
    await repeat(ida, alertId);
    await untilShown(alertId, [...shown, ["voice", "sent"]]);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(2);
  });

  test("has a failed second call in the list if its provider refuses it", async () => {
    const ida = await makeCalled();
    const alertId = await raise(ida);
    await untilCalled(ida, alertId);
    const [first] = callsTo(ida);
    twilio.refusal = twilioError(400, 21211);
    await callBack(first?.form.StatusCallback ?? "", {
      CallSid: first?.sid ?? "",
      CallStatus: "completed",
    });
    await untilShown(alertId, [["voice", "delivered"]]);
    await repeat(ida, alertId);
    await untilShown(alertId, [
      ["voice", "delivered"],
      ["voice", "failed"],
    ]);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(1);
  });
});

describe("a call is not repeated", () => {
  test("once its recipient has pressed a digit", async () => {
    const ida = await makeCalled();
    const alertId = await raise(ida);
    await untilCalled(ida, alertId);
    const [first] = callsTo(ida);
    const action = /action="([^"]+)"/.exec(first?.form.Twiml ?? "")?.[1] ?? "";
    await callBack(action, { CallSid: first?.sid ?? "", Digits: "1" });
    await repeat(ida, alertId);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(1);
    expect(await shownOf(alertId)).toEqual([["voice", "delivered"]]);
  });

  test.each(["resolve", "reject", "handoff"])("after a %s", async (operation) => {
    const ida = await makeCalled();
    const eve = await makePerson(account, "Eve");
    const alertId = await raise(ida);
    await untilCalled(ida, alertId);
    const body =
      operation === "handoff" ? { destination_account_user_ids: [eve.accountUserId] } : undefined;
    const path = `/api/v4/alerts/${alertId}/${operation}`;
    const key = operation === "reject" ? ida.key : account.key;
    const reply = await call("POST", path, { key, body });
    expect(reply.status, reply.text).toBe(200);
    await repeat(ida, alertId);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(1);
  });

  test("of a person who switched it off, also within the minute", async () => {
    const ida = await makeCalled({ ...CALLS_ONLY, notify_voice_repeat: false });
    const alertId = await raise(ida);
    await untilShown(alertId, [["voice", "sent"]]);
    const path = `/account_users/${ida.accountUserId}`;
    const set = (on: boolean) =>
      account.api("PUT", path, { user_attributes: { notify_voice_repeat: on } });
    expect((await set(true)).body.user.notify_voice_repeat).toBe(true);
    const second = await raise(ida);
    await untilCalled(ida, second);
    expect((await set(false)).body.user.notify_voice_repeat).toBe(false);
    await repeat(ida, second);
    await untilTimers(ida, 0);
    expect(callsTo(ida)).toHaveLength(2);
    expect(await shownOf(second)).toEqual([["voice", "sent"]]);
  });
});

test("the preview of an alert has the second call, with its reason", async () => {
  const ida = await makeCalled();
  const at = Date.now() + 3_600_000;
  const { body, text } = await account.api("POST", "/alerts/preview", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [ida.accountUserId],
    at: new Date(at).toISOString(),
  });
  const pages = body.pages.filter(({ event }: { event: string }) => event === "alert.open");
  expect(
    pages.map((page: { at: string; channel: string; reason: string | null }) => [
      Date.parse(page.at) - at,
      page.channel,
      page.reason,
    ]),
    text,
  ).toEqual([
    [0, "voice", null],
    [MINUTE_MS, "voice", "the call is repeated once"],
  ]);
});
