// Signing in with OpenID Connect, against a fake provider.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openIssuer } from "../../../support/access/issuer.ts";
import { makeAccount } from "../../../support/api/api.ts";
import { type Mail, openMailbox } from "../../../support/providers/mailbox.ts";
import { accessPageIn, parseReceivedMail } from "../../../support/providers/received.ts";
import { givePassword, newBrowser } from "../../../support/worker/console.ts";
import { soon } from "../../../support/worker/faults.ts";

afterEach(() => vi.restoreAllMocks());

const SESSION = "__Host-tocsin_session";

describe("single sign-on", () => {
  test("signs in the person with the verified address, and redirects to the requested page", async () => {
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

  test("reads the address from the user info endpoint if the token has none", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    issuer.info = { sub: issuer.subject, email, email_verified: true };
    const browser = newBrowser();
    const back = await browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
    expect(back.to).toBe("/");
  });

  test.each([
    ["an unverified address", { email_verified: false }],
    ["another nonce", { nonce: "of another sign-in" }],
    ["another client", { aud: "somebody else" }],
    ["another issuer", { iss: "https://evil.example" }],
    ["an expired token", { exp: 1_700_000_000 }],
    ["an unknown address", { email: "nobody@example.com" }],
  ])("rejects %s", async (_, wrong) => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    issuer.claims = { email, email_verified: true, ...wrong };
    const browser = newBrowser();
    const back = await browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
    expect(back.status).toBe(401);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test("rejects a sign-in that another browser started, and a response that is used twice", async () => {
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

  test("identifies a linked person by issuer and subject, regardless of the address", async () => {
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    const trySignIn = async () => {
      const browser = newBrowser();
      return browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
    };
    issuer.claims = { email, xms_edov: "1" };
    expect((await trySignIn()).status).toBe(303);
    for (const claims of [{}, { email: "new@example.com", email_verified: false }]) {
      issuer.claims = claims;
      expect((await trySignIn()).status).toBe(303);
    }
    issuer.claims = { sub: "somebody else", email: "new@example.com", email_verified: true };
    expect((await trySignIn()).status).toBe(401);
  });

  test("confirms an unverified address by mail once, in the same browser", async () => {
    const mailbox = openMailbox();
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    issuer.claims = { email };
    const browser = newBrowser();
    const trySignIn = async (it = browser) =>
      it.get(issuer.consent((await it.get("/sign-in/with?to=%2Fon-call")).to));
    const asked = await trySignIn();
    expect([asked.status, asked.text.includes("Check your e-mail")]).toEqual([401, true]);
    await vi.waitFor(() => expect(mailbox.access).toHaveLength(1), soon);
    const path = accessPageIn((await parseReceivedMail(mailbox.access[0] as Mail)).text ?? "");
    expect(path).toContain("/sign-in/link/");
    // An attacker gains nothing by making another person open the link.
    const attacker = newBrowser();
    expect((await attacker.get(path)).status).toBe(410);
    const other = newBrowser();
    await trySignIn(other);
    expect((await other.post(path)).status).toBe(410);
    expect((await browser.get(path)).text).toContain(`action="${path}"`);
    expect(browser.cookies.has(SESSION)).toBe(false);
    expect((await browser.post(path)).status).toBe(303);
    expect((await browser.get("/alerts")).status).toBe(200);
    issuer.claims = {};
    expect((await trySignIn(newBrowser())).to).toBe("/on-call");
    expect((await browser.post(path)).status).toBe(410);
  });

  test("sends no mail to an unknown address, and gives the same response", async () => {
    const mailbox = openMailbox();
    const account = await makeAccount();
    const email = await givePassword(account.accountUserId);
    const issuer = openIssuer();
    const answers: string[] = [];
    for (const address of [email, "nobody@example.com"]) {
      issuer.claims = { email: address, sub: address };
      const browser = newBrowser();
      const shown = await browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
      answers.push(`${shown.status} ${shown.text}`);
    }
    expect(answers[0]).toBe(answers[1]);
    const mailsTo = (to: string) => mailbox.access.filter((mail) => mail.to === to);
    await vi.waitFor(() => expect(mailsTo(email)).toHaveLength(1), soon);
    expect(mailsTo("nobody@example.com")).toEqual([]);
  });

  test("is not available if the deployment has no provider", async () => {
    const browser = newBrowser();
    expect((await browser.get("/sign-in")).text).not.toContain("/sign-in/with");
    expect((await browser.get("/sign-in/with")).status).toBe(404);
    expect((await browser.get("/sign-in/back?code=x&state=y")).status).toBe(404);
  });
});
