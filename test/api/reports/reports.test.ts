// Reports over HTTP: what is counted, in which time zone, and for which account.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { newDatedId, newId } from "../../../src/kernel/db/identifiers.ts";
import { makeAccount } from "../../support/api/api.ts";
import { makeRota } from "../../support/oncall/rota.ts";

const START = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;
const WEEK = "start=2026-01-05 00:00:00&end=2026-01-12 00:00:00";

/** Creates an alert `at` minutes after the week began; the other times are minutes after its creation. */
async function putAlert(
  rota: Awaited<ReturnType<typeof makeRota>>,
  {
    at,
    acknowledgedAfter,
    resolvedAfter,
    state,
  }: { at: number; acknowledgedAfter?: number; resolvedAfter?: number; state?: string },
): Promise<string> {
  const { body } = await rota.account.api("POST", "/alerts", {
    title: "Past",
    urgency: "silent",
    destination_team_ids: [rota.teamId],
  });
  const time = (minutes: number | undefined) =>
    minutes === undefined ? null : START + (at + minutes) * MINUTE;
  const createdAt = START + at * MINUTE;
  const id = newDatedId(createdAt);
  await env.DB.prepare(
    `update alerts set id = ?, created_at = ?, acknowledged_at = ?, resolved_at = ?,
        workflows = json_set(workflows, '$[0].state', ?)
      where id = ?`,
  )
    .bind(
      ...[id, createdAt, time(acknowledgedAfter), time(resolvedAfter)],
      ...[state ?? "acknowledged", body.id],
    )
    .run();
  return id;
}

const makeSearch = ({ account }: Awaited<ReturnType<typeof makeRota>>) =>
  account.api("POST", "/teams", {
    name: "Search",
    member_account_user_ids: [account.accountUserId],
    admin_account_user_ids: [account.accountUserId],
  });

test("reports alerts by hour, and each team's weeks with median, 90th percentile and drops", async () => {
  const rota = await makeRota("A");
  await putAlert(rota, { at: 9 * 60, acknowledgedAfter: 2, resolvedAfter: 30 });
  await putAlert(rota, { at: 9 * 60 + 5, acknowledgedAfter: 4, resolvedAfter: 60 });
  await putAlert(rota, { at: 24 * 60 - 1, acknowledgedAfter: 10 });
  await putAlert(rota, { at: 24 * 60, state: "timed_out" });
  const { body } = await rota.account.api("GET", `/reports/alerts?${WEEK}`);
  const counted = (report: typeof body) =>
    report.by_hour
      .filter((it: any) => it.alerts > 0)
      .map((it: any) => `${it.weekday} ${it.hour} ${it.alerts}`);
  expect(body.by_hour).toHaveLength(168);
  expect(counted(body)).toEqual(["1 9 2", "1 23 1", "2 0 1"]);
  expect(body.complete).toBe(true);
  expect(body.by_week).toEqual([
    {
      team_id: rota.teamId,
      week: "2026-01-05",
      alerts: 4,
      dropped: 1,
      acknowledge: { count: 3, median_seconds: 240, ninetieth_seconds: 600 },
      resolve: { count: 2, median_seconds: 1800, ninetieth_seconds: 3600 },
    },
  ]);
  expect([body.alerts, body.acknowledge, body.by_source]).toEqual([
    4,
    { count: 3, median_seconds: 240, ninetieth_seconds: 600 },
    [{ integration_id: null, alerts: 4 }],
  ]);
  const tokyo = await rota.account.api("GET", `/reports/alerts?${WEEK}&time_zone=Tokyo`);
  expect(counted(tokyo.body)).toEqual(["1 18 2", "2 8 1", "2 9 1"]);
  const other = await (await makeAccount()).api("GET", `/reports/alerts?${WEEK}`);
  expect(other.body.by_week).toEqual([]);
});

test("reports the loudest sources, and only the alerts of chosen teams", async () => {
  const rota = await makeRota("A");
  const { api, accountId } = rota.account;
  const { body: other } = await makeSearch(rota);
  const alerts = [];
  for (const at of [0, 1, 2]) {
    alerts.push(await putAlert(rota, { at: at * 60, acknowledgedAfter: at + 1 }));
  }
  const lone = await putAlert({ ...rota, teamId: other.id }, { at: 300, acknowledgedAfter: 30 });
  const [loud, quiet] = [newId(START), newId(START)];
  const from = (source: string, id: string | undefined) =>
    env.DB.prepare(
      "update alerts set source_id = ?, source_log_id = 'LOG' where account_id = ? and id = ?",
    ).bind(source, accountId, id ?? "");
  await env.DB.batch([from(loud, alerts[0]), from(loud, alerts[1]), from(quiet, lone)]);
  const report = async (query: string) =>
    (await api("GET", `/reports/alerts?${WEEK}${query}`)).body;
  expect(await report("")).toMatchObject({
    alerts: 4,
    acknowledge: { count: 4, median_seconds: 120, ninetieth_seconds: 1800 },
    by_source: [
      { integration_id: loud, alerts: 2 },
      { integration_id: null, alerts: 1 },
      { integration_id: quiet, alerts: 1 },
    ],
  });
  expect(await report(`&team_ids=${other.prefix_id}`)).toMatchObject({
    alerts: 1,
    acknowledge: { count: 1, median_seconds: 1800, ninetieth_seconds: 1800 },
    by_source: [{ integration_id: quiet, alerts: 1 }],
    by_week: [{ team_id: other.id, alerts: 1 }],
  });
  expect((await report(`&team_ids=${other.id},${rota.teamId}`)).alerts).toBe(4);
});

test("reports hours on call and pages at night, in each person's time zone", async () => {
  const rota = await makeRota("AB");
  await rota.event("A", {
    start_datetime: "2026-01-05T00:00:00Z",
    end_datetime: "2026-01-05T10:00:00Z",
  });
  await rota.event("AB", {
    layer: 2,
    start_datetime: "2026-01-05T05:00:00Z",
    end_datetime: "2026-01-05T12:00:00Z",
  });
  await env.DB.prepare(
    "update users set time_zone = ? where id = (select user_id from account_users where id = ?)",
  )
    .bind("Asia/Tokyo", rota.people.get("B") ?? "")
    .run();
  const alertId = await putAlert(rota, { at: 0 });
  const page = (who: string, hour: number, channel: string) =>
    env.DB.prepare(
      `insert into notifications (id, created_at, updated_at, account_id, effect,
        owner_id, account_user_id, channel, event, status, sent_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, 'alert.open', 'sent', ?)`,
    ).bind(
      newId(START + hour * 60 * MINUTE),
      START + hour * 60 * MINUTE,
      START,
      rota.account.accountId,
      crypto.randomUUID(),
      alertId,
      rota.people.get(who) ?? "",
      channel,
      START + hour * 60 * MINUTE,
    );
  await env.DB.batch([
    page("A", 23, "email"),
    page("A", 23, "push"),
    page("A", 12, "email"),
    page("B", 23, "email"),
    page("B", 14, "email"),
    page("B", 15, "email"),
    // The night from Monday to Tuesday goes on until 06:00; the next begins at 22:00.
    page("A", 29, "email"),
    page("A", 30, "email"),
    page("A", 46, "email"),
  ]);
  const { body } = await rota.account.api("GET", `/reports/people?${WEEK}`);
  const by = (who: string) =>
    body.by_person.find((it: any) => it.account_user_id === rota.people.get(who));
  expect(by("A")).toMatchObject({ hours: 12, pages: 5, pages_at_night: 3, nights_disturbed: 2 });
  expect(by("B")).toMatchObject({ hours: 7, pages: 3, pages_at_night: 2, nights_disturbed: 1 });
  expect(body.nights_disturbed).toBe(3);
  const { body: other } = await makeSearch(rota);
  const ofTeam = async (id: string) =>
    (await rota.account.api("GET", `/reports/people?${WEEK}&team_ids=${id}`)).body;
  expect(await ofTeam(other.id)).toMatchObject({ nights_disturbed: 0, by_person: [] });
  expect((await ofTeam(rota.teamId)).by_person).toEqual(body.by_person);
});

test.each(["alerts", "people"])(
  "refuses a missing or too long window, an unknown time zone and an unknown team: %s",
  async (name) => {
    const { api } = await makeAccount();
    expect((await api("GET", `/reports/${name}`)).status).toBe(422);
    const wide = "start=2026-01-01 00:00:00&end=2026-06-01 00:00:00";
    expect((await api("GET", `/reports/${name}?${wide}`)).body.errors[0].field).toBe("end");
    const zone = await api("GET", `/reports/${name}?${WEEK}&time_zone=Nowhere`);
    expect(zone.body.errors[0].field).toBe("time_zone");
    const team = await api("GET", `/reports/${name}?${WEEK}&team_ids=${newId(START)}`);
    expect([team.status, team.body.errors[0].field]).toEqual([422, "team_ids"]);
  },
);
