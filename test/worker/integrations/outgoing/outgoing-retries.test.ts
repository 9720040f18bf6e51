// What becomes of a delivery that does not arrive: tried again for a day under the same id, given up visibly, told again
// by hand; and where nothing is sent at all.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { retire } from "../../../../src/queue/shared/retention.ts";
import { sweep } from "../../../../src/queue/shared/sweep.ts";
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
let teller: OutgoingIntegrationIds;
beforeEach(async () => {
  receiver = openReceiver();
  receiver.secret = RECEIVER_SECRET;
  account = await makeAccount("Ada Admin");
  teller = await makeOutgoingIntegration(account, receiver, me(), { option_alert_created: false });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const me = () => ({ account_user_ids: [account.accountUserId] });
const toMe = () => ({ destination_account_user_ids: [account.accountUserId] });
const only = async () => (await deliveriesOf(account, teller))[0] as Record<string, any>;
const becomes = (expected: object, within = soon) =>
  vi.waitFor(async () => expect(await only()).toMatchObject(expected), within);

describe("a delivery that does not arrive", () => {
  test("is tried again later under the same webhook-id, signed anew", async () => {
    receiver.answer = () => new Response("try   later\n", { status: 500 });
    await makeAlert(account, toMe());
    const reason = "it answered 500: try later";
    await becomes({ status: "queued", attempts: 1, response_code: 500, reason });
    const row = await only();
    expect(Date.parse(row.next_attempt_at)).toBe(Date.parse(row.attempted_at) + 5_000);
    await vi.waitFor(
      async () => expect(await alarmOf(teller)).toBe(Date.parse(row.next_attempt_at)),
      soon,
    );
    receiver.answer = null;
    await runDueDeliveries(teller);
    await becomes({ status: "delivered", attempts: 2, response_code: 200, reason: null });
    const [first, second] = receiver.got;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toEqual(first?.body);
    expect(receiver.faults).toEqual([]);
  });

  test("is tried twelve times within a day, then has failed: in the list, and in the log", async () => {
    receiver.answer = () => new Response(null, { status: 503 });
    const alert = await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    for (let attempts = 2; attempts <= 12; attempts += 1) {
      await runDueDeliveries(teller);
      await becomes({ attempts });
    }
    await becomes({ status: "failed", reason: "it answered 503", next_attempt_at: null });
    expect((await only()).failed_at).not.toBeNull();
    await runDueDeliveries(teller);
    expect(receiver.got).toHaveLength(12);
    const logs = await account.api("GET", `/logs?owner_id=${teller.id}`);
    expect(logs.body.data[0]).toMatchObject({ level: "error", owner_type: "Integration" });
    expect(logs.body.data[0].details.message).toBe(
      "Not delivered after 12 attempts: it answered 503",
    );
    expect(alert.status).toBe("open");
  });

  test("is not tried for longer than a day, however long it waited behind others", async () => {
    receiver.answer = () => new Response(null, { status: 503 });
    await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    const longAgo = Date.now() - 86_400_001;
    await env.DB.prepare("update deliveries set queued_at = ?").bind(longAgo).run();
    await runDueDeliveries(teller);
    await becomes({ status: "failed", attempts: 2 });
  });

  test("holds back what is said of the same alert, and nothing else", async () => {
    const alert = await makeAlert(account, toMe());
    await becomes({ status: "delivered" });
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
    await runDueDeliveries(teller);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(5), soon);
    expect(receiver.got.slice(3).map((it) => it.body.type)).toEqual([
      "alert.acknowledged",
      "alert.resolved",
    ]);
  });

  test("waits for as long as the receiver asks, and so does everything else for it", async () => {
    receiver.answer = () => new Response(null, { status: 429, headers: { "retry-after": "600" } });
    await makeAlert(account, toMe());
    await becomes({ status: "queued", attempts: 1, response_code: 429 });
    const row = await only();
    expect(Date.parse(row.next_attempt_at)).toBe(Date.parse(row.attempted_at) + 600_000);
    receiver.answer = null;
    await makeAlert(account, toMe());
    await vi.waitFor(async () => {
      expect(await deliveriesOf(account, teller)).toHaveLength(2);
      expect(await alarmOf(teller)).toBe(Date.parse(row.next_attempt_at));
    }, soon);
    expect(receiver.got).toHaveLength(1);
  });

  test("because the answer was lost comes again under the same webhook-id", async () => {
    receiver.answer = () => {
      throw new TypeError("network connection lost");
    };
    await makeAlert(account, toMe());
    await becomes({ status: "queued", response_code: null, reason: "no connection" });
    receiver.answer = null;
    await runDueDeliveries(teller);
    await becomes({ status: "delivered" });
    expect(receiver.got.map(({ id }) => id)).toEqual([receiver.got[0]?.id, receiver.got[0]?.id]);
  });

  test("because nobody is there, or nobody answers in time, is tried again", async () => {
    serveAt(receiver.host, connectionLost);
    await makeAlert(account, toMe());
    await becomes({ status: "queued", reason: "no connection" });
    vi.spyOn(AbortController.prototype, "signal", "get").mockReturnValue(AbortSignal.abort());
    serveAt(receiver.host, neverAnswers);
    await runDueDeliveries(teller);
    await becomes({ status: "queued", attempts: 2, reason: "no answer within 10 seconds" });
  });

  test("because it is sent elsewhere is not sent there", async () => {
    const elsewhere = openReceiver();
    receiver.answer = () => Response.redirect(elsewhere.url, 307);
    await makeAlert(account, toMe());
    const reason = "it answered 307: redirects are not followed";
    await becomes({ status: "queued", response_code: 307, reason });
    expect(elsewhere.got).toEqual([]);
  });

  test("is read of its answer no more than a line", async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode("no ".repeat(10_000))),
    });
    receiver.answer = () => new Response(endless, { status: 500 });
    await makeAlert(account, toMe());
    await becomes({ status: "queued", attempts: 1 });
    expect((await only()).reason.length).toBeLessThan(250);
  });
});

describe("whoever is no more", () => {
  test("with 410 the integration is disabled, and what waits is cancelled", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    receiver.answer = () => new Response("channel_is_archived", { status: 410 });
    await makeAlert(account, toMe());
    await vi.waitFor(async () => {
      const rows = await deliveriesOf(account, teller);
      expect(rows.map((it) => it.status)).toEqual(["cancelled", "failed"]);
    }, soon);
    expect((await account.api("GET", `/integrations/${teller.id}`)).body.enabled).toBe(false);
    await makeAlert(account, toMe());
    expect(await deliveriesOf(account, teller)).toHaveLength(2);
  });

  test("disabled meanwhile is told nothing more; enabled again, only by hand", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    const path = `/integrations/${teller.id}`;
    await account.api("PUT", path, { enabled: false });
    await becomes({ status: "cancelled", reason: "the integration is disabled" });
    const { id } = await only();
    expect((await account.api("POST", `/deliveries/${id}/retry`)).status).toBe(409);
    receiver.answer = null;
    await account.api("PUT", path, { enabled: true });
    expect((await only()).status).toBe("cancelled");
    expect((await account.api("POST", `/deliveries/${id}/retry`)).status).toBe(200);
    await becomes({ status: "delivered", attempts: 2 });
    expect((await account.api("POST", `/deliveries/${id}/retry`)).status).toBe(409);
  });

  test("deleted meanwhile is told nothing more, and nothing is left of it", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    const { id } = await only();
    expect((await account.api("DELETE", `/integrations/${teller.id}`)).status).toBe(204);
    await runDueDeliveries(teller);
    expect(receiver.got).toHaveLength(1);
    expect(await alarmOf(teller)).toBeNull();
    expect((await account.api("GET", `/deliveries/${id}`)).status).toBe(404);
    expect((await account.api("GET", "/deliveries")).body.total_count).toBe(0);
  });
});

describe("the worker", () => {
  test("does not tell again what it could not record", async () => {
    await makeAlert(account, toMe());
    await becomes({ status: "delivered" });
    const alert = await makeAlert(account, toMe());
    await vi.waitFor(() => expect(receiver.got).toHaveLength(2), soon);
    await vi.waitFor(async () => expect(await alarmOf(teller)).toBeNull(), soon);
    let repair = () => {};
    receiver.answer = () => {
      repair = failWrites();
      return null;
    };
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await vi.waitFor(() => expect(receiver.got).toHaveLength(3), soon);
    await vi.waitFor(async () => expect(await alarmOf(teller)).not.toBeNull(), soon);
    repair();
    receiver.answer = null;
    await evict(outgoingStub(teller.prefixId));
    await runDueDeliveries(teller);
    await vi.waitFor(async () => {
      const rows = await deliveriesOf(account, teller);
      expect(rows.map((it) => it.status)).toEqual(["delivered", "delivered", "delivered"]);
    }, soon);
    expect(receiver.got).toHaveLength(3);
  });

  test("evicted between two attempts goes on", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    await evict(outgoingStub(teller.prefixId));
    receiver.answer = null;
    await runDueDeliveries(teller);
    await becomes({ status: "delivered", attempts: 2 });
  });

  test("that lost its alarm is reminded by the sweep", async () => {
    receiver.answer = () => new Response(null, { status: 500 });
    await makeAlert(account, toMe());
    await becomes({ attempts: 1 });
    receiver.answer = null;
    await runInDurableObject(outgoingStub(teller.prefixId), (_, state) =>
      state.storage.deleteAlarm(),
    );
    await sweep(env, Date.now() + 30_000);
    expect((await only()).attempts).toBe(1);
    await env.DB.prepare("update deliveries set next_at = 1 where integration_id = ?")
      .bind(teller.id)
      .run();
    await sweep(env, Date.now());
    await becomes({ status: "delivered", attempts: 2 });
  });

  test("asks again before it calls an address that is no longer to be called", async () => {
    await env.DB.prepare(
      "update integrations set options = json_set(options, '$.webhook_url', ?) where id = ?",
    )
      .bind("https://10.0.0.1/in", teller.id)
      .run();
    await makeAlert(account, toMe());
    const reason = "the address must name a host, not an IP address";
    await becomes({ status: "failed", attempts: 1, reason });
    expect(receiver.got).toEqual([]);
  });
});

test("what was told long ago is forgotten, and what waits is not", async () => {
  await makeAlert(account, toMe());
  await becomes({ status: "delivered" });
  receiver.answer = () => new Response(null, { status: 500 });
  await makeAlert(account, toMe());
  await vi.waitFor(async () => {
    const rows = await deliveriesOf(account, teller);
    expect(rows.map((it) => it.status)).toEqual(["delivered", "queued"]);
  }, soon);
  await retire(env, Date.now() + 401 * 86_400_000);
  expect((await deliveriesOf(account, teller)).map((it) => it.status)).toEqual(["queued"]);
  expect((await account.api("GET", "/deliveries")).body.total_count).toBe(1);
});
