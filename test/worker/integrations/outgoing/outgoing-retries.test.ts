// Deliveries that fail: retried for a day under the same id, then marked as failed, and retried by hand. Also disabled
// and deleted integrations, and failures of the object that delivers.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retire } from "../../../../src/features/operations/retention/retention.ts";
import { sweep } from "../../../../src/features/operations/retention/sweep.ts";
import { type Account, makeAccount } from "../../../support/api/api.ts";
import {
  alarmOf,
  deliveriesOf,
  makeAlert,
  makeOutgoingIntegration,
  type OutgoingIntegrationIds,
  outgoingStub,
  runDueDeliveries,
} from "../../../support/integrations/outgoing.ts";
import {
  openReceiver,
  RECEIVER_SECRET,
  type Receiver,
} from "../../../support/integrations/receiver.ts";
import { connectionLost, neverAnswers, serveAt } from "../../../support/providers/outbound.ts";
import { evict, failWrites, soon } from "../../../support/worker/faults.ts";

let account: Account;
let receiver: Receiver;
let integration: OutgoingIntegrationIds;
beforeEach(async () => {
  receiver = openReceiver();
  receiver.secret = RECEIVER_SECRET;
  account = await makeAccount("Ada Admin");
  integration = await makeOutgoingIntegration(account, receiver, me(), {
    option_alert_created: false,
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const me = () => ({ account_user_ids: [account.accountUserId] });
const toMe = () => ({ destination_account_user_ids: [account.accountUserId] });
const onlyDelivery = async () =>
  (await deliveriesOf(account, integration))[0] as Record<string, any>;
const waitForDelivery = (expected: object, within = soon) =>
  vi.waitFor(async () => expect(await onlyDelivery()).toMatchObject(expected), within);

describe("a delivery that fails", () => {
  test("is retried later with the same webhook-id and a new signature", async () => {
    receiver.answer = () => new Response("try   later\n", { status: 500 });
    await makeAlert(account, toMe());
    const reason = "it answered 500: try later";
    await waitForDelivery({ status: "queued", attempts: 1, response_code: 500, reason });
    const row = await onlyDelivery();
    expect(Date.parse(row.next_attempt_at)).toBe(Date.parse(row.attempted_at) + 5_000);
    await vi.waitFor(
      async () => expect(await alarmOf(integration)).toBe(Date.parse(row.next_attempt_at)),
      soon,
    );
    receiver.answer = null;
    await runDueDeliveries(integration);
    await waitForDelivery({ status: "delivered", attempts: 2, response_code: 200, reason: null });
    const [first, second] = receiver.got;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toEqual(first?.body);
    expect(receiver.faults).toEqual([]);
  });

  test("is marked as failed and logged after twelve attempts within a day", async () => {
    receiver.answer = () => new Response(null, { status: 503 });
    const alert = await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    for (let attempts = 2; attempts <= 12; attempts += 1) {
      await runDueDeliveries(integration);
      await waitForDelivery({ attempts });
    }
    await waitForDelivery({ status: "failed", reason: "it answered 503", next_attempt_at: null });
    expect((await onlyDelivery()).failed_at).not.toBeNull();
    await runDueDeliveries(integration);
    expect(receiver.got).toHaveLength(12);
    const logs = await account.api("GET", `/logs?owner_id=${integration.id}`);
    expect(logs.body.data[0]).toMatchObject({ level: "error", owner_type: "Integration" });
    expect(logs.body.data[0].details.message).toBe(
      "Not delivered after 12 attempts: it answered 503",
    );
    expect((await account.api("GET", `/alerts/${alert.id}`)).body.status).toBe("open");
  });

  test("is not retried after a day, even if it waited behind others", async () => {
    receiver.answer = () => new Response(null, { status: 503 });
    await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    const longAgo = Date.now() - 86_400_001;
    await env.DB.prepare("update deliveries set queued_at = ?").bind(longAgo).run();
    await runDueDeliveries(integration);
    await waitForDelivery({ status: "failed", attempts: 2 });
  });

  test("delays later events of the same alert, and nothing else", async () => {
    const alert = await makeAlert(account, toMe());
    await waitForDelivery({ status: "delivered" });
    receiver.answer = ({ body }) =>
      body.type === "alert.acknowledged" ? new Response(null, { status: 500 }) : null;
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    await makeAlert(account, toMe());
    await vi.waitFor(() => expect(receiver.got).toHaveLength(3), soon);
    expect(receiver.got.map((it) => it.body.type)).toEqual([
      "alert.open",
      "alert.acknowledged",
      "alert.open",
    ]);
    receiver.answer = null;
    await runDueDeliveries(integration);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(5), soon);
    expect(receiver.got.slice(3).map((it) => it.body.type)).toEqual([
      "alert.acknowledged",
      "alert.resolved",
    ]);
  });

  test("waits for the receiver's Retry-After, and so do its other deliveries", async () => {
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "600" } });
    await makeAlert(account, toMe());
    await waitForDelivery({ status: "queued", attempts: 1, response_code: 429 });
    const row = await onlyDelivery();
    expect(Date.parse(row.next_attempt_at)).toBe(Date.parse(row.attempted_at) + 600_000);
    receiver.answer = null;
    await makeAlert(account, toMe());
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, integration)).toHaveLength(2);
      expect(await alarmOf(integration)).toBe(Date.parse(row.next_attempt_at));
    }, soon);
    expect(receiver.got).toHaveLength(1);
  });

  test("because the response was lost is retried with the same webhook-id", async () => {
    receiver.answer = () => {
      throw new TypeError("network connection lost");
    };
    await makeAlert(account, toMe());
    await waitForDelivery({ status: "queued", response_code: null, reason: "no connection" });
    receiver.answer = null;
    await runDueDeliveries(integration);
    await waitForDelivery({ status: "delivered" });
    expect(receiver.got.map(({ id }) => id)).toEqual([receiver.got[0]?.id, receiver.got[0]?.id]);
  });

  test("because of a connection error or a timeout is retried", async () => {
    serveAt(receiver.host, connectionLost);
    await makeAlert(account, toMe());
    await waitForDelivery({ status: "queued", reason: "no connection" });
    vi.spyOn(AbortController.prototype, "signal", "get").mockReturnValue(AbortSignal.abort());
    serveAt(receiver.host, neverAnswers);
    await runDueDeliveries(integration);
    await waitForDelivery({ status: "queued", attempts: 2, reason: "no answer within 10 seconds" });
  });

  test("because of a redirect does not follow the redirect", async () => {
    const elsewhere = openReceiver();
    receiver.answer = () => Response.redirect(elsewhere.url, 307);
    await makeAlert(account, toMe());
    const reason = "it answered 307: redirects are not followed";
    await waitForDelivery({ status: "queued", response_code: 307, reason });
    expect(elsewhere.got).toEqual([]);
  });

  test("reads no more than a line of the response", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("no ".repeat(10_000))),
    });
    receiver.answer = () => new Response(endless, { status: 500 });
    await makeAlert(account, toMe());
    await waitForDelivery({ status: "queued", attempts: 1 });
    expect((await onlyDelivery()).reason.length).toBeLessThan(250);
  });
});

describe("an integration that is disabled or deleted", () => {
  test("by a 410 response cancels the queued deliveries", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    receiver.answer = () => new Response("channel_is_archived", { status: 410 });
    await makeAlert(account, toMe());
    await vi.waitFor(async () => {
      const rows = await deliveriesOf(account, integration);
      expect(rows.map((it) => it.status)).toEqual(["cancelled", "failed"]);
    }, soon);
    expect((await account.api("GET", `/integrations/${integration.id}`)).body.enabled).toBe(false);
    await makeAlert(account, toMe());
    expect(await deliveriesOf(account, integration)).toHaveLength(2);
  });

  test("by an update cancels the queued deliveries, which can be retried by hand after it is enabled", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    const path = `/integrations/${integration.id}`;
    await account.api("PUT", path, { enabled: false });
    await waitForDelivery({ status: "cancelled", reason: "the integration is disabled" });
    const { id } = await onlyDelivery();
    expect((await account.api("POST", `/deliveries/${id}/retry`)).status).toBe(409);
    receiver.answer = null;
    await account.api("PUT", path, { enabled: true });
    expect((await onlyDelivery()).status).toBe("cancelled");
    expect((await account.api("POST", `/deliveries/${id}/retry`)).status).toBe(200);
    await waitForDelivery({ status: "delivered", attempts: 2 });
    expect((await account.api("POST", `/deliveries/${id}/retry`)).status).toBe(409);
  });

  test("by a delete receives nothing more, and its deliveries and its alarm are deleted", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    const { id } = await onlyDelivery();
    expect((await account.api("DELETE", `/integrations/${integration.id}`)).status).toBe(204);
    await runDueDeliveries(integration);
    expect(receiver.got).toHaveLength(1);
    expect(await alarmOf(integration)).toBeNull();
    expect((await account.api("GET", `/deliveries/${id}`)).status).toBe(404);
    expect((await account.api("GET", "/deliveries")).body.total_count).toBe(0);
  });
});

describe("the integration's object", () => {
  test("does not repeat a delivery whose result it could not store", async () => {
    await makeAlert(account, toMe());
    await waitForDelivery({ status: "delivered" });
    const alert = await makeAlert(account, toMe());
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
    await vi.waitFor(async () => expect(await alarmOf(integration)).toBeNull(), soon);
    let repair = () => {};
    receiver.answer = () => {
      repair = failWrites();
      return null;
    };
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(3), soon);
    await vi.waitFor(async () => expect(await alarmOf(integration)).not.toBeNull(), soon);
    repair();
    receiver.answer = null;
    await evict(outgoingStub(integration.prefixId));
    await runDueDeliveries(integration);
    await vi.waitFor(async () => {
      const rows = await deliveriesOf(account, integration);
      expect(rows.map((it) => it.status)).toEqual(["delivered", "delivered", "delivered"]);
    }, soon);
    expect(receiver.got).toHaveLength(3);
  });

  test("continues after an eviction between two attempts", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    await evict(outgoingStub(integration.prefixId));
    receiver.answer = null;
    await runDueDeliveries(integration);
    await waitForDelivery({ status: "delivered", attempts: 2 });
  });

  test("is woken by the sweep after it has lost its alarm", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await waitForDelivery({ attempts: 1 });
    receiver.answer = null;
    await runInDurableObject(outgoingStub(integration.prefixId), (_, state) =>
      state.storage.deleteAlarm(),
    );
    await sweep(env, Date.now() + 30_000);
    expect((await onlyDelivery()).attempts).toBe(1);
    await env.DB.prepare("update deliveries set next_at = 1 where integration_id = ?")
      .bind(integration.id)
      .run();
    await sweep(env, Date.now());
    await waitForDelivery({ status: "delivered", attempts: 2 });
  });

  test("checks the URL again before it sends a request", async () => {
    await env.DB.prepare(
      "update integrations set options = json_set(options, '$.webhook_url', ?) where id = ?",
    )
      .bind("https://10.0.0.1/in", integration.id)
      .run();
    await makeAlert(account, toMe());
    const reason = "the address must name a host, not an IP address";
    await waitForDelivery({ status: "failed", attempts: 1, reason });
    expect(receiver.got).toEqual([]);
  });
});

test("old deliveries are deleted, except queued ones", async () => {
  await makeAlert(account, toMe());
  await waitForDelivery({ status: "delivered" });
  receiver.answer = () => new Response(null, { status: 500 });
  await makeAlert(account, toMe());
  await vi.waitFor(async () => {
    const rows = await deliveriesOf(account, integration);
    expect(rows.map((it) => it.status)).toEqual(["delivered", "queued"]);
  }, soon);
  await retire(env, Date.now() + 401 * 86_400_000);
  expect((await deliveriesOf(account, integration)).map((it) => it.status)).toEqual(["queued"]);
  expect((await account.api("GET", "/deliveries")).body.total_count).toBe(1);
});
