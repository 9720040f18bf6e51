// The rules of contract 1 for errors, lists, idempotency, keys and shared people: a test per row.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { call, type Reply } from "../../support/api/api.ts";
import { sampleOf } from "../../support/integrations/samples.ts";
import { addColleague, faultyFields, keyOf } from "../../support/people/people.ts";
import { failDatabase } from "../../support/worker/faults.ts";
import { type Inhabited, makeInhabited } from "../../support/worker/inhabited.ts";
import { makeIntegration, makePerson } from "../../support/worker/world.ts";

let world: Inhabited;
beforeAll(async () => {
  world = await makeInhabited("errors");
});
afterEach(() => {
  vi.restoreAllMocks();
});

function expectError(reply: Reply, code: number): void {
  expect(reply.status, reply.text).toBe(code);
  expect(reply.body).toEqual({
    errors: expect.any(Array),
    code,
    request_id: reply.headers.get("x-request-id"),
  });
  expect(reply.body.errors.length).toBeGreaterThan(0);
  for (const error of reply.body.errors) expect(error.message).toBeTypeOf("string");
  expect(reply.text).not.toMatch(/SQLITE|D1_ERROR|select |\.ts:\d/i);
}

describe("Errors", () => {
  test("400: malformed JSON, malformed ops, an unparsable timestamp in a query", async () => {
    expectError(await world.api("POST", "/comments", "{"), 400);
    for (const ops of ["title", "title:like", ":equals", "title:equals:x"]) {
      expectError(await world.api("GET", `/alerts?title=x&ops=${ops}`), 400);
    }
    for (const value of ["yesterday", "2026-02-30", "2026-02-30T00:00:00Z", "1"]) {
      expectError(await world.api("GET", `/alerts?created_at=${value}`), 400);
    }
    const path = `/schedules/${world.ids.schedule.id}/window_events`;
    expectError(await world.api("GET", `${path}?start=now&end=later`), 400);
  });
  test("401: no key, a bad or a revoked key, a webhook without its token", async () => {
    const revoked = (await world.api("POST", "/api_keys", { name: "short" })).body;
    expect((await call("GET", "/api/v4/teams", { key: revoked.key })).status).toBe(200);
    await world.api("DELETE", `/api_keys/${revoked.id}`);
    for (const key of [undefined, "nonsense", revoked.key]) {
      const reply = await call("GET", "/api/v4/teams", key === undefined ? {} : { key });
      expectError(reply, 401);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
    const basic = { Authorization: `Basic ${btoa("a:b")}` };
    expectError(await call("GET", "/api/v4/teams", { headers: basic }), 401);
    const guarded = await makeIntegration(world, [world.ids.team.id], { token: "x" });
    expectError(await guarded.send({ event_type: "create", Title: "x" }), 401);
  });
  test("403: the key's user lacks the role", async () => {
    const { api } = await addColleague(world, "Mo Member");
    expectError(await api("POST", "/schedules", { name: "x" }), 403);
  });
  test("404: no such record in the key's account, never a 403", async () => {
    const other = await makeInhabited("errors-other");
    for (const id of ["nothing", "01ARZ3NDEKTSV4RRFFQ69G5FAV", other.ids.team.id]) {
      expectError(await world.api("GET", `/teams/${id}`), 404);
      expectError(await world.api("PUT", `/teams/${id}`, { name: "x" }), 404);
      expectError(await world.api("DELETE", `/teams/${id}`), 404);
    }
    expectError(await call("GET", "/api/v4/nothing", { key: world.key }), 404);
    expectError(await call("GET", "/nothing"), 404);
  });
  test("405: DELETE /users/:id, with Allow; the webhook of a disabled integration", async () => {
    const reply = await world.api("DELETE", `/users/${world.ids.user.id}`);
    expectError(reply, 405);
    expect(reply.headers.get("allow")).toBe("GET, PUT, PATCH");
    const wrong = await world.api("POST", `/teams/${world.ids.team.id}`, {});
    expectError(wrong, 405);
    expect(wrong.headers.get("allow")).toContain("PUT");
    const disabled = await makeIntegration(world, [world.ids.team.id], { enabled: false });
    expectError(await disabled.send({ event_type: "create", Title: "x" }), 405);
  });
  test("409: deleting what an integration, a router or an unfinished alert refers to", async () => {
    const { team, account_user } = world.ids;
    const reply = await world.api("DELETE", `/teams/${team.id}`);
    expectError(reply, 409);
    expect(reply.text).toContain("errors integration");
    const router = await world.api("POST", "/routers", {
      name: "Nights",
      default_receiver_account_user_id: account_user.id,
    });
    const person = await world.api("DELETE", `/account_users/${account_user.id}`);
    expectError(person, 409);
    expect(person.text).toContain("Nights");
    await world.api("DELETE", `/routers/${router.body.id}`);
  });
  test("409: an idempotency key used again with another body", async () => {
    const headers = { "Idempotency-Key": "twice" };
    await world.api("POST", "/comments", { body: "one" }, headers);
    expectError(await world.api("POST", "/comments", { body: "two" }, headers), 409);
  });
  test("413 and 415", async () => {
    expectError(await world.api("POST", "/comments", "x".repeat(1_048_577)), 413);
    const xml = { "Content-Type": "text/xml" };
    expectError(await world.api("POST", "/comments", "<body/>", xml), 415);
    const packed = { "Content-Encoding": "br" };
    expectError(await world.api("POST", "/comments", "x", packed), 415);
  });
  test("422: all that is missing or invalid, each with its field", async () => {
    const reply = await world.api("POST", "/alerts", {
      description: 5,
      urgency: "urgent",
      tags: [{}],
      destination_team_ids: [7],
    });
    expectError(reply, 422);
    expect(new Set(faultyFields(reply).map((it) => it.replace(/\[.*$/, "")))).toEqual(
      new Set(["description", "destination_team_ids", "tags", "title", "urgency"]),
    );
    for (const { message, field } of reply.body.errors)
      expect(message.startsWith(field)).toBe(true);
  });
  test("503: the database is down: Retry-After, and nothing was accepted", async () => {
    const restore = failDatabase();
    const replies = [
      await world.api("GET", "/teams"),
      await world.api("POST", "/comments", { body: "lost" }),
      await world.api("GET", `/alerts/${world.ids.alert.id}`),
    ];
    restore();
    for (const reply of replies) {
      expectError(reply, 503);
      expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { body } = await world.api("GET", "/comments?body=lost");
    expect(body.total_count).toBe(0);
  });
});

describe("Lists", () => {
  test("an unknown query parameter: 422 that lists the filterable attributes", async () => {
    const reply = await world.api("GET", "/alerts?colour=red");
    expectError(reply, 422);
    for (const name of ["status", "urgency", "tags", "thirdparty_id", "created_at"]) {
      expect(reply.body.errors[0].message).toContain(name);
    }
  });
  test.each(["limit=0", "limit=101", "offset=-1", "offset=x", "page=0", "page=1.5"])(
    "out of range: %s → 422",
    async (query) => expectError(await world.api("GET", `/alerts?${query}`), 422),
  );
  test.each(["sort=colour", "sort=tags", "sort=meta", "direction=up"])("%s → 422", async (query) =>
    expectError(await world.api("GET", `/alerts?${query}`), 422),
  );
  test("between: created_at=A..B", async () => {
    const { body } = await world.api("GET", `/alerts/${world.ids.alert.id}`);
    const at = Date.parse(body.created_at);
    const range = (from: number, to: number) =>
      new URLSearchParams({
        created_at: `${new Date(from).toISOString()}..${new Date(to).toISOString()}`,
        ops: "created_at:between",
        thirdparty_id: "errors-thirdparty",
      });
    const count = async (from: number, to: number) =>
      (await world.api("GET", `/alerts?${range(from, to)}`)).body.total_count;
    expect(await count(at - 1, at + 1)).toBe(1);
    expect(await count(at, at)).toBe(1);
    expect(await count(at + 1, at + 2)).toBe(0);
  });
  test("comparison is case-sensitive", async () => {
    const count = async (name: string, op: string) =>
      (await world.api("GET", `/teams?name=${name}&ops=name:${op}`)).body.total_count;
    expect([await count("errors team", "equals"), await count("Errors team", "equals")]).toEqual([
      1, 0,
    ]);
    expect([await count("team", "contains"), await count("TEAM", "contains")]).toEqual([1, 0]);
  });
  test("booleans: true, false, 1, 0", async () => {
    const count = async (value: string) =>
      (await world.api("GET", `/routers?enabled=${value}`)).body.total_count;
    expect([await count("true"), await count("1")]).toEqual([1, 1]);
    expect([await count("false"), await count("0")]).toEqual([0, 0]);
    expectError(await world.api("GET", "/routers?enabled=yes"), 422);
  });
  test.each([
    ["/alerts", "ERRORS ALERT"],
    ["/alerts", "errors-tag"],
    ["/users", "errors colleague"],
    ["/users", "errors.colleague@example.com"],
    ["/users", "+14155550123"],
    ["/teams", "Errors Team"],
    ["/integrations", "errors integ"],
    ["/schedules", "errors"],
  ])("q searches %s: %s", async (path, words) => {
    const { body } = await world.api("GET", `${path}?${new URLSearchParams({ q: words })}`);
    expect(body.data.length).toBeGreaterThan(0);
    const none = await world.api("GET", `${path}?q=unheard-of`);
    expect(none.body.total_count).toBe(0);
  });
});

describe("Idempotency", () => {
  const headers = (key: string) => ({ "Idempotency-Key": key });
  test("the same key and body: the first answer again, with Idempotent-Replayed", async () => {
    const body = sampleOf("createAlert").body?.(world);
    const first = await world.api("POST", "/alerts", body, headers("again"));
    const second = await world.api("POST", "/alerts", body, headers("again"));
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(first.headers.has("idempotent-replayed")).toBe(false);
    expect(second.headers.get("idempotent-replayed")).toBe("true");
  });
  test("a concurrent duplicate never makes two records", async () => {
    const before = (await world.api("GET", "/comments")).body.total_count;
    const send = () => world.api("POST", "/comments", { body: "once" }, headers("at once"));
    const replies = await Promise.all([send(), send(), send(), send(), send()]);
    for (const { status } of replies) expect([201, 409]).toContain(status);
    expect(new Set(replies.filter((it) => it.status === 201).map((it) => it.body.id)).size).toBe(1);
    expect((await world.api("GET", "/comments")).body.total_count).toBe(before + 1);
  });
  test("keys of over 255 characters: 422", async () => {
    const long = headers("x".repeat(256));
    expectError(await world.api("POST", "/comments", { body: "x" }, long), 422);
  });
  test("per API key: the same idempotency key of another API key is another request", async () => {
    const { api } = await addColleague(world, "Other Keyholder");
    const mine = await world.api("POST", "/comments", { body: "x" }, headers("shared"));
    const other = await api("POST", "/comments", { body: "x" }, headers("shared"));
    expect(other.body.id).not.toBe(mine.body.id);
  });
  test("not for POST /api_keys: no answer with a secret is stored", async () => {
    const send = () => world.api("POST", "/api_keys", { name: "x" }, headers("a key"));
    const [first, second] = [await send(), await send()];
    expect(first.body.key).not.toBe(second.body.key);
    const { results } = await env.DB.prepare("select * from idempotency_keys").all();
    expect(JSON.stringify(results)).not.toContain(first.body.key);
  });
});

describe("Auth", () => {
  test("a key is shown once and stored only as a hash", async () => {
    const made = (await world.api("POST", "/api_keys", { name: "ci", read_only: true })).body;
    expect(made.key).toMatch(/^tocsin_/);
    const read = await world.api("GET", `/api_keys/${made.id}`);
    expect(read.body).not.toHaveProperty("key");
    expect(read.body).toMatchObject({ name: "ci", read_only: true });
    const { results } = await env.DB.prepare("select * from api_keys").all();
    expect(JSON.stringify(results)).not.toContain(made.key);
  });
  test("a read_only key may read but not write", async () => {
    const api = await keyOf(world.accountId, world.accountUserId, true);
    expect((await api("GET", "/teams")).status).toBe(200);
    expectError(await api("POST", "/comments", { body: "x" }), 403);
    expectError(await api("POST", "/api_keys", {}), 403);
  });
  test("Bearer in any case", async () => {
    const headers = { Authorization: `bearer ${world.key}` };
    expect((await call("GET", "/api/v4/teams", { headers })).status).toBe(200);
  });
});

describe("People are shared between accounts", () => {
  test("a person who also belongs to another account is changed only by their own key", async () => {
    const person = await makePerson(world, "Shared Person");
    const other = await makeInhabited("errors-shared");
    const invited = await other.api("POST", "/users", { name: "Guess", email: person.email });
    expect(invited.body.state).toBe("pending");
    await env.DB.prepare("update account_users set state = 'active' where id = ?")
      .bind(invited.body.account_user_id)
      .run();
    const { body } = await other.api("GET", `/users/${invited.body.id}`);
    expect(body.name).toBe("Shared Person");
    const change = { name: "Taken Over" };
    expectError(await other.api("PUT", `/users/${body.id}`, change), 403);
    expectError(await world.api("PUT", `/users/${body.id}`, change), 403);
    const own = await call("PUT", `/api/v4/users/${body.id}`, { key: person.key, body: change });
    expect([own.status, own.body.name]).toEqual([200, "Taken Over"]);
  });
});
