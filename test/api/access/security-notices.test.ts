// A person is notified by mail when their access or contacts change (contract 1, People), at the addresses that were
// verified before the change.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { SecurityKind } from "../../../src/domain/access/security-notice.ts";
import { maskedAddress } from "../../../src/domain/people/masked-address.ts";
import { securityNotices } from "../../../src/features/access/sessions/security-notices.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import {
  addColleague,
  type Colleague,
  freshEmail,
  markVerified,
} from "../../support/people/people.ts";
import { freshNumber, givePhone } from "../../support/people/phones.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { text } from "../../support/providers/twilio.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let mailbox: ReturnType<typeof openMailbox>;
let me: Colleague;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  me = await addColleague(account, "Mia Member");
});

afterEach(() => vi.restoreAllMocks());

const mailsTo = (address: string) => mailbox.security.filter(({ to }) => to === address);

const pendingNotices = async (userId: string) =>
  (
    await env.DB.prepare("select kind, detail from security_notices where user_id = ?")
      .bind(userId)
      .all()
  ).results;

test("STOP from a number is mailed to everybody who has it, once", async () => {
  const other = await addColleague(account, "Otto Other");
  const number = await givePhone(me.id);
  await givePhone(other.id, { number });
  for (const word of ["STOP", "stop"]) expect(await text(number, word)).toBeNull();
  for (const { email } of [me, other]) {
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon);
    const [mail] = mailsTo(email);
    const detail = maskedAddress(number);
    expect(mail?.subject).toBe(
      `Security notice: SMS to ${detail} were stopped by the word STOP from that number`,
    );
  }
  for (const { userId } of [me, other]) {
    await vi.waitFor(async () => expect(await pendingNotices(userId)).toEqual([]), soon);
  }
  expect(mailbox.security).toHaveLength(2);
});

describe("a security notice", () => {
  const context = () => ({ userId: me.userId, accountId: account.accountId, byUserId: null });
  const notify = async (kind: SecurityKind, detail: string) => {
    const writes = await securityNotices(env, context(), [{ kind, detail }], Date.now());
    await env.DB.batch(writes.map((write) => statement(env.DB, write)));
  };

  test("is mailed to the verified addresses, and its row is deleted", async () => {
    await notify("sign_in", "Firefox on Linux");
    await vi.waitFor(() => expect(mailsTo(me.email)).toHaveLength(1), soon);
    const [mail] = mailsTo(me.email);
    expect(mail?.subject).toBe(
      "Security notice: You signed in from a new browser: Firefox on Linux",
    );
    expect(mail?.text).toContain("choose a new password");
    await vi.waitFor(async () => expect(await pendingNotices(me.userId)).toEqual([]), soon);
  });

  test("is not lost while the mail service fails", async () => {
    mailbox.failure = () => Object.assign(new Error("busy"), { code: "E_RATE_LIMIT_EXCEEDED" });
    await notify("password", "");
    await vi.waitFor(async () => expect(await pendingNotices(me.userId)).toHaveLength(1), soon);
    await scheduler.wait(1_000);
    mailbox.failure = null;
    await vi.waitFor(() => expect(mailsTo(me.email)).toHaveLength(1), soon);
  });

  test("is not sent when the change is not made", async () => {
    const writes = await securityNotices(
      env,
      context(),
      [{ kind: "roles", detail: "admin" }],
      Date.now(),
    );
    expect(writes).toHaveLength(1);
    await scheduler.wait(1_000);
    expect(mailsTo(me.email)).toEqual([]);
  });

  test("is combined with others into one mail when there are many", async () => {
    for (let i = 0; i < 40; i += 1) {
      await notify("sign_in", `browser ${i}`);
      await scheduler.wait(50);
    }
    await scheduler.wait(1_500);
    const mails = mailsTo(me.email);
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.length).toBeLessThanOrEqual(3);
    // An hour later, the other notices are sent in one mail.
    const stub = env.SECURITY_MAIL.getByName(me.userId) as unknown as DurableObjectStub;
    await runInDurableObject(stub, (_, { storage }) => {
      const expected = storage.kv.get<{ sentAt: number[] }>("expected");
      const sentAt = expected?.sentAt.map((at) => at - 3_600_000) ?? [];
      storage.kv.put("expected", { ...expected, sentAt });
    });
    await runDurableObjectAlarm(stub);
    await vi.waitFor(() => expect(mailsTo(me.email)).toHaveLength(mails.length + 1), soon);
    expect(mailsTo(me.email).at(-1)?.subject).toMatch(
      /^Security notice: \d+ changes to your access$/,
    );
    expect(mailsTo(me.email).at(-1)?.text).toContain("more changes of the same kind");
    await vi.waitFor(async () => expect(await pendingNotices(me.userId)).toEqual([]), soon);
  });
});

const detailsTo = async (address: string, count: number) => {
  await vi.waitFor(() => {
    const text = mailsTo(address)
      .map((mail) => mail.text)
      .join();
    expect(text.match(/^- /gm) ?? []).toHaveLength(count);
  }, soon);
  return mailsTo(address)
    .map((mail) => mail.text)
    .join("\n");
};

describe("a person is notified", () => {
  test("of changed addresses and primaries, at the addresses that were verified before", async () => {
    const second = freshEmail("second");
    const put = (body: unknown) => account.api("PUT", `/users/${me.userId}`, body);
    const added = await put({ emails_attributes: [{ email: second }] });
    await markVerified(second);
    await detailsTo(me.email, 1);
    const [first, other] = added.body.emails.map(({ id }: { id: string }) => id);
    const third = freshEmail("third");
    const changed = await put({
      emails_attributes: [
        { id: first, _destroy: true },
        { id: other, primary: true },
        { email: third },
      ],
    });
    expect(changed.status, changed.text).toBe(200);
    for (const [to, count] of [
      [me.email, 4],
      [second, 3],
    ] as const) {
      const text = await detailsTo(to, count);
      expect(text).toContain(`The address ${third} was added`);
      expect(text).toContain(`The address ${me.email} was removed`);
      expect(text).toContain(`The primary address is now ${second}`);
      expect(text).toContain("by Ada Admin in Account ");
    }
    expect(mailsTo(third)).toEqual([]);
  });

  test("of changed numbers and channels, including their own changes, with masked numbers", async () => {
    const number = freshNumber();
    const changed = await me.api("PUT", `/users/${me.userId}`, {
      phones_attributes: [{ phone: number }],
      notify_sms: true,
      notify_email: true,
      name: "Mia M. Member",
    });
    expect(changed.status).toBe(200);
    const text = await detailsTo(me.email, 3);
    expect(text).toContain("with your sign-in or your API key in Account ");
    expect(text).toContain(`The phone number ${maskedAddress(number)} was added`);
    expect(text).toContain("Your notification channels were changed: sms on");
    expect(text).not.toContain(number);
  });

  test("of a new API key, whoever created it, without the key itself", async () => {
    const made = await account.api("POST", "/api_keys", { account_user_id: me.id, name: "theirs" });
    const text = await detailsTo(me.email, 1);
    expect(text).toContain("A new API key was created for you: theirs");
    expect(text).toContain("by Ada Admin in Account ");
    expect(text).not.toContain(made.body.key);
    await me.api("POST", "/api_keys", { read_only: true });
    expect(await detailsTo(me.email, 2)).toContain("without a name (read-only)");
  });

  test("of a new role", async () => {
    const path = `/account_users/${me.id}`;
    await account.api("PUT", path, { roles: { admin: true, billing: false } });
    expect(await detailsTo(me.email, 1)).toContain("Your roles were changed: admin added");
  });

  test("not of unchanged values, refused changes, or being added", async () => {
    const path = `/users/${me.userId}`;
    await account.api("PUT", path, { notify_email: true, name: "Mia", email: me.email });
    await account.api("PUT", `/account_users/${me.id}`, { roles: { admin: false } });
    const refused = await account.api("PUT", path, {
      notify_email: false,
      emails_attributes: [{ email: me.email, _destroy: true }],
    });
    expect(refused.status).toBe(422);
    const added = await addColleague(account, "New Person", { admin: true });
    await scheduler.wait(1_000);
    expect(mailsTo(me.email)).toEqual([]);
    expect(mailsTo(added.email)).toEqual([]);
  });
});
