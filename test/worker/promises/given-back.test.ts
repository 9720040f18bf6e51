// An object deletes what it stored for others once they have it: events, pages, timeline entries, alarms. A deleted
// alert stays deleted, whatever arrives late.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { PageReport } from "../../../src/domain/notifications/page.ts";
import { projectionOf } from "../../../src/features/alerts/alerts/alert-rows.ts";
import { integrationInbox } from "../../../src/features/stubs.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { outboxOf, storedAlert } from "../../support/alerts/stored-alert.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { openMailbox } from "../../support/providers/mailbox.ts";
import {
  alertStub,
  evict,
  failDatabase,
  inboxStub,
  rewriteConfiguration,
  rowsOf,
  soon,
} from "../../support/worker/faults.ts";
import {
  type Integration,
  makeIntegration,
  makePerson,
  makeTeam,
} from "../../support/worker/world.ts";

let account: Account;
let integration: Integration;
let teamId: string;
beforeEach(async () => {
  openMailbox();
  account = await makeAccount();
  const person = await makePerson(account, "Grace");
  teamId = (await makeTeam(account, [{ seconds: 600, people: [person.accountUserId] }])).id;
  integration = await makeIntegration(account, [teamId]);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const alarmOf = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, state) => state.storage.getAlarm());

const tablesOf = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, state) =>
    state.storage.sql
      .exec(
        "select name from sqlite_master where type = 'table' and name not like '\\_%' escape '\\'",
      )
      .toArray(),
  );

async function makeAlert() {
  const { body } = await account.api("POST", "/alerts", {
    title: "Given back",
    urgency: "high",
    destination_team_ids: [teamId],
  });
  return { id: body.id as string, stub: alertStub(body.prefix_id) };
}

describe("an inbox", () => {
  test("that has delivered all events and logs stores no event and no alarm", async () => {
    const inbox = inboxStub(integration.prefixId);
    const send = async (i: number) => {
      await integration.send({ event_type: "create", Id: `id-${i % 5}`, Title: "Many" });
      await integration.send({ event_type: "nonsense" });
    };
    for (let i = 0; i < 19; i += 1) await send(i);
    // What is accepted meanwhile cannot be given back yet.
    const mend = failDatabase();
    await send(19);
    expect((await rowsOf(inbox, "select * from events")).length).toBeGreaterThan(0);
    mend();
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox, "select * from events")).toEqual([]);
      expect(await alarmOf(inbox)).toBeNull();
    }, soon);
    const { body } = await account.api("GET", `/logs?owner_id=${integration.id}`);
    expect(body.total_count).toBe(40);
    expect(await rowsOf(inbox, "select * from ordering_keys")).toHaveLength(5);
  });

  test("of an integration that does not exist stores nothing", async () => {
    const stub = inboxStub("int_AAAAAAAAAAAAAA");
    const delivery = { method: "POST", url: "https://x.test/", headers: [], remoteIp: null };
    const received = await integrationInbox(env, "int_AAAAAAAAAAAAAA").receive({
      ...delivery,
      body: new Uint8Array(),
    });
    expect(received).toEqual({ kind: "unknown" });
    expect(await tablesOf(stub)).toEqual([]);
  });

  test("of a deleted integration rejects new events, and delivers those it accepted", async () => {
    const inbox = inboxStub(integration.prefixId);
    await integration.send({ event_type: "create", Id: "before", Title: "Before" });
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox, "select * from events")).toEqual([]);
    }, soon);
    await integration.send({ event_type: "create", Id: "last", Title: "Last" });
    expect((await account.api("DELETE", `/integrations/${integration.id}`)).status).toBe(204);
    const { status } = await integration.send({ event_type: "create", Id: "after", Title: "x" });
    expect([404, 405]).toContain(status);
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox, "select * from events")).toEqual([]);
      const { body } = await account.api("GET", `/alerts?source_id=${integration.id}`);
      expect(body.total_count).toBe(2);
    }, soon);
  });

  test("detects that its integration was deleted", async () => {
    const inbox = inboxStub(integration.prefixId);
    await integration.send({ event_type: "create", Id: "before", Title: "Before" });
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox, "select * from events")).toEqual([]);
    }, soon);
    await env.DB.prepare("delete from integrations where id = ?").bind(integration.id).run();
    await rewriteConfiguration(inbox, "update configuration set loaded_at = 0");
    await evict(inbox);
    await integration.send({ event_type: "resolve", Id: "before" });
    await vi.waitFor(async () => {
      expect(await rowsOf(inbox, "select gone from configuration")).toEqual([{ gone: 1 }]);
    }, soon);
    expect((await integration.send({ event_type: "create", Title: "x" })).status).toBe(404);
  });
});

describe("an alert", () => {
  test("that has ended stores nothing once readers have it", async () => {
    const { id, stub } = await makeAlert();
    await vi.waitFor(async () => {
      expect(await outboxOf(stub)).toEqual([]);
    }, soon);
    expect(await alarmOf(stub)).not.toBeNull();
    await account.api("POST", `/alerts/${id}/resolve`);
    await vi.waitFor(async () => expect(await alarmOf(stub)).toBeNull(), soon);
    expect(await storedAlert(stub)).toBeNull();
  });

  test("that does not exist stores nothing, whatever is called", async () => {
    const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    expect((await account.api("POST", `/alerts/${id}/acknowledge`)).status).toBe(404);
    await alertStub("alt_AAAAAAAAAAAAAA").confirm([reportOf("x")], account.accountId);
    await alertStub("alt_AAAAAAAAAAAAAA").poke();
    expect(await tablesOf(alertStub("alt_AAAAAAAAAAAAAA"))).toEqual([]);
  });

  test("that was deleted stays deleted for readers, even if an older projection arrives late", async () => {
    const { id, stub } = await makeAlert();
    const before = await storedAlert(stub);
    if (before === null) throw new Error("the object is empty");
    expect((await account.api("DELETE", `/alerts/${id}`)).status).toBe(204);
    await env.DB.batch(projectionOf(before).map((query) => statement(env.DB, query)));
    expect((await account.api("GET", `/alerts/${id}`)).status).toBe(404);
    const { results } = await env.DB.prepare("select * from alert_workflows where alert_id = ?")
      .bind(id)
      .all();
    expect(results).toEqual([]);
    await vi.waitFor(async () => expect(await alarmOf(stub)).toBeNull(), soon);
    await alertStub((await alertNameOf(stub)) ?? "").confirm(
      [reportOf(`${id}:0`)],
      account.accountId,
    );
    expect(await storedAlert(stub)).toBeNull();
  });
});

const reportOf = (effectId: string): PageReport => ({
  effectId,
  lines: [{ key: effectId, level: "error", message: "too late" }],
  unreached: true,
  page: { event: "alert.open", accountUserId: account.accountUserId, workflowId: null },
});

const alertNameOf = (stub: DurableObjectStub) =>
  runInDurableObject(stub, (_, state) => state.id.name);
