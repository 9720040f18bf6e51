// Who gets into the console, and who does not.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { makeAccount } from "../support/api.ts";
import { givePassword, newBrowser, PASSWORD, signInAdmin } from "../support/console.ts";
import { makePerson } from "../support/world.ts";

describe("signing in", () => {
  test("by e-mail and password; the cookie is for this host, and no script's", async () => {
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

  test("the token itself is in no row", async () => {
    const account = await makeAccount();
    const browser = await signInAdmin(account);
    const token = browser.cookies.get("__Host-tocsin_session") ?? "";
    const rows = await env.DB.prepare("select * from sessions").all();
    expect(token.length).toBeGreaterThan(40);
    expect(JSON.stringify(rows.results)).not.toContain(token);
  });

  test.each([
    ["//evil.example/x", "/alerts"],
    ["https://evil.example/", "/alerts"],
    ["/\\evil.example", "/alerts"],
    ["/settings?x=1", "/settings?x=1"],
  ])("to %s it leads on to %s", async (to, expected) => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const shown = await newBrowser().post("/sign-in", { email, password: PASSWORD, to });
    expect(shown.to).toBe(expected);
  });

  test("a wrong password and an unknown address are told apart by nobody", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const wrong = await newBrowser().post("/sign-in", { email, password: "not this one at all" });
    const unknown = await newBrowser().post("/sign-in", { email: "no@example.com", password: "x" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const text = (page: string) => page.replace(/value="[^"]*"/g, "");
    expect(text(wrong.text)).toBe(text(unknown.text));
  });

  test("who is a member of no account any more does not get in", async () => {
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

describe("the one-time password", () => {
  test("opens nothing but the page that asks for another", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId, true);
    const browser = newBrowser();
    await browser.post("/sign-in", { email, password: PASSWORD });
    expect((await browser.get("/alerts")).to).toBe("/password");
    const short = await browser.submit("/password", { password: "short", again: "short" });
    expect(short.status).toBe(422);
    expect(short.text).toContain("at least 12 characters");
    const same = await browser.submit("/password", { password: PASSWORD, again: PASSWORD });
    expect(same.text).toContain("the one that you had");
    const chosen = "another lamp that never goes out";
    const differs = await browser.submit("/password", { password: chosen, again: `${chosen}!` });
    expect(differs.text).toContain("not the same");
    const good = await browser.submit("/password", { password: chosen, again: chosen });
    expect(good.to).toBe("/set-up");
    expect((await browser.get("/alerts")).status).toBe(200);
    expect((await newBrowser().post("/sign-in", { email, password: PASSWORD })).status).toBe(401);
    expect((await newBrowser().post("/sign-in", { email, password: chosen })).status).toBe(303);
  });

  test("later another is chosen with the one before, and every other session ends", async () => {
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

  test("looks at the accounts of its person, and at no other", async () => {
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
