// Notifications by telephone and browser from end to end: an alert notifies its person on their preferred channels, the
// person responds there, and is notified on another channel if that fails.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { freshNumber } from "../../support/people/phones.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { openBrowser, openPushService, type PushService } from "../../support/providers/push.ts";
import {
  callBack,
  openTwilio,
  type Twilio,
  type TwilioRequest,
  text,
  twilioError,
} from "../../support/providers/twilio.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let twilio: Twilio;
let service: PushService;
let mailbox: Mailbox;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(() => {
  twilio = openTwilio();
  service = openPushService();
  mailbox = openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The first request that Twilio accepted. */
function firstTaken(): TwilioRequest {
  const [first] = twilio.taken;
  if (first === undefined) throw new Error("Twilio has taken nothing");
  return first;
}

type Owner = Colleague & { readonly number: string; readonly phoneId: string };

const NOTHING = { notify_push: false, notify_email: false, notify_sms: false, notify_voice: false };

/** A person with a telephone number, confirmed by default, and these notification preferences. */
async function makeOwner(wants: object, confirmed = true): Promise<Owner> {
  const person = await addColleague(account, "Ida Owner");
  const number = freshNumber();
  const body = { ...NOTHING, ...wants, phones_attributes: [{ phone: number }] };
  const changed = await person.api("PUT", `/users/${person.userId}`, body);
  const phoneId = changed.body.phones[0].id;
  if (confirmed) {
    await person.api("POST", `/phones/${phoneId}/send_code`);
    const code = /^\d{6}/.exec(twilio.taken.at(-1)?.form.Body ?? "")?.[0];
    const reply = await person.api("POST", `/phones/${phoneId}/confirm`, { code });
    if (reply.body.confirmed !== true) throw new Error(reply.text);
    twilio.taken.length = 0;
    twilio.asked = 0;
  }
  return { ...person, number, phoneId };
}

async function alertFor({ id }: Colleague, title = "Disk full"): Promise<string> {
  const {
    body,
    status,
    text: responseText,
  } = await account.api("POST", "/alerts", {
    title,
    urgency: "high",
    destination_account_user_ids: [id],
  });
  if (status !== 201) throw new Error(responseText);
  return body.id;
}

type Shown = {
  readonly id: string;
  readonly channel: string;
  readonly status: string;
  readonly to: string;
  readonly provider_id: string | null;
};

const notificationsOf = async (alertId: string): Promise<Shown[]> =>
  (await account.api("GET", `/alerts/${alertId}/notifications?sort=id&direction=asc`)).body.data;

/** Waits until the alert's notifications have these statuses, by channel. */
const untilStatuses = (alertId: string, expected: Readonly<Record<string, string>>) =>
  vi.waitFor(async () => {
    const shown = await notificationsOf(alertId);
    const byChannel = Object.fromEntries(shown.map(({ channel, status }) => [channel, status]));
    expect(byChannel).toEqual(expected);
    return shown;
  }, soon);

const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

async function timelineOf(id: string): Promise<string> {
  const { body } = await account.api("GET", `/logs/${prefixIdOf("log", id)}`);
  return body.details.sublogs.map((line: { message: string }) => line.message).join("\n");
}

describe("a notification by SMS", () => {
  test("is sent, its delivery is recorded, and its recipient can respond", async () => {
    const owner = await makeOwner({ notify_sms: true });
    const alertId = await alertFor(owner);
    const [shown] = await untilStatuses(alertId, { sms: "sent" });
    expect(twilio.taken).toHaveLength(1);
    const { form, sid } = firstTaken();
    expect(shown).toMatchObject({ to: owner.number, provider_id: sid });
    expect(form.To).toBe(owner.number);
    await callBack(form.StatusCallback ?? "", { MessageSid: sid, MessageStatus: "delivered" });
    await untilStatuses(alertId, { sms: "delivered" });
    const answer = /Reply (A \d{4})/.exec(form.Body ?? "")?.[1] ?? "";
    expect(await text(owner.number, answer)).toBe("Acknowledged: Disk full");
    expect(await statusOf(alertId)).toBe("acknowledged");
    expect(mailbox.mails).toEqual([]);
  });

  test("is sent by e-mail instead after STOP, until START", async () => {
    const owner = await makeOwner({ notify_sms: true });
    await text(owner.number, "STOP");
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { email: "sent" });
    expect(mailbox.mails.map(({ to }) => to)).toEqual([owner.email]);
    expect(twilio.asked).toBe(0);
    await text(owner.number, "START");
    await untilStatuses(await alertFor(owner), { sms: "sent" });
  });

  test("is sent by e-mail if Twilio rejects it, and the timeline has the reason", async () => {
    const owner = await makeOwner({ notify_sms: true });
    twilio.refusal = twilioError(400, 21610);
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { sms: "failed", email: "sent" });
    expect(mailbox.mails.map(({ to }) => to)).toEqual([owner.email]);
    const entry = "Not notified by sms: Twilio: 21610, the recipient has sent STOP";
    await vi.waitFor(async () => expect(await timelineOf(alertId)).toContain(entry), soon);
    const { body } = await account.api("GET", `/account_users/${owner.id}`);
    expect(body.user.phones[0].blocked).toBe(true);
  });

  test("is sent by e-mail once if Twilio accepted but could not deliver it", async () => {
    const owner = await makeOwner({ notify_sms: true });
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { sms: "sent" });
    const { form, sid } = firstTaken();
    const report = { MessageSid: sid, MessageStatus: "undelivered", ErrorCode: "30003" };
    await callBack(form.StatusCallback ?? "", report);
    await callBack(form.StatusCallback ?? "", report);
    await untilStatuses(alertId, { sms: "failed", email: "sent" });
    expect(mailbox.mails.map(({ to }) => to)).toEqual([owner.email]);
    await vi.waitFor(async () => expect(await timelineOf(alertId)).toContain("switched off"), soon);
  });

  test("is not sent on another channel if its recipient responded before it failed", async () => {
    const owner = await makeOwner({ notify_sms: true });
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { sms: "sent" });
    const { form, sid } = firstTaken();
    await text(owner.number, /Reply (A \d{4})/.exec(form.Body ?? "")?.[1] ?? "");
    const report = { MessageSid: sid, MessageStatus: "undelivered", ErrorCode: "30003" };
    await callBack(form.StatusCallback ?? "", report);
    await untilStatuses(alertId, { sms: "failed", email: "skipped" });
    expect(mailbox.mails).toEqual([]);
  });

  test("does not repeat an e-mail when it fails", async () => {
    const owner = await makeOwner({ notify_sms: true, notify_email: true });
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { sms: "sent", email: "sent" });
    const { form, sid } = firstTaken();
    const report = { MessageSid: sid, MessageStatus: "failed", ErrorCode: "30008" };
    await callBack(form.StatusCallback ?? "", report);
    await vi.waitFor(async () => expect(await timelineOf(alertId)).toContain("30008"), soon);
    await untilStatuses(alertId, { sms: "failed", email: "sent" });
    expect(mailbox.mails).toHaveLength(1);
  });

  test("is never sent to an unconfirmed number", async () => {
    const owner = await makeOwner({ notify_sms: true, notify_voice: true }, false);
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { email: "sent" });
    expect(twilio.asked).toBe(0);
  });

  test("is not sent again after Twilio's reply is lost but its report arrives", async () => {
    const owner = await makeOwner({ notify_sms: true });
    twilio.loseAnswer = true;
    const alertId = await alertFor(owner);
    await vi.waitFor(() => expect(twilio.taken).toHaveLength(1), soon);
    const { form, sid } = firstTaken();
    await callBack(form.StatusCallback ?? "", { MessageSid: sid, MessageStatus: "sent" });
    const [shown] = await untilStatuses(alertId, { sms: "sent" });
    expect(shown?.provider_id).toBe(sid);
    twilio.loseAnswer = false;
    // Longer than the delay before the first retry.
    await scheduler.wait(3_000);
    expect(twilio.taken).toHaveLength(1);
  });
});

describe("a notification by call", () => {
  test("acknowledges the alert when its recipient presses a digit", async () => {
    const owner = await makeOwner({ notify_voice: true });
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { voice: "sent" });
    const { form, resource, sid } = firstTaken();
    expect(resource).toBe("Calls");
    const action = /action="([^"]+)"/.exec(form.Twiml ?? "")?.[1] ?? "";
    const spoken = await callBack(action, { CallSid: sid, Digits: "1" });
    expect(spoken.text).toContain("The alert is acknowledged");
    expect(await statusOf(alertId)).toBe("acknowledged");
    await callBack(form.StatusCallback ?? "", { CallSid: sid, CallStatus: "completed" });
    await untilStatuses(alertId, { voice: "delivered" });
  });

  test("is followed by the next channel if nobody answers the call", async () => {
    const owner = await makeOwner({ notify_voice: true });
    const alertId = await alertFor(owner);
    await untilStatuses(alertId, { voice: "sent" });
    const { form, sid } = firstTaken();
    await callBack(form.StatusCallback ?? "", { CallSid: sid, CallStatus: "no-answer" });
    await untilStatuses(alertId, { voice: "failed", email: "sent" });
    await vi.waitFor(
      async () => expect(await timelineOf(alertId)).toContain("the call was not answered"),
      soon,
    );
  });
});

describe("a notification by Web Push", () => {
  test("is sent, and the alert's next notification replaces it", async () => {
    const person = await addColleague(account, "Pia Push");
    await person.api("PUT", `/users/${person.userId}`, { ...NOTHING, notify_push: true });
    const browser = openBrowser();
    await person.api("POST", "/push_subscriptions", browser.subscription);
    const alertId = await alertFor(person);
    await untilStatuses(alertId, { push: "sent" });
    const read = browser.read(service.taken[0]?.body ?? new Uint8Array());
    expect(read).toMatchObject({
      notification: { title: "Disk full", data: { type: "alert.open" } },
    });
    expect(service.taken[0]?.headers.get("topic")).toBe(prefixIdOf("alert", alertId));
    expect(mailbox.mails).toEqual([]);
    await account.api("POST", `/alerts/${alertId}/acknowledge`);
    await vi.waitFor(() => expect(service.taken).toHaveLength(2), soon);
    const replacement = browser.read(service.taken[1]?.body ?? new Uint8Array());
    expect(replacement).toMatchObject({
      notification: { data: { type: "alert.acknowledged" } },
    });
    expect(service.taken[1]?.headers.get("topic")).toBe(prefixIdOf("alert", alertId));
  });

  test("is sent by e-mail if the subscription has expired, and the subscription is deleted", async () => {
    const person = await addColleague(account, "Gus Gone");
    await person.api("PUT", `/users/${person.userId}`, { ...NOTHING, notify_push: true });
    await person.api("POST", "/push_subscriptions", openBrowser().subscription);
    service.refusal = () => new Response(null, { status: 410 });
    const alertId = await alertFor(person);
    await untilStatuses(alertId, { push: "failed", email: "sent" });
    expect((await person.api("GET", "/push_subscriptions")).body.data).toEqual([]);
    await untilStatuses(await alertFor(person), { email: "sent" });
    expect(service.asked).toBe(1);
  });
});

test("a person without any preferred channel is notified by a confirmed number", async () => {
  const owner = await makeOwner({});
  await env.DB.prepare("update user_emails set blocked_at = 1 where user_id = ?")
    .bind(owner.userId)
    .run();
  await untilStatuses(await alertFor(owner), { sms: "sent" });
});
