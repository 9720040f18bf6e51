// A test per row of the table of contract 2, Users.
import { beforeAll, describe, expect, test } from "vitest";
import { faultyFields, freshEmail } from "../../support/people/people.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";

let world: Inhabited;
let user: any;
const email = freshEmail("users");

beforeAll(async () => {
  world = await makeInhabited("spec-users");
  const made = await world.api("POST", "/users", {
    name: "Grace Hopper",
    email,
    time_zone: "Berlin",
    preferred_language: "de",
    emails_attributes: [{ email: freshEmail("second") }],
    phones_attributes: [{ phone: "+49 30 901820", confirmation_method: "voice", primary: true }],
  });
  expect(made.status, made.text).toBe(201);
  user = made.body;
});

describe("Field: User", () => {
  test("name: string, a single scalar", () => expect(user.name).toBe("Grace Hopper"));
  test("time_zone: string", () => expect(user.time_zone).toBe("Berlin"));
  test("preferred_language: string", () => expect(user.preferred_language).toBe("de"));
  test("last_sign_in_at: timestamp, null before the first sign-in", () =>
    expect(user.last_sign_in_at).toBeNull());
  test("emails[].id", () => expect(user.emails[0].id).toMatch(/^[0-9A-Z]{26}$/));
  test("emails[].email", () => expect(user.emails.map((it: any) => it.email)).toContain(email));
  test("emails[].primary: one of them", () =>
    expect(user.emails.filter((it: any) => it.primary)).toMatchObject([{ email }]));
  test("phones[].id", () => expect(user.phones[0].id).toMatch(/^[0-9A-Z]{26}$/));
  test("phones[].prefix_id", () => expect(user.phones[0].prefix_id).toMatch(/^pho_/));
  test("phones[].phone: E.164", () => expect(user.phones[0].phone).toBe("+4930901820"));
  test("phones[].primary", () => expect(user.phones[0].primary).toBe(true));
  test("phones[].country: determined by the service", () =>
    expect(user.phones[0].country).toBe("DE"));
  test("phones[].blocked", () => expect(user.phones[0].blocked).toBe(false));
});

describe("Create parameters: User", () => {
  const create = (body: Record<string, unknown>) =>
    world.api("POST", "/users", { name: "Ada", email: freshEmail("create"), ...body });

  test.each(["name", "email"])("%s is required", async (name) => {
    const reply = await create({ [name]: undefined });
    expect([reply.status, faultyFields(reply)]).toEqual([422, [name]]);
  });
  test.each(["notify_push", "notify_email", "notify_sms", "notify_voice"])("%s", async (name) => {
    for (const value of [true, false]) {
      expect((await create({ [name]: value })).body[name]).toBe(value);
    }
  });
  test("emails_attributes[]: id, email, primary", async () => {
    const second = freshEmail("other");
    const { body } = await create({ emails_attributes: [{ email: second, primary: true }] });
    expect(body.emails.find((it: any) => it.primary).email).toBe(second);
    const { id } = body.emails.find((it: any) => !it.primary);
    const changed = await world.api("PUT", `/users/${body.id}`, {
      emails_attributes: [{ id, primary: true }],
    });
    expect(changed.body.emails.find((it: any) => it.primary).id).toBe(id);
  });
  test("phones_attributes[]: id, phone, confirmation_method, primary", async () => {
    const phones = [
      { phone: "+14155550123" },
      { phone: "+14155550124", confirmation_method: "voice", primary: true },
    ];
    const { body } = await create({ phones_attributes: phones });
    expect(body.phones).toMatchObject([
      { primary: false, confirmation_method: "sms" },
      { primary: true, confirmation_method: "voice" },
    ]);
    const { id } = body.phones[0];
    const changed = await world.api("PUT", `/users/${body.id}`, {
      phones_attributes: [{ id, phone: "+14155550125" }],
    });
    expect(changed.body.phones[0]).toMatchObject({ id, phone: "+14155550125" });
  });
});

describe("Behaviour on user creation", () => {
  test("3. an existing user is invited: pending, and none of their data is shown", async () => {
    const other = await makeInhabited("spec-users-other");
    const { body } = await other.api("GET", `/users/${other.ids.user.id}`);
    const reply = await world.api("POST", "/users", { name: "Guess", email: body.email });
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body).toMatchObject({ state: "pending", name: "Guess", phones: [] });
    expect(reply.text).not.toContain(body.name);
  });
});

describe("Endpoints: Users", () => {
  test("POST /users: returns the user", () => expect(user.prefix_id).toMatch(/^usr_/));
  test("GET /users/:id: returns the user", async () => {
    const reply = await world.api("GET", `/users/${user.id}`);
    expect([reply.status, reply.body]).toEqual([200, user]);
  });
  test("PUT /users/:id: body: user parameters", async () => {
    const reply = await world.api("PUT", `/users/${user.id}`, { name: "Grace B. Hopper" });
    expect([reply.status, reply.body.name]).toEqual([200, "Grace B. Hopper"]);
    expect(reply.body.email).toBe(email);
  });
  test("GET /users: list", async () => {
    const { status, body } = await world.api("GET", "/users?limit=100");
    expect(status).toBe(200);
    expect(body.data.map((it: any) => it.id)).toContain(user.id);
  });
  test("DELETE /users/:id: not supported; the error names the account-user deletion", async () => {
    const reply = await world.api("DELETE", `/users/${user.id}`);
    expect(reply.status).toBe(405);
    expect(reply.body.errors[0].message).toContain("DELETE /account_users/:id");
    expect(reply.headers.get("allow")).toContain("GET");
    expect((await world.api("GET", `/users/${user.id}`)).status).toBe(200);
  });
});
