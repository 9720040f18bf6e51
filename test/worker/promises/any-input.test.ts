// P7: no input, of any shape, yields a 5xx or a hung request. Each refusal has the one error shape; a log of each
// webhook says what happened.
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { routes } from "../../../src/routes.ts";
import { storedAlert } from "../../support/alerts/stored-alert.ts";
import { type Account, call, makeAccount, type Reply } from "../../support/api/api.ts";
import { sized } from "../../support/generated/sizes.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import { alertStub, failDatabase, soon } from "../../support/worker/faults.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

let account: Account;
let other: Account;
let teamId: string;
let otherTeamId: string;

beforeAll(async () => {
  account = await makeAccount();
  other = await makeAccount();
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
  otherTeamId = (await makeTeam(other, [{ seconds: 600, people: [other.accountUserId] }])).id;
});
beforeEach(() => {
  openMailbox();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const MEBIBYTE = 1_048_576;

function expectErrorShape({ status, body, headers, text }: Reply): void {
  expect(status, text).toBeGreaterThanOrEqual(400);
  expect(status, text).toBeLessThan(500);
  expect(body, text).toMatchObject({ code: status, request_id: headers.get("x-request-id") });
  expect(body.errors.length).toBeGreaterThan(0);
  for (const error of body.errors) expect(error.message).toEqual(expect.any(String));
}

describe("webhooks", () => {
  type Sent = { body?: string | Uint8Array; headers?: Record<string, string>; method?: string };
  const title = (text: string) => JSON.stringify({ event_type: "create", Id: "x", Title: text });
  const rows: readonly [string, () => Sent | Promise<Sent>, number, RegExp][] = [
    ["malformed JSON", () => ({ body: '{"event_type": "create", ' }), 400, /not valid JSON/],
    ["an empty body", () => ({ body: "" }), 422, /event_type must be/],
    ["a body that is a string", () => ({ body: '"create"' }), 422, /event_type must be/],
    ["2 MiB", () => ({ body: title("x".repeat(2 * MEBIBYTE)) }), 413, /larger than/],
    [
      "a gzip bomb",
      async () => ({
        body: await gzip(new Uint8Array(8 * MEBIBYTE)),
        headers: { "Content-Encoding": "gzip" },
      }),
      413,
      /larger than/,
    ],
    [
      "a body that is not gzip, unlike its header",
      () => ({ body: title("x"), headers: { "Content-Encoding": "gzip" } }),
      400,
      /not valid gzip/,
    ],
    [
      "an unknown encoding",
      () => ({ body: title("x"), headers: { "Content-Encoding": "br" } }),
      415,
      /not supported/,
    ],
    ["no title", () => ({ body: '{"event_type":"create","Id":"x"}' }), 422, /title/],
    ["a blank title", () => ({ body: title(" \t ") }), 422, /title/],
    ["an unknown event type", () => ({ body: '{"event_type":"explode"}' }), 422, /event_type/],
    ["50 nested arrays", () => ({ body: nested(50) }), 422, /event_type/],
    ["100,000 nested arrays", () => ({ body: nested(100_000) }), 422, /neither JSON/],
    [
      "100,000 nested arrays in a string",
      () => ({ body: JSON.stringify({ event_type: "x", text: nested(100_000) }) }),
      422,
      /event_type/,
    ],
    [
      "a wrong token",
      () => ({ body: title("x"), headers: { "service-token": "guess" } }),
      401,
      /token/,
    ],
    ["no token", () => ({ body: title("x"), headers: { "service-token": "" } }), 401, /token/],
    ["a GET without parameters", () => ({ method: "GET" }), 422, /event_type/],
  ];
  test.each(rows)("%s is refused, and leaves a log", async (_, make, status, message) => {
    const integration = await makeIntegration(account, [teamId], {
      token: "secret",
      acceptsGet: true,
    });
    const { body, headers, method = "POST" } = await make();
    const reply = await call(method, `/integration/${integration.prefixId}`, {
      ...(body !== undefined && { body }),
      headers: { "service-token": "secret", ...headers },
    });
    expect(reply.status, reply.text).toBe(status);
    expectErrorShape(reply);
    await vi.waitFor(async () => {
      const logs = await account.api("GET", `/logs?owner_id=${integration.id}`);
      expect(logs.body.data).toHaveLength(1);
      expect(logs.body.data[0].details.message).toMatch(message);
      expect(logs.body.data[0].details.message).toMatch(/^Refused/);
    }, soon);
  });

  test.each([
    ["a title of a megabyte", title("x".repeat(MEBIBYTE - 100)), /^x{1023}…$/],
    ["a title with half an emoji", '{"event_type":"create","Title":"a\\ud83d"}', /^a\\ud83d$/],
    ["a title with a null character", '{"event_type":"create","Title":"a\\u0000b"}', /^a\\u0000b$/],
    [
      "a title that is not valid UTF-8",
      new Uint8Array([...bytesOf('{"event_type":"create","Title":"a'), 0xff, ...bytesOf('"}')]),
      /^aÿ$/,
    ],
    [
      "an Id of ten thousand letters",
      JSON.stringify({ event_type: "create", Title: "long", Id: "i".repeat(10_000) }),
      /^long$/,
    ],
  ])("%s is accepted, and readable", async (_, body, expected) => {
    const integration = await makeIntegration(account, [teamId]);
    const reply = await call("POST", `/integration/${integration.prefixId}`, { body });
    expect(reply.status, reply.text).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/alerts?source_id=${integration.id}`);
      expect(body.data[0]?.title).toMatch(expected);
      expect(body.data[0]?.status).toBe("open");
    }, soon);
  });

  test("a payload that is larger when stored than when sent still notifies", async () => {
    const integration = await makeIntegration(account, [teamId], { capture: true });
    const fields = Array.from({ length: 100 }, (_, i) => `f${i}=${"\u0001".repeat(4_000)}`);
    const reply = await call("POST", `/integration/${integration.prefixId}`, {
      body: ["event_type=create", "Id=room", "Title=Room", ...fields].join("&"),
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(reply.status, reply.text).toBe(200);
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/alerts?source_id=${integration.id}`);
      expect(body.data[0]?.status).toBe("open");
      const stub = alertStub(body.data[0].prefix_id);
      // Deployed, no row and no parameter may take more than 2 MB.
      expect(JSON.stringify(await storedAlert(stub)).length).toBeLessThan(1_000_000);
      expect(body.data[0].additional_data.length).toBeGreaterThan(10);
    }, soon);
  });

  test("many large requests while D1 fails leave a log each, in writes within D1's limits", async () => {
    const integration = await makeIntegration(account, [teamId]);
    const logged = (count: number) =>
      vi.waitFor(async () => {
        const logs = await account.api("GET", `/logs?owner_id=${integration.id}`);
        expect(logs.body.total_count).toBe(count);
      }, soon);
    await integration.send({ event_type: "resolve", Id: "gone" });
    await logged(1);
    const mend = failDatabase();
    const text = "x".repeat(200_000);
    const body = JSON.stringify({ event_type: "resolve", Id: "gone", text, more: [text] });
    for (let i = 0; i < 12; i += 1) expect((await integration.send(body)).status).toBe(200);
    mend();
    const bind = vi.spyOn(Object.getPrototypeOf(env.DB.prepare("select 1")), "bind");
    await logged(13);
    const sizes = bind.mock.calls.flat().map((value) => String(value).length);
    expect(Math.max(...sizes)).toBeLessThan(1_000_000);
  });

  test("a disabled integration is 405, and logged; an unknown one is 404", async () => {
    const integration = await makeIntegration(account, [teamId], { enabled: false });
    const reply = await integration.send({ event_type: "create", Title: "x" });
    expect(reply.status).toBe(405);
    expectErrorShape(reply);
    await vi.waitFor(async () => {
      const logs = await account.api("GET", `/logs?owner_id=${integration.id}`);
      expect(logs.body.data[0]?.details.message).toMatch(/disabled/);
    }, soon);
    const paths = [
      "int_AAAAAAAAAAAAAA",
      "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      "x",
      "%00",
      "%E0%A4%A",
      "..%2f",
    ];
    for (const path of paths) {
      const unknown = await call("POST", `/integration/${path}`, { body: title("x") });
      expect(unknown.status, path).toBe(404);
      expectErrorShape(unknown);
    }
  });
});

describe("the API", () => {
  const good = () => ({ title: "Good", urgency: "high", destination_team_ids: [teamId] });
  const rows: readonly [string, () => unknown, number, Record<string, string>?][] = [
    ["malformed JSON", () => '{"title": ', 400],
    ["a body that is not an object", () => "[]", 400],
    ["2 MiB", () => JSON.stringify({ ...good(), title: "x".repeat(2 * MEBIBYTE) }), 413],
    ["a gzip bomb", () => gzip(new Uint8Array(8 * MEBIBYTE)), 413, { "Content-Encoding": "gzip" }],
    [
      "a body that is not gzip, unlike its header",
      () => JSON.stringify(good()),
      400,
      { "Content-Encoding": "gzip" },
    ],
    ["invalid UTF-8", () => new Uint8Array([0x7b, 0xff, 0x7d]), 400],
    ["an image", () => JSON.stringify(good()), 415, { "Content-Type": "image/png" }],
    ["50 nested arrays as the title", () => ({ ...good(), title: JSON.parse(nested(50)) }), 422],
    ["100,000 nested arrays", () => `{"title":${nested(100_000)}}`, 400],
    ["a title of a megabyte", () => ({ ...good(), title: "x".repeat(MEBIBYTE - 200) }), 422],
    ["no destination", () => ({ ...good(), destination_team_ids: [] }), 422],
    ["an unknown team", () => ({ ...good(), destination_team_ids: ["tem_x"] }), 422],
    ["another account's team", () => ({ ...good(), destination_team_ids: [otherTeamId] }), 422],
    [
      "another account's person",
      () => ({ ...good(), destination_account_user_ids: [other.accountUserId] }),
      422,
    ],
    ["a meta of a megabyte", () => ({ ...good(), meta: { a: "x".repeat(MEBIBYTE - 200) } }), 422],
  ];
  test.each(rows)("%s is refused in the error shape", async (_, make, status, headers) => {
    const before = (await account.api("GET", "/alerts")).body.total_count;
    const reply = await account.api("POST", "/alerts", await make(), headers);
    expect(reply.status, reply.text).toBe(status);
    expectErrorShape(reply);
    expect((await account.api("GET", "/alerts")).body.total_count).toBe(before);
  });

  test.each([
    ["half an emoji", "a\ud83d"],
    ["a null character", "a\u0000b"],
    ["a new line", "a\nb"],
    ["markup", "<script>alert('1')</script>"],
  ])("a title with %s is accepted, and reads as in the response", async (_, title) => {
    const made = await account.api("POST", "/alerts", { ...good(), title });
    expect(made.status, made.text).toBe(201);
    const read = await account.api("GET", `/alerts/${made.body.id}`);
    expect(read.text).toBe(made.text);
    expect(made.body.title.isWellFormed()).toBe(true);
  });

  test("rejects wrong methods, paths and keys, and ignores invalid bookmarks", async () => {
    const method = await account.api("PATCH", "/alerts");
    expect(method.status).toBe(405);
    expect(method.headers.get("allow")).toContain("POST");
    expectErrorShape(method);
    const paths = [
      "/api/v4/",
      "/api/v4/nothing",
      "/api/v3/alerts",
      "/api/v4/alerts/%00",
      "/%ff",
      "//nothing",
    ];
    for (const path of [
      ...paths,
      "/api/v4/alerts/%E0%A4%A",
      `/api/v4/alerts/${"a".repeat(4_000)}`,
    ]) {
      const reply = await call("GET", path, { key: account.key });
      expect(reply.status, path).toBe(404);
      expectErrorShape(reply);
    }
    for (const key of ["x", "é", "a b", "x".repeat(5_000)]) {
      const reply = await call("GET", "/api/v4/alerts", { key });
      expect(reply.status).toBe(401);
      expectErrorShape(reply);
    }
    const bookmarks = ["x", "0", "-", "0-0-0-0", "a".repeat(300), "00000000-00000000-00000000-0"];
    for (const bookmark of bookmarks) {
      const reply = await account.api("GET", "/alerts", undefined, { "X-D1-Bookmark": bookmark });
      expect(reply.status, bookmark).toBe(200);
    }
  });
});

describe("every route", () => {
  const WEIRD = ["", " ", "\u0000", "\ud800", "'; drop table alerts; --", "%", "__proto__", "null"];
  const WORDS = ["true", "-1", "1e309", "9".repeat(30), "2026-02-30T25:61:61Z", "é".repeat(300)];
  const text = fc.oneof(
    fc.constantFrom(...WEIRD, ...WORDS),
    fc.string({ unit: "binary", maxLength: 40 }),
  );
  const value = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(null, true, 0, -1, 1e21, [], {}, [[]], [null]) },
  );
  const COMMON = ["limit", "offset", "page", "sort", "direction", "ops", "q", "created_at"];
  const PARAMETERS = [...COMMON, "status", "tags", "meta.incident", "id", "start_time", "end_time"];
  const query = fc.array(fc.tuple(fc.constantFrom(...PARAMETERS), text), { maxLength: 4 });

  /** The fields of a route's body, so that generated bodies pass the first check. */
  function parametersOf(schema: unknown): string[] {
    const found = schema as { shape?: object; def?: { in?: unknown; innerType?: unknown } };
    if (found?.shape) return Object.keys(found.shape);
    const inner = found?.def?.in ?? found?.def?.innerType;
    return inner === undefined ? [] : parametersOf(inner);
  }

  const request = fc.constantFrom(...routes).chain((route) => {
    const names = [...parametersOf(route.body), "meta", "constructor", "unknown"];
    return fc.record({
      route: fc.constant(route),
      ids: fc.array(fc.oneof(text, fc.constant("own"), fc.constant("other")), {
        minLength: 3,
        maxLength: 3,
      }),
      query,
      body: fc.oneof(
        { weight: 5, arbitrary: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }) },
        { weight: 1, arbitrary: value },
      ),
    });
  });

  test("responds to any body, query and id with success or in the error shape", async () => {
    const person = await makePerson(account, "Fuzz", { admin: true });
    const wellFormed = (given: string) => encodeURIComponent(given.toWellFormed());
    const property = fc.asyncProperty(request, async ({ route, ids, query, body }) => {
      let used = 0;
      const path = route.path.replace(/:\w+/g, () => {
        used += 1;
        const id = ids[used - 1] ?? "";
        if (id === "own") return route.path.startsWith("/teams") ? teamId : person.accountUserId;
        return id === "other" ? otherTeamId : wellFormed(id) || "x";
      });
      const search = query.map(([name, given]) => `${name}=${wellFormed(given)}`).join("&");
      const reply = await call(route.method, `/api/v4${path}?${search}`, {
        key: account.key,
        ...(route.method !== "GET" && { body: JSON.stringify(body) }),
      });
      if (reply.status >= 300) expectErrorShape(reply);
    });
    const result = await fc.check(property, { numRuns: sized(250, 3_000), endOnFailure: true });
    // Reports the failure as JSON, since some of these strings break the reporter.
    const { counterexample, errorInstance } = result;
    const why = (errorInstance as Error | null)?.message.toWellFormed();
    expect(result.failed, `${JSON.stringify(counterexample)}\n${why}`).toBe(false);
  });
});
