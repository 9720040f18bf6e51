// The month of `npm start -- --demo`: inserted into a database, it reads as if it had happened there.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { Demo, DemoCalls } from "../../../src/setup/demo.ts";
import { createMonth } from "../../../src/setup/month/month.ts";
import { pastAlerts } from "../../../src/setup/month/story.ts";
import { makeAccount } from "../../support/api/api.ts";

const NOW = Date.now();
const DAY_MS = 86_400_000;

/** An account with the demo's first team, and the calls of the demo in it. */
async function makeDemo() {
  const account = await makeAccount("Ada Keeper");
  const write = (method: string) => async (path: string, body: object) => {
    const reply = await account.api(method, path, body);
    expect([path, reply.status, reply.text]).toEqual([
      path,
      expect.toBeOneOf([200, 201]),
      reply.text,
    ]);
    return reply.body;
  };
  const calls: DemoCalls = {
    post: write("POST"),
    put: write("PUT"),
    typeNamed: async (name) =>
      (await account.api("GET", `/integration_types?name=${name}`)).body.data[0].id,
  };
  const email = "mo@example.com";
  const user_attributes = { name: "Mo Mate", emails_attributes: [{ email }] };
  const mate = await calls.post("/account_users", { user_attributes });
  const ids = [account.accountUserId, String(mate.id)];
  const team = await calls.post("/teams", {
    ...{ name: "Lamp Room", member_account_user_ids: ids, admin_account_user_ids: [ids[0] ?? ""] },
  });
  const integration = await calls.post("/integrations", {
    ...{ name: "Foghorn", urgency: "high", team_ids: [String(team.id)] },
    integration_type_id: await calls.typeNamed("webhook"),
  });
  const demo = { team_id: team.id, schedule_id: team.schedule_id, integration_id: integration.id };
  const people = ids.map((id, at) => ({
    ...{
      id,
      name: at === 0 ? "Ada Keeper" : "Mo Mate",
      email: at === 0 ? "ada@example.com" : email,
    },
  }));
  return { account, calls, demo: demo as Demo, people };
}

test("is a believable month: alerts, answers, messages, comments, reports and what is next", async () => {
  const { account, calls, demo, people } = await makeDemo();
  const { accountId, api } = account;
  const rows = await createMonth(calls, demo, { accountId, people }, NOW);
  await env.DB.batch(rows.map(({ sql, params }) => env.DB.prepare(sql).bind(...params)));

  const past = pastAlerts(NOW);
  expect(past.length).toBeGreaterThan(50);
  expect(past.every(({ at }) => at < NOW && at > NOW - 29 * DAY_MS)).toBe(true);
  const { body: resolved } = await api("GET", "/alerts?status=resolved&limit=100");
  expect(resolved.total_count).toBe(past.length);
  const unresolved = await api("GET", "/alerts?status[]=open&status[]=acknowledged");
  expect(unresolved.body.total_count).toBe(3);

  const answered = past.filter((it) => (it.acknowledgedAfter ?? Infinity) < it.resolvedAfter);
  const shown = resolved.data.filter((it: any) => it.acknowledged_at !== null);
  expect(shown.length).toBe(answered.length);
  expect(answered.length / past.length).toBeGreaterThan(0.6);
  expect(answered.length / past.length).toBeLessThan(0.95);
  const [{ id }] = shown;
  const timeline = (await api("GET", `/alerts/${id}`)).body;
  expect(timeline.resolved_at > timeline.acknowledged_at).toBe(true);
  const { body: messages } = await api("GET", `/alerts/${id}/notifications`);
  expect(messages.data[0]).toMatchObject({ channel: "email", status: "sent" });
  const { body: comments } = await api("GET", "/comments?limit=100");
  expect(comments.total_count).toBeGreaterThan(10);

  expect((await api("GET", "/readiness")).body.ready).toBe(true);
  const { body: members } = await api("GET", "/account_users?limit=50");
  expect(members.total_count).toBe(12);
  const { body: teams } = await api("GET", "/teams");
  expect(teams.data.map((it: any) => it.name).sort()).toEqual([
    "Lamp Room",
    "Payments",
    "Platform",
  ]);
  for (const { schedule_id } of teams.data) {
    const now = await api("GET", `/schedules/${schedule_id}/current_oncall`);
    expect(JSON.stringify(now.body)).toMatch(/"layer":1.*"layer":2/s);
  }
  const { body: load } = await api(
    "GET",
    `/reports/people?start=${new Date(NOW - 28 * DAY_MS).toISOString()}&end=${new Date(NOW).toISOString()}`,
  );
  expect(load.by_person.length).toBe(12);
  for (const { hours, pages } of load.by_person) {
    expect(hours).toBe((28 * 24) / 2);
    expect(pages).toBeGreaterThan(0);
  }
  expect((await api("GET", "/absences")).body.total_count).toBe(1);
  expect((await api("GET", "/maintenance_windows")).body.total_count).toBe(1);
});
