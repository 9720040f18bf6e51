import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { logs } from "../../../src/db/schema/alerts.ts";
import { build, statement } from "../../../src/db/shared/database.ts";
import { newIdentity } from "../../../src/db/shared/identifiers.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { addColleague, type Colleague } from "../../support/people/people.ts";

describe("logs", () => {
  let account: Account;
  let member: Colleague;
  let integration: { id: string; prefix_id: string };
  let inbound: { id: string; prefixId: string };
  let timeline: { id: string; prefixId: string };

  beforeAll(async () => {
    account = await makeAccount();
    member = await addColleague(account, "Mo Member");
    const { accountId } = account;
    const made = await account.api("POST", "/integrations", {
      name: "Billing",
      urgency: "high",
      integration_type_id: "webhook",
      account_user_ids: [account.accountUserId],
    });
    integration = made.body;
    const now = Date.UTC(2026, 2, 2, 9);
    inbound = newIdentity("log", now);
    timeline = newIdentity("log", now + 1);
    const rows = [
      build.insert(logs).values({
        ...newIdentity("log", now, inbound.id),
        accountId,
        ownerType: "Integration",
        ownerId: integration.id,
        message: "Accepted",
        request: { method: "POST", body: { Title: "Disk full" } },
        steps: [
          [now + 1, "info", "first"],
          [now + 2, "info", "second"],
          null,
          [now + 11, "info", "third"],
        ],
      }),
      build.insert(logs).values({
        ...newIdentity("log", now + 1, timeline.id),
        accountId,
        level: "warn",
        ownerType: "Alert",
        ownerId: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        message: "Dropped",
      }),
    ];
    await env.DB.batch(rows.map((row) => statement(env.DB.withSession(), row)));
  });

  test("show their steps in order, and the request to admins only", async () => {
    const seen = await account.api("GET", `/logs/${inbound.prefixId}`);
    expect(seen.status, seen.text).toBe(200);
    expect(seen.body).toMatchObject({
      id: inbound.id,
      prefix_id: inbound.prefixId,
      format: "json",
      level: "info",
      owner_type: "Integration",
      owner_id: integration.id,
      details: {
        message: "Accepted",
        request: { method: "POST", body: { Title: "Disk full" } },
        sublogs: [
          { time: "2026-03-02T09:00:00.001Z", level: "info", message: "first" },
          { time: "2026-03-02T09:00:00.002Z", level: "info", message: "second" },
          { time: "2026-03-02T09:00:00.011Z", level: "info", message: "third" },
        ],
      },
    });
    const { request: _, ...rest } = seen.body.details;
    const shown = await member.api("GET", `/logs/${inbound.id}`);
    expect(shown.body.details).toEqual(rest);
    expect((await member.api("GET", "/logs")).text).not.toContain("Disk full");
    const ofAlert = await account.api("GET", `/logs/${timeline.id}`);
    expect(ofAlert.body.details).toEqual({ message: "Dropped", sublogs: [] });
  });

  test("are filtered by owner, by either form of its id, by level and by words, within the account", async () => {
    const ids = async (query: string) => {
      const { status, body } = await account.api("GET", `/logs?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return body.data.map((log: { id: string }) => log.id);
    };
    expect(await ids("")).toEqual([timeline.id, inbound.id]);
    expect(await ids(`owner_id=${integration.id}`)).toEqual([inbound.id]);
    expect(await ids(`owner_id=${integration.prefix_id}`)).toEqual([inbound.id]);
    expect(await ids("owner_id=int_nothing")).toEqual([]);
    expect(await ids("level=warn&owner_type=Alert")).toEqual([timeline.id]);
    expect(await ids("q=accept")).toEqual([inbound.id]);
    expect((await account.api("GET", "/logs?details=x")).status).toBe(422);
    const stranger = await makeAccount();
    expect((await stranger.api("GET", "/logs")).body.total_count).toBe(0);
    expect((await stranger.api("GET", `/logs/${inbound.id}`)).status).toBe(404);
  });
});
