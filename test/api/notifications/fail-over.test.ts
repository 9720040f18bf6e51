// Several providers of one channel: who sends when one is down, hangs, refuses the number, or
// accepts a page and delivers nothing.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { forgetOutcomes } from "../../../src/features/people/channels/recent-outcomes.ts";
import { counted } from "../../../src/kernel/metrics/counted.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague } from "../../support/people/people.ts";
import { givePhone } from "../../support/people/phones.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { neverAnswers, serveAt } from "../../support/providers/outbound.ts";
import { configure, type PhoneStandIn } from "../../support/providers/phone-stand-in.ts";
import { openTelnyx } from "../../support/providers/telnyx.ts";
import { callBack, openTwilio, type Twilio, twilioError } from "../../support/providers/twilio.ts";
import { openVonage } from "../../support/providers/vonage.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let mailbox: Mailbox;
let twilio: Twilio;
let vonage: PhoneStandIn;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(async () => {
  // The configured order, whatever the tests before have seen.
  forgetOutcomes();
  account = await makeAccount();
  mailbox = openMailbox();
  twilio = openTwilio();
  vonage = await openVonage();
});
afterEach(() => {
  forgetOutcomes();
  vi.restoreAllMocks();
});

/** A person who wants SMS only, with a confirmed number. */
async function makeOwner() {
  const person = await addColleague(account, "Ida Owner");
  const number = await givePhone(person.id);
  const others = { notify_push: false, notify_email: false, notify_voice: false };
  await person.api("PUT", `/users/${person.userId}`, { ...others, notify_sms: true });
  return { ...person, number };
}

async function alertFor({ id }: { readonly id: string }): Promise<string> {
  const { body } = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [id],
  });
  return body.id;
}

type Shown = { channel: string; status: string; provider_id: string | null; reason: string | null };

/** The alert's notifications, each as its channel, status and provider. */
const shownOf = async (id: string) => {
  const { body } = await account.api("GET", `/alerts/${id}/notifications`);
  return (body.data as Shown[])
    .map(({ channel, status, provider_id }) => {
      const provider = provider_id?.startsWith("SM") ? "twilio" : provider_id?.split(":")[0];
      return `${channel} ${status} ${channel === "sms" ? (provider ?? "none") : "mail"}`;
    })
    .sort();
};

const untilShown = (id: string, ...expected: string[]) =>
  vi.waitFor(async () => expect(await shownOf(id)).toEqual(expected), soon);

describe("an SMS", () => {
  test("is sent by the next provider if the first is down, and the next ones at once", async () => {
    const owner = await makeOwner();
    const logs = [vi.spyOn(console, "log"), vi.spyOn(console, "error")];
    const count = vi.spyOn(counted, "count");
    twilio.refusal = twilioError(503, 20500);
    await untilShown(await alertFor(owner), "sms sent vonage");
    const refusal = { channel: "sms", provider: "twilio", outcome: "temporary" };
    expect(count).toHaveBeenCalledWith("tocsin_provider_attempts_total", refusal);
    const logged = JSON.stringify(logs.flatMap((it) => it.mock.calls));
    expect(logged).toContain('"channel":"sms"');
    for (const word of [
      owner.number.slice(1),
      "Disk full",
      String(env.TWILIO_AUTH_TOKEN),
      "secret",
    ]) {
      expect(logged).not.toContain(word);
    }
    expect([twilio.asked, vonage.taken.length]).toEqual([1, 1]);
    // Twilio is no longer the first.
    await untilShown(await alertFor(owner), "sms sent vonage");
    expect([twilio.asked, vonage.taken.length]).toEqual([1, 2]);
    expect(mailbox.mails).toEqual([]);
  });

  test("is sent by the next provider if the first hangs or refuses the account", async () => {
    const owner = await makeOwner();
    await openTelnyx();
    serveAt("twilio.test", neverAnswers);
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    serveAt("vonage.test", () => Response.json({}, { status: 401 }));
    const id = await alertFor(owner);
    await untilShown(id, "sms sent telnyx");
    expect(AbortSignal.timeout).toHaveBeenCalledWith(4_666);
  });

  test("goes to the next channel at once if the number is at fault", async () => {
    const owner = await makeOwner();
    twilio.refusal = twilioError(400, 21614);
    await untilShown(await alertFor(owner), "email sent mail", "sms failed none");
    expect([twilio.asked, vonage.asked]).toEqual([1, 0]);
  });

  test("is tried again later if every provider is down", async () => {
    const owner = await makeOwner();
    twilio.refusal = twilioError(503, 20500);
    vonage.refusal = vonage.refusals.outage;
    const id = await alertFor(owner);
    await vi.waitFor(() => expect(vonage.asked).toBe(1), soon);
    vonage.refusal = null;
    await untilShown(id, "sms sent vonage");
    expect(vonage.taken).toHaveLength(1);
    expect(mailbox.mails).toEqual([]);
  });

  test("is sent by the next provider, then by e-mail, if no report comes in time", async () => {
    configure({ SMS_UNDELIVERED_SECONDS: "1" });
    const owner = await makeOwner();
    const id = await alertFor(owner);
    await untilShown(id, "email sent mail", "sms failed twilio", "sms failed vonage");
    expect([twilio.taken.length, vonage.taken.length, mailbox.mails.length]).toEqual([1, 1, 1]);
    const { body } = await account.api("GET", `/logs/${prefixIdOf("log", id)}`);
    const lines = body.details.sublogs.map((line: { message: string }) => line.message);
    expect(lines.filter((line: string) => line.includes("no delivery report"))).toEqual([
      "Not notified by sms: no delivery report within 1 seconds (Ida Owner)",
      "Not notified by sms: no delivery report within 1 seconds (Ida Owner)",
    ]);
  });

  test("is not sent again if it was delivered or answered in time", async () => {
    configure({ SMS_UNDELIVERED_SECONDS: "2" });
    const [one, two] = [await makeOwner(), await makeOwner()];
    const [delivered, answered] = [await alertFor(one), await alertFor(two)];
    await untilShown(delivered, "sms sent twilio");
    await untilShown(answered, "sms sent twilio");
    const sent = twilio.taken.find(({ form }) => form.To === one.number);
    const report = { MessageSid: sent?.sid ?? "", MessageStatus: "delivered" };
    await callBack(sent?.form.StatusCallback ?? "", report);
    await account.api("POST", `/alerts/${answered}/acknowledge`);
    // The message that somebody has acknowledged it is the one that is sent.
    await untilShown(answered, "sms failed twilio", "sms sent twilio", "sms skipped none");
    await untilShown(delivered, "sms delivered twilio");
    expect([twilio.taken.length, vonage.taken.length]).toEqual([3, 0]);
  });

  test("is sent by the next provider if the first reports a failure of its own", async () => {
    const owner = await makeOwner();
    const id = await alertFor(owner);
    await untilShown(id, "sms sent twilio");
    const [sent] = twilio.taken;
    const report = { MessageSid: sent?.sid ?? "", MessageStatus: "failed", ErrorCode: "30008" };
    await callBack(sent?.form.StatusCallback ?? "", report);
    await callBack(sent?.form.StatusCallback ?? "", report);
    await untilShown(id, "sms failed twilio", "sms sent vonage");
    const [taken] = vonage.taken;
    if (taken === undefined) throw new Error("Vonage has taken nothing");
    await vonage.report(taken, vonage.words.delivered);
    await untilShown(id, "sms delivered vonage", "sms failed twilio");
    expect(mailbox.mails).toEqual([]);
  });
});

test("what was delivered lately decides who is first, also after a restart", async () => {
  const owner = await makeOwner();
  const first = await alertFor(owner);
  await untilShown(first, "sms sent twilio");
  // Sent a minute ago, and never reported since.
  const minuteAgo = Date.now() - 60_000;
  await env.DB.prepare("update notifications set sent_at = ? where owner_id = ?")
    .bind(minuteAgo, first)
    .run();
  forgetOutcomes();
  await untilShown(await alertFor(owner), "sms sent vonage");
  expect([twilio.taken.length, vonage.taken.length]).toEqual([1, 1]);
});
