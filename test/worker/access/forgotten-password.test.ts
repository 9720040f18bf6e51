// Password reset: the mail to a verified address, and its link.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accessLink } from "../../../src/features/access/sessions/access-links.ts";
import { openIssuer } from "../../support/access/issuer.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague, freshEmail } from "../../support/people/people.ts";
import { type Mailbox, openMailbox } from "../../support/providers/mailbox.ts";
import { accessPageIn, parseReceivedMail } from "../../support/providers/received.ts";
import {
  givePassword,
  newBrowser,
  ORIGIN,
  PASSWORD,
  signIn,
} from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

const CHOSEN = "quite another lamp";
const NEW = { password: CHOSEN, again: CHOSEN };

let account: Account;
let mailbox: Mailbox;
let me: Colleague;
/** Objects of earlier tests, whose mail may still be waiting for a provider that failed there. */
let earlier: ReadonlySet<string>;

const mailObjects = async () =>
  (await listDurableObjectIds(env.ACCESS_MAIL as DurableObjectNamespace)).map(String);

let lastHost = 0;
/** Headers with a network address that no other request uses. */
function headers() {
  lastHost += 1;
  return { Origin: ORIGIN, "cf-connecting-ip": `198.51.100.${lastHost}` };
}

beforeEach(async () => {
  earlier = new Set(await mailObjects());
  mailbox = openMailbox();
  account = await makeAccount();
  me = await addColleague(account, "Fay Forgetful");
  await givePassword(me.id);
});

afterEach(() => vi.restoreAllMocks());

const mailsTo = (to: string) => mailbox.access.filter((mail) => mail.to === to);

const requestLink = (email: string, from = headers()) =>
  newBrowser().post("/forgotten", { email }, from);

async function mailTo(to: string, nth = 1) {
  await vi.waitFor(() => expect(mailsTo(to).length).toBe(nth), soon);
  const mail = mailsTo(to)[nth - 1];
  if (!mail) throw new Error("no mail");
  return parseReceivedMail(mail);
}

async function linkFor(email: string): Promise<string> {
  await requestLink(email);
  return accessPageIn((await mailTo(email)).text ?? "");
}

const canSignIn = async (email: string, password: string) =>
  (await newBrowser().post("/sign-in", { email, password }, headers())).status === 303;

/** Waits until every requested mail has been processed. */
const mailsProcessed = () =>
  vi.waitFor(async () => {
    for (const id of await mailObjects()) {
      if (earlier.has(id)) continue;
      const stub = env.ACCESS_MAIL.get(env.ACCESS_MAIL.idFromString(id));
      const stored = await runInDurableObject(stub, (_, { storage }) => storage.kv.get("expected"));
      expect(stored).toBeUndefined();
    }
  }, soon);

describe("a password reset", () => {
  test("replaces the password, ends other sessions and invalidates the link", async () => {
    const elsewhere = await signIn(me.id);
    const page = await newBrowser().get("/sign-in");
    expect(page.text).toContain('href="/forgotten"');
    expect((await newBrowser().get("/forgotten")).text).toContain('action="/forgotten"');
    const asked = await requestLink(` ${me.email.toUpperCase()} `);
    expect([asked.status, asked.text.includes("Check your e-mail")]).toEqual([200, true]);
    const mail = await mailTo(me.email);
    expect(mail.subject).toBe("Choose a new password");
    expect(mail.text).toContain("ignore this e-mail");
    const path = accessPageIn(mail.text ?? "");
    const browser = newBrowser();
    const shown = await browser.get(path);
    expect([shown.status, shown.text.includes(`action="${path}"`)]).toEqual([200, true]);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(await canSignIn(me.email, PASSWORD)).toBe(true);
    const chosen = await browser.post(path, NEW);
    expect([chosen.status, chosen.to]).toEqual([303, "/"]);
    expect((await browser.get("/alerts")).text).toContain("Password changed.");
    expect((await elsewhere.get("/alerts")).to).toContain("/sign-in");
    expect(await canSignIn(me.email, PASSWORD)).toBe(false);
    expect(await canSignIn(me.email, CHOSEN)).toBe(true);
    for (const again of [await browser.get(path), await newBrowser().post(path, NEW)]) {
      expect(again.status).toBe(410);
      expect(again.text).toContain("This link has expired");
    }
  });

  test("accepts one of several concurrent uses of a link", async () => {
    const path = await linkFor(me.email);
    const words = ["the first of lamps", "the second of lamps", "the third of lamps"];
    const tries = await Promise.all(
      words.map((password) => newBrowser().post(path, { password, again: password })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
    const right = words[tries.findIndex(({ status }) => status === 303)] ?? "";
    expect(await canSignIn(me.email, right)).toBe(true);
  });

  test("applies the same rules to the password as any other change", async () => {
    const path = await linkFor(me.email);
    const browser = newBrowser();
    for (const [fields, message] of [
      [{ password: "short", again: "short" }, "at least 12 characters"],
      [{ password: "ababababababab", again: "ababababababab" }, "repeat the same few characters"],
      [{ ...NEW, again: `${CHOSEN}!` }, "Does not match"],
      [{ password: PASSWORD, again: PASSWORD }, "must differ from your current password"],
    ] as const) {
      const shown = await browser.post(path, fields);
      expect([shown.status, shown.text.includes(message)]).toEqual([422, true]);
    }
    expect(browser.cookies.has("__Host-tocsin_session")).toBe(false);
    expect((await browser.post(path, NEW, { Origin: "https://evil.example" })).status).toBe(403);
    expect((await browser.post(path, NEW)).status).toBe(303);
  });

  test("replaces a first password that never arrived", async () => {
    const email = freshEmail("new");
    const made = await account.api("POST", "/users", { name: "Nia New", email });
    await env.DB.prepare("update users set password_hash = null where id = ?")
      .bind(made.body.id)
      .run();
    const path = await linkFor(email);
    // They have never signed in: the guided set-up comes first.
    const chosen = await newBrowser().post(path, NEW);
    expect([chosen.status, chosen.to]).toEqual([303, "/settings"]);
    expect(await canSignIn(email, CHOSEN)).toBe(true);
  });
});

describe("the response", () => {
  test("is the same for an unknown, an unverified and a verified address", async () => {
    const unverified = freshEmail("unverified");
    await me.api("PUT", `/users/${me.userId}`, { emails_attributes: [{ email: unverified }] });
    await vi.waitFor(() => expect(mailsTo(unverified)).toHaveLength(1), soon);
    const pending = freshEmail("pending");
    const { body } = await account.api("POST", "/users", { name: "Pia Past", email: pending });
    await account.api("DELETE", `/account_users/${body.account_user_id}`);
    const nobody = freshEmail("nobody");
    const answers = await Promise.all(
      [me.email, unverified, pending, nobody, "nonsense"].map((email) => requestLink(email)),
    );
    for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]?.text]);
    await mailTo(me.email);
    await mailsProcessed();
    expect(mailsTo(unverified)).toHaveLength(1);
    for (const email of [pending, nobody, "nonsense"]) expect(mailsTo(email)).toEqual([]);
  });

  test("costs the same for every address, because none is looked up first", async () => {
    const statements: string[] = [];
    const session = Object.getPrototypeOf(env.DB.withSession());
    const real = session.prepare;
    vi.spyOn(session, "prepare").mockImplementation(function (this: unknown, ...given: unknown[]) {
      statements.push(String(given[0]));
      return real.apply(this, given);
    });
    await requestLink(me.email);
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((text) => /user_emails|"users"/.test(text))).toEqual([]);
  });

  test("is no refusal because of others: three links per network, ten in total, then the last link again", async () => {
    const from = headers();
    const links = async () => {
      const mails = await Promise.all(mailsTo(me.email).map((mail) => parseReceivedMail(mail)));
      return mails.map(({ text }) => accessPageIn(text ?? ""));
    };
    for (let i = 0; i < 5; i += 1) {
      expect((await requestLink(me.email, from)).status).toBe(200);
      await mailsProcessed();
    }
    expect(await links()).toHaveLength(3);
    for (let i = 0; i < 7; i += 1) {
      await requestLink(me.email);
      await mailsProcessed();
    }
    expect(await links()).toHaveLength(10);
    // Other requests have used up the limit: the next one sends the last link again, and it works.
    expect((await requestLink(me.email)).status).toBe(200);
    await mailsProcessed();
    const sent = await links();
    expect(sent).toHaveLength(11);
    expect(sent[10]).toBe(sent[9]);
    expect((await newBrowser().post(sent[10] ?? "", NEW)).status).toBe(303);
  });

  test("is 429 only if one network requests links for many addresses", async () => {
    const crowd = headers();
    await env.DB.prepare(
      `insert into sign_in_attempts (email_hash, address, attempted_at)
        select value, ?, ? from json_each(?)`,
    )
      .bind(
        `mails ${crowd["cf-connecting-ip"]}`,
        Date.now(),
        JSON.stringify(Array.from({ length: 50 }, (_, i) => `hash ${i}`)),
      )
      .run();
    expect((await requestLink(freshEmail(), crowd)).status).toBe(429);
    // Signing in from the same network still works.
    const tried = { email: me.email, password: PASSWORD };
    expect((await newBrowser().post("/sign-in", tried, crowd)).status).toBe(303);
  });

  test("is 404 if the deployment sends no links", async () => {
    vi.spyOn(env, "PUBLIC_URL", "get").mockReturnValue("");
    const browser = newBrowser();
    expect((await browser.get("/sign-in")).text).not.toContain("/forgotten");
    expect((await browser.get("/forgotten")).status).toBe(404);
    expect((await requestLink(me.email)).status).toBe(404);
  });
});

describe("the link", () => {
  async function pathOf(at: number, state: readonly string[]) {
    const [email] = (await me.api("GET", `/users/${me.userId}`)).body.emails;
    const subject = { userId: me.userId, emailId: email.id, state };
    return new URL((await accessLink(env, "password", subject, at)) ?? "").pathname;
  }
  const hashNow = async () =>
    (
      await env.DB.prepare("select password_hash from users where id = ?")
        .bind(me.userId)
        .first<{ password_hash: string }>()
    )?.password_hash ?? "";

  test("expires after half an hour, after another password change, and when the address is removed", async () => {
    const state = [me.email, await hashNow()];
    const old = await pathOf(Date.now() - 31 * 60_000, state);
    expect((await newBrowser().post(old, NEW)).status).toBe(410);
    const path = await pathOf(Date.now(), state);
    expect((await newBrowser().get(path)).status).toBe(200);
    const browser = await signIn(me.id);
    const fresh = await linkFor(me.email);
    const changed = { current: PASSWORD, ...NEW };
    expect((await browser.submit("/password", changed)).to).toBe("/settings");
    for (const before of [path, fresh]) {
      expect((await newBrowser().post(before, NEW)).status).toBe(410);
    }
    const other = freshEmail("other");
    await me.api("PUT", `/users/${me.userId}`, { emails_attributes: [{ email: other }] });
    await env.DB.prepare("update user_emails set verified_at = 1 where email = ?")
      .bind(other)
      .run();
    const own = await pathOf(Date.now(), [me.email, await hashNow()]);
    const [first] = (await me.api("GET", `/users/${me.userId}`)).body.emails;
    await me.api("PUT", `/users/${me.userId}`, {
      emails_attributes: [{ id: first.id, _destroy: true }],
    });
    expect((await newBrowser().get(own)).status).toBe(410);
  });

  test("is rejected if it is forged or was sent for another purpose", async () => {
    const path = await pathOf(Date.now(), [me.email, await hashNow()]);
    for (const bad of [path.slice(0, -3), "/forgotten/x"]) {
      expect((await newBrowser().post(bad, NEW)).status).toBe(404);
    }
    const address = freshEmail("second");
    await me.api("PUT", `/users/${me.userId}`, { emails_attributes: [{ email: address }] });
    const verify = accessPageIn((await mailTo(address)).text ?? "");
    const crossed = await newBrowser().post(verify.replace("verify", "forgotten"), NEW);
    expect(crossed.status).toBe(404);
    expect(await canSignIn(me.email, PASSWORD)).toBe(true);
  });

  test("is not sent to a person who signs in with another provider and has no password", async () => {
    openIssuer();
    await env.DB.prepare("update users set password_hash = null where id = ?")
      .bind(me.userId)
      .run();
    await requestLink(me.email);
    const mail = await mailTo(me.email);
    expect(mail.subject).toBe("You sign in without a password");
    expect(accessPageIn(mail.text ?? "")).toBe("");
    const path = await pathOf(Date.now(), [me.email, ""]);
    expect((await newBrowser().post(path, NEW)).status).toBe(403);
    // A person with a password, such as the first admin, is sent a link.
    await givePassword(account.accountUserId);
    const [admin] = (await account.api("GET", "/users?name=Admin&ops=name:contains")).body.data;
    const email = admin?.email ?? "";
    await requestLink(email);
    expect((await mailTo(email)).subject).toBe("Choose a new password");
  });
});
