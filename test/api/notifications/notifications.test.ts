import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { alerts, notifications } from "../../../src/features/schema/alerts.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newId, newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { prefixIdFrom } from "../../../src/kernel/db/prefix-id.ts";
import { all, select } from "../../../src/kernel/db/select.ts";
import { newNotification } from "../../support/alerts/notifications.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";

describe("notifications", () => {
  let account: Account;
  let member: Colleague;
  let alert: { id: string; prefixId: string };
  let quiet: { id: string; prefixId: string };
  const pathOf = (it: { prefixId: string }) => `/alerts/${it.prefixId}/notifications`;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    account = await makeAccount();
    member = await addColleague(account, "Mo Member");
    const { accountId } = account;
    const now = Date.UTC(2026, 2, 2, 9);
    alert = newIdentity("alert", now);
    quiet = newIdentity("alert", now);
    const state = { accountId, version: 1, status: "open", urgency: "high" } as const;
    const sent = (channel: string, to: string, at: number, more = {}) => {
      const identity = newNotification(at);
      ids[channel] = identity.id;
      return build.insert(notifications).values({
        ...identity,
        accountId,
        ownerId: alert.id,
        effect: ":0",
        layer: 1,
        pass: 2,
        accountUserId: account.accountUserId,
        channel,
        to,
        event: "alert.open",
        status: "sent",
        attempts: 1,
        sentAt: at + 5,
        ...more,
      });
    };
    const rows = [
      build.insert(alerts).values([
        { ...newIdentity("alert", now, alert.id), ...state, title: "Disk full" },
        { ...newIdentity("alert", now, quiet.id), ...state, title: "Quiet" },
      ]),
      sent("email", "ada@example.com", now),
      sent("sms", "+491512345667", now + 10, {
        status: "failed",
        reason: "21211",
        failedAt: now + 20,
      }),
      sent("push", "https://push.example.com/abc", now + 20),
    ];
    await env.DB.batch(rows.map((row) => statement(env.DB.withSession(), row)));
  });

  test("show the recipient, the channel and the outcome", async () => {
    const prefixId = prefixIdOf("notification", ids.sms ?? "");
    const { body } = await account.api("GET", `${pathOf(alert)}?prefix_id=${prefixId}`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toEqual({
      id: ids.sms,
      prefix_id: prefixId,
      account_id: account.accountId,
      created_at: "2026-03-02T09:00:00.010Z",
      updated_at: "2026-03-02T09:00:00.010Z",
      meta: {},
      alert_id: alert.id,
      broadcast_id: null,
      workflow_id: null,
      account_user_id: account.accountUserId,
      layer: 1,
      pass: 2,
      channel: "sms",
      to: "+491512345667",
      event: "alert.open",
      status: "failed",
      reason: "21211",
      provider_id: null,
      attempts: 1,
      queued_at: "2026-03-02T09:00:00.010Z",
      sent_at: "2026-03-02T09:00:00.015Z",
      delivered_at: null,
      failed_at: "2026-03-02T09:00:00.020Z",
    });
  });

  test("have the prefix_id that belongs to their id", async () => {
    const edges = ["0".repeat(26), `7${"Z".repeat(25)}`];
    const some = [...edges, ...Array.from({ length: 300 }, () => newId(Date.now()))];
    const query = select(
      { id: sql<string>`value`, prefixId: prefixIdFrom("notification", sql`value`) },
      sql`from json_each(${JSON.stringify(some)})`,
    );
    for (const { id, prefixId } of await all(env.DB, query)) {
      expect(prefixId).toBe(prefixIdOf("notification", id));
    }
  });

  test("mask addresses for people who are not admins", async () => {
    const { body, text } = await member.api(
      "GET",
      `${pathOf(alert)}?event=alert.open&sort=created_at&direction=asc`,
    );
    expect(body.data.map((it: { to: string }) => it.to)).toEqual([
      "a***@example.com",
      "+49*****67",
      "***",
    ]);
    expect(text).not.toContain("ada@");
    const path = pathOf(alert);
    expect((await member.api("GET", `${path}?to=ada@example.com`)).status).toBe(422);
    expect((await member.api("GET", `${path}?sort=to`)).status).toBe(422);
    const admin = await account.api("GET", `${path}?to=ada@example.com`);
    expect(admin.body.total_count).toBe(1);
  });

  test("are listed by alert, with filters, within the account", async () => {
    const list = async (query: string) => {
      const { status, body } = await account.api("GET", query);
      expect(status, JSON.stringify(body)).toBe(200);
      return [body.data.map((it: { id: string }) => it.id), body.total_count];
    };
    const path = pathOf(alert);
    expect(await list(path)).toEqual([[ids.push, ids.sms, ids.email], 3]);
    expect(await list(`${path}?channel=email`)).toEqual([[ids.email], 1]);
    expect(await list(`${path}?alert_id=${alert.prefixId}&status=failed`)).toEqual([[ids.sms], 1]);
    expect(await list(`${path}?alert_id=${quiet.prefixId}`)).toEqual([[], 0]);
    expect(await list(`/alerts/${quiet.id}/notifications`)).toEqual([[], 0]);
    const stranger = await makeAccount();
    expect((await stranger.api("GET", path)).status).toBe(404);
    expect((await account.api("GET", "/alerts/alt_AAAAAAAAAAAAAA/notifications")).status).toBe(404);
  });
});
