// Signing in to the console: who gets a session, and who does not.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeAccount } from "../../../support/api/api.ts";
import { openMailbox } from "../../../support/providers/mailbox.ts";
import {
  type Browser,
  givePassword,
  newBrowser,
  ORIGIN,
  PASSWORD,
  signInAdmin,
} from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson } from "../../../support/worker/world.ts";

afterEach(() => vi.restoreAllMocks());

describe("signing in", () => {
  test("with e-mail and password sets a cookie for this host that scripts cannot read", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const browser = newBrowser();
    const before = Date.now();
    const shown = await browser.post("/sign-in", {
      email: ` ${email.toUpperCase()} `,
      password: PASSWORD,
      to: "/alerts?status=open",
    });
    expect([shown.status, shown.to]).toEqual([303, "/alerts?status=open"]);
    const cookie = shown.headers
      .getSetCookie()
      .find((it) => it.startsWith("__Host-tocsin_session="));
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/Secure/i);
    expect(cookie).toMatch(/SameSite=Lax/i);
    expect((await browser.get("/alerts")).status).toBe(200);
    const user = await account.api("GET", "/users");
    expect(Date.parse(user.body.data[0].last_sign_in_at)).toBeGreaterThanOrEqual(before);
  });

  test("does not store the token itself", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const token = browser.cookies.get("__Host-tocsin_session") ?? "";
    const rows = await env.DB.prepare("select * from sessions").all();
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(rows.results)).not.toContain(token);
  });

  test.each([
    ["//evil.example/x", "/"],
    ["https://evil.example/", "/"],
    ["/\\evil.example", "/"],
    ["/settings?x=1", "/settings?x=1"],
  ])("to %s redirects to %s", async (to, expected) => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const shown = await newBrowser().post("/sign-in", { email, password: PASSWORD, to });
    expect(shown.to).toBe(expected);
  });

  test("gives the same response for a wrong password and an unknown address", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const wrong = await newBrowser().post("/sign-in", { email, password: "not this one at all" });
    const unknown = await newBrowser().post("/sign-in", { email: "no@example.com", password: "x" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const text = (page: string) => page.replace(/value="[^"]*"/g, "");
    expect(text(wrong.text)).toBe(text(unknown.text));
  });

  test("is rejected for a person who is no longer a member of any account", async () => {
    const account = await makeAccount();
    const person = await makePerson(account, "Pia Past");
    const email = await givePassword(person.accountUserId);
    await env.DB.prepare("update account_users set state = 'pending' where id = ?")
      .bind(person.accountUserId)
      .run();
    const shown = await newBrowser().post("/sign-in", { email, password: PASSWORD });
    expect(shown.status).toBe(401);
    expect(shown.text).toContain("not a member of any account");
  });
});

describe("a rejected sign-in", () => {
  test("runs the same queries, regardless of the person and their password", async () => {
    const [none, first, ended, chosen] = await Promise.all([1, 2, 3, 4].map(() => makeAccount()));
    const emails = await Promise.all(
      [none, first, ended, chosen].map((it, i) =>
        givePassword(it?.accountUserId ?? "", i % 3 !== 0),
      ),
    );
    const set = (fields: string, account: typeof none) =>
      env.DB.prepare(
        `update users set ${fields} where id = (select user_id from account_users where id = ?)`,
      )
        .bind(account?.accountUserId)
        .run();
    await set("password_hash = null", none);
    await set("first_password_until = 0", ended);
    const session = Object.getPrototypeOf(env.DB.withSession());
    const real = session.prepare;
    let statements: string[] = [];
    vi.spyOn(session, "prepare").mockImplementation(function (this: unknown, ...given: unknown[]) {
      statements.push(String(given[0]));
      return real.apply(this, given);
    });
    const seen: string[] = [];
    for (const [i, email] of [...emails, "nobody@example.com"].entries()) {
      statements = [];
      const headers = { Origin: ORIGIN, "cf-connecting-ip": `203.0.113.${i}` };
      const shown = await newBrowser().post("/sign-in", { email, password: "wrong" }, headers);
      expect(shown.status).toBe(401);
      seen.push(statements.join("\n"));
    }
    expect(new Set(seen).size).toBe(1);
  });
});

describe("the one-time password", () => {
  test("gives access only to the page that asks for a new password", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId, true);
    const browser = newBrowser();
    await browser.post("/sign-in", { email, password: PASSWORD });
    expect((await browser.get("/alerts")).to).toBe("/password");
    const short = await browser.submit("/password", { password: "short", again: "short" });
    expect(short.status).toBe(422);
    expect(short.text).toContain("at least 12 characters");
    const same = await browser.submit("/password", { password: PASSWORD, again: PASSWORD });
    expect(same.text).toContain("must differ from your current password");
    const chosen = "another lamp that never goes out";
    const differs = await browser.submit("/password", { password: chosen, again: `${chosen}!` });
    expect(differs.text).toContain("Does not match");
    const good = await browser.submit("/password", { password: chosen, again: chosen });
    expect(good.to).toBe("/settings");
    expect((await browser.get("/alerts")).status).toBe(200);
    expect((await newBrowser().post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    expect((await newBrowser().post("/sign-in", { email, password: chosen })).status).toBe(303);
  });

  test("is valid for one sign-in; a second one offers a password reset by mail", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId, true);
    const first = newBrowser();
    const tries = await Promise.all(
      [first, newBrowser()].map((browser) =>
        browser.post("/sign-in", { email, password: PASSWORD }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([303, 401]);
    const again = await newBrowser().post("/sign-in", { email, password: PASSWORD });
    expect([again.status, again.to]).toEqual([401, ""]);
    expect(again.text).toContain("This first password has expired");
    expect(again.text).toContain('action="/forgotten"');
    const wrong = await newBrowser().post("/sign-in", { email, password: "not this one" });
    expect(wrong.text).not.toContain("has expired");
  });

  test("expires seven days after it was sent", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId, true);
    const until = (at: number | null) =>
      env.DB.prepare(
        `update users set first_password_until = ?, created_at = ?
          where id = (select user_id from account_users where id = ?)`,
      )
        .bind(at, Date.now() - 7 * 86_400_000 - 1, account.accountUserId)
        .run();
    await until(Date.now() - 1);
    const late = await newBrowser().post("/sign-in", { email, password: PASSWORD });
    expect(late.text).toContain("This first password has expired");
    // Without a stored expiry, it expires seven days after the person was created.
    await until(null);
    expect((await newBrowser().post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    await until(Date.now() + 10_000);
    expect((await newBrowser().post("/sign-in", { email, password: PASSWORD })).status).toBe(303);
  });

  test("cannot be replaced by a common password, or by the person's own name or address", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId, true);
    const browser = newBrowser();
    await browser.post("/sign-in", { email, password: PASSWORD });
    for (const [password, message] of [
      ["LeaveMeAlone", "a common password"],
      ["Password1234!", "too easy to guess"],
      [email, "your name or address"],
    ] as const) {
      const shown = await browser.submit("/password", { password, again: password });
      expect([shown.status, shown.text.includes(message)]).toEqual([422, true]);
    }
  });

  test("is later changed with the current password, which ends other sessions and sends a mail", async () => {
    const mailbox = openMailbox();
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const elsewhere = await signInAdmin(account);
    const chosen = { password: "another lamp altogether", again: "another lamp altogether" };
    const wrong = await browser.submit("/password", { ...chosen, current: "something else" });
    expect(wrong.status).toBe(422);
    expect((await elsewhere.get("/alerts")).status).toBe(200);
    const good = await browser.submit("/password", { ...chosen, current: PASSWORD });
    expect(good.to).toBe("/settings");
    expect((await elsewhere.get("/alerts")).to).toContain("/sign-in");
    expect((await browser.get("/alerts")).status).toBe(200);
    const mailTexts = () => mailbox.security.map(({ text }) => text).join("\n");
    await vi.waitFor(() => expect(mailTexts()).toContain("Your password was changed"), soon);
    expect(mailTexts()).not.toContain(chosen.password);
  });
});

describe("a session", () => {
  test("ends when its owner signs out", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const token = browser.cookies.get("__Host-tocsin_session") ?? "";
    await browser.submit("/sign-out");
    browser.cookies.set("__Host-tocsin_session", token);
    expect((await browser.get("/alerts")).to).toBe("/sign-in?to=%2Falerts");
  });

  test("switches between the accounts of its person, and to no other", async () => {
    const account = await makeAccount();
    const other = await makeAccount();
    const stranger = await makeAccount();
    const second = "01KAXAAAAAAAAAAAAAAAAAAAAA";
    await env.DB.prepare(
      `insert into account_users (id, prefix_id, created_at, updated_at, account_id, user_id, meta)
        select ?, 'acu_second', 1, 1, ?, user_id, '{}' from account_users where id = ?`,
    )
      .bind(second, other.accountId, account.accountUserId)
      .run();
    await other.api("POST", "/alerts", {
      title: "Of the other account",
      urgency: "silent",
      destination_account_user_ids: [other.accountUserId],
    });
    const browser = await signInAdmin(account);
    const switched = await browser.submit("/account", { account_user_id: second });
    expect(switched.text).toContain("Of the other account");
    const refused = await browser.submit("/account", { account_user_id: stranger.accountUserId });
    expect(refused.text).toContain("No such account");
    expect((await browser.get("/alerts")).text).toContain("Of the other account");
  });
});

describe("a sign-in from a new browser", () => {
  test("sends a mail from the second browser on; one from a known browser does not", async () => {
    const mailbox = openMailbox();
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const mails = () => mailbox.security.filter(({ to }) => to === email);
    const signIn = async (browser: Browser) => {
      browser.cookies.delete("__Host-tocsin_session");
      const headers = {
        Origin: ORIGIN,
        "cf-connecting-ip": "192.0.2.77",
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
      };
      const shown = await browser.post("/sign-in", { email, password: PASSWORD }, headers);
      expect(shown.status).toBe(303);
    };
    const first = newBrowser();
    await signIn(first);
    await signIn(first);
    await signIn(newBrowser());
    await vi.waitFor(() => expect(mails()).toHaveLength(1), soon);
    expect(mails()[0]?.text).toContain("Firefox, Linux, from 192.0.2.77");
    await signIn(first);
    await scheduler.wait(1_000);
    expect(mails()).toHaveLength(1);
  });
});
