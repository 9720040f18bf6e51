// A person is told by mail when something about their access or their contacts changes (`contract.md` 1): at the
// verified addresses as they were before the change.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { securityNotice, securityNotices } from "../../src/resources/security-notices.ts";
import { type Account, makeAccount } from "../support/api.ts";
import { openMailbox } from "../support/mailbox.ts";
import { addColleague, type Colleague } from "../support/people.ts";

let account: Account;
let mailbox: ReturnType<typeof openMailbox>;
let me: Colleague;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  me = await addColleague(account, "Mia Member");
});

afterEach(() => vi.restoreAllMocks());

const PATIENCE = { timeout: 10_000, interval: 50 };

const mailsTo = (address: string) => mailbox.security.filter(({ to }) => to === address);

const waiting = async (userId: string) =>
  (
    await env.DB.prepare("select kind, detail from security_notices where user_id = ?")
      .bind(userId)
      .all()
  ).results;

describe("a security notice", () => {
  const context = () => ({ userId: me.userId, accountId: account.accountId, byUserId: null });

  test("is mailed to the verified addresses, and its row is deleted", async () => {
    await securityNotice(env, env.DB, context(), "sign_in", "Firefox on Linux", Date.now());
    await vi.waitFor(() => expect(mailsTo(me.email)).toHaveLength(1), PATIENCE);
    const [mail] = mailsTo(me.email);
    expect(mail?.subject).toBe(
      "Security notice: You signed in from a new browser: Firefox on Linux",
    );
    expect(mail?.text).toContain("choose a new password");
    await vi.waitFor(async () => expect(await waiting(me.userId)).toEqual([]), PATIENCE);
  });

  test("is not lost while the mail service fails", async () => {
    mailbox.failure = () => Object.assign(new Error("busy"), { code: "E_RATE_LIMIT_EXCEEDED" });
    await securityNotice(env, env.DB, context(), "password", "", Date.now());
    await vi.waitFor(async () => expect(await waiting(me.userId)).toHaveLength(1), PATIENCE);
    await scheduler.wait(1_000);
    mailbox.failure = null;
    await vi.waitFor(() => expect(mailsTo(me.email)).toHaveLength(1), { timeout: 20_000 });
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

  test("shares a mail with others when there are many", async () => {
    for (let i = 0; i < 40; i += 1) {
      await securityNotice(env, env.DB, context(), "sign_in", `browser ${i}`, Date.now());
      await scheduler.wait(50);
    }
    await scheduler.wait(1_500);
    const mails = mailsTo(me.email);
    expect(mails.length).toBeGreaterThan(0);
    expect(mails.length).toBeLessThanOrEqual(3);
  });
});
