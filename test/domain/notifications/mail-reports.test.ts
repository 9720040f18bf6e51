// The callbacks of Mailgun and Resend: what they report, and the verification of their signatures.
// Payloads: documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads and
// /securing-webhooks; resend.com/docs/webhooks/body-parameters.
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { mailProvidersOf } from "../../../src/domain/people/mail-provider.ts";
import { mailgun } from "../../../src/products/mail/mailgun.ts";
import { resend } from "../../../src/products/mail/resend.ts";

const notification = { accountId: "ACC", accountUserId: "PERSON", id: "ID" };
const TAG = "ACC-PERSON-ID";
const going = { notification, reason: null, isUnsubscribed: false };

describe("a report of Mailgun", () => {
  const body = (event: object, tag: unknown = TAG) =>
    JSON.stringify({
      "event-data": {
        message: { headers: { "message-id": "ID@example.com", to: "ada@example.com" } },
        "user-variables": { notification: tag },
        ...event,
      },
    });
  const failed = { event: "failed", severity: "permanent" };

  test.each([
    ["accepted", body({ event: "accepted" }), { ...going, status: "sent", id: "ID@example.com" }],
    ["delivered", body({ event: "delivered" }), { ...going, status: "delivered" }],
    [
      "bounced",
      body({ ...failed, reason: "bounce", "delivery-status": { code: 550 } }),
      {
        status: "failed",
        reason: "Mailgun: 550, the mail was not delivered",
        isRecipientAtFault: true,
      },
    ],
    [
      "refused for another reason",
      body({ ...failed, reason: "generic", "delivery-status": { code: "ada@example.com" } }),
      { status: "failed", reason: "the mail was not delivered", isRecipientAtFault: false },
    ],
    ["suppressed", body({ ...failed, reason: "suppress-bounce" }), { isRecipientAtFault: true }],
    ["not yet delivered", body({ event: "failed", severity: "temporary" }), null],
    ["opened", body({ event: "opened" }), null],
    ["of another mail", body({ event: "delivered" }, null), null],
    ["of no notification", body({ event: "delivered" }, "ACC/PERSON/ID"), null],
    ["without content", "null", null],
  ])("%s", (_, text, expected) => {
    const report = mailgun.readReport(text);
    if (expected === null) expect(report).toBeNull();
    else expect(report).toMatchObject(expected);
  });

  const NOW = Date.UTC(2026, 0, 31, 9);
  const key = "the signing key";
  const env = { MAILGUN_SIGNING_KEY: key } as Cloudflare.Env;
  const signed = (seconds: number, secret = key, token: unknown = "t") => {
    const timestamp = String(NOW / 1000 + seconds);
    const signature = createHmac("sha256", secret).update(`${timestamp}${token}`).digest("hex");
    return JSON.stringify({ signature: { timestamp, token, signature } });
  };
  test.each([
    ["a signature", signed(-10), true],
    ["an old signature", signed(-3_601), false],
    ["a signature of the future", signed(3_601), false],
    ["another key", signed(0, "another"), false],
    ["no signature", "{}", false],
    ["a signature that is none", '{"signature":{"timestamp":"x","signature":1}}', false],
  ])("with %s", async (_, text, expected) => {
    const request = { url: "", headers: new Headers(), body: text, now: NOW };
    expect(await mailgun.isSigned(env, request)).toBe(expected);
  });
});

describe("a report of Resend", () => {
  const body = (type: string, tags: unknown = [{ name: "notification", value: TAG }]) =>
    JSON.stringify({ type, data: { email_id: "re-1", to: ["ada@example.com"], tags } });

  test.each([
    ["delivered", body("email.delivered"), { ...going, status: "delivered", id: "re-1" }],
    ["tags as an object", body("email.sent", { notification: TAG }), { ...going, status: "sent" }],
    ["bounced", body("email.bounced"), { status: "failed", isRecipientAtFault: true }],
    ["failed", body("email.failed"), { status: "failed", isRecipientAtFault: false }],
    ["delayed", body("email.delivery_delayed"), null],
    ["of another mail", body("email.delivered", []), null],
    ["without content", "[]", null],
  ])("%s", (_, text, expected) => {
    const report = resend.readReport(text);
    if (expected === null) expect(report).toBeNull();
    else expect(report).toMatchObject(expected);
  });
});

describe("the providers of mail", () => {
  const keys = { RESEND_API_KEY: "r", MAILGUN_API_KEY: "m" };
  test.each([
    ["the binding alone", {}, true, ["binding"]],
    ["nothing", {}, false, []],
    ["Resend instead of the binding", { RESEND_API_KEY: "r" }, true, ["resend"]],
    ["both keys", keys, true, ["resend", "mailgun"]],
    ["a server by SMTP instead of the binding", { SMTP: {} }, true, ["smtp"]],
    ["a key and a server by SMTP", { MAILGUN_API_KEY: "m", SMTP: {} }, false, ["mailgun", "smtp"]],
    ["an order", { ...keys, EMAIL_PROVIDERS: "binding,mailgun" }, true, ["binding", "mailgun"]],
    ["a name without its key", { EMAIL_PROVIDERS: "resend" }, true, []],
  ])("with %s", (_, settings, hasBinding, expected) => {
    expect(mailProvidersOf(settings, hasBinding)).toEqual(expected);
  });
});
