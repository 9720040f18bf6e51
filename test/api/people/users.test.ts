import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { call, makeAccount, type Reply } from "../../support/api/api.ts";
import {
  addColleague,
  faultyFields,
  freshEmail,
  markVerified,
} from "../../support/people/people.ts";

type Contact = { id: string; email?: string; phone?: string; primary: boolean };
const emailsOf = (reply: Reply) =>
  reply.body.emails.map(({ email, primary }: Contact) => [email, primary]);
const phonesOf = (reply: Reply) =>
  reply.body.phones.map(({ phone, primary }: Contact) => [phone, primary]);

describe("users", () => {
  test("a create adds the person and their membership, and the person reads back by either id", async () => {
    const { api, accountId } = await makeAccount();
    const email = freshEmail();
    const made = await api("POST", "/users", {
      name: "Grace Hopper",
      email: `  ${email.toUpperCase()} `,
      time_zone: "Eastern Time (US & Canada)",
      preferred_language: "en-US",
      notify_sms: true,
      notify_push: false,
      phones_attributes: [
        { phone: "+1 (415) 555-0123", confirmation_method: "voice" },
        { phone: "+447400123456", primary: true },
      ],
      meta: { badge: 7 },
      last_sign_in_at: "2026-01-01T00:00:00Z",
      password_hash: "x",
    });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({
      account_id: accountId,
      state: "active",
      name: "Grace Hopper",
      email,
      time_zone: "Eastern Time (US & Canada)",
      preferred_language: "en-US",
      last_sign_in_at: null,
      notify_push: false,
      notify_email: true,
      notify_sms: true,
      notify_voice: false,
      meta: { badge: 7 },
      emails: [{ email, primary: true, blocked: false, verified: true }],
      phones: [
        {
          phone: "+14155550123",
          primary: false,
          country: "US",
          blocked: false,
          confirmed: false,
          confirmation_method: "voice",
        },
        { phone: "+447400123456", primary: true, country: "GB", confirmation_method: "sms" },
      ],
    });
    expect(made.body).not.toHaveProperty("password_hash");
    expect(made.body.phones[0].prefix_id).toMatch(/^pho_/);
    expect(made.body.emails[0].prefix_id).toMatch(/^eml_/);
    for (const id of [made.body.id, made.body.prefix_id, made.body.id.toLowerCase()]) {
      const read = await api("GET", `/users/${id}`);
      expect(read.status).toBe(200);
      expect(read.body).toEqual(made.body);
    }
    const member = await api("GET", `/account_users/${made.body.account_user_id}`);
    expect(member.body.user.id).toBe(made.body.id);
    expect(member.body.roles).toEqual({
      admin: false,
      billing: false,
      broadcaster: false,
      communicator: false,
    });
  });

  test("reports all invalid fields at once", async () => {
    const { api } = await makeAccount();
    const bare = await api("POST", "/users");
    expect(bare.status).toBe(422);
    expect(faultyFields(bare)).toEqual(["email", "name"]);
    const refused = await api("POST", "/users", {
      name: "",
      email: "not an address",
      time_zone: "Middle Earth",
      preferred_language: "???",
      notify_sms: "perhaps",
      notify_voice_repeat: "perhaps",
      emails_attributes: [{ primary: "maybe" }],
      phones_attributes: [
        { phone: "0172 12345" },
        { phone: "+12" },
        { phone: "+4915112345678", confirmation_method: "pigeon" },
      ],
    });
    expect(refused.status).toBe(422);
    expect(faultyFields(refused)).toEqual([
      "email",
      "emails_attributes[0].email",
      "emails_attributes[0].primary",
      "name",
      "notify_sms",
      "notify_voice_repeat",
      "phones_attributes[0].phone",
      "phones_attributes[1].phone",
      "phones_attributes[2].confirmation_method",
      "preferred_language",
      "time_zone",
    ]);
    expect((await api("POST", "/users", "{")).status).toBe(400);
    const shapeless = await api("POST", "/users", {
      name: "x",
      email: freshEmail(),
      emails_attributes: [null, "x"],
      phones_attributes: "+14155550123",
    });
    expect(shapeless.body.errors).toEqual([
      { field: "emails_attributes[0]", message: "emails_attributes[0] must be an object" },
      { field: "emails_attributes[1]", message: "emails_attributes[1] must be an object" },
      { field: "phones_attributes", message: "phones_attributes must be a list of objects" },
    ]);
    const nulls = { name: null, email: null, phones_attributes: null, notify_sms: null };
    expect(faultyFields(await api("POST", "/users", nulls))).toEqual(["email", "name"]);
  });

  test("accept form-encoded bodies, in each list notation that clients use", async () => {
    const { api } = await makeAccount();
    const [first, second] = [freshEmail("form"), freshEmail("form")];
    const form = (text: string) => ({ body: text, type: "application/x-www-form-urlencoded" });
    const encode = encodeURIComponent;
    const { body, type } = form(
      `name=Form+Person&email=${encode(first)}&notify_voice=1` +
        `&emails_attributes[][email]=${encode(second)}&emails_attributes[][primary]=true` +
        `&phones_attributes[0][phone]=${encode("+14155550123")}&phones_attributes[1][phone]=${encode("+14155550124")}`,
    );
    const made = await api("POST", "/users", body, { "Content-Type": type });
    expect(made.status, made.text).toBe(201);
    expect(emailsOf(made)).toEqual([
      [first, false],
      [second, true],
    ]);
    expect(made.body.notify_voice).toBe(true);
    expect(phonesOf(made)).toEqual([
      ["+14155550123", true],
      ["+14155550124", false],
    ]);
  });

  test("addresses are added, changed and removed, and exactly one is primary", async () => {
    const { api } = await makeAccount();
    const [first, second, third] = [freshEmail("a"), freshEmail("b"), freshEmail("c")];
    const { body: user } = await api("POST", "/users", { name: "P", email: first });
    const put = (body: unknown) => api("PUT", `/users/${user.prefix_id}`, body);
    expect(emailsOf(await put({ emails_attributes: [{ email: second }] }))).toEqual([
      [first, true],
      [second, false],
    ]);
    const promoted = await put({ emails_attributes: [{ email: second, primary: true }] });
    expect(emailsOf(promoted)).toEqual([
      [first, false],
      [second, true],
    ]);
    expect(promoted.body.email).toBe(second);
    expect(promoted.body.emails[0].id).toBe(user.emails[0].id);
    const [one, two] = promoted.body.emails;
    const demoted = await put({ emails_attributes: [{ id: two.prefix_id, primary: false }] });
    expect(emailsOf(demoted)).toEqual([
      [first, true],
      [second, false],
    ]);
    const renamed = await put({ emails_attributes: [{ id: two.id, email: third }] });
    expect(emailsOf(renamed)).toEqual([
      [first, true],
      [third, false],
    ]);
    await markVerified(third);
    const removed = await put({ emails_attributes: [{ id: one.id, _destroy: "1" }] });
    expect(emailsOf(removed)).toEqual([[third, true]]);
    const last = await put({ emails_attributes: [{ id: two.id, _destroy: true }] });
    expect(last.status).toBe(422);
    expect(faultyFields(last)).toEqual(["emails_attributes"]);
    const strange = await put({
      emails_attributes: [{ id: one.id, email: first }, {}],
      phones_attributes: [{ id: "pho_unknown", phone: "+14155550123" }],
    });
    expect(faultyFields(strange)).toEqual(["emails_attributes[1].email"]);
    const unknown = await put({
      emails_attributes: [{ id: one.id, email: first }],
      phones_attributes: [{ id: "pho_unknown", phone: "+14155550123" }],
    });
    expect(faultyFields(unknown)).toEqual(["emails_attributes[0].id", "phones_attributes[0].id"]);
    expect(emailsOf(await api("GET", `/users/${user.id}`))).toEqual([[third, true]]);
  });

  test("`email` is the primary address: another value replaces it", async () => {
    const { api } = await makeAccount();
    const [first, second, third] = [freshEmail(), freshEmail(), freshEmail()];
    const { body: user } = await api("POST", "/users", {
      name: "P",
      email: first,
      emails_attributes: [{ email: second }],
    });
    const replaced = await api("PATCH", `/users/${user.id}`, { email: third });
    // The verified address stays until another one is verified, because the person signs in with it.
    expect(emailsOf(replaced)).toEqual([
      [third, true],
      [second, false],
      [first, false],
    ]);
    expect(replaced.body.emails[0].id).toBe(user.emails[0].id);
    const chosen = await api("PUT", `/users/${user.id}`, { email: second });
    expect(emailsOf(chosen)).toEqual([
      [third, false],
      [second, true],
      [first, false],
    ]);
    expect((await api("PUT", `/users/${user.id}`, { email: null })).status).toBe(422);
    const swap = (emails: string[]) =>
      user.emails.map(({ id }: Contact, i: number) => ({ id, email: emails[i] }));
    const [x, y] = [freshEmail(), freshEmail()];
    for (const emails of [
      [x, y],
      [y, x],
    ]) {
      const swapped = await api("PUT", `/users/${user.id}`, { emails_attributes: swap(emails) });
      expect(swapped.body.emails?.map(({ email }: Contact) => email)).toEqual([...emails, first]);
    }
  });

  test("a changed number loses its confirmation, and all numbers may be removed", async () => {
    const { api } = await makeAccount();
    const { body: user } = await api("POST", "/users", {
      name: "P",
      email: freshEmail(),
      phones_attributes: [{ phone: "+14155550123" }, { phone: "+14155550124" }],
    });
    const put = (entries: unknown) =>
      api("PUT", `/users/${user.id}`, { phones_attributes: entries });
    const [one, two] = user.phones;
    await env.DB.prepare("update user_phones set confirmed_at = 1, blocked = 1 where id = ?")
      .bind(one.id)
      .run();
    const same = await put([
      { id: one.id, phone: "+1 415 555 0123", confirmation_method: "voice" },
    ]);
    expect(same.body.phones[0]).toMatchObject({
      confirmed: true,
      blocked: true,
      confirmation_method: "voice",
    });
    const other = await put([{ id: one.id, phone: "+4915112345678" }]);
    expect(other.body.phones[0]).toMatchObject({
      confirmed: false,
      blocked: false,
      country: "DE",
      phone: "+4915112345678",
    });
    expect(phonesOf(await put([{ id: one.prefix_id, _destroy: true }]))).toEqual([
      ["+14155550124", true],
    ]);
    const none = await put([{ id: two.id, _destroy: true }]);
    expect(none.body.phones).toEqual([]);
    expect(phonesOf(await put([{ phone: "+14155550125" }, { phone: "+14155550126" }]))).toEqual([
      ["+14155550125", true],
      ["+14155550126", false],
    ]);
  });

  test("an update changes only the given fields, and null leaves settings unchanged", async () => {
    const { api } = await makeAccount();
    const email = freshEmail();
    const { body: user } = await api("POST", "/users", {
      name: "One",
      email,
      time_zone: "Europe/Berlin",
      meta: { a: 1 },
      notify_voice: true,
    });
    const changed = await api("PUT", `/users/${user.id}`, {
      name: "Two",
      time_zone: null,
      notify_voice: null,
      state: "pending",
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...user,
      name: "Two",
      updated_at: changed.body.updated_at,
    });
    expect((await api("PUT", `/users/${user.id}`, { name: null })).status).toBe(422);
  });

  test("an address belongs to one person across all accounts", async () => {
    const { api } = await makeAccount();
    const other = await makeAccount();
    const [mine, theirs] = [freshEmail("mine"), freshEmail("theirs")];
    const { body: user } = await api("POST", "/users", { name: "Mine", email: mine });
    await other.api("POST", "/users", { name: "Theirs", email: theirs });
    const again = await api("POST", "/users", { name: "Again", email: mine });
    expect(again.status).toBe(422);
    expect(faultyFields(again)).toEqual(["email"]);
    const stolen = await api("PUT", `/users/${user.id}`, {
      emails_attributes: [{ email: theirs.toUpperCase() }],
    });
    expect(stolen.status).toBe(422);
    expect(faultyFields(stolen)).toEqual(["emails_attributes[0]"]);
    const twoPeople = await api("POST", "/users", {
      name: "Two",
      email: freshEmail(),
      emails_attributes: [{ email: mine }, { email: theirs }],
    });
    expect(twoPeople.status).toBe(422);
    const race = await Promise.all(
      [1, 2, 3].map((n) => api("POST", "/users", { name: `R${n}`, email: `race.${mine}` })),
    );
    expect(race.map((it) => it.status).sort()).toEqual([201, 422, 422]);
  });

  test("an existing person is invited, and the invitation reveals none of their data", async () => {
    const home = await makeAccount();
    const { api } = await makeAccount();
    const email = freshEmail("known");
    const secret = freshEmail("secret");
    const { body: known } = await home.api("POST", "/users", {
      name: "Real Name",
      email: secret,
      time_zone: "Tokyo",
      preferred_language: "ja",
      meta: { private: true },
      emails_attributes: [{ email }],
      phones_attributes: [{ phone: "+819012345678" }],
    });
    await markVerified(email);
    const invited = await api("POST", "/users", {
      name: "As Invited",
      email,
      time_zone: "London",
      phones_attributes: [{ phone: "+14155550123" }],
    });
    expect(invited.status, invited.text).toBe(201);
    expect(invited.body).toMatchObject({
      state: "pending",
      name: "As Invited",
      email,
      time_zone: null,
      preferred_language: null,
      notify_email: null,
      last_sign_in_at: null,
      meta: {},
      emails: [{ id: null, email, primary: true }],
      phones: [],
    });
    const listed = await api("GET", "/users");
    const member = await api("GET", `/account_users/${invited.body.account_user_id}`);
    expect(member.body.user).toMatchObject({ name: "As Invited", phones: [], time_zone: null });
    for (const reply of [invited, listed, member]) {
      for (const hidden of ["Real Name", secret, "8190", "Tokyo", "private", known.emails[1].id]) {
        expect(reply.text).not.toContain(hidden);
      }
    }
    const total = async (query: string) => (await api("GET", `/users?${query}`)).body.total_count;
    expect(await total("q=Real+Name")).toBe(0);
    expect(await total("q=8190")).toBe(0);
    expect(await total(`email=${secret}`)).toBe(0);
    expect(await total("time_zone=Tokyo")).toBe(0);
    expect(await total("name=As+Invited")).toBe(1);
    const path = `/users/${invited.body.id}`;
    expect((await api("PUT", path, { name: "Mine now" })).status).toBe(403);
    expect((await api("POST", "/users", { name: "Twice", email })).status).toBe(422);
    const stored = await home.api("GET", `/users/${known.id}`);
    const emails = known.emails.map((it: Contact) => ({ ...it, verified: true }));
    expect(stored.body).toEqual({ ...known, emails });
    // A pending membership counts: the admin of their own account can no longer change them either.
    expect((await home.api("PUT", `/users/${known.id}`, { name: "Still ours" })).status).toBe(403);
  });

  test("a person in several accounts can be changed only with their own key", async () => {
    const home = await makeAccount();
    const away = await makeAccount();
    const person = await addColleague(home, "Shared Person");
    const invited = await away.api("POST", "/users", { name: "S", email: person.email });
    await env.DB.prepare("update account_users set state = 'active' where id = ?")
      .bind(invited.body.account_user_id)
      .run();
    for (const { api } of [home, away]) {
      expect((await api("PUT", `/users/${person.userId}`, { name: "X" })).status).toBe(403);
      expect((await api("GET", `/users/${person.userId}`)).body.name).toBe("Shared Person");
    }
    const own = await person.api("PUT", `/users/${person.userId}`, { name: "Own Name" });
    expect(own.status).toBe(200);
    expect((await away.api("GET", `/users/${person.userId}`)).body.name).toBe("Own Name");
  });

  test("a retried create returns the first response, also for an invitation", async () => {
    const { api } = await makeAccount();
    const elsewhere = await addColleague(await makeAccount(), "Known");
    for (const email of [freshEmail(), elsewhere.email]) {
      const create = () =>
        api("POST", "/users", { name: "Once", email }, { "Idempotency-Key": `make ${email}` });
      const made = await create();
      const again = await create();
      expect([made.status, again.status]).toEqual([201, 201]);
      expect(again.body).toEqual(made.body);
      await env.DB.prepare(
        "update idempotency_keys set status = null, claimed_until = 0 where key = ?",
      )
        .bind(`make ${email}`)
        .run();
      const resumed = await create();
      expect([resumed.status, resumed.body], resumed.text).toEqual([201, made.body]);
    }
    expect((await api("GET", "/users")).body.total_count).toBe(3);
  });

  test("a plain member can read everybody, but change only themselves", async () => {
    const account = await makeAccount();
    const [me, other] = [await addColleague(account, "Me"), await addColleague(account, "Other")];
    expect((await me.api("GET", "/users")).body.total_count).toBe(3);
    expect((await me.api("PUT", `/users/${me.userId}`, { notify_sms: "true" })).body).toMatchObject(
      {
        notify_sms: true,
        name: "Me",
      },
    );
    const refused = await me.api("PUT", `/users/${other.userId}`, { name: "X" });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe(403);
    const made = await me.api("POST", "/users", { name: "X", email: freshEmail() });
    expect(made.status).toBe(403);
  });

  test("another account's people are not found", async () => {
    const { api } = await makeAccount();
    const other = await makeAccount();
    const { body: user } = await other.api("POST", "/users", { name: "T", email: freshEmail() });
    for (const id of [user.id, user.prefix_id, user.account_user_id, "usr_nonsense", "x"]) {
      expect((await api("GET", `/users/${id}`)).status).toBe(404);
      expect((await api("PUT", `/users/${id}`, { name: "X" })).status).toBe(404);
    }
    expect((await api("GET", "/users")).body.total_count).toBe(1);
    expect((await call("GET", `/api/v4/users/${user.id}`)).status).toBe(401);
  });

  test("a user cannot be deleted, and the response names the endpoint to use", async () => {
    const { api } = await makeAccount();
    const { body: user } = await api("POST", "/users", { name: "T", email: freshEmail() });
    const refused = await api("DELETE", `/users/${user.id}`);
    expect(refused.status).toBe(405);
    expect(refused.headers.get("allow")).toBe("GET, PUT, PATCH");
    expect(refused.body.errors[0].message).toContain("DELETE /account_users/:id");
    expect((await api("GET", `/users/${user.id}`)).status).toBe(200);
  });

  test("lists with filters, search and order", async () => {
    const { api, accountUserId } = await makeAccount("Zed Admin");
    const email = freshEmail("linus");
    await api("POST", "/users", {
      name: "Linus",
      email,
      time_zone: "Europe/Helsinki",
      phones_attributes: [{ phone: "+358401234567" }],
      notify_sms: true,
      meta: { desk: "4" },
    });
    const names = async (query: string) => {
      const { status, body } = await api("GET", `/users?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map((user: { name: string }) => user.name);
    };
    expect(await names("sort=name&direction=asc")).toEqual(["Linus", "Zed Admin"]);
    expect(await names("limit=1&page=2&sort=name&direction=asc")).toEqual(["Zed Admin"]);
    expect(await names(`email=${email}`)).toEqual(["Linus"]);
    expect(await names("notify_sms=1")).toEqual(["Linus"]);
    expect(await names("time_zone=Europe/&ops=time_zone:beginsWith")).toEqual(["Linus"]);
    expect(await names(`account_user_id=${accountUserId}`)).toEqual(["Zed Admin"]);
    expect(await names("meta.desk=4")).toEqual(["Linus"]);
    expect(await names("q=LINUS")).toEqual(["Linus"]);
    expect(await names("q=35840123")).toEqual(["Linus"]);
    expect(await names("q=eml_")).toEqual([]);
    expect((await api("GET", "/users?colour=red")).status).toBe(422);
    expect((await api("GET", "/users?sort=emails")).status).toBe(422);
  });
});
