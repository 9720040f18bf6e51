// SMS and calls by Vonage and by Telnyx from end to end: a page is sent, its delivery is recorded,
// and its recipient answers by SMS and by a digit. Twilio has tests of its own.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague } from "../../support/people/people.ts";
import { codeOf, givePhone } from "../../support/people/phones.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { configure, type PhoneStandIn } from "../../support/providers/phone-stand-in.ts";
import { openTelnyx } from "../../support/providers/telnyx.ts";
import { openVonage } from "../../support/providers/vonage.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;

beforeAll(async () => {
  account = await makeAccount();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([
  ["Vonage", openVonage],
  ["Telnyx", openTelnyx],
] as const)("%s", (_, open) => {
  let provider: PhoneStandIn;

  beforeEach(async () => {
    openMailbox();
    provider = await open();
    configure({ SMS_PROVIDERS: provider.name, VOICE_PROVIDERS: provider.name });
  });

  /** Pages a new person with a confirmed number on one channel. */
  async function page(channel: "sms" | "voice") {
    const person = await addColleague(account, "Ida Owner");
    const number = await givePhone(person.id);
    const wants = {
      notify_push: false,
      notify_email: false,
      notify_sms: false,
      notify_voice: false,
    };
    const body = { ...wants, [`notify_${channel}`]: true };
    await person.api("PUT", `/users/${person.userId}`, body);
    const alert = await account.api("POST", "/alerts", {
      title: "Disk full",
      urgency: "high",
      destination_account_user_ids: [person.id],
    });
    const [shown] = await untilStatus(alert.body.id, channel, "sent");
    const [taken] = provider.taken;
    if (taken === undefined) throw new Error(`${provider.title} has taken nothing`);
    return { id: alert.body.id as string, number, taken, shown };
  }

  const untilStatus = (id: string, channel: string, status: string) =>
    vi.waitFor(async () => {
      const { body } = await account.api("GET", `/alerts/${id}/notifications`);
      const ofChannel = body.data.filter((it: { channel: string }) => it.channel === channel);
      expect(ofChannel).toMatchObject([{ status }]);
      return ofChannel;
    }, soon);

  const statusOf = async (id: string) => (await account.api("GET", `/alerts/${id}`)).body.status;

  test("sends an SMS, records its delivery and takes the answer", async () => {
    const { id, number, taken, shown } = await page("sms");
    const code = codeOf(shown.account_user_id, shown.id);
    expect(taken).toMatchObject({ kind: "sms", to: number });
    expect(taken.text).toBe(
      `HIGH: Disk full\nReply A ${code} to acknowledge, P ${code} to pass on`,
    );
    expect(shown.provider_id).toBe(`${provider.name}:${taken.id}`);
    expect((await provider.forge(taken)).status).toBe(403);
    expect((await provider.report(taken, provider.words.delivered)).status).toBe(204);
    await untilStatus(id, "sms", "delivered");
    expect((await provider.text(number, `A ${code}`)).status).toBe(204);
    expect(await statusOf(id)).toBe("acknowledged");
    expect(provider.taken.at(-1)).toMatchObject({ to: number, text: "Acknowledged: Disk full" });
  });

  test("makes a call and takes the digit", async () => {
    const { id, number, taken } = await page("voice");
    expect(taken).toMatchObject({ kind: "call", to: number });
    expect(taken.text).toContain("Press 1 to acknowledge, or 2 to pass on.");
    const none = await provider.press(taken, "");
    expect(none.text).toContain("No key was pressed");
    const other = await provider.press(taken, "7");
    expect(other.text).toContain("Invalid key");
    expect(other.text).toContain(taken.answerUrl);
    expect(await statusOf(id)).toBe("open");
    expect((await provider.press(taken, "1")).text).toContain("The alert is acknowledged");
    expect(await statusOf(id)).toBe("acknowledged");
    await provider.report(taken, "completed");
    await untilStatus(id, "voice", "delivered");
  });

  test("reports a failure, which leads to the next channel", async () => {
    const { id, taken } = await page("sms");
    await provider.report(taken, provider.words.undelivered);
    const [failed] = await untilStatus(id, "sms", "failed");
    expect(failed.reason).toBe("the message was not delivered");
    await untilStatus(id, "email", "sent");
  });

  test("stops at STOP until START", async () => {
    const { number } = await page("sms");
    const blocked = () =>
      env.DB.prepare("select blocked from user_phones where phone = ?")
        .bind(number)
        .first<number>("blocked");
    await provider.text(number, "stop");
    expect(await blocked()).toBe(1);
    await provider.text(number, "start");
    expect(await blocked()).toBe(0);
  });

  test("is answered with 404 as long as its callbacks cannot be verified", async () => {
    configure({ VONAGE_SIGNATURE_SECRET: "", TELNYX_PUBLIC_KEY: "" });
    expect((await provider.text("+14155550199", "A")).status).toBe(404);
  });
});
