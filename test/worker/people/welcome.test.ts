// The welcome mail to a person who was added to an account: a password for a new person, an invitation for an existing
// one. It is sent once, even if the worker or the object fails in between.
import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { consume } from "../../../src/consumer.ts";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { matchesPassword } from "../../../src/features/access/sessions/passwords.ts";
import { storedNotifications } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { open, press } from "../../support/api/links.ts";
import { freshEmail } from "../../support/people/people.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import { linksIn, parseReceivedMail } from "../../support/providers/received.ts";
import { evict, soon } from "../../support/worker/faults.ts";
import { makeTeam } from "../../support/worker/world.ts";

let account: Account;
let mailbox: Mailbox;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
});

afterEach(() => {
  vi.restoreAllMocks();
});

async function add(to: Account, name: string, email: string) {
  const { status, body, text } = await to.api("POST", "/account_users", {
    user_attributes: { name, emails_attributes: [{ email }] },
  });
  if (status !== 201) throw new Error(text);
  return body as { id: string; state: string; user: { id: string } };
}

const mailsTo = (email: string) => mailbox.welcomes.filter(({ to }) => to === email);

async function mailTo(email: string) {
  await vi.waitFor(() => expect(mailsTo(email).length).toBe(1), soon);
  const [mail] = mailsTo(email);
  if (!mail) throw new Error("no mail");
  return parseReceivedMail(mail);
}

const stubOf = (id: string) => env.WELCOME.getByName(prefixIdOf("account_user", id));

/** Simulates the passing of time: leases and pauses end, and the object retries. */
async function passTime(id: string) {
  await env.DB.prepare("update notifications set claimed_until = 0 where id = ?").bind(id).run();
  await runInDurableObject(stubOf(id), async (_, { storage }) => {
    if ((await storage.getAlarm()) !== null) await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stubOf(id));
}

const notification = async (id: string) =>
  (await storedNotifications(account.accountId, "id = ?", id))[0] ?? {};

describe("a new person", () => {
  test("gets no password if people sign in with another provider", async () => {
    vi.spyOn(env, "OIDC_ISSUER", "get").mockReturnValue("https://id.example");
    const email = freshEmail("single");
    const { user } = await add(account, "Sia Single", email);
    const mail = await mailTo(email);
    expect(mail.text).not.toContain("Password:");
    expect(mail.text).toContain("You need no password");
    const query = env.DB.prepare("select password_hash from users where id = ?").bind(user.id);
    expect(await query.first()).toEqual({ password_hash: null });
  });

  test("gets a one-time password, which is stored only as a slow hash", async () => {
    const email = freshEmail("new");
    const { id, user } = await add(account, "Nia <New>", email);
    const mail = await mailTo(email);
    const password = /^Password: (.+)$/m.exec(mail.text ?? "")?.[1] ?? "";
    expect(password).toMatch(/^([2-9a-z]{4}-){4}[2-9a-z]{4}$/);
    expect(mail.text).toContain(`User name: ${email}`);
    expect(mail.html).toContain(password);
    expect(mail.html).toContain("Nia &lt;New&gt;");
    const row = await env.DB.prepare("select * from users where id = ?").bind(user.id).first<{
      password_hash: string;
      password_expired: number;
    }>();
    expect(row?.password_expired).toBe(1);
    expect(row?.password_hash).toMatch(/^scrypt\$/);
    expect(await matchesPassword(password, row?.password_hash ?? "")).toBe(true);
    expect(await matchesPassword(`${password}x`, row?.password_hash ?? "")).toBe(false);
    await vi.waitFor(async () => {
      expect(await notification(id)).toMatchObject({
        event: "user.password",
        account_user_id: id,
        channel: "email",
        to: email,
        status: "sent",
        alert_id: null,
      });
    }, soon);
    for (const table of ["users", "notifications", "idempotency_keys"]) {
      const { results } = await env.DB.prepare(`select * from ${table}`).all();
      expect(JSON.stringify(results)).not.toContain(password);
    }
  });

  test("gets it at the address they were added with, even if that changes before it is sent", async () => {
    const send = vi
      .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
      .mockRejectedValue(new Error());
    const [email, other] = [freshEmail("founding"), freshEmail("other")];
    const { id, user } = await add(account, "Fo", email);
    expect((await account.api("PUT", `/users/${user.id}`, { email: other })).status).toBe(200);
    send.mockRestore();
    await passTime(id);
    expect((await mailTo(email)).text).toMatch(/^Password: /m);
    expect(mailsTo(other)).toEqual([]);
  });

  test("gets a password of their own when added by POST /users too", async () => {
    const emails = [freshEmail("one"), freshEmail("two")];
    for (const email of emails) {
      expect((await account.api("POST", "/users", { name: "Una", email })).status).toBe(201);
    }
    const mails = await Promise.all(emails.map(mailTo));
    const passwords = mails.map(({ text }) => /^Password: (.+)$/m.exec(text ?? "")?.[1]);
    expect(new Set(passwords).size).toBe(2);
  });

  test("gets no mail if adding them is refused", async () => {
    const email = freshEmail("refused");
    const refused = await account.api("POST", "/users", { name: "", email });
    expect(refused.status).toBe(422);
    const fine = freshEmail("fine");
    await add(account, "Fine", fine);
    await mailTo(fine);
    expect(mailsTo(email)).toEqual([]);
  });
});

describe("the mail", () => {
  test("is sent once even if the queue message is lost and the object is evicted", async () => {
    const send = vi
      .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
      .mockRejectedValue(new Error());
    const email = freshEmail("lost");
    const { id } = await add(account, "Lo", email);
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), soon);
    expect(mailsTo(email)).toEqual([]);
    send.mockRestore();
    await evict(stubOf(id));
    await passTime(id);
    const first = await mailTo(email);
    await vi.waitFor(async () => expect((await notification(id)).status).toBe("sent"), soon);
    const body = { welcome: { accountId: account.accountId, accountUserId: id } };
    const message = { body, timestamp: new Date(), ack: () => {}, retry: () => {} };
    const batch = { queue: "tocsin-pages", messages: [message, message] };
    await consume(batch as unknown as MessageBatch<unknown>, env, createExecutionContext());
    expect(mailsTo(email).length).toBe(1);
    expect(first.subject).toMatch(/^Your access to Account /);
    const stored = await runInDurableObject(stubOf(id), async (_, { storage }) => [
      storage.kv.get("expected"),
      await storage.getAlarm(),
    ]);
    expect(stored).toEqual([undefined, null]);
  });

  test("is requested again within a minute, however many requests were lost", async () => {
    vi.spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch").mockRejectedValue(new Error());
    const { id } = await add(account, "Las", freshEmail("lasting"));
    for (let lost = 0; lost < 12; lost += 1) await passTime(id);
    const pauseMs = await runInDurableObject(stubOf(id), (_, { storage }) => {
      const expected = storage.kv.get<{ asked: number; nextAt: number }>("expected");
      expect(expected?.asked).toBeGreaterThanOrEqual(12);
      return Number(expected?.nextAt) - Date.now();
    });
    expect(pauseMs).toBeLessThanOrEqual(60_000);
  });

  test("is retried after a temporary failure with the same password, and a permanent failure is shown", async () => {
    mailbox.failure = refusal("E_DELIVERY_FAILED");
    const email = freshEmail("again");
    const { id } = await add(account, "Aga", email);
    await vi.waitFor(async () => {
      expect(await notification(id)).toMatchObject({ status: "queued", attempts: 1 });
      expect((await notification(id)).reason).toBe("mail service: E_DELIVERY_FAILED");
    }, soon);
    mailbox.failure = null;
    mailbox.loseAnswer = true;
    await passTime(id);
    await mailTo(email);
    mailbox.loseAnswer = false;
    await vi.waitFor(async () => expect((await notification(id)).attempts).toBe(2), soon);
    await vi.waitFor(async () => expect((await notification(id)).reason).not.toBeNull(), soon);
    await passTime(id);
    await vi.waitFor(async () => expect((await notification(id)).status).toBe("sent"), soon);
    // The binding has no idempotency key: after a lost response the same mail is sent twice.
    expect(new Set(mailsTo(email).map(({ text }) => text)).size).toBe(1);

    mailbox.failure = refusal("E_RECIPIENT_SUPPRESSED");
    const never = await add(account, "Nev", freshEmail("never"));
    await vi.waitFor(async () => {
      expect(await notification(never.id)).toMatchObject({
        status: "failed",
        reason: "mail service: E_RECIPIENT_SUPPRESSED",
      });
    }, soon);
  });

  test("is not sent to a removed person, and never replaces a password that the person chose", async () => {
    const send = vi
      .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
      .mockRejectedValue(new Error());
    const removed = await add(account, "Rem", freshEmail("removed"));
    const settled = await add(account, "Set", freshEmail("settled"));
    await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(2), soon);
    await account.api("DELETE", `/account_users/${removed.id}`);
    await env.DB.prepare(
      "update users set password_hash = 'own', password_expired = 0 where id = ?",
    )
      .bind(settled.user.id)
      .run();
    send.mockRestore();
    for (const { id } of [removed, settled]) {
      await passTime(id);
      await vi.waitFor(async () => expect((await notification(id)).status).toBe("skipped"), soon);
    }
    const row = await env.DB.prepare("select password_hash from users where id = ?")
      .bind(settled.user.id)
      .first();
    expect(row?.password_hash).toBe("own");
  });
});

describe("an existing person", () => {
  let other: Account;
  let email: string;
  let invited: { id: string; state: string };
  let link: string;

  beforeEach(async () => {
    other = await makeAccount();
    email = freshEmail("known");
    await add(account, "Kim Known", email);
    await mailTo(email);
    mailbox.welcomes.length = 0;
    invited = await add(other, "Kimmy", email);
    [link = ""] = linksIn((await mailTo(email)).text ?? "");
  });

  const stateNow = async () => (await other.api("GET", `/account_users/${invited.id}`)).body.state;

  test("is invited, and becomes a member when they approve", async () => {
    expect(invited.state).toBe("pending");
    const mail = await mailTo(email);
    expect(mail.subject).toMatch(/^Invitation to join Account /);
    expect(mail.text).not.toContain("Password");
    const page = await open(link);
    expect([page.status, page.buttons]).toEqual([200, ["approve", "deny"]]);
    expect(page.text).toContain(`The invitation is for ${email}.`);
    expect(await stateNow()).toBe("pending");
    expect((await press(link, "elsewise")).status).toBe(422);
    const approved = await press(link, "approve");
    expect([approved.status, approved.buttons]).toEqual([200, []]);
    expect(approved.text).toContain("You are a member of Account");
    expect(await stateNow()).toBe("active");
    const { body } = await other.api("GET", `/account_users/${invited.id}`);
    expect(body.user.name).toBe("Kim Known");
    for (const again of [await press(link, "deny"), await open(link)]) {
      expect(again.text).toContain("You are a member of");
    }
    expect(await stateNow()).toBe("active");
  });

  test("is not a member after they deny, and the link is invalid", async () => {
    await makeTeam(other, [], { name: "Night" });
    const denied = await press(link, "deny");
    expect(denied.status).toBe(200);
    expect((await other.api("GET", `/account_users/${invited.id}`)).status).toBe(404);
    for (const again of [await press(link, "approve"), await open(link)]) {
      expect(again.status).toBe(404);
    }
    expect((await account.api("GET", "/account_users")).body.total_count).toBe(2);
  });

  test("cannot deny while they are the default receiver of a router", async () => {
    const router = await other.api("POST", "/routers", {
      name: "To Kim",
      rules: "rules: []",
      default_receiver_account_user_id: invited.id,
    });
    expect(router.status, router.text).toBe(201);
    expect((await press(link, "deny")).status).toBe(409);
    expect(await stateNow()).toBe("pending");
  });
});
