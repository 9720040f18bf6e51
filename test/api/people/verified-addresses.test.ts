// An address identifies a person only after it is verified: any member may add any address to their own record.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openIssuer } from "../../support/access/issuer.ts";
import { type Account, makeAccount, type Reply } from "../../support/api/api.ts";
import {
  addColleague,
  faultyFields,
  freshEmail,
  markVerified,
} from "../../support/people/people.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { givePassword, newBrowser, PASSWORD } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";

let account: Account;
let other: Account;
let mailbox: ReturnType<typeof openMailbox>;

beforeEach(async () => {
  mailbox = openMailbox();
  account = await makeAccount();
  other = await makeAccount();
});

afterEach(() => vi.restoreAllMocks());

type Email = { id: string; email: string; primary: boolean; verified: boolean };
const emailsOf = (reply: Reply) =>
  reply.body.emails.map(({ email, verified: is }: Email) => [email, is]);

/** A member of `account` who has added somebody else's address to their own record. */
async function makeSquatter(victim: string) {
  const squatter = await addColleague(account, "Sly Squatter");
  const added = await squatter.api("PUT", `/users/${squatter.userId}`, {
    emails_attributes: [{ email: victim, primary: true }],
  });
  expect(added.status, added.text).toBe(200);
  return squatter;
}

const invite = (to: Account, body: Record<string, unknown>) =>
  to.api("POST", "/users", { name: "Vic Victim", ...body });

describe("an unverified address", () => {
  test("does not identify a person: an invitation to it creates a new one", async () => {
    const victim = freshEmail("victim");
    const squatter = await makeSquatter(victim);
    const invited = await invite(other, { email: victim });
    expect(invited.status, invited.text).toBe(201);
    expect(invited.body).toMatchObject({ state: "active", name: "Vic Victim" });
    expect(invited.body.id).not.toBe(squatter.userId);
    expect(emailsOf(invited)).toEqual([[victim, true]]);
    // In the squatter's own account too.
    const second = freshEmail("second");
    await makeSquatter(second);
    const beside = await invite(account, { email: second });
    expect(beside.body.state).toBe("active");
    await vi.waitFor(
      () => expect(mailbox.welcomes.filter(({ to }) => to === victim)).toHaveLength(1),
      soon,
    );
  });

  test("does not prevent inviting the owner who has verified it", async () => {
    const owner = await addColleague(account, "Ona Owner");
    const squatter = await addColleague(account, "Sly Squatter");
    // As if the squatter had added the address before its owner.
    await env.DB.prepare("update user_emails set email = ?, verified_at = null where user_id = ?")
      .bind(owner.email, squatter.userId)
      .run();
    const invited = await invite(other, { email: owner.email });
    expect(invited.body).toMatchObject({ id: owner.userId, state: "pending" });
  });

  test("cannot be used to sign in, with a password or another provider", async () => {
    const victim = freshEmail("victim");
    const squatter = await makeSquatter(victim);
    await givePassword(squatter.id);
    const signIn = (email: string) => newBrowser().post("/sign-in", { email, password: PASSWORD });
    expect((await signIn(victim)).status).toBe(401);
    expect((await signIn(squatter.email)).status).toBe(303);
    const issuer = openIssuer();
    issuer.claims = { email: victim, email_verified: true };
    const browser = newBrowser();
    const back = await browser.get(issuer.consent((await browser.get("/sign-in/with")).to));
    expect(back.status).toBe(401);
    expect(browser.cookies.has("__Host-tocsin_session")).toBe(false);
    // Its owner can sign in after they are added.
    const { body } = await invite(other, { email: victim });
    const again = newBrowser();
    const arrived = await again.get(issuer.consent((await again.get("/sign-in/with")).to));
    expect(arrived.status).toBe(303);
    const row = await env.DB.prepare("select last_sign_in_at from users where id = ?")
      .bind(body.id)
      .first<{ last_sign_in_at: number }>();
    expect(row?.last_sign_in_at).toBeGreaterThan(0);
  });

  test("may be added by several people, and is refused after one of them has verified it", async () => {
    const email = freshEmail("shared");
    const one = await makeSquatter(email);
    const two = await makeSquatter(email);
    await env.DB.prepare("update user_emails set verified_at = 1 where email = ? and user_id = ?")
      .bind(email, one.userId)
      .run();
    const third = await addColleague(account, "Third");
    const refused = await third.api("PUT", `/users/${third.userId}`, {
      emails_attributes: [{ email }],
    });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["emails_attributes[0]"]]);
    // A record that has the address already may keep it, and make it secondary.
    const touched = await two.api("PUT", `/users/${two.userId}`, {
      emails_attributes: [{ email, primary: false }],
    });
    expect(touched.status, touched.text).toBe(200);
  });
});

describe("of several addresses that a person is added with", () => {
  test("the primary one is verified, and receives the password", async () => {
    const [first, second] = [freshEmail("first"), freshEmail("second")];
    const made = await invite(other, {
      email: first,
      emails_attributes: [{ email: second, primary: true }],
    });
    expect(emailsOf(made)).toEqual([
      [first, false],
      [second, true],
    ]);
    await vi.waitFor(() => {
      const to = mailbox.welcomes.map((mail) => mail.to);
      expect([to.includes(first), to.includes(second)]).toEqual([false, true]);
    }, soon);
  });

  test("the primary one identifies an existing person, who does not get the others", async () => {
    const known = await addColleague(account, "Known");
    const extra = freshEmail("extra");
    const invited = await invite(other, {
      email: known.email,
      emails_attributes: [{ email: extra }],
    });
    expect(invited.body).toMatchObject({ id: known.userId, state: "pending" });
    const theirs = await account.api("GET", `/users/${known.userId}`);
    expect(emailsOf(theirs)).toEqual([[known.email, true]]);
    const refused = await invite(other, {
      email: freshEmail(),
      emails_attributes: [{ email: known.email }],
    });
    expect([refused.status, faultyFields(refused)]).toEqual([422, ["emails_attributes[0]"]]);
  });
});

describe("a person's addresses", () => {
  test("a changed address is unverified, and the last verified one cannot be removed", async () => {
    const me = await addColleague(account, "Mia");
    const [second, third] = [freshEmail("second"), freshEmail("third")];
    const put = (body: unknown) => me.api("PUT", `/users/${me.userId}`, body);
    const replaced = await put({ email: second });
    expect(replaced.body.email).toBe(second);
    expect(emailsOf(replaced)).toEqual([
      [second, false],
      [me.email, true],
    ]);
    await markVerified(second);
    const changed = await put({ email: third });
    expect(emailsOf(changed)).toEqual([
      [third, false],
      [me.email, true],
    ]);
    const last = changed.body.emails[1].id;
    const gone = await put({ emails_attributes: [{ id: last, _destroy: true }] });
    expect([gone.status, faultyFields(gone)]).toEqual([422, ["emails_attributes"]]);
    expect(gone.body.errors[0].message).toContain("verify another one first");
    await markVerified(third);
    const left = await put({ emails_attributes: [{ id: last, _destroy: true }] });
    expect(emailsOf(left)).toEqual([[third, true]]);
  });

  test("the verification belongs to the address, and moves with it to another row", async () => {
    const me = await addColleague(account, "Mia");
    const second = freshEmail("second");
    const put = (entries: unknown) =>
      me.api("PUT", `/users/${me.userId}`, { emails_attributes: entries });
    const { body } = await put([{ email: second }]);
    const [one, two] = body.emails.map(({ id }: Email) => id);
    const swapped = await put([
      { id: one, email: second },
      { id: two, email: me.email },
    ]);
    expect(emailsOf(swapped)).toEqual([
      [second, false],
      [me.email, true],
    ]);
    const moved = await put([
      { id: two, _destroy: true },
      { id: one, email: me.email },
    ]);
    expect(emailsOf(moved)).toEqual([[me.email, true]]);
  });

  test("concurrent requests cannot remove the last verified one either", async () => {
    const me = await addColleague(account, "Mia");
    const second = freshEmail("second");
    const path = `/users/${me.userId}`;
    const { body } = await me.api("PUT", path, { emails_attributes: [{ email: second }] });
    await markVerified(second);
    const replies = await Promise.all(
      body.emails.map(({ id }: Email) =>
        me.api("PUT", path, { emails_attributes: [{ id, _destroy: true }] }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(emailsOf(await me.api("GET", path))).toHaveLength(1);
  });
});
