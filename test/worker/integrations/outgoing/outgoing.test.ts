// What outgoing webhooks receive and in which order: signed, once each, and only what concerns them (contract 6).
import { exports } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type Account, makeAccount } from "../../../support/api/api.ts";
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
import {
  alertStub,
  evict,
  failDatabase,
  failWrites,
  rowsOf,
  soon,
} from "../../../support/worker/faults.ts";
import { makePerson, makeTeam, type Person } from "../../../support/worker/world.ts";

let account: Account;
let receiver: Receiver;
let grace: Person;
beforeEach(async () => {
  receiver = openReceiver();
  receiver.secret = RECEIVER_SECRET;
  account = await makeAccount("Ada Admin");
  grace = await makePerson(account, "Grace");
});
afterEach(() => {
  vi.restoreAllMocks();
});

const me = () => ({ account_user_ids: [account.accountUserId] });
const toMe = () => ({ destination_account_user_ids: [account.accountUserId] });
const types = () => receiver.got.map(({ body }) => body.type);
const got = (count: number) =>
  vi.waitFor(() => expect(types()).toHaveLength(count), soon).then(() => types());

describe("an outgoing webhook", () => {
  test("receives each event of an alert in order, signed, with the record as it was at that time", async () => {
    const integration = await makeOutgoingIntegration(account, receiver, me());
    const alert = await makeAlert(account, toMe(), { title: "Disk <full>", tags: ["db"] });
    await account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await account.api("POST", `/alerts/${alert.id}/resolve`);
    expect(await got(4)).toEqual([
      "alert.created",
      "alert.open",
      "alert.acknowledged",
      "alert.resolved",
    ]);
    expect(receiver.faults).toEqual([]);
    const [created, open, acknowledged, resolved] = receiver.got;
    expect(open?.headers.get("content-type")).toMatch(/^application\/json/);
    expect(open?.headers.get("user-agent")).toBe(`Tocsin (${integration.prefixId})`);
    expect(open?.redirect).toBe("manual");
    expect(open?.id).toMatch(/^dlv_[\w-]{14}$/);
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(4);
    expect(created?.body.data).toMatchObject({
      id: alert.id,
      status: "open",
      by: { name: "Ada Admin" },
    });
    expect(open?.body.timestamp >= alert.created_at).toBe(true);
    expect(open?.body).toMatchObject({
      type: "alert.open",
      data: {
        ...alert,
        title: "Disk <full>",
        status: "open",
        url: `https://tocsin.test/alerts/${alert.prefix_id}`,
        destination_names: ["Ada Admin"],
        source_name: "Ada Admin",
        sid: alert.prefix_id,
        createdAt: alert.created_at,
        created: Math.floor(Date.parse(alert.created_at) / 1000),
        acknowledged: null,
        d_user_id: account.accountUserId,
        updated_at: expect.any(String),
      },
    });
    expect(acknowledged?.body.data).toMatchObject({
      status: "acknowledged",
      by: { account_user_id: account.accountUserId, name: "Ada Admin" },
      acknowledgedby: account.accountUserId,
      acknowledged: expect.any(Number),
    });
    expect(resolved?.body.data).toMatchObject({ status: "resolved", resolved: expect.any(Number) });
    await vi.waitFor(async () => {
      const rows = await deliveriesOf(account, integration);
      const shown = rows.map((row) => [row.event, row.status, row.attempts, row.response_code]);
      expect(shown.sort()).toEqual(
        types()
          .map((type) => [type, "delivered", 1, 200])
          .sort(),
      );
      expect(rows[0]).toMatchObject({ alert_id: alert.id, next_attempt_at: null, reason: null });
    }, soon);
  });

  test("is notified of timeouts, a handoff, a rejection and the deletion", async () => {
    const team = await makeTeam(account, [{ seconds: 1, people: [grace.accountUserId] }]);
    await makeOutgoingIntegration(account, receiver, { team_ids: [team.id] });
    const alert = await makeAlert(account, { destination_team_ids: [team.id] });
    expect(await got(4)).toEqual(["alert.created", "alert.open", "alert.timeout", "alert.dropped"]);
    expect(receiver.got[2]?.body.data.detail).toBe("Payments, step 1");
    await account.api("POST", `/alerts/${alert.id}/handoff`, { ...toMe(), note: "yours" });
    await account.api("POST", `/alerts/${alert.id}/reject`);
    await account.api("DELETE", `/alerts/${alert.id}`);
    expect((await got(8)).slice(4)).toEqual([
      "alert.handoff",
      "alert.rejected",
      "alert.dropped",
      "alert.destroyed",
    ]);
    expect(receiver.got[4]?.body.data).toMatchObject({
      detail: "yours",
      by: { name: "Ada Admin" },
    });
  });

  test("receives only the events that its options and its receivers select", async () => {
    const team = await makeTeam(account, [{ seconds: 60, people: [grace.accountUserId] }]);
    const some = await makeOutgoingIntegration(account, receiver, me(), {
      option_alert_created: false,
    });
    const all = await makeOutgoingIntegration(account, receiver, me(), { option_everything: true });
    const off = await makeOutgoingIntegration(account, receiver, me(), { enabled: false });
    const forGrace = await makeOutgoingIntegration(account, receiver, {
      account_user_ids: [grace.accountUserId],
    });
    const alert = await makeAlert(account, toMe());
    const other = await makeAlert(account, { destination_team_ids: [team.id] });
    await got(1 + 4 + 2);
    const eventsOf = async (outgoing: { id: string; prefixId: string }) =>
      (await deliveriesOf(account, outgoing)).map((row) => [row.event, row.alert_id]).sort();
    expect(await eventsOf(some)).toEqual([["alert.open", alert.id]]);
    expect(await eventsOf(all)).toHaveLength(4);
    expect(await eventsOf(off)).toEqual([]);
    expect(await eventsOf(forGrace)).toEqual([
      ["alert.created", other.id],
      ["alert.open", other.id],
    ]);
  });

  test("is notified of comments on alerts for its receivers", async () => {
    await makeOutgoingIntegration(account, receiver, me(), {
      option_alert_created: false,
      option_alert_open: false,
    });
    const alert = await makeAlert(account, toMe());
    const other = await makeAlert(account, {
      destination_account_user_ids: [grace.accountUserId],
    });
    await account.api("POST", `/alerts/${other.id}/comments`, { body: "not yours" });
    const made = await account.api("POST", `/alerts/${alert.id}/comments`, { body: "<b>hi</b>" });
    expect(made.status).toBe(201);
    const reply = await account.api("POST", "/comments", {
      body: "and again",
      commentable_type: "Comment",
      commentable_id: made.body.id,
    });
    expect(await got(2)).toEqual(["comment.created", "comment.created"]);
    const { user, ...author } = receiver.got[0]?.body.data.account_user ?? {};
    expect(receiver.got[0]?.body.data).toMatchObject({ ...made.body, body: "<b>hi</b>" });
    expect([author.id, user.name]).toEqual([account.accountUserId, "Ada Admin"]);
    expect(receiver.got[1]?.body.data).toMatchObject({ id: reply.body.id });
  });

  describe("with comments by senders", () => {
    const makeSender = async () => {
      const { body } = await account.api("POST", "/integrations", {
        name: "Legacy",
        urgency: "silent",
        integration_type_id: "opsgenie",
        ...me(),
      });
      return (path: string, payload: unknown) =>
        exports.default.fetch(`https://tocsin.test/v2/alerts${path}`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            authorization: `GenieKey ${body.intake_key}`,
          },
          body: JSON.stringify(payload),
        });
    };
    const onlyComments = { option_alert_created: false, option_alert_open: false };
    const note = { note: "Looking", user: "Eve" };

    test("is notified", async () => {
      await makeOutgoingIntegration(account, receiver, me(), onlyComments);
      const send = await makeSender();
      await send("", { message: "Down", alias: "srv1" });
      expect((await send("/srv1/notes?identifierType=alias", note)).status).toBe(202);
      expect(await got(1)).toEqual(["comment.created"]);
      expect(receiver.got[0]?.body.data).toMatchObject({ body: "Looking", account_user: null });
    });

    test("is notified of one that arrived before its alert was visible", async () => {
      await makeOutgoingIntegration(account, receiver, me(), onlyComments);
      const send = await makeSender();
      const restore = failWrites();
      expect((await send("", { message: "Down", alias: "srv1" })).status).toBe(202);
      const noted = send("/srv1/notes?identifierType=alias", note);
      await scheduler.wait(300);
      restore();
      expect((await noted).status).toBe(202);
      expect(await got(1)).toEqual(["comment.created"]);
    });

    test("is not notified of one that is rejected because its alert is not visible", async () => {
      await makeOutgoingIntegration(account, receiver, me(), onlyComments);
      const send = await makeSender();
      const restore = failWrites();
      expect((await send("", { message: "Down", alias: "srv1" })).status).toBe(202);
      expect((await send("/srv1/notes?identifierType=alias", note)).status).toBe(503);
      restore();
      expect((await send("/srv1/notes?identifierType=alias", note)).status).toBe(202);
      expect(await got(1)).toEqual(["comment.created"]);
    });
  });

  test("is notified once despite a failing database and an eviction", async () => {
    const integration = await makeOutgoingIntegration(account, receiver, me());
    const alert = await makeAlert(account, toMe());
    const restore = failDatabase();
    const acknowledged = account.api("POST", `/alerts/${alert.id}/acknowledge`);
    await acknowledged.catch(() => {});
    restore();
    const stub = alertStub(alert.prefix_id);
    await evict(stub);
    await stub.poke();
    await vi.waitFor(async () => {
      expect(await rowsOf(stub, "select * from announcements")).toEqual([]);
    }, soon);
    await runDueDeliveries(integration);
    const received = types();
    expect(new Set(received).size).toBe(received.length);
    expect(received.slice(0, 2)).toEqual(["alert.created", "alert.open"]);
  });

  test("receives only events of its own account", async () => {
    const stranger = await makeAccount("Sam Stranger");
    await makeOutgoingIntegration(
      stranger,
      receiver,
      { account_user_ids: [stranger.accountUserId] },
      {
        option_everything: true,
      },
    );
    await makeOutgoingIntegration(account, receiver, me());
    const alert = await makeAlert(account, toMe());
    await got(2);
    const { body } = await stranger.api("GET", "/deliveries");
    expect(body.total_count).toBe(0);
    const mine = (await account.api("GET", "/deliveries?sort=created_at")).body;
    expect(mine.total_count).toBe(2);
    expect(receiver.got.every((it) => it.body.data.id === alert.id)).toBe(true);
    const path = `/deliveries/${mine.data[0].id}`;
    expect((await stranger.api("GET", path)).status).toBe(404);
    expect((await stranger.api("POST", `${path}/retry`)).status).toBe(404);
  });
});
