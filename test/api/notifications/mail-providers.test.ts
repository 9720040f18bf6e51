// Several providers of mail: who sends when one fails, and their delivery reports.

import { env } from "cloudflare:workers";
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetOutcomes } from "../../../src/features/people/channels/recent-outcomes.ts";
import { type Account, callAgain, makeAccount } from "../../support/api/api.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { type Mailgun, openMailgun } from "../../support/providers/mailgun.ts";
import { serveAt } from "../../support/providers/outbound.ts";
import { configure, post } from "../../support/providers/phone-stand-in.ts";
import { soon } from "../../support/worker/faults.ts";
import { makePerson } from "../../support/worker/world.ts";

let account: Account;
let mailbox: Mailbox;
let mailgun: Mailgun;

beforeEach(async () => {
  forgetOutcomes();
  account = await makeAccount();
  mailbox = openMailbox();
  mailgun = openMailgun();
});
afterEach(() => {
  forgetOutcomes();
  vi.restoreAllMocks();
});

async function page() {
  const person = await makePerson(account, "Ida Owner");
  const { body } = await account.api("POST", "/alerts", {
    title: "Disk full",
    urgency: "high",
    destination_account_user_ids: [person.accountUserId],
  });
  return body.id as string;
}

const shownOf = async (id: string) =>
  (await account.api("GET", `/alerts/${id}/notifications`)).body.data as {
    status: string;
    provider_id: string | null;
    reason: string | null;
  }[];

const untilStatuses = (id: string, ...statuses: string[]) =>
  vi.waitFor(async () => {
    const shown = await shownOf(id);
    expect(shown.map(({ status }) => status).sort()).toEqual(statuses);
    return shown;
  }, soon);

const firstMail = () => {
  const [mail] = mailgun.mails;
  if (mail === undefined) throw new Error("Mailgun has taken nothing");
  return mail;
};

describe("a mail by Mailgun", () => {
  test("is sent, and its delivery is recorded", async () => {
    const id = await page();
    const [shown] = await untilStatuses(id, "sent");
    const mail = firstMail();
    expect(mail).toMatchObject({
      from: `Tocsin <${env.EMAIL_FROM}>`,
      subject: expect.stringContaining("Disk full"),
      "h:Auto-Submitted": "auto-generated",
      "o:tracking": "no",
    });
    expect(mail.html).toContain("Disk full");
    expect(shown?.provider_id).toBe(`mailgun:${mail["h:Message-Id"]?.slice(1, -1)}`);
    expect((await mailgun.report(mail, { event: "delivered" }, "another key")).status).toBe(403);
    await mailgun.report(mail, { event: "failed", severity: "temporary", reason: "generic" });
    await untilStatuses(id, "sent");
    expect((await mailgun.report(mail, { event: "delivered" })).status).toBe(204);
    await untilStatuses(id, "delivered");
    expect(mailbox.mails).toEqual([]);
  });

  test("is reported once by a signature, which does not cover what it reports", async () => {
    const [one, two] = [await page(), await page()];
    for (const id of [one, two]) await untilStatuses(id, "sent");
    const [first = {}, second = {}] = mailgun.mails;
    expect((await mailgun.report(first, { event: "accepted" })).status).toBe(204);
    const tagOf = (mail: Record<string, string>) => mail["v:notification"] ?? "none";
    for (const body of [
      (it: string) => it.replace('"accepted"', '"delivered"'),
      (it: string) => it.replace('"accepted"', '"delivered"').replace(tagOf(first), tagOf(second)),
      (it: string) => it.replace('"accepted"', '"delivered"').replace(/"(\d{10})"/, "$1"),
      (it: string) => ` ${it.replace('"accepted"', '"delivered"')}`,
    ]) {
      expect((await callAgain((it) => ({ body: body(it.body) }))).status).toBe(204);
    }
    for (const id of [one, two]) await untilStatuses(id, "sent");
    expect((await mailgun.report(first, { event: "delivered" })).status).toBe(204);
    expect(
      (await shownOf(one))
        .concat(await shownOf(two))
        .map((it) => it.status)
        .sort(),
    ).toEqual(["delivered", "sent"]);
  });

  test("is sent by the next provider if Mailgun is down", async () => {
    configure({ EMAIL_PROVIDERS: "mailgun,binding" });
    mailgun.refusal = () => Response.json({ message: "down" }, { status: 503 });
    const [shown] = await untilStatuses(await page(), "sent");
    expect(shown?.provider_id).toMatch(/^binding:message-/);
    expect(mailbox.mails).toHaveLength(1);
  });

  test("is sent by the next provider if Mailgun could not deliver it, but not if it bounced", async () => {
    configure({ EMAIL_PROVIDERS: "mailgun,binding" });
    const [one, two] = [await page(), await page()];
    for (const id of [one, two]) await untilStatuses(id, "sent");
    const mailOf = async (id: string) => {
      const [shown] = await shownOf(id);
      return mailgun.mails.find((it) =>
        shown?.provider_id?.includes(it["h:Message-Id"]?.slice(1, -1) ?? "?"),
      );
    };
    const failed = { event: "failed", severity: "permanent", "delivery-status": { code: 550 } };
    await mailgun.report((await mailOf(one)) ?? {}, { ...failed, reason: "generic" });
    await untilStatuses(one, "failed", "sent");
    await mailgun.report((await mailOf(two)) ?? {}, { ...failed, reason: "bounce" });
    const [shown] = await untilStatuses(two, "failed");
    expect(shown?.reason).toBe("Mailgun: 550, the mail was not delivered");
    expect(mailbox.mails).toHaveLength(1);
  });
});

test("a mail by Resend is reported as delivered by a signed callback", async () => {
  const secret = Buffer.from("only the tests' Resend knows this");
  const whole = `whsec_${secret.toString("base64")}`;
  configure({ RESEND_API_KEY: "re_1", RESEND_WEBHOOK_SECRET: whole });
  let sent: { tags?: { name: string; value: string }[] } = {};
  serveAt("api.resend.com", ({ body }) => {
    sent = JSON.parse(new TextDecoder().decode(body));
    return Response.json({ id: "re-1" });
  });
  const id = await page();
  await untilStatuses(id, "sent");
  // resend.com/docs/webhooks/body-parameters; signed as svix.com/docs/receiving/verifying-payloads.
  const data = { email_id: "re-1", to: ["ida@example.com"], tags: sent.tags };
  const report = (key: Buffer) => {
    const body = JSON.stringify({ type: "email.delivered", data });
    const time = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64");
    return post("/callbacks/resend", body, {
      ...{ "svix-id": "msg_1", "svix-timestamp": time, "svix-signature": `v1,${signature}` },
    });
  };
  expect((await report(Buffer.from("another secret"))).status).toBe(403);
  expect((await report(secret)).status).toBe(204);
  const [shown] = await untilStatuses(id, "delivered");
  expect(shown?.provider_id).toBe("re-1");
  expect(mailgun.mails).toEqual([]);
});

test("the callbacks are answered with 404 as long as they cannot be verified", async () => {
  configure({ MAILGUN_SIGNING_KEY: "", RESEND_WEBHOOK_SECRET: "" });
  for (const name of ["mailgun", "resend"]) {
    expect((await post(`/callbacks/${name}`, "{}", {})).status).toBe(404);
  }
});
