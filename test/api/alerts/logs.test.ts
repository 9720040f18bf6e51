import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { timelineOfAlert } from "../../../src/features/alerts/alerts/timeline-rows.ts";
import { logs } from "../../../src/features/schema/alerts.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
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

test("the view of logs has the same timeline as links and as the log of a deleted alert", async () => {
  const account = await makeAccount();
  const alert = { title: "Disk full", urgency: "silent" };
  const destination = { destination_account_user_ids: [account.accountUserId] };
  const { body } = await account.api("POST", "/alerts", { ...alert, ...destination });
  const own = sql`account_id = ${account.accountId} and id = ${body.id}`;
  const both = async () => {
    const query = sql`select ${timelineOfAlert} as one,
      (select steps from log_entries where ${own}) as other from alerts where ${own}`;
    const row = await statement(env.DB, query).first<{ one: string; other: string }>();
    return [row?.one, row?.other].map((steps) => JSON.parse(steps ?? "null"));
  };
  const [short, shortInView] = await both();
  expect(short.length).toBeGreaterThan(0);
  expect(shortInView).toEqual(short);
  // Two chunks before the row's own entries, and one that is a copy of them: a move was interrupted.
  const chunk = env.DB.prepare("insert into alert_timelines values (?, ?, ?, ?)");
  await env.DB.batch([
    ...[10, 0, 20].map((from) =>
      chunk.bind(
        account.accountId,
        body.id,
        from,
        JSON.stringify([
          [from, "a"],
          [from + 1, "b"],
        ]),
      ),
    ),
    env.DB.prepare("update alerts set timeline_from = 20 where id = ?").bind(body.id),
  ]);
  const [long, longInView] = await both();
  const earlier = [
    [0, "a"],
    [1, "b"],
    [10, "a"],
    [11, "b"],
  ];
  expect(long).toEqual([...earlier, ...short]);
  expect(longInView).toEqual(long);
});
