// Invitations: limited per account and hour, and sent later to people who were added without one.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, freshEmail, markVerified } from "../../support/people/people.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

type Settable = { RATE_LIMITS: string; INVITATIONS_PER_HOUR: string };
const settings = env as unknown as Settable;
const HOUR = 3_600_000;

let account: Account;
let mailbox: Mailbox;
beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
});
afterEach(() => {
  vi.restoreAllMocks();
  settings.RATE_LIMITS = "off";
  settings.INVITATIONS_PER_HOUR = "100";
});

const add = (more: object = {}, email = freshEmail("new")) =>
  account.api("POST", "/account_users", {
    user_attributes: { name: "New Person", emails_attributes: [{ email }] },
    ...more,
  });
const invite = (id: string) => account.api("POST", `/account_users/${id}/invite`);
const mailsTo = (email: string) => mailbox.welcomes.filter(({ to }) => to === email).length;
const expectMails = (email: string, count: number) =>
  vi.waitFor(() => expect(mailsTo(email)).toBe(count), soon);

describe("an account over its hourly limit of invitations", () => {
  beforeEach(() => {
    settings.RATE_LIMITS = "on";
    settings.INVITATIONS_PER_HOUR = "3";
  });

  test("gets 429 with Retry-After, including for concurrent requests", async () => {
    const replies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => add()));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429]);
    const refused = replies.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(3_500);
    expect(Number(refused?.headers.get("retry-after"))).toBeLessThanOrEqual(3_600);
    const user = { name: "A", email: freshEmail() };
    expect((await account.api("POST", "/users", user)).status).toBe(429);
    const other = await makeAccount();
    const elsewhere = {
      user_attributes: { name: "B", emails_attributes: [{ email: freshEmail() }] },
    };
    expect((await other.api("POST", "/account_users", elsewhere)).status).toBe(201);
  });

  test("may still add people without an invitation, and invite them an hour later", async () => {
    for (let i = 0; i < 3; i += 1) expect((await add()).status).toBe(201);
    const email = freshEmail();
    const added = await add({ invite: false }, email);
    expect([added.status, added.body.invited_at]).toEqual([201, null]);
    expect((await invite(added.body.id)).status).toBe(429);
    await env.DB.prepare("update invitation_sends set sent_at = sent_at - ?").bind(HOUR).run();
    expect((await invite(added.body.id)).status).toBe(200);
    await expectMails(email, 1);
  });

  test("is not charged for requests that are refused for another reason", async () => {
    for (let i = 0; i < 5; i += 1) expect((await add({ team_ids: ["no such"] })).status).toBe(422);
    expect((await add()).status).toBe(201);
  });
});

describe("a person added without an invitation", () => {
  test("gets no mail until invited, and then one mail for several concurrent requests", async () => {
    const email = freshEmail();
    const { body } = await add({ invite: false }, email);
    await scheduler.wait(1_000);
    expect(mailsTo(email)).toBe(0);
    const sent = await Promise.all([invite(body.id), invite(body.id), invite(body.id)]);
    for (const { status } of sent) expect([200, 409]).toContain(status);
    expect(sent.some(({ status }) => status === 200)).toBe(true);
    await expectMails(email, 1);
    await scheduler.wait(1_000);
    expect(mailsTo(email)).toBe(1);
    expect((await account.api("GET", `/account_users/${body.id}`)).body.invited_at).not.toBeNull();
  });

  test("can be added by POST /users too, including over the limit", async () => {
    settings.RATE_LIMITS = "on";
    settings.INVITATIONS_PER_HOUR = "0";
    const email = freshEmail();
    const user = { name: "A", email };
    expect((await account.api("POST", "/users", user)).status).toBe(429);
    const { status, body } = await account.api("POST", "/users", { ...user, invite: false });
    expect(status).toBe(201);
    await scheduler.wait(1_000);
    expect(mailsTo(email)).toBe(0);
    settings.INVITATIONS_PER_HOUR = "1";
    expect((await invite(body.account_user_id)).status).toBe(200);
    await expectMails(email, 1);
  });

  test("who already exists gets an invitation to approve", async () => {
    const elsewhere = await addColleague(await makeAccount(), "Known Person");
    await markVerified(elsewhere.email);
    const { body } = await add({ invite: false }, elsewhere.email);
    expect([body.state, body.invited_at]).toEqual(["pending", null]);
    expect((await invite(body.id)).status).toBe(200);
    await vi.waitFor(() => {
      const mail = mailbox.welcomes.find(
        (it) => it.to === elsewhere.email && /Invitation/.test(it.subject),
      );
      expect(mail).toBeDefined();
    }, soon);
  });
});

test("an invitation may be sent again until the person has signed in", async () => {
  const email = freshEmail();
  const { body } = await add({}, email);
  await expectMails(email, 1);
  await vi.waitFor(async () => {
    const row = await env.DB.prepare("select status from notifications where id = ?")
      .bind(body.id)
      .first();
    expect(row).toEqual({ status: "sent" });
  }, soon);
  expect((await invite(body.id)).status).toBe(200);
  await expectMails(email, 2);
  await env.DB.prepare("update users set last_sign_in_at = 1 where id = ?")
    .bind(body.user.id)
    .run();
  expect((await invite(body.id)).status).toBe(409);
});

test("only admins may send an invitation, to their account's members, in the console too", async () => {
  const email = freshEmail();
  const { body } = await add({ invite: false }, email);
  const plain = await addColleague(account, "Plain Member");
  expect((await plain.api("POST", `/account_users/${body.id}/invite`)).status).toBe(403);
  const other = await makeAccount();
  expect((await other.api("POST", `/account_users/${body.id}/invite`)).status).toBe(404);
  const browser = await signInAdmin(account);
  expect((await browser.get(`/people/${body.prefix_id}`)).text).toContain("Send invitation");
  await browser.submit(`/people/${body.prefix_id}/invite`);
  await expectMails(email, 1);
  const later = freshEmail();
  const shown = await browser.submit("/people", {
    addresses: `Later Person <${later}>`,
    later: "true",
  });
  expect(shown.text).toContain("No invitation has been sent");
  await scheduler.wait(500);
  expect(mailsTo(later)).toBe(0);
});
