// Callers without a valid credential are rate-limited by network address before the database or an object is read. The
// limit never applies to callers with a valid credential.

import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createHmac, randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from "vitest";
import worker from "../../../src/index.ts";
import { newApiKey } from "../../../src/kernel/credentials.ts";
import { type Account, call, makeAccount } from "../../support/api/api.ts";
import { sized } from "../../support/generated/sizes.ts";
import { newBrowser, ORIGIN } from "../../support/worker/console.ts";
import { soon } from "../../support/worker/faults.ts";
import { countTrips, untilQuiet } from "../../support/worker/round-trips.ts";

/** The limit of wrangler.toml, per minute. */
const LIMIT = 60;
const EVENT = { event_type: "create", Title: "x" };

let account: Account;
let limiter: MockInstance<RateLimit["limit"]>;
beforeEach(async () => {
  account = await makeAccount();
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "on";
  // The platform counts per minute, and would count a flood across the end of a minute in two parts.
  const counts = new Map<string, number>();
  limiter = vi.spyOn(env.STRANGER_RATE, "limit").mockImplementation(async ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return { success: (counts.get(key) ?? 0) <= LIMIT };
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  (env as { RATE_LIMITS: string }).RATE_LIMITS = "off";
});

let networks = 0;
/** The addresses of an IPv6 /64 that no other test uses. */
function newNetwork(): () => Record<string, string> {
  networks += 1;
  let hosts = 0;
  return () => {
    hosts += 1;
    return { "cf-connecting-ip": `2001:db8:0:${networks.toString(16)}::${hosts.toString(16)}` };
  };
}

type Answer = { readonly status: number; readonly headers: Headers };

/** Sends `count` requests, the first 20 in sequence and the others concurrently. */
async function flood(count: number, send: (i: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let i = 0; i < 20; i += 1) answers.push(await send(i));
  const rest = Array.from({ length: count - 20 }, (_, i) => send(i + 20));
  return [...answers, ...(await Promise.all(rest))];
}

function expectLimited(answers: readonly Answer[], refusedAs: number): void {
  const refused = answers.filter(({ status }) => status === refusedAs);
  // 503: of what may exist, which only a look-up could tell.
  const limited = answers.filter(({ status }) => status === 429 || status === 503);
  expect(refused.length).toBeLessThanOrEqual(LIMIT);
  expect(refused.length + limited.length).toBe(answers.length);
  for (const { headers } of limited) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
}

/** As `npm run setup` makes them: only a look-up tells whether they exist. */
const newKey = () => newApiKey(undefined).key;
const inboxes = async () => (await listDurableObjectIds(env.INTEGRATION_INBOX)).length;

async function newIntegration(more: object = {}) {
  const reply = await account.api("POST", "/integrations", {
    name: "Monitoring",
    urgency: "high",
    integration_type_id: "webhook",
    account_user_ids: [account.accountUserId],
    ...more,
  });
  expect(reply.status, reply.text).toBe(201);
  const { id, prefix_id, url, intake_key } = reply.body;
  return { id, prefixId: prefix_id, path: new URL(url).pathname, intakeKey: intake_key };
}

describe("wrong API keys", () => {
  test("read the database only up to the limit, while a valid key is accepted", async () => {
    const network = newNetwork();
    const other = await makeAccount();
    expect((await account.api("GET", "/teams", undefined, network())).status).toBe(200);
    const { trips, result } = await countTrips(() =>
      flood(sized(160, 400), () =>
        call("GET", "/api/v4/teams", { key: newKey(), headers: network() }),
      ),
    );
    expectLimited(result, 401);
    expect(trips).toBeLessThanOrEqual(LIMIT + 120);
    expect((await account.api("GET", "/teams", undefined, network())).status).toBe(200);
    expect((await other.api("GET", "/teams", undefined, newNetwork()())).status).toBe(200);
  });

  test("are looked up once when repeated, and never when malformed", async () => {
    const network = newNetwork();
    const key = newKey();
    const wrong = [key, key, key, "x", "tocsin_", `${key}a`, "tocsin_../../../etc"];
    const { trips, result } = await countTrips(async () => {
      const answers = [];
      for (const it of wrong) {
        answers.push(await call("GET", "/api/v4/teams", { key: it, headers: network() }));
      }
      return answers;
    });
    expect(result.map(({ status }) => status)).toEqual(wrong.map(() => 401));
    expect(trips).toBe(1);
  });
});

test("wrong session cookies never read the database", async () => {
  const network = newNetwork();
  await untilQuiet();
  const { trips, result } = await countTrips(() =>
    flood(150, (i) => {
      const browser = newBrowser();
      browser.cookies.set("__Host-tocsin_session", randomBytes(32).toString("base64url"));
      const headers = { ...network(), Origin: ORIGIN };
      if (i % 3 === 0) return browser.post("/sign-out", {}, headers);
      return browser.get(i % 3 === 1 ? "/alerts" : "/teams", headers);
    }),
  );
  expectLimited(result, 303);
  expect(trips).toBe(0);
});

test("wrong feed secrets never read the database, and a valid feed is served", async () => {
  const network = newNetwork();
  const schedule = await account.api("POST", "/schedules", { name: "Primary" });
  const feed = await account.api("POST", `/schedules/${schedule.body.id}/feeds`, {});
  const path = new URL(feed.body.url).pathname;
  expect((await call("GET", path, { headers: network() })).status).toBe(200);
  await untilQuiet();
  const { trips, result } = await countTrips(() =>
    flood(sized(160, 200), () =>
      call("GET", `/feeds/${randomBytes(32).toString("base64url")}.ics`, { headers: network() }),
    ),
  );
  expectLimited(result, 404);
  expect(trips).toBe(0);
  expect((await call("GET", path, { headers: network() })).status).toBe(200);
});

test("requests with wrong link tokens are rate-limited", async () => {
  const network = newNetwork();
  const answers = await flood(100, () => call("GET", "/a/eyJ.x.y", { headers: network() }));
  expectLimited(answers, 404);
});

test("the platform's rate limiter refuses requests over the limit", async () => {
  limiter.mockRestore();
  const network = newNetwork();
  const answers = await flood(160, () => call("GET", "/a/eyJ.x.y", { headers: network() }));
  const refused = answers.filter(({ status }) => status === 404);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThanOrEqual(2 * LIMIT);
});

describe("unknown integrations and intake keys", () => {
  const ways: Record<string, (headers: Record<string, string>) => Promise<Answer>> = {
    "a URL": (headers) => {
      const id = `int_${randomBytes(10).toString("base64url")}`;
      return call("POST", `/integration/${id}`, { body: EVENT, headers });
    },
    "/v2/alerts": (headers) => {
      const authorization = `GenieKey ${randomBytes(16).toString("hex")}`;
      return call("POST", "/v2/alerts", {
        body: { message: "x" },
        headers: { ...headers, authorization },
      });
    },
    "/v2/enqueue": (headers) =>
      call("POST", "/v2/enqueue", {
        body: {
          routing_key: randomBytes(16).toString("hex"),
          event_action: "trigger",
          payload: { summary: "x", source: "x", severity: "info" },
        },
        headers,
      }),
  };
  test.each(Object.keys(ways))("sent to %s create no object past the limit", async (way) => {
    const network = newNetwork();
    const before = await inboxes();
    const count = sized(160, 300);
    const answers = await flood(count, () => ways[way]?.(network()) as Promise<Answer>);
    // Intake keys have a MAC; an id may exist.
    const most = way === "a URL" ? LIMIT + 120 : 0;
    expect((await inboxes()) - before).toBeLessThanOrEqual(most);
    const limited = answers.filter(({ status }) => status === 429 || status === 503);
    expect(limited.length).toBeGreaterThan(count - 100);
    expect(answers.filter(({ status }) => status < 300)).toEqual([]);
  });

  test("sent by mail create no object, and mail to the integration is accepted", async () => {
    const { intakeKey } = await newIntegration({ integration_type_id: "email" });
    const mail = (key: string) => {
      const raw = new TextEncoder().encode("From: a@mail.example\r\nSubject: x\r\n\r\nx");
      const rejected: string[] = [];
      const message = {
        from: "someone@mail.example",
        to: `${key}@in.example.org`,
        raw: new Response(raw).body,
        rawSize: raw.byteLength,
        headers: new Headers(),
        setReject: (reason: string) => rejected.push(reason),
      };
      const given = message as unknown as ForwardableEmailMessage;
      return Promise.resolve(worker.email(given, env)).then(
        () => rejected[0] ?? "accepted",
        (error: Error) => error.message,
      );
    };
    expect(await mail(intakeKey)).toBe("accepted");
    const before = await inboxes();
    const outcomes: string[] = [];
    for (let i = 0; i < 100; i += 1) outcomes.push(await mail(randomBytes(16).toString("hex")));
    expect(await inboxes()).toBe(before);
    expect(new Set(outcomes)).toEqual(new Set(["No such address"]));
    expect(await mail(intakeKey)).toBe("accepted");
  });
});

test("a burst of events to one right id is accepted whole, also before the first is", async () => {
  const network = newNetwork();
  const { prefixId } = await newIntegration();
  const send = (Id: string) =>
    call("POST", `/integration/${prefixId}`, { body: { ...EVENT, Id }, headers: network() });
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => send(`${i}`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

describe("wrong tokens", () => {
  const logsOf = async (id: string) =>
    (await account.api("GET", `/logs?owner_id=${id}`)).body.total_count as number;

  test("write logs only up to the limit, and block no sender", async () => {
    const network = newNetwork();
    const { id, path } = await newIntegration({ option_token: "the right one" });
    const send = (token: string, headers: Record<string, string>) =>
      call("POST", path, { body: EVENT, headers: { ...headers, "service-token": token } });
    const answers = await flood(sized(160, 300), (i) => send(`wrong ${i}`, network()));
    expectLimited(answers, 401);
    expect((await send("the right one", network())).status).toBe(200);
    expect((await send("the right one", newNetwork()())).status).toBe(200);
    await vi.waitFor(async () => expect(await logsOf(id)).toBeGreaterThan(2), soon);
    await scheduler.wait(1_500);
    expect(await logsOf(id)).toBeLessThanOrEqual(2 * LIMIT + 2);
  });

  test("are limited without rejecting a changed token from the same address", async () => {
    const network = newNetwork();
    const { id, path } = await newIntegration({ option_token: "before" });
    const send = (token: string) =>
      call("POST", path, { body: EVENT, headers: { ...network(), "service-token": token } });
    expect((await send("before")).status).toBe(200);
    await account.api("PUT", `/integrations/${id}`, { option_token: "after" });
    await flood(100, (i) => send(`wrong ${i}`));
    expect((await send("after")).status).toBe(200);
    expect((await send("before")).status).toBe(429);
  });

  test("wrong signatures write logs only up to the limit, while correctly signed requests are accepted", async () => {
    const network = newNetwork();
    const secret = "signed with this";
    const { id, path } = await newIntegration({
      integration_type_id: "github",
      option_webhook_secret: secret,
    });
    const body = JSON.stringify({ zen: "Keep it logically awesome." });
    const send = (key: string, headers: Record<string, string>) => {
      const signature = createHmac("sha256", key).update(body).digest("hex");
      const more = { "x-github-event": "ping", "x-hub-signature-256": `sha256=${signature}` };
      return call("POST", path, { body, headers: { ...headers, ...more } });
    };
    expectLimited(await flood(sized(160, 200), (i) => send(`not ${i}`, network())), 401);
    expect((await send(secret, network())).status).toBe(200);
    expect((await send(secret, newNetwork()())).status).toBe(200);
    await scheduler.wait(1_500);
    const logs = (await account.api("GET", `/logs?owner_id=${id}`)).body.total_count;
    expect(logs).toBeLessThanOrEqual(2 * LIMIT + 2);
  });

  test("block no new intake key whose predecessor the isolate has cached", async () => {
    const network = newNetwork();
    const { id, intakeKey } = await newIntegration();
    const send = (key: string) =>
      call("POST", "/v2/alerts", {
        body: { message: "x" },
        headers: { ...network(), authorization: `GenieKey ${key}` },
      });
    const wrong = Array.from({ length: 100 }, () => `${randomBytes(16).toString("hex")}`);
    await Promise.all(wrong.map(send));
    expect((await send(wrong[0] ?? "")).status).toBe(429);
    expect((await send(intakeKey)).status).toBe(202);
    const rotated = await account.api("POST", `/integrations/${id}/rotate`, {
      what: "intake_key",
      overlap: 0,
    });
    expect((await send(rotated.body.value)).status).toBe(202);
  });

  test("wrong intake keys do not block requests with the integration's own key", async () => {
    const network = newNetwork();
    const { intakeKey } = await newIntegration();
    const send = (key: string, headers: Record<string, string>) => {
      const authorization = `GenieKey ${key}`;
      return call("POST", "/v2/alerts", {
        body: { message: "x" },
        headers: { ...headers, authorization },
      });
    };
    const wrong = () => `${intakeKey.slice(0, 20)}${randomBytes(6).toString("hex")}`;
    const answers = await flood(sized(160, 200), () => send(wrong(), network()));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(LIMIT);
    expect((await send(intakeKey, network())).status).toBe(202);
    expect((await send(intakeKey, newNetwork()())).status).toBe(202);
  });
});
