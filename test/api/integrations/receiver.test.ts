// The receiver accepts every form of request that senders use (gzip, GET, a form, JSON as text, a list, numeric ids),
// and logs the outcome of each.
import { exports } from "cloudflare:workers";
import { beforeEach, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { soon } from "../../support/worker/faults.ts";

type Log = { level: string; details: { message: string; request: { body: unknown } } };

let account: Account;
let integration: { id: string; prefix_id: string };
beforeEach(async () => {
  account = await makeAccount();
});

async function make(type: string, more: object = {}) {
  const { body } = await account.api("POST", "/integrations", {
    name: type,
    urgency: "high",
    integration_type_id: type,
    account_user_ids: [account.accountUserId],
    ...more,
  });
  integration = body;
}

const send = (init: RequestInit, more = "") =>
  exports.default.fetch(`https://tocsin.test/integration/${integration.prefix_id}${more}`, {
    method: "POST",
    ...init,
  });

async function gzipped(text: string) {
  const stream = new Response(text).body?.pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const alerts = async (): Promise<Record<string, unknown>[]> =>
  (await account.api("GET", `/alerts?source_id=${integration.id}&direction=asc`)).body.data;
const logs = async (): Promise<Log[]> =>
  (await account.api("GET", `/logs?owner_id=${integration.id}&direction=asc`)).body.data;
const waitForAlerts = (ids: readonly string[]) =>
  vi.waitFor(async () => {
    expect((await alerts()).map((alert) => alert.thirdparty_id).sort()).toEqual([...ids].sort());
  }, soon);

test("gzip, GET, a form, JSON as text, a list, numbers: each event creates the alert with its id", async () => {
  await make("webhook", { accepts_get: true });
  const event = (Id: unknown) => ({ event_type: "create", Id, Title: "Disk full" });
  const json = { "Content-Type": "application/json" };
  const answers = [
    await send({
      headers: { ...json, "Content-Encoding": "gzip" },
      body: await gzipped(JSON.stringify(event("packed"))),
    }),
    await send({ method: "GET" }, "/g?event_type=create&Id=asked&Title=Disk%20full"),
    await send({ body: new URLSearchParams({ event_type: "create", Id: "form", Title: "Disk" }) }),
    await send({ headers: { "Content-Type": "text/plain" }, body: JSON.stringify(event("text")) }),
    await send({ headers: json, body: JSON.stringify([event("first"), event("second")]) }),
    await send({ headers: json, body: JSON.stringify(event(4711)) }),
    await send({
      headers: json,
      body: '{"event_type":"create","Id":285731000000025121,"Title":"Disk full"}',
    }),
  ];
  expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  await waitForAlerts([
    "packed",
    "asked",
    "form",
    "text",
    "first",
    "second",
    "4711",
    "285731000000025121",
  ]);
});

test("every request is logged with its outcome, also if it is rejected or ignored", async () => {
  await make("site24x7", { option_token: "s3cret" });
  const token = { "service-token": "s3cret" };
  const request = async (body: object, headers: object = token) => {
    // Entries of one millisecond have no order.
    await new Promise((resolve) => setTimeout(resolve, 2));
    return send({
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  };
  const alert = { MONITOR_ID: "1", MONITORNAME: "Shop", STATUS: "DOWN" };
  const statuses = [
    await request(alert),
    await request({ ...alert, STATUS: "MAINTENANCE" }),
    await request({ MONITORNAME: "Shop" }),
    await request(alert, { "service-token": "wrong" }),
    await request({ ...alert, MONITOR_ID: "unheard-of", STATUS: "UP" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 422, 401, 200]);
  await vi.waitFor(async () => {
    expect((await logs()).map(({ details }) => details.message)).toEqual([
      expect.stringMatching(/^Created alert alt_/),
      expect.stringMatching(/^Ignored: STATUS MAINTENANCE/),
      expect.stringMatching(/^Refused: /),
      expect.stringMatching(/^Refused: /),
      expect.stringMatching(/^Unmatched: /),
    ]);
  }, soon);
  expect(JSON.stringify(await logs())).not.toContain("s3cret");
  await account.api("PUT", `/integrations/${integration.id}`, { enabled: false });
  await vi.waitFor(async () => expect((await request(alert)).status).toBe(405), soon);
  await vi.waitFor(async () => {
    expect((await logs()).at(-1)?.details.message).toMatch(/^Refused: .*disabled/);
  }, soon);
});

test.each([
  ["a truncated object", "application/json", '{"event_type":"create","Title":'],
  ["a JSON media type", "application/vnd.api+json; charset=utf-8", "{'Title':'x'}"],
  ["whitespace that JSON does not allow", "application/json", "\f"],
  ["no content type, and a truncated object", "", '{"Title":"x"'],
])("malformed JSON is answered with 400 and logged: %s", async (_, type, body) => {
  await make("webhook");
  const bytes = new TextEncoder().encode(body);
  const reply = await send({ ...(type && { headers: { "Content-Type": type } }), body: bytes });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ code: 400 });
  await vi.waitFor(async () => {
    const [log] = await logs();
    expect(log?.details.message).toContain("not valid JSON");
  }, soon);
  expect(await alerts()).toEqual([]);
});

test.each([
  ["text/plain", "[prod] disk full"],
  ["application/x-www-form-urlencoded", "event_type=create&Title={x"],
])("%s is not read as JSON, even if it looks like it", async (type, body) => {
  await make("webhook");
  const reply = await send({ headers: { "Content-Type": type }, body });
  expect(reply.status).not.toBe(400);
});

test("a heartbeat is accepted with any body", async () => {
  await make("heartbeat", { option_interval_minutes: 5 });
  const headers = { "Content-Type": "application/json" };
  expect((await send({ headers, body: "{" })).status).toBe(200);
});
