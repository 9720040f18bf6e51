// The configuration of outgoing integrations: options, secrets and the test message. Also synchronization with other
// services, without loops.
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, call, makeAccount } from "../../../support/api/api.ts";
import {
  deliveriesOf,
  makeAlert,
  makeOutgoingIntegration,
  runDueDeliveries,
} from "../../../support/integrations/outgoing.ts";
import {
  openReceiver,
  RECEIVER_SECRET,
  type Receiver,
} from "../../../support/integrations/receiver.ts";
import { serveAt } from "../../../support/providers/outbound.ts";
import { soon } from "../../../support/worker/faults.ts";
import { makePerson } from "../../../support/worker/world.ts";

let account: Account;
let receiver: Receiver;
beforeEach(async () => {
  receiver = openReceiver();
  account = await makeAccount("Ada Admin");
});
afterEach(() => {
  vi.restoreAllMocks();
});

const me = (of = account) => ({ account_user_ids: [of.accountUserId] });
const toMe = () => ({ destination_account_user_ids: [account.accountUserId] });
const create = (body: Record<string, unknown>) =>
  account.api("POST", "/integrations", {
    name: "Relay",
    urgency: "low",
    integration_type_id: "outgoing_webhook",
    ...me(),
    ...body,
  });

const CHATS = ["slack", "mattermost", "teams", "google_chat"];

describe("the URL", () => {
  test.each([
    ["http://hooks.example.com/", "must be an https URL"],
    ["https://127.0.0.1/", "must name a host, not an IP address"],
    ["https://[::1]/", "must name a host, not an IP address"],
    ["https://localhost/", "must name a host of the public internet"],
    ["https://db.internal/", "must name a host of the public internet"],
    ["https://a:b@hooks.example.com/", "must not have a user name or a password"],
  ])("%s is rejected", async (url, fault) => {
    for (const type of ["outgoing_webhook", ...CHATS]) {
      const { status, body } = await create({ integration_type_id: type, option_webhook_url: url });
      expect(status).toBe(422);
      const field = "option_webhook_url";
      expect(body.errors).toEqual([{ field, message: `${field} ${fault}` }]);
    }
    const made = await makeOutgoingIntegration(account, receiver, me());
    const changed = await account.api("PUT", `/integrations/${made.id}`, {
      option_webhook_url: url,
    });
    expect(changed.status).toBe(422);
  });

  test("is required", async () => {
    for (const type of ["outgoing_webhook", ...CHATS]) {
      const { status, body } = await create({ integration_type_id: type });
      expect([status, body.errors[0].field]).toEqual([422, "option_webhook_url"]);
    }
  });

  test("of the events API defaults to PagerDuty's", async () => {
    const made = await create({
      integration_type_id: "pagerduty",
      option_routing_key: "R".repeat(32),
    });
    expect(made.body.options.events_url).toBe("https://events.pagerduty.com/v2/enqueue");
    const { status, body } = await create({
      integration_type_id: "pagerduty",
      option_events_url: "https://10.0.0.1/v2/enqueue",
    });
    expect(status).toBe(422);
    expect(body.errors.map((error: { field: string }) => error.field).sort()).toEqual([
      "option_events_url",
      "option_routing_key",
    ]);
  });
});

describe("secrets", () => {
  test("are never shown in responses, lists, deliveries or logs", async () => {
    const slack = `https://${receiver.host}/services/T0/B0/verysecretpath`;
    const made = await create({ integration_type_id: "slack", option_webhook_url: slack });
    expect(made.body.options.webhook_url).toBe("***");
    const hook = await makeOutgoingIntegration(account, receiver, me(), {
      option_username: "relay",
      option_password: "very secret word",
    });
    receiver.answer = () => new Response("no", { status: 410 });
    const logged: unknown[] = [];
    for (const method of ["log", "warn", "error"] as const) {
      vi.spyOn(console, method).mockImplementation((...parameters) => void logged.push(parameters));
    }
    await makeAlert(account, toMe());
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", "/deliveries?limit=100");
      expect(body.data.length).toBeGreaterThan(2);
      expect(body.data.some((it: { status: string }) => it.status === "queued")).toBe(false);
    }, soon);
    const texts = await Promise.all(
      [`/integrations/${hook.id}`, "/integrations", "/deliveries", "/logs"].map((path) =>
        account.api("GET", path).then(({ text }) => text),
      ),
    );
    const all = [made.text, ...texts, JSON.stringify(logged)].join("\n");
    for (const secret of ["verysecretpath", "very secret word", RECEIVER_SECRET.slice(6)]) {
      expect(all).not.toContain(secret);
    }
    const basic = receiver.got.find((it) => it.headers.has("authorization"));
    const pair = Buffer.from("relay:very secret word").toString("base64");
    expect(basic?.headers.get("authorization")).toBe(`Basic ${pair}`);
  });

  test("are unchanged by an update with their mask", async () => {
    const made = await makeOutgoingIntegration(account, receiver, me());
    const changed = await account.api("PUT", `/integrations/${made.id}`, {
      name: "Relay two",
      option_secret: "***",
    });
    expect(changed.status).toBe(200);
    receiver.secret = RECEIVER_SECRET;
    await makeAlert(account, toMe());
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
    expect(receiver.faults).toEqual([]);
  });

  test.each(["hello", "whsec_", "whsec_c2hvcnQ=", `whsec_${"A".repeat(100)}`])(
    "like %s are rejected",
    async (secret) => {
      const { status, body } = await create({
        option_webhook_url: receiver.url,
        option_secret: secret,
      });
      expect(status).toBe(422);
      expect(body.errors[0].field).toBe("option_secret");
    },
  );

  test("are generated if missing, and rotated on request: shown once, and used at once", async () => {
    const made = await makeOutgoingIntegration(account, receiver, me(), { option_secret: null });
    const path = `/integrations/${made.id}`;
    expect((await account.api("GET", path)).body.options.secret).toBe("***");
    const { status, body } = await account.api("POST", `${path}/secret`);
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    await makeAlert(account, toMe());
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
    const [{ headers, body: sent } = { headers: new Headers(), body: null }] = receiver.got;
    const verify = (secret: string) =>
      new Webhook(secret).verify(JSON.stringify(sent), Object.fromEntries(headers));
    expect(verify(body.secret)).toEqual(sent);
    expect(() => verify(RECEIVER_SECRET)).toThrow("No matching signature found");
    const other = await create({ integration_type_id: "slack", option_webhook_url: receiver.url });
    expect((await account.api("POST", `/integrations/${other.body.id}/secret`)).status).toBe(409);
  });
});

describe("the test message", () => {
  test.each(["outgoing_webhook", ...CHATS])("of %s is delivered", async (type) => {
    const made = await create({ integration_type_id: type, option_webhook_url: receiver.url });
    const path = `/integrations/${made.body.id}`;
    const { status, body } = await account.api("POST", `${path}/test`);
    expect(status).toBe(200);
    await vi.waitFor(async () => {
      const delivery = await account.api("GET", `/deliveries/${body.delivery_id}`);
      expect(delivery.body).toMatchObject({ status: "delivered", event: "integration.test" });
    }, soon);
    expect(JSON.stringify(receiver.got[0]?.body)).toContain("Relay");
    await account.api("PUT", path, { enabled: false });
    expect((await account.api("POST", `${path}/test`)).status).toBe(409);
  });
});

test("an outgoing integration rejects events", async () => {
  const made = await makeOutgoingIntegration(account, receiver, me());
  const { status, body } = await call("POST", `/integration/${made.prefixId}`, {
    body: { event_type: "create", Id: "1", Title: "Disk full" },
  });
  expect(status).toBe(422);
  expect(body.errors[0].message).toContain("accepts no events");
});

test("each chat service receives events in its own format", async () => {
  for (const type of CHATS) {
    await create({ integration_type_id: type, option_webhook_url: `${receiver.url}/${type}` });
  }
  const alert = await makeAlert(account, toMe(), { title: "Disk <full>" });
  await account.api("POST", `/alerts/${alert.id}/resolve`);
  await vi.waitFor(() => expect(receiver.got).toHaveLength(8), soon);
  const first = (type: string) => receiver.got.find(({ url }) => url.pathname.endsWith(type))?.body;
  expect(first("slack").text).toBe("Open: Disk &lt;full&gt;");
  expect(first("mattermost").attachments[0].title).toBe("Disk \\<full\\>");
  expect(first("teams").attachments[0].content.type).toBe("AdaptiveCard");
  expect(first("google_chat").cardsV2[0].card.header.title).toBe("Disk <full>");
});

describe("synchronization with another service", () => {
  /** Routes requests for another deployment's host to this worker. */
  const connect = (host: string) =>
    serveAt(host, async ({ method, url, headers, body }) => {
      const sent = Object.fromEntries(headers);
      const reply = await call(method, url.pathname, { body, headers: sent });
      return new Response(reply.text, { status: reply.status });
    });

  test("opens, acknowledges and resolves by the alert's id through the events API", async () => {
    receiver.answer = () => Response.json({ status: "success" }, { status: 202 });
    await create({
      integration_type_id: "pagerduty",
      option_routing_key: "R0",
      option_events_url: receiver.url,
    });
    const alert = await makeAlert(account, toMe(), { urgency: "silent" });
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await account.api("POST", `/alerts/${alert.id}/comments`, { body: "not for it" });
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(3), soon);
    expect(receiver.got.map(({ body }) => [body.event_action, body.dedup_key])).toEqual([
      ["trigger", alert.id],
      ["acknowledge", alert.id],
      ["resolve", alert.id],
    ]);
  });

  test("creates one alert in each of two accounts that notify each other, without a loop", async () => {
    connect("tocsin-a.tocsin-tests.example.com");
    const other = await makeAccount("Otto Other");
    const inbox = async (of: Account) => {
      const { body } = await of.api("POST", "/integrations", {
        name: "From the other",
        urgency: "silent",
        integration_type_id: "pagerduty_events",
        ...me(of),
      });
      return body as { id: string; intake_key: string };
    };
    const forwardTo = (of: Account, key: string) =>
      of.api("POST", "/integrations", {
        name: "To the other",
        urgency: "low",
        integration_type_id: "pagerduty",
        option_routing_key: key,
        option_events_url: "https://tocsin-a.tocsin-tests.example.com/v2/enqueue",
        option_everything: true,
        ...me(of),
      });
    const [mine, theirs] = [await inbox(account), await inbox(other)];
    const [toOther, fromOther] = [
      await forwardTo(account, theirs.intake_key),
      await forwardTo(other, mine.intake_key),
    ];
    expect([toOther.status, fromOther.status]).toEqual([201, 201]);
    const alert = await makeAlert(account, toMe());
    const alertsOf = async (of: Account) => (await of.api("GET", "/alerts")).body.data;
    await vi.waitFor(async () => expect(await alertsOf(other)).toHaveLength(1), soon);
    // The event returned to this account was sent by itself.
    const ignored = "Ignored: the event was sent by this account itself";
    await vi.waitFor(async () => {
      const { body } = await account.api("GET", `/logs?owner_id=${mine.id}`);
      expect(body.data.map((log: any) => log.details.message)).toEqual([ignored]);
    }, soon);
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    await vi.waitFor(async () => {
      expect((await alertsOf(other))[0].status).toBe("resolved");
    }, soon);
    await runDueDeliveries({ id: fromOther.body.id, prefixId: fromOther.body.prefix_id });
    expect((await alertsOf(account)).map((it: { id: string }) => it.id)).toEqual([alert.id]);
    expect(await alertsOf(other)).toHaveLength(1);
    const { results } = await env.DB.prepare(
      "select status from deliveries where integration_id in (?, ?)",
    )
      .bind(toOther.body.id, fromOther.body.id)
      .all<{ status: string }>();
    expect(results.length).toBeLessThan(8);
    expect(results.every(({ status }) => status === "delivered")).toBe(true);
  });

  test("does not notify an integration of its own changes", async () => {
    const grace = await makePerson(account, "Grace");
    const integration = await makeOutgoingIntegration(account, receiver, me());
    const alert = await makeAlert(account, toMe());
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
    const stub = env.ALERT.getByName(alert.prefix_id) as any;
    const by = { accountUserId: null, name: "Relay", integrationId: integration.id };
    await stub.command(account.accountId, { type: "acknowledge", by }, "for_readers");
    await call("POST", `/api/v4/alerts/${alert.id}/resolve`, { key: grace.key });
    await vi.waitFor(() => expect(receiver.got).toHaveLength(3), soon);
    const events = (await deliveriesOf(account, integration)).map((it) => it.event);
    expect(events.sort()).toEqual(["alert.created", "alert.open", "alert.resolved"]);
  });
});
