// The verification mail of an address: when it is sent, how often, and who can verify what with its link.
import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { consume } from "../../../src/consumer.ts";
import { accessLink } from "../../../src/features/access/sessions/access-links.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague, freshEmail, keyOf } from "../../support/people/people.ts";
import { contactsOf, join } from "../../support/people/shared-person.ts";
import { type Mailbox, openMailbox, refusal } from "../../support/providers/mailbox.ts";
import { accessPageIn, parseReceivedMail } from "../../support/providers/received.ts";
import {
  type Browser,
  givePassword,
  newBrowser,
  PASSWORD,
  signIn,
} from "../../support/worker/console.ts";
import { evict, soon } from "../../support/worker/faults.ts";

let account: Account;
let mailbox: Mailbox;
let me: Colleague;
let email: string;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  me = await addColleague(account, "Mia Mate");
  email = freshEmail("second");
});

afterEach(() => vi.restoreAllMocks());

type Email = { id: string; prefix_id: string; email: string; primary: boolean; verified: boolean };

const mailsTo = (to: string) => mailbox.access.filter((mail) => mail.to === to);

async function mailTo(to: string, nth = 1) {
  await vi.waitFor(() => expect(mailsTo(to).length).toBe(nth), soon);
  const mail = mailsTo(to)[nth - 1];
  if (!mail) throw new Error("no mail");
  return parseReceivedMail(mail);
}

const pageTo = async (to: string, nth = 1) => accessPageIn((await mailTo(to, nth)).text ?? "");

/** Adds an address to a person, and returns its record. */
async function addAddress(person: Colleague, address: string, api = person.api): Promise<Email> {
  const reply = await api("PUT", `/users/${person.userId}`, {
    emails_attributes: [{ email: address }],
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.body.emails.find((it: Email) => it.email === address);
}

async function addressOf(person: Colleague, address: string): Promise<Email | undefined> {
  const { body } = await account.api("GET", `/users/${person.userId}`);
  return body.emails.find((it: Email) => it.email === address);
}

const isVerified = async (person: Colleague, address: string) =>
  (await addressOf(person, address))?.verified;

const canSignIn = async (address: string) => {
  const shown = await newBrowser().post("/sign-in", { email: address, password: PASSWORD });
  return shown.status === 303;
};

const stubOf = ({ prefix_id }: Email) => env.ACCESS_MAIL.getByName(prefix_id);

/** Makes the last link old enough for another one to be sent. */
const passSendInterval = () =>
  env.DB.prepare("update email_link_sends set sent_at = sent_at - 60000 where email = ?")
    .bind(email)
    .run();

describe("the verification mail", () => {
  test("is sent to an added address, names who added it, and its link verifies the address", async () => {
    await addAddress(me, email);
    const mail = await mailTo(email);
    expect(mail.subject).toMatch(/^Verify this address for Account /);
    expect(mail.text).toContain("Mia Mate, of Account");
    expect(mail.text).toContain("as their own address");
    expect(mail.text).toContain("ignore this e-mail");
    const browser = await signIn(me.id);
    const path = accessPageIn(mail.text ?? "");
    const asked = await browser.get(path);
    expect([asked.status, asked.text.includes("You are signed in as Mia Mate")]).toEqual([
      200,
      true,
    ]);
    expect(await isVerified(me, email)).toBe(false);
    expect(await canSignIn(email)).toBe(false);
    const after = await browser.submit(path);
    expect([after.status, after.to]).toEqual([200, "/settings#emails"]);
    expect(after.text).toContain(`${email} verified.`);
    expect(await isVerified(me, email)).toBe(true);
    expect(await canSignIn(email)).toBe(true);
    // Using the link again has no effect.
    for (const again of [await browser.get(path), await browser.submit(path)]) {
      expect(again.status).toBe(200);
      expect(again.text).toContain("This address is verified");
    }
  });

  test("names the admin who added the address, and is sent by every endpoint that adds people", async () => {
    await addAddress(me, email, account.api);
    expect((await mailTo(email)).text).toMatch(/, of Account \d+, entered .* of Mia Mate\./);
    const extra = freshEmail("extra");
    const changed = await account.api("PUT", `/account_users/${me.id}`, {
      user_attributes: { emails_attributes: [{ email: extra }] },
    });
    expect(changed.status).toBe(200);
    await mailTo(extra);
    const [first, second] = [freshEmail("first"), freshEmail("second")];
    await account.api("POST", "/users", {
      name: "New",
      email: first,
      emails_attributes: [{ email: second }],
    });
    await mailTo(second);
    expect(mailsTo(first)).toEqual([]);
  });

  test("is sent to a changed address, and the link for the old one is invalid", async () => {
    const { id } = await addAddress(me, email);
    const old = await pageTo(email);
    const other = freshEmail("other");
    await me.api("PUT", `/users/${me.userId}`, { emails_attributes: [{ id, email: other }] });
    const browser = await signIn(me.id);
    for (const shown of [await browser.get(old), await browser.submit(old)]) {
      expect(shown.status).toBe(410);
      expect(shown.text).toContain("This link is no longer valid");
    }
    expect((await browser.submit(await pageTo(other))).text).toContain(`${other} verified.`);
    expect(await isVerified(me, email)).toBeUndefined();
  });

  test("is sent once even if the queue loses it, the database fails and the object is evicted", async () => {
    const send = vi
      .spyOn(Object.getPrototypeOf(env.PAGES), "sendBatch")
      .mockRejectedValue(new Error());
    const address = await addAddress(me, email);
    await vi.waitFor(() => expect(send).toHaveBeenCalled(), soon);
    send.mockRestore();
    expect(mailsTo(email)).toEqual([]);
    const body = { accessMail: address.prefix_id };
    const message = { body, timestamp: new Date(), ack: () => {}, retry: () => {} };
    const deliver = (messages: unknown[]) =>
      consume(
        { queue: "tocsin-pages", messages } as unknown as MessageBatch<unknown>,
        env,
        createExecutionContext(),
      );
    await env.DB.prepare("alter table email_link_sends rename to gone").run();
    await deliver([message]);
    await env.DB.prepare("alter table gone rename to email_link_sends").run();
    expect(mailsTo(email)).toEqual([]);
    await evict(stubOf(address));
    await runInDurableObject(stubOf(address), async (_, { storage }) => {
      const expected = storage.kv.get("expected") as object;
      storage.kv.put("expected", { ...expected, inHandUntil: 0 });
      await storage.setAlarm(Date.now() + 60_000);
    });
    await runDurableObjectAlarm(stubOf(address));
    await mailTo(email);
    await deliver([message, message]);
    expect(mailsTo(email)).toHaveLength(1);
    const stored = await runInDurableObject(stubOf(address), async (_, { storage }) => [
      storage.kv.get("expected"),
      await storage.getAlarm(),
    ]);
    expect(stored).toEqual([undefined, null]);
  });

  test("is retried after a temporary failure", async () => {
    mailbox.failure = refusal("E_DELIVERY_FAILED");
    const address = await addAddress(me, email);
    await vi.waitFor(async () => {
      const expected = await runInDurableObject(stubOf(address), (_, { storage }) =>
        storage.kv.get<{ asked: number; inHandUntil: number }>("expected"),
      );
      expect(expected).toMatchObject({ asked: 1, inHandUntil: 0 });
    }, soon);
    mailbox.failure = null;
    await runDurableObjectAlarm(stubOf(address));
    await mailTo(email);
  });
});

describe("requesting another link", () => {
  test("is allowed to the person and their admin, a few times a day", async () => {
    const address = await addAddress(me, email);
    const send = (api = me.api) => api("POST", `/emails/${address.prefix_id}/send_link`);
    await mailTo(email);
    const soonAfter = await send();
    expect(soonAfter.status).toBe(429);
    expect(soonAfter.body.errors[0].message).toContain("every 30 seconds");
    await passSendInterval();
    const again = await send();
    expect([again.status, again.body]).toEqual([200, address]);
    await mailTo(email, 2);
    await passSendInterval();
    const other = await addColleague(account, "Other");
    expect((await send(other.api)).status).toBe(403);
    expect((await send(account.api)).status).toBe(200);
    for (const sent of [3, 4]) {
      await mailTo(email, sent);
      await passSendInterval();
      expect((await send()).status).toBe(200);
    }
    await mailTo(email, 5);
    await passSendInterval();
    expect((await send()).status).toBe(429);
    // The limit also applies if a person of another account adds the address.
    const elsewhere = await makeAccount();
    const stranger = await addColleague(elsewhere, "Stranger");
    const theirs = await addAddress(stranger, email);
    const sent = await stranger.api("POST", `/emails/${theirs.id}/send_link`);
    expect(sent.status).toBe(429);
    expect(mailsTo(email)).toHaveLength(5);
  });

  test("is refused to an account that has sent a hundred links in a day", async () => {
    const address = await addAddress(me, email);
    await mailTo(email);
    await passSendInterval();
    const many = JSON.stringify(Array.from({ length: 99 }, (_, i) => `${i}.${email}`));
    await env.DB.prepare(
      "insert into email_link_sends (account_id, email, sent_at) select ?, value, ? from json_each(?)",
    )
      .bind(account.accountId, Date.now() - 3_600_000, many)
      .run();
    const send = () => me.api("POST", `/emails/${address.id}/send_link`);
    expect((await send()).status).toBe(429);
    await env.DB.prepare("update email_link_sends set sent_at = ? where account_id = ?")
      .bind(Date.now() - 25 * 3_600_000, account.accountId)
      .run();
    expect((await send()).status).toBe(200);
    const left = await env.DB.prepare("select 1 from email_link_sends where account_id = ?")
      .bind(account.accountId)
      .all();
    expect(left.results).toHaveLength(1);
  });

  test("is refused for a verified, unknown or blocked address, and if the deployment has no URL", async () => {
    const [first] = (await me.api("GET", `/users/${me.userId}`)).body.emails;
    const verified = await me.api("POST", `/emails/${first.id}/send_link`);
    expect([verified.status, verified.body.errors[0].message]).toEqual([
      409,
      "the address is verified already",
    ]);
    const elsewhere = await makeAccount();
    expect((await elsewhere.api("POST", `/emails/${first.id}/send_link`)).status).toBe(404);
    const address = await addAddress(me, email);
    await passSendInterval();
    await env.DB.prepare("update user_emails set blocked_at = 1 where id = ?")
      .bind(address.id)
      .run();
    expect((await me.api("POST", `/emails/${address.id}/send_link`)).status).toBe(409);
    await env.DB.prepare("update user_emails set blocked_at = null where id = ?")
      .bind(address.id)
      .run();
    vi.spyOn(env, "PUBLIC_URL", "get").mockReturnValue("");
    expect((await me.api("POST", `/emails/${address.id}/send_link`)).status).toBe(409);
  });

  test("has a button in the settings, and the people page marks unverified addresses", async () => {
    const browser = await signIn(me.id);
    const added = await browser.submit("/settings/emails", { email });
    expect(added.text).toContain("Follow the link in the e-mail sent to it");
    expect(added.text).toContain("not verified");
    const address = await addressOf(me, email);
    const path = `/settings/emails/${address?.id}/link`;
    expect(added.text).toContain(`action="${path}"`);
    await mailTo(email);
    await passSendInterval();
    expect((await browser.submit(path)).text).toContain("Verification e-mail sent.");
    await mailTo(email, 2);
    const people = await browser.get("/people");
    expect(people.text.match(/not verified/g)).toHaveLength(1);
  });
});

describe("the link", () => {
  let path: string;
  let other: Colleague;
  let theirs: Browser;

  beforeEach(async () => {
    await addAddress(me, email);
    path = await pageTo(email);
    other = await addColleague(account, "Otto Other");
    theirs = await signIn(other.id);
  });

  test("redirects a person who has not signed in to sign in, and back", async () => {
    const browser = newBrowser();
    const asked = await browser.get(path);
    expect([asked.status, asked.to]).toEqual([303, `/sign-in?to=${encodeURIComponent(path)}`]);
    const to = new URL(asked.to, "https://tocsin.test").searchParams.get("to") ?? "";
    const password = PASSWORD;
    const signedIn = await browser.post("/sign-in", {
      email: await givePassword(me.id),
      password,
      to,
    });
    expect(signedIn.to).toBe(path);
    expect((await browser.submit(path)).text).toContain(`${email} verified.`);
  });

  test("is refused to another signed-in person, and does not reveal the address", async () => {
    for (const shown of [await theirs.get(path), await theirs.submit(path)]) {
      expect(shown.status).toBe(403);
      expect(shown.text).toContain("This link is for another person");
      expect(shown.text).toContain("You are signed in as Otto Other");
      expect(shown.text).not.toContain(email);
    }
    expect(await isVerified(me, email)).toBe(false);
  });

  test("assigns an address that two people added to the first who verifies it", async () => {
    await addAddress(other, email);
    const second = await pageTo(email, 1);
    expect(second).toBe(path);
    await passSendInterval();
    const address = await addressOf(other, email);
    await other.api("POST", `/emails/${address?.id}/send_link`);
    const theirPath = await pageTo(email, 2);
    const browser = await signIn(me.id);
    const tries = await Promise.all([browser.submit(path), theirs.submit(theirPath)]);
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 409]);
    const holders = await env.DB.prepare(
      "select user_id from user_emails where email = ? and verified_at is not null",
    )
      .bind(email)
      .all();
    expect(holders.results).toHaveLength(1);
    const loser = tries[0]?.status === 409 ? browser.get(path) : theirs.get(theirPath);
    expect((await loser).text).toContain("Another person has this address");
  });

  test("is rejected if it is expired, forged or for another purpose", async () => {
    const browser = await signIn(me.id);
    const address = await addressOf(me, email);
    const subject = { userId: me.userId, emailId: address?.id ?? "", state: [email] };
    const pathOf = async (purpose: "address" | "password", at: number) =>
      new URL((await accessLink(env, purpose, subject, at)) ?? "").pathname;
    const old = await pathOf("address", Date.now() - 7 * 86_400_000 - 1_000);
    expect((await browser.submit(old)).status).toBe(410);
    const wrong = (await pathOf("password", Date.now())).replace("forgotten", "verify");
    const cut = path.slice(0, -3);
    for (const bad of [wrong, cut, `${cut}AAA`, "/verify/x"]) {
      expect([bad, (await browser.submit(bad)).status]).toEqual([bad, 404]);
    }
    const forged = { ...subject, state: [other.email] };
    const mismatched = new URL((await accessLink(env, "address", forged, Date.now())) ?? "")
      .pathname;
    expect((await browser.submit(mismatched)).status).toBe(410);
    expect(await isVerified(me, email)).toBe(false);
    expect((await browser.get(await pathOf("address", Date.now()))).status).toBe(200);
  });

  test("is required: a request with an API key cannot verify an address", async () => {
    const api = await keyOf(account.accountId, me.id);
    const reply = await api("PUT", `/users/${me.userId}`, {
      emails_attributes: [{ email, verified: true, verified_at: "2026-01-01T00:00:00Z" }],
    });
    expect(reply.status).toBe(200);
    expect(await isVerified(me, email)).toBe(false);
  });
});

describe("an address added in two accounts", () => {
  test("becomes one record when it is verified, and primary in both if it was primary in one", async () => {
    const other = await makeAccount();
    const joined = await join(other, me.email);
    const there = await keyOf(other.accountId, joined);
    await there("PUT", `/users/${me.userId}`, { emails_attributes: [{ email }] });
    const { id } = await addAddress(me, email);
    await me.api("PUT", `/users/${me.userId}`, { emails_attributes: [{ id, primary: true }] });
    expect((await contactsOf(account.accountId, me.id))[0]).toBe(`email:${email}`);
    expect((await contactsOf(other.accountId, joined))[0]).toBe(`email:${me.email}`);
    const link = await accessLink(
      env,
      "address",
      { userId: me.userId, emailId: id, state: [email] },
      Date.now(),
    );
    const path = new URL(link ?? "").pathname;
    const browser = await signIn(me.id);
    expect((await browser.get(path)).text).toContain("It becomes your primary address");
    await browser.submit(path);
    const { body } = await there("GET", `/users/${me.userId}`);
    expect(body.emails).toMatchObject([
      { email: me.email, primary: false },
      { id, email, primary: true, verified: true },
    ]);
    expect((await contactsOf(other.accountId, joined))[0]).toBe(`email:${email}`);
    await vi.waitFor(() => {
      const notices = mailbox.security.filter(({ to }) => to === me.email).map(({ text }) => text);
      expect(notices.join()).toContain(`The primary address is now ${email}`);
      expect(notices.join()).toContain(`The address ${email} was verified`);
    }, soon);
  });
});
