// Which messages an audit expects delivery reports of: by every channel with reports, whatever became of
// their alert since.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { unconfirmedReason } from "../../../src/domain/notifications/delivery-deadline.ts";
import { isUndelivered } from "../../../src/domain/operations/provider-health.ts";
import { readAudit } from "../../../src/features/operations/audits/read-audit.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson } from "../../support/worker/world.ts";

const MINUTE = 60_000;

let account: Account;
beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.prepare("delete from notifications").run();
  await env.DB.prepare("delete from alerts").run();
});

/** An alert that people were notified of by mail. */
async function makeAlert(people: number): Promise<string> {
  const crew = await Promise.all(
    Array.from({ length: people }, (_, i) => makePerson(account, `Person ${i}`)),
  );
  const { body } = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: crew.map((it) => it.accountUserId),
  });
  await vi.waitFor(async () => {
    const sent = await storedNotifications(account.accountId, "status = 'sent'");
    expect(sent).toHaveLength(people);
  }, soon);
  return body.id;
}

const update = (values: string, ...given: unknown[]) =>
  env.DB.prepare(`update notifications set ${values} where account_id = ?`)
    .bind(...given, account.accountId)
    .run();

const receipts = async (now = Date.now()) =>
  (await readAudit(env, { integration: "", account: "" }, now)).receipts;

const CHANNELS = [
  ["email", null, "resend"],
  ["email", "mailgun:1@example.com", "mailgun"],
  ["sms", "SM1", "twilio"],
  ["sms", "vonage:1", "vonage"],
  ["sms", "telnyx:1", "telnyx"],
  ["voice", "CA1", "twilio"],
  ["voice", "vonage:1", "vonage"],
  ["voice", "telnyx:1", "telnyx"],
  ["whatsapp", "SM1", "whatsapp"],
] as const;

/** What may become of an alert after its messages. */
const ENDS = ["", "acknowledge", "resolve", "dropped", "suppressed"] as const;

test.each(CHANNELS)(
  "messages by %s (%s) are expected to be delivered by %s",
  async (channel, id, provider) => {
    const alert = await makeAlert(2);
    await update("channel = ?, provider_id = ?, sent_at = ?", channel, id, Date.now() - 2 * MINUTE);
    for (const end of ENDS) {
      if (end === "dropped" || end === "suppressed") {
        await env.DB.prepare("update alerts set status = ?").bind(end).run();
      } else if (end !== "") {
        await account.api("POST", `/alerts/${alert}/${end}`);
        await env.DB.prepare("delete from notifications where event <> 'alert.open'").run();
        // Calls were hung up.
        await update("status = 'sent'");
      }
      const found = await receipts();
      expect(found, end).toMatchObject([
        { channel, provider, total: 2, addresses: 2, delivered: 0 },
      ]);
      expect(found.every(isUndelivered)).toBe(true);
    }
    await update("status = 'delivered'");
    expect((await receipts()).some(isUndelivered)).toBe(false);
  },
);

test("a message that was sent again because no report came was not delivered", async () => {
  await makeAlert(2);
  const reason = unconfirmedReason(60);
  await update("status = 'failed', reason = ?, sent_at = ?", reason, Date.now() - 2 * MINUTE);
  expect((await receipts()).map(isUndelivered)).toEqual([true]);
  // A failure that was reported is a report.
  await update("status = 'failed', reason = 'the mailbox is full'");
  expect(await receipts()).toEqual([]);
});

test("a report is due after 90 seconds and expected for 15 minutes", async () => {
  await makeAlert(2);
  const now = Date.now();
  for (const [seconds, isExpected] of [
    [80, false],
    [100, true],
    [14 * 60, true],
    [15 * 60 + 1, false],
  ] as const) {
    await update("sent_at = ?", now - seconds * 1_000);
    expect(await receipts(now), String(seconds)).toHaveLength(isExpected ? 1 : 0);
  }
});
