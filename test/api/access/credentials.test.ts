// A stranger at a sender's network address: a credential that was issued is answered as from a quiet address, in an
// isolate that has never seen it; a wrong one of the same form costs neither a query nor a call to an object. What an
// isolate caches it caches by credential, so each is presented here for the first time.
import { createExecutionContext, listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import worker from "../../../src/index.ts";
import { addressOf, newApiKey } from "../../../src/kernel/credentials.ts";
import { actionLink } from "../../../src/kernel/links.ts";
import { buildFirstAccount } from "../../../src/setup/first-account.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { makeAlert } from "../../support/integrations/outgoing.ts";
import { signInAdmin } from "../../support/worker/console.ts";
import { countTrips, untilQuiet } from "../../support/worker/round-trips.ts";

/** The limit of wrangler.toml, per minute. */
const LIMIT = 60;
const HOST = "https://tocsin.test";

/** One way in: a credential, and how it is presented. */
type Way = {
  readonly credential: string;
  readonly request: (credential: string) => Request | string;
};

let account: Account;
const ways: Record<string, Way> = {};
const NAMES = [
  "an API key",
  "a session",
  "a feed's secret",
  "a link's token",
  "an address",
  "an address, with its token",
  "an intake key at /v2/enqueue",
  "an intake key at /generic/2010-04-15/create_event.json",
  "an intake key at /v2/alerts",
  "an intake key that reads /v2/alerts",
  "an intake key at VictorOps' endpoint",
  "an intake key by mail",
] as const;

const json = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(HOST + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
const read = (path: string, headers: Record<string, string> = {}) =>
  new Request(HOST + path, { headers, redirect: "manual" });
const event = () => ({ event_type: "create", Id: crypto.randomUUID(), Title: "x" });

async function integrationOf(more: object = {}) {
  const reply = await account.api("POST", "/integrations", {
    ...{ name: "Monitoring", urgency: "silent", integration_type_id: "webhook" },
    ...{ account_user_ids: [account.accountUserId], accepts_id: false, ...more },
  });
  expect(reply.status, reply.text).toBe(201);
  const { id, prefix_id, url, intake_key } = reply.body;
  return { id, prefixId: prefix_id, address: String(url).split("/").at(-1) ?? "", key: intake_key };
}

beforeAll(async () => {
  account = await makeAccount();
  const browser = await signInAdmin(account);
  const schedule = await account.api("POST", "/schedules", { name: "Primary" });
  const feed = await account.api("POST", `/schedules/${schedule.body.id}/feeds`, {});
  const alert = await makeAlert(account, { destination_account_user_ids: [account.accountUserId] });
  const { accountId, accountUserId } = account;
  const subject = { purpose: "alert", accountId, recordId: alert.id, accountUserId } as const;
  const link = await actionLink(env, subject, Date.now());
  const [open, guarded] = [await integrationOf(), await integrationOf({ option_token: "sesame" })];
  const key = async (type = "pagerduty_events") =>
    (await integrationOf({ integration_type_id: type })).key;
  const made: Record<(typeof NAMES)[number], Way> = {
    "an API key": {
      credential: (await account.api("POST", "/api_keys", { name: "key" })).body.key,
      request: (it) => read("/api/v4/teams", { Authorization: `Bearer ${it}` }),
    },
    "a session": {
      credential: browser.cookies.get("__Host-tocsin_session") ?? "",
      request: (it) =>
        read("/alerts", { Accept: "text/html", Cookie: `__Host-tocsin_session=${it}` }),
    },
    "a feed's secret": {
      credential: /feeds\/(.+)\.ics/.exec(feed.body.url)?.[1] ?? "",
      request: (it) => read(`/feeds/${it}.ics`),
    },
    "a link's token": {
      credential: link?.split("/a/")[1] ?? "",
      request: (it) => read(`/a/${it}`),
    },
    "an address": {
      credential: open.address,
      request: (it) => json(`/integration/${it}`, event()),
    },
    "an address, with its token": {
      credential: guarded.address,
      request: (it) => json(`/integration/${it}`, event(), { "service-token": "sesame" }),
    },
    "an intake key at /v2/enqueue": {
      credential: await key(),
      request: (it) =>
        json("/v2/enqueue", {
          ...{ routing_key: it, event_action: "trigger" },
          payload: { summary: "x", source: "x", severity: "info" },
        }),
    },
    "an intake key at /generic/2010-04-15/create_event.json": {
      credential: await key(),
      request: (it) =>
        json("/generic/2010-04-15/create_event.json", {
          ...{ service_key: it, event_type: "trigger", description: "x" },
        }),
    },
    "an intake key at /v2/alerts": {
      credential: await key("opsgenie"),
      request: (it) => json("/v2/alerts", { message: "x" }, { Authorization: `GenieKey ${it}` }),
    },
    "an intake key that reads /v2/alerts": {
      credential: await key("opsgenie"),
      request: (it) => read("/v2/alerts", { Authorization: `GenieKey ${it}` }),
    },
    "an intake key at VictorOps' endpoint": {
      credential: await key(),
      request: (it) =>
        json(`/integrations/generic/20131114/alert/${it}/any`, { message_type: "CRITICAL" }),
    },
    "an intake key by mail": {
      credential: await key("email"),
      request: (it) => `${it}@in.example.org`,
    },
  };
  Object.assign(ways, made);
});

let networks = 0;
let network = "";

beforeEach(() => {
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "on";
  const counts = new Map<string, number>();
  vi.spyOn(env.STRANGER_RATE, "limit").mockImplementation(async ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: (counts.get(key) ?? 0) <= LIMIT };
  });
  networks += 1;
  network = `198.51.100.${networks}`;
});
afterEach(() => {
  vi.restoreAllMocks();
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "off";
});

/** The answer to one request: its status, or what became of a mail. */
async function ask(request: Request | string, from = network): Promise<string> {
  if (typeof request !== "string") {
    const sent = new Request(request, { redirect: "manual" });
    sent.headers.set("cf-connecting-ip", from);
    const response = await worker.fetch(sent as never, env, createExecutionContext());
    await response.arrayBuffer();
    return String(response.status);
  }
  const raw = new TextEncoder().encode("From: a@mail.example\r\nSubject: x\r\n\r\nx");
  let rejected: string | null = null;
  const message = {
    ...{ from: `someone@${from}`, to: request, headers: new Headers() },
    ...{ raw: new Response(raw).body, rawSize: raw.byteLength },
    setReject: (reason: string) => {
      rejected = reason;
    },
  };
  return Promise.resolve(worker.email(message as unknown as ForwardableEmailMessage, env)).then(
    () => rejected ?? "accepted",
    (error: Error) => error.message,
  );
}

/** Takes the address over its limit, with keys that were never issued. */
async function flood(): Promise<void> {
  const wrong = () =>
    read("/api/v4/teams", { Authorization: `Bearer ${newApiKey("another secret").key}` });
  const answers = [];
  for (let i = 0; i < LIMIT + 5; i += 1) answers.push(await ask(wrong()));
  expect(answers.at(-1)).toBe("429");
}

/** The same credential with another character in the middle of its MAC. */
function forged(credential: string): string {
  const at = credential.length - 6;
  const other = credential[at] === "a" ? "b" : "a";
  return credential.slice(0, at) + other + credential.slice(at + 1);
}

const inboxes = async () => (await listDurableObjectIds(env.INTEGRATION_INBOX)).length;

test.each(NAMES)(
  "%s is answered at a network address over the limit as elsewhere",
  async (name) => {
    const { credential, request } = ways[name] as Way;
    await flood();
    const answer = await ask(request(credential));
    expect(["200", "202", "accepted"]).toContain(answer);
    expect(await ask(request(credential), "203.0.113.1")).toBe(answer);
  },
);

test("one that was not issued costs no query and no call to an object, whatever its kind", async () => {
  // The first request of an isolate starts work of its own.
  await ask(read("/health"));
  await untilQuiet();
  const before = await inboxes();
  const receive = vi.spyOn(env.INTEGRATION_INBOX, "getByName");
  for (const name of NAMES) {
    const { credential, request } = ways[name] as Way;
    const { trips, result } = await countTrips(() => ask(request(forged(credential))));
    expect(trips, name).toBe(0);
    expect(["303", "400", "401", "404", "No such address"], name).toContain(result);
  }
  expect(receive).not.toHaveBeenCalled();
  expect(await inboxes()).toBe(before);
});

test("a revoked key costs one look-up a minute, and does not count against its address", async () => {
  const made = await account.api("POST", "/api_keys", { name: "gone" });
  await account.api("DELETE", `/api_keys/${made.body.id}`);
  const request = () => read("/api/v4/teams", { Authorization: `Bearer ${made.body.key}` });
  await untilQuiet();
  const { trips, result } = await countTrips(async () => {
    const answers = [];
    for (let i = 0; i < 2 * LIMIT; i += 1) answers.push(await ask(request()));
    return answers;
  });
  expect(new Set(result)).toEqual(new Set(["401"]));
  expect(trips).toBe(1);
});

test("an address that was replaced does not count against its network address", async () => {
  const { id, prefixId, address } = await integrationOf();
  const post = (it: string) => ask(json(`/integration/${it}`, event()));
  expect(await post(address)).toBe("200");
  const rotated = await account.api("POST", `/integrations/${id}/rotate`, {
    ...{ what: "url", overlap: 0 },
  });
  const answers = new Set<string>();
  for (let i = 0; i < 2 * LIMIT; i += 1) answers.add(await post(address));
  expect(answers).toEqual(new Set(["404"]));
  expect(env.STRANGER_RATE.limit).not.toHaveBeenCalled();
  const current = String(rotated.body.value).split("/").at(-1) ?? "";
  expect(await post(current)).toBe("200");
  // The inbox has not heard of a rotation yet; only this deployment can have made the address.
  expect(await post(addressOf(env.LINK_SECRET, prefixId, 3))).toBe("200");
});

describe("at a network address over the limit", () => {
  let minutes = 0;
  beforeEach(() => {
    // Other tests of this isolate have used up its look-ups of this minute.
    minutes += 2;
    const now = Date.now.bind(Date);
    const ahead = minutes * 60_000;
    vi.spyOn(Date, "now").mockImplementation(() => now() + ahead);
  });

  test("a key that was made without the deployment's secret is looked up", async () => {
    const first = buildFirstAccount({ account: "First", person: "Fay", email: "fay@x.io" }, 0);
    const inserts = first.statements.map(({ sql, params }) => env.DB.prepare(sql).bind(...params));
    await env.DB.batch(inserts);
    await flood();
    const get = (key: string) => ask(read("/api/v4/teams", { Authorization: `Bearer ${key}` }));
    expect(await get(first.apiKey)).toBe("200");
    expect(await get(newApiKey(undefined).key)).toBe("429");
  });

  test("an id is looked up, within bounds, and its sender asked to repeat beyond them", async () => {
    const { prefixId } = await integrationOf({ accepts_id: true });
    const { prefixId: late } = await integrationOf({ accepts_id: true });
    await flood();
    const post = (id: string) => ask(json(`/integration/${id}`, event()));
    const unknown = () => `int_${"A".repeat(9)}${String(Math.random()).slice(2, 6)}A`;
    expect(await post(prefixId)).toBe("200");
    const before = await inboxes();
    const answers = [];
    for (let i = 0; i < 100; i += 1) answers.push(await post(unknown()));
    expect(new Set(answers)).toEqual(new Set(["429", "503"]));
    expect((await inboxes()) - before).toBeLessThanOrEqual(60);
    expect([await post(late), await post(prefixId)]).toEqual(["503", "200"]);
  });

  test("a token that was just changed is accepted in an isolate that knows the old one", async () => {
    const { id, address } = await integrationOf({ option_token: "before" });
    const post = (token: string) =>
      ask(json(`/integration/${address}`, event(), { "service-token": token }));
    expect(await post("before")).toBe("200");
    expect(await post("before")).toBe("200");
    await account.api("PUT", `/integrations/${id}`, { option_token: "after" });
    await flood();
    const later = Date.now() + 11_000;
    vi.spyOn(Date, "now").mockImplementation(() => later);
    await flood();
    expect([await post("after"), await post("before")]).toEqual(["200", "429"]);
  });
});
