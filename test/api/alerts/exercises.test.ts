// Test pages and fire drills over HTTP: they page as real alerts do, say what they are, and count in
// no report.
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { makeAccount } from "../../support/api/api.ts";
import { makeRota } from "../../support/oncall/rota.ts";

/** A bound for messages to be sent on a busy machine. */
const soon = { timeout: 10_000, interval: 50 };

const notificationsOf = async (account: Awaited<ReturnType<typeof makeAccount>>, id: string) =>
  (await account.api("GET", `/alerts/${id}/notifications`)).body.data;

test("a test page reaches oneself, says that it is one, and is limited", async () => {
  const account = await makeAccount();
  const { status, body } = await account.api("POST", "/test_pages");
  expect(status).toBe(201);
  expect(body).toMatchObject({
    exercise: "test",
    status: "open",
    destination_account_user_ids: [account.accountUserId],
  });
  expect(body.title).toMatch(/^TEST: /);
  await vi.waitFor(async () => {
    const [sent] = await notificationsOf(account, body.id);
    expect(sent).toMatchObject({ event: "alert.open", status: "sent" });
  }, soon);
  expect((await account.api("POST", `/alerts/${body.id}/acknowledge`)).status).toBe(200);
  const renamed = await account.api("PUT", `/alerts/${body.id}`, { title: "Real outage" });
  expect(renamed.body).toMatchObject({ title: "TEST: Real outage", exercise: "test" });
  // Answered, but past every team, schedule and policy: the setup is not complete by it.
  expect((await account.api("GET", "/readiness")).body.ready).toBe(false);
  for (let i = 0; i < 4; i += 1) {
    expect((await account.api("POST", "/test_pages")).status).toBe(201);
  }
  expect((await account.api("POST", "/test_pages")).status).toBe(429);
});

test("a drill escalates as a real alert, is measured, and completes the setup", async () => {
  const rota = await makeRota("AB");
  const { api } = rota.account;
  await rota.event("A", {
    start_datetime: "2020-01-01T00:00:00Z",
    end_datetime: "2040-01-01T00:00:00Z",
  });
  const { status, body: drill } = await api("POST", `/teams/${rota.teamId}/drills`, {
    title: "Database down",
  });
  expect(status).toBe(201);
  expect(drill).toMatchObject({
    title: "DRILL: Database down",
    team_id: rota.teamId,
    started_by_id: rota.account.accountUserId,
    status: "open",
    ended_at: null,
    layers_reached: 1,
  });
  await vi.waitFor(async () => {
    const [sent] = await notificationsOf(rota.account, drill.id);
    expect(sent).toMatchObject({ event: "alert.open", status: "sent" });
  }, soon);
  expect((await api("GET", "/readiness")).body).toMatchObject({ ready: false });
  expect((await api("POST", `/alerts/${drill.id}/acknowledge`)).status).toBe(200);
  const { body: report } = await api("GET", `/drills/${drill.id}`);
  expect(report).toMatchObject({
    status: "acknowledged",
    acknowledged_by_id: rota.account.accountUserId,
    people: [{ account_user_id: rota.account.accountUserId, layer: 1, answer: "acknowledged" }],
  });
  expect(report.ended_at).not.toBeNull();
  expect(report.seconds_to_acknowledge).toBeGreaterThanOrEqual(report.seconds_to_notify);
  expect((await api("GET", "/drills")).body.data.map((it: { id: string }) => it.id)).toEqual([
    drill.id,
  ]);
  // It is stored when it happens, whether or not somebody looks, and whatever becomes of the alert.
  const stored = await env.DB.prepare("select page_answered_at as at from accounts where id = ?")
    .bind(rota.account.accountId)
    .first<{ at: number | null }>();
  expect(stored?.at).toEqual(expect.any(Number));
  const today = new Date().toISOString().slice(0, 10);
  const window = `start=${today} 00:00:00&end=${today} 23:59:59`;
  expect((await api("GET", `/reports/alerts?${window}`)).body.by_week).toEqual([]);
  const { by_person } = (await api("GET", `/reports/people?${window}`)).body;
  expect(by_person.every((it: { pages: number }) => it.pages === 0)).toBe(true);
  // Its end is reported by mail.
  await vi.waitFor(async () => {
    const { results } = await env.DB.prepare(
      "select channel, status from notifications where account_id = ? and event = 'drill.ended'",
    )
      .bind(rota.account.accountId)
      .all();
    expect(results).toHaveLength(1);
  }, soon);
  await env.DB.batch(
    ["alerts", "notifications"].map((table) =>
      env.DB.prepare(`delete from ${table} where account_id = ?`).bind(rota.account.accountId),
    ),
  );
  const readiness = await api("GET", "/readiness");
  expect(readiness.body).toMatchObject({ ready: true });
});
