// Web Push: browsers subscribe and receive their person's notifications, encrypted for each browser.
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  type BundledAlert,
  type ChannelMessage,
  EMPTY_RULE_VIEW,
} from "../../../src/domain/notifications/page.ts";
import { push } from "../../../src/features/people/channels/push.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";
import { connectionLost, neverAnswers, serveAt } from "../../support/providers/outbound.ts";
import {
  type Browser,
  newSubscription,
  openBrowser,
  openPushService,
  PUSH_HOST,
  type PushService,
} from "../../support/providers/push.ts";

let account: Account;
let service: PushService;

beforeAll(async () => {
  account = await makeAccount();
});
beforeEach(() => {
  service = openPushService();
});
afterEach(() => {
  vi.restoreAllMocks();
});

type Subscribed = Colleague & { readonly prefixId: string; readonly browsers: readonly Browser[] };

/** A person with `count` subscribed browsers. */
async function subscriber(count: number): Promise<Subscribed> {
  const person = await addColleague(account, "Pia Push");
  const { body } = await account.api("GET", `/account_users/${person.id}`);
  const browsers = Array.from({ length: count }, () => openBrowser());
  for (const { subscription } of browsers) {
    const { status, text } = await person.api("POST", "/push_subscriptions", subscription);
    if (status !== 201) throw new Error(text);
  }
  return { ...person, prefixId: body.prefix_id, browsers };
}

const ALERT = "01KA4Z8Q2N7M3P5R9T1V6W8X0Y";
const PREFIX_ID = /^alt_[\w-]{14}$/;

function messageOf(person: Subscribed, more: Partial<ChannelMessage> = {}): ChannelMessage {
  return {
    accountId: account.accountId,
    page: {
      effectId: "effect",
      event: "alert.open",
      accountUserId: person.id,
      workflowId: null,
      layer: 1,
      pass: 1,
      at: Date.now(),
      until: null,
      detail: null,
    },
    alert: {
      id: ALERT,
      version: 1,
      title: "Disk full",
      description: "97 % of /var",
      urgency: "critical",
      createdAt: 0,
      destinationName: "Payments",
    },
    notice: null,
    stage: 0,
    view: EMPTY_RULE_VIEW,
    bundle: null,
    ...more,
  };
}

const send = (person: Subscribed, message = messageOf(person)) =>
  push.send(env, { channel: "push", to: person.prefixId }, message, "id");

const listed = async (person: Colleague) =>
  (await person.api("GET", "/push_subscriptions?limit=100")).body.data as { endpoint: string }[];

describe("a browser", () => {
  test("subscribes with the server's key, and its own keys are masked", async () => {
    const person = await addColleague(account, "Bob Browser");
    const key = await person.api("GET", "/push_subscriptions/key");
    expect(Buffer.from(key.body.public_key, "base64url")).toHaveLength(65);
    const { subscription } = openBrowser();
    const made = await person.api("POST", "/push_subscriptions", {
      ...subscription,
      name: "Bob's telephone",
    });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      prefix_id: expect.stringMatching(/^psh_/),
      account_user_id: person.id,
      name: "Bob's telephone",
      endpoint: subscription.endpoint,
      keys: { p256dh: "***", auth: "***" },
    });
    expect(made.text).not.toContain(subscription.keys.auth);
    const one = await person.api("GET", `/push_subscriptions/${made.body.prefix_id}`);
    expect(one.body).toEqual(made.body);
    expect(await listed(person)).toEqual([made.body]);
  });

  test("that subscribes again replaces its subscription with its new keys", async () => {
    const person = await subscriber(1);
    const [existing] = person.browsers as [Browser];
    const fresh = openBrowser();
    const again = { ...fresh.subscription, endpoint: existing.subscription.endpoint };
    expect((await person.api("POST", "/push_subscriptions", again)).status).toBe(201);
    expect(await listed(person)).toHaveLength(1);
    await send(person);
    expect(service.taken).toHaveLength(1);
    expect(fresh.read(service.taken[0]?.body ?? new Uint8Array())).toMatchObject({
      notification: { title: "Disk full" },
    });
  });

  test("can be deleted, and only by its person", async () => {
    const person = await subscriber(2);
    const other = await addColleague(account, "Otto Other");
    const [first] = (await person.api("GET", "/push_subscriptions")).body.data;
    const path = `/push_subscriptions/${first.id}`;
    for (const api of [other.api, account.api]) {
      expect((await api("GET", path)).status).toBe(404);
      expect((await api("DELETE", path)).status).toBe(404);
      expect((await api("GET", "/push_subscriptions")).text).not.toContain(first.id);
    }
    expect((await person.api("DELETE", path)).status).toBe(204);
    expect((await person.api("DELETE", path)).status).toBe(404);
    await send(person);
    expect(service.taken).toHaveLength(1);
  });

  test("replaces the oldest of twenty subscriptions", async () => {
    const person = await subscriber(21);
    const existing = await listed(person);
    expect(existing).toHaveLength(20);
    const endpoints = existing.map(({ endpoint }) => endpoint);
    expect(endpoints).toContain(person.browsers[20]?.subscription.endpoint);
    expect(endpoints).not.toContain(person.browsers[0]?.subscription.endpoint);
    const { body } = await person.api("GET", "/push_subscriptions");
    expect(body.total_count).toBe(20);
  });

  test.each([
    ["no endpoint", { endpoint: "" }, "endpoint"],
    ["http", { endpoint: "http://push.example.com/a" }, "endpoint"],
    ["an internal address", { endpoint: "https://push.internal/a" }, "endpoint"],
    ["an IP address", { endpoint: "https://10.0.0.1/a" }, "endpoint"],
    ["invalid keys", { keys: { p256dh: "AAAA", auth: "AAAA" } }, "keys"],
    ["a key missing", { keys: { auth: "AAAA" } }, "keys.p256dh"],
    ["no keys", { keys: null }, "keys"],
  ])("is not subscribed with %s", async (_, wrong, field) => {
    const body = { ...newSubscription(), ...wrong };
    const reply = await account.api("POST", "/push_subscriptions", body);
    expect(reply.status).toBe(422);
    expect(reply.body.errors.map((error: { field: string }) => error.field)).toEqual([field]);
  });

  test("cannot subscribe without a VAPID key", async () => {
    vi.spyOn(env, "VAPID_PRIVATE_KEY", "get").mockReturnValue(undefined);
    expect((await account.api("GET", "/push_subscriptions/key")).body.public_key).toBeNull();
    const reply = await account.api("POST", "/push_subscriptions", newSubscription());
    expect(reply.status).toBe(409);
    expect(push.isSetUp(env)).toBe(false);
  });
});

describe("a push notification", () => {
  test("is sent to every browser of the person, encrypted, with urgency and the alert's topic", async () => {
    const person = await subscriber(2);
    expect(await send(person)).toEqual({ kind: "sent", providerId: null });
    expect(service.taken).toHaveLength(2);
    for (const { endpoint, headers, body } of service.taken) {
      const browser = person.browsers.find((it) => it.subscription.endpoint === endpoint);
      expect(headers.get("urgency")).toBe("high");
      expect(headers.get("topic")).toMatch(PREFIX_ID);
      expect(headers.get("content-encoding")).toBe("aes128gcm");
      expect(Number(headers.get("ttl"))).toBeGreaterThan(0);
      const id = headers.get("topic");
      const link = expect.stringMatching(/^https:\/\/tocsin\.test\/a\//);
      const receipt = expect.stringMatching(/^https:\/\/tocsin\.test\/callbacks\/push\//);
      const alert = { id, urgency: "critical", destination: "Payments" };
      expect(browser?.read(body)).toEqual({
        web_push: 8030,
        mutable: true,
        notification: {
          ...{ title: "Disk full", body: "97 % of /var", tag: id, navigate: link },
          ...{ lang: "en", dir: "auto", silent: false },
          data: { type: "alert.open", alert, url: link, receipt },
        },
      });
    }
  });

  test("fits, whatever the alert contains", async () => {
    const person = await subscriber(1);
    const { alert } = messageOf(person);
    if (alert === null) throw new Error("no alert");
    for (const word of ["\u0001", "\ud800", "数", "😀", '"\\']) {
      const long = word.repeat(4_000);
      const all = { ...alert, title: long, description: long, destinationName: long };
      expect((await send(person, messageOf(person, { alert: all }))).kind).toBe("sent");
    }
  });

  test("of a bundle has the number of further alerts, and of a shift its text", async () => {
    const person = await subscriber(1);
    const one = { title: "Disk full", urgency: "low", createdAt: 0, layer: 1 } as const;
    const alerts: [BundledAlert] = [
      { ...one, id: ALERT, notificationId: ALERT, event: "alert.open" },
    ];
    await send(person, messageOf(person, { bundle: { kind: "burst", alerts, total: 3 } }));
    const notice = { schedule: "skd_x", subject: "You go on call", text: "At 09:00" };
    const { page } = messageOf(person);
    const handoff = { ...page, event: "oncall.handoff" } as const;
    await send(person, messageOf(person, { alert: null, notice, page: handoff }));
    const [browser] = person.browsers as [Browser];
    const payloads = service.taken.map(({ body }) => browser.read(body));
    expect(payloads).toMatchObject([
      { notification: { title: "Disk full and 2 more" } },
      {
        notification: {
          ...{ title: "You go on call", body: "At 09:00", tag: "skd_x" },
          ...{ navigate: "https://tocsin.test/alerts", data: { alert: null } },
        },
      },
    ]);
    expect(service.taken[1]?.headers.get("topic")).toBeNull();
  });

  test("is not sent to a person through another account", async () => {
    const person = await subscriber(1);
    const message = { ...messageOf(person), accountId: "another" };
    expect((await send(person, message)).kind).toBe("permanent");
    expect(service.asked).toBe(0);
  });
});

describe("a response from the push service", () => {
  const NONE_SUBSCRIBED = { kind: "permanent", reason: "no browser is subscribed" };

  test.each([404, 410])("%s: deletes only that browser's subscription", async (status) => {
    const person = await subscriber(2);
    const [first, second] = person.browsers as [Browser, Browser];
    service.refusal = (endpoint) =>
      endpoint === first.subscription.endpoint ? new Response(null, { status }) : null;
    expect((await send(person)).kind).toBe("sent");
    expect((await listed(person)).map(({ endpoint }) => endpoint)).toEqual([
      second.subscription.endpoint,
    ]);
    service.refusal = () => new Response(null, { status });
    expect(await send(person)).toEqual(NONE_SUBSCRIBED);
    expect(await listed(person)).toEqual([]);
    expect(await send(person)).toEqual(NONE_SUBSCRIBED);
  });

  test.each([
    [429, "temporary"],
    [503, "temporary"],
    [400, "permanent"],
    [403, "permanent"],
    [413, "permanent"],
  ])("%s: %s failure, and the subscription remains", async (status, kind) => {
    const person = await subscriber(1);
    service.refusal = () => new Response("no", { status });
    expect((await send(person)).kind).toBe(kind);
    expect(await listed(person)).toHaveLength(1);
  });

  test("redirect: not followed", async () => {
    const person = await subscriber(1);
    const elsewhere = vi.fn(() => new Response(null, { status: 201 }));
    serveAt("elsewhere.example.com", elsewhere);
    service.refusal = () =>
      new Response(null, { status: 307, headers: { Location: "https://elsewhere.example.com/" } });
    expect((await send(person)).kind).toBe("permanent");
    expect(elsewhere).not.toHaveBeenCalled();
  });

  test("no response: a temporary failure, unless another browser was reached", async () => {
    const person = await subscriber(2);
    const temporary = { kind: "temporary", reason: "the push service could not be reached" };
    serveAt(PUSH_HOST, connectionLost);
    expect(await send(person)).toEqual(temporary);
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    serveAt(PUSH_HOST, neverAnswers);
    expect(await send(person)).toEqual(temporary);
    timeout.mockRestore();
    service = openPushService();
    const [first] = person.browsers as [Browser];
    service.refusal = (endpoint) =>
      endpoint === first.subscription.endpoint ? new Response(null, { status: 503 }) : null;
    expect((await send(person)).kind).toBe("sent");
  });

  test("an endpoint that is now internal is not requested", async () => {
    const person = await subscriber(1);
    await env.DB.prepare("update push_subscriptions set endpoint = ? where account_user_id = ?")
      .bind("https://metadata.internal/a", person.id)
      .run();
    const inside = vi.fn(() => new Response(null, { status: 201 }));
    serveAt("metadata.internal", inside);
    expect((await send(person)).kind).toBe("permanent");
    expect(inside).not.toHaveBeenCalled();
  });

  test("the end of a membership deletes its subscriptions", async () => {
    const person = await subscriber(1);
    expect((await account.api("DELETE", `/account_users/${person.id}`)).status).toBe(204);
    const { results } = await env.DB.prepare(
      "select 1 from push_subscriptions where account_user_id = ?",
    )
      .bind(person.id)
      .all();
    expect(results).toEqual([]);
  });
});
