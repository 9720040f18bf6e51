// Signing in by OpenID Connect, against a stand-in for a provider.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeAccount } from "../support/api.ts";
import { givePassword, newBrowser } from "../support/console.ts";
import { openIssuer } from "../support/issuer.ts";

afterEach(() => vi.restoreAllMocks());

const SESSION = "__Host-tocsin_session";

describe("single sign-on", () => {
  test("lets in whoever has the address that the provider vouches for, and leads on", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId, true);
    const issuer = openIssuer();
    issuer.claims = { email: email.toUpperCase(), email_verified: true };
    const browser = newBrowser();
    expect((await browser.get("/sign-in")).text).toContain("Sign in with Lighthouse ID");
    const left = await browser.get("/sign-in/with?to=%2Fon-call");
    const url = new URL(left.to);
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    expect(url.searchParams.get("redirect_uri")).toBe("https://tocsin.test/sign-in/back");
    const back = await browser.get(issuer.consent(left.to));
    expect([back.status, back.to]).toEqual([303, "/on-call"]);
    expect((await browser.get("/alerts")).status).toBe(200);
    const query = `select password_hash from users where id =
      (select user_id from account_users where id = ?)`;
    const row = await env.DB.prepare(query).bind(account.accountUserId).first();
    expect(row).toEqual({ password_hash: null });
  });

  test("asks for the address where the token has none", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    issuer.info = { sub: issuer.subject, email, email_verified: true };
    const browser = newBrowser();
    const back = await browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
    expect(back.to).toBe("/alerts");
  });

  test.each([
    ["an address that is not verified", { email_verified: false }],
    ["another nonce", { nonce: "of another sign-in" }],
    ["another client", { aud: "somebody else" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["a token of yesterday", { exp: 1_700_000_000 }],
    ["an address that nobody has here", { email: "nobody@example.com" }],
  ])("does not let in by %s", async (_, wrong) => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    issuer.claims = { email, email_verified: true, ...wrong };
    const browser = newBrowser();
    const back = await browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
    expect(back.status).toBe(401);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test("does not take what was begun in another browser, nor the same answer twice", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    issuer.claims = { email, email_verified: true };
    const browser = newBrowser();
    const answer = issuer.consent((await browser.get("/sign-in/with")).to);
    const other = newBrowser();
    expect((await other.get(answer)).status).toBe(401);
    expect((await browser.get(answer)).status).toBe(303);
    browser.cookies.delete(SESSION);
    expect((await browser.get(answer)).status).toBe(401);
  });

  test("is not there where the deployment has no provider", async () => {
    const browser = newBrowser();
    expect((await browser.get("/sign-in")).text).not.toContain("/sign-in/with");
    expect((await browser.get("/sign-in/with")).status).toBe(404);
    expect((await browser.get("/sign-in/back?code=x&state=y")).status).toBe(404);
  });
});
