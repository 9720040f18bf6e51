// People are shared between accounts (contract 1, People): an account cannot change where another account's pages go.
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MemberActor } from "../../../src/domain/access/actor.ts";
import { assertMayChangePerson } from "../../../src/features/people/users/person-access.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { isPreconditionFailed } from "../../../src/kernel/db/precondition.ts";
import { type Account, makeAccount, type Reply } from "../../support/api/api.ts";
import { addColleague, freshEmail, keyOf, markVerified } from "../../support/people/people.ts";
import { freshNumber, givePhone } from "../../support/people/phones.ts";
import {
  contactsOf,
  join,
  keyFor,
  makeShared,
  reachOf,
} from "../../support/people/shared-person.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { signIn } from "../../support/worker/console.ts";
import { makeTeam } from "../../support/worker/world.ts";

let home: Account;
let away: Account;

beforeEach(async () => {
  openMailbox();
  home = await makeAccount();
  away = await makeAccount();
});

afterEach(() => vi.restoreAllMocks());

type Contact = { id: string; email: string; phone: string; primary: boolean; confirmed: boolean };
const emails = (reply: Reply) => reply.body.emails.map(({ email }: Contact) => email);
const primaryOf = (reply: Reply) =>
  reply.body.emails.filter(({ primary }: Contact) => primary).map(({ email }: Contact) => email);

const takeover = (email: string) => ({ emails_attributes: [{ email, primary: true }] });

describe("a key that somebody else created for a person", () => {
  test("cannot change the person's data, nor can a key created with it", async () => {
    const victim = await makeShared(home, away);
    const path = `/users/${victim.userId}`;
    const first = await keyFor(away.api, victim.ids.away);
    const second = await keyFor(first, victim.ids.away);
    const third = await keyFor(second, victim.ids.away, { name: "deeper" });
    for (const api of [away.api, first, second, third]) {
      const changes = [takeover(freshEmail("attacker")), { name: "X" }, { notify_email: false }];
      for (const body of [...changes, { time_zone: "Tokyo" }]) {
        const refused = await api("PUT", path, body);
        expect([refused.status, body], refused.text).toEqual([403, body]);
      }
      const member = { user_attributes: takeover(freshEmail("attacker")) };
      const refused = await api("PUT", `/account_users/${victim.ids.away}`, member);
      expect(refused.status, refused.text).toBe(403);
    }
    expect(await contactsOf(home.accountId, victim.ids.home)).toEqual([`email:${victim.email}`]);
  });

  test("a key that the person created can", async () => {
    const victim = await makeShared(home, away);
    const made = await keyFor(victim.api, victim.ids.home);
    const changed = await made("PUT", `/users/${victim.userId}`, { name: "Own Name" });
    expect([changed.status, changed.body.name]).toEqual([200, "Own Name"]);
  });

  test("a key that the person created in the console can", async () => {
    const victim = await makeShared(home, away);
    const browser = await signIn(victim.ids.home);
    const shown = await browser.submit("/api_keys", { name: "from the console" });
    const key = /value="(tocsin_[^"]+)"/.exec(shown.text)?.[1] ?? "";
    const row = await env.DB.prepare(
      "select self_made from api_keys where name = 'from the console' and account_user_id = ?",
    )
      .bind(victim.ids.home)
      .first<{ self_made: number }>();
    expect([key.length > 0, row?.self_made]).toEqual([true, 1]);
  });
});

describe("an admin may change a person's data", () => {
  test("while this account is their only one, counting pending memberships", async () => {
    const person = await addColleague(home, "Pia");
    const path = `/users/${person.userId}`;
    expect((await home.api("PUT", path, { name: "P" })).status).toBe(200);
    const invited = await away.api("POST", "/users", { name: "Pia", email: person.email });
    expect((await home.api("PUT", path, { name: "Q" })).status).toBe(403);
    expect((await away.api("PUT", path, { name: "Q" })).status).toBe(403);
    await away.api("DELETE", `/account_users/${invited.body.account_user_id}`);
    expect((await home.api("PUT", path, { name: "R" })).status).toBe(200);
  });
});

describe("an admin's change in progress", () => {
  test("is not written after the person is invited elsewhere", async () => {
    const person = await addColleague(home, "Pia");
    const invite = () => away.api("POST", "/users", { name: "Pia", email: person.email });
    const put = () => home.api("PUT", `/users/${person.userId}`, { name: `Changed ${Date.now()}` });
    // Concurrently: in either order, no change is written after the invitation.
    const [changed, invited] = await Promise.all([put(), invite()]);
    expect([[200, 403].includes(changed.status), invited.status]).toEqual([true, 201]);
    const admin = { userId: "", accountId: home.accountId, isOwnCredential: true } as MemberActor;
    const [precondition] = assertMayChangePerson(admin, { userId: person.userId });
    if (precondition === undefined) throw new Error("no precondition for an admin");
    const failure = await statement(env.DB, precondition)
      .run()
      .catch((error: unknown) => error);
    expect(isPreconditionFailed(failure)).toBe(true);
    await away.api("DELETE", `/account_users/${invited.body.account_user_id}`);
    expect((await statement(env.DB, precondition).run()).success).toBe(true);
  });
});

describe("a contact that an account added to a person", () => {
  test("is not visible to another account, and is deleted with the membership", async () => {
    const victim = await addColleague(away, "Vic Victim");
    const path = `/users/${victim.userId}`;
    const attacker = freshEmail("attacker");
    const added = await away.api("PUT", path, {
      ...takeover(attacker),
      phones_attributes: [{ phone: freshNumber() }],
    });
    expect(primaryOf(added)).toEqual([attacker]);
    await env.DB.prepare("update user_phones set confirmed_at = 1 where user_id = ?")
      .bind(victim.userId)
      .run();
    expect((await contactsOf(away.accountId, victim.id))[0]).toBe(`email:${attacker}`);
    const joined = await join(home, victim.email);
    expect(await contactsOf(home.accountId, joined)).toEqual([`email:${victim.email}`]);
    const shown = await home.api("GET", path);
    expect([emails(shown), primaryOf(shown), shown.body.phones]).toEqual([
      [victim.email],
      [victim.email],
      [],
    ]);
    expect(shown.body.email).toBe(victim.email);
    expect((await home.api("GET", `/users?q=${attacker}`)).body.total_count).toBe(0);
    expect(emails(await away.api("GET", path))).toEqual([victim.email, attacker]);
    expect((await away.api("DELETE", `/account_users/${victim.id}`)).status).toBe(204);
    const left = await env.DB.prepare("select email from user_emails where user_id = ?")
      .bind(victim.userId)
      .all();
    expect(left.results).toEqual([{ email: victim.email }]);
    expect(await contactsOf(home.accountId, joined)).toEqual([`email:${victim.email}`]);
  });

  test("is not visible to any account after the membership was removed", async () => {
    const victim = await addColleague(away, "Vic Victim");
    await away.api("PUT", `/users/${victim.userId}`, takeover(freshEmail("attacker")));
    await away.api("DELETE", `/account_users/${victim.id}`);
    const joined = await join(home, victim.email);
    expect(await contactsOf(home.accountId, joined)).toEqual([`email:${victim.email}`]);
    const back = await join(away, victim.email);
    expect(await contactsOf(away.accountId, back)).toEqual([`email:${victim.email}`]);
  });

  test("is used by that account only until it is verified, then by every account", async () => {
    const victim = await makeShared(home, away);
    const address = freshEmail("new");
    const entry = { emails_attributes: [{ email: address }] };
    await victim.api("PUT", `/users/${victim.userId}`, entry);
    expect(await contactsOf(home.accountId, victim.ids.home)).toContain(`email:${address}`);
    expect(await contactsOf(away.accountId, victim.ids.away)).toEqual([`email:${victim.email}`]);
    await markVerified(address);
    expect(await contactsOf(away.accountId, victim.ids.away)).toContain(`email:${address}`);
  });

  test("cannot be accessed by its id from another account", async () => {
    const victim = await makeShared(home, away);
    const mine = await victim.api("PUT", `/users/${victim.userId}`, {
      emails_attributes: [{ email: freshEmail("mine") }],
      phones_attributes: [{ phone: freshNumber() }],
    });
    const email = mine.body.emails.at(-1).id;
    const phone = mine.body.phones.at(-1).id;
    const elsewhere = await keyOf(away.accountId, victim.ids.away);
    for (const path of [`/emails/${email}/send_link`, `/phones/${phone}/send_code`]) {
      expect((await elsewhere("POST", path)).status).toBe(404);
    }
    const removed = await elsewhere("PUT", `/users/${victim.userId}`, {
      emails_attributes: [{ id: email, _destroy: true }],
    });
    expect(removed.status).toBe(422);
  });
});

describe("a number", () => {
  test("that the person confirmed is used by all their accounts, else only by the confirming account", async () => {
    const victim = await makeShared(home, away);
    const number = await givePhone(victim.ids.home);
    expect(await contactsOf(away.accountId, victim.ids.away)).toContain(`sms:${number}`);
    await env.DB.prepare("update user_phones set confirmed_by_self = 0 where phone = ?")
      .bind(number)
      .run();
    expect(await contactsOf(away.accountId, victim.ids.away)).not.toContain(`sms:${number}`);
    expect(await contactsOf(home.accountId, victim.ids.home)).toContain(`sms:${number}`);
  });
});

describe("a pending membership", () => {
  test("shows only what the inviter sent, in previews and names too", async () => {
    const known = await addColleague(home, "Real Name");
    const invited = await away.api("POST", "/users", { name: "Guess", email: known.email });
    const id = invited.body.account_user_id;
    const team = await makeTeam(away, [{ seconds: 60, people: [id] }]);
    const preview = await away.api("POST", "/alerts/preview", {
      title: "Who are they?",
      urgency: "high",
      destination_team_ids: [team.id],
    });
    expect([preview.status, preview.text.includes("Real Name")]).toEqual([200, false]);
    const { person } = await reachOf(away.accountId, id);
    expect([person?.active, person?.name]).toEqual([false, "Guess"]);
    await away.api("DELETE", `/events/${(await away.api("GET", "/events")).body.data[0].id}`);
    // The response does not reveal whether a further address belongs to another person or to nobody.
    const other = await addColleague(home, "Other");
    await away.api("DELETE", `/account_users/${invited.body.account_user_id}`);
    for (const extra of [other.email, freshEmail("nobody")]) {
      const again = await away.api("POST", "/users", {
        name: "Guess",
        email: known.email,
        emails_attributes: [{ email: extra }],
      });
      expect(again.status, again.text).toBe(201);
      await away.api("DELETE", `/account_users/${again.body.account_user_id}`);
    }
  });
});
