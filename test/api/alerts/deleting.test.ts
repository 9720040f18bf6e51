import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import type { AlertStatus } from "../../../src/domain/alerts/alert.ts";
import type { RecordKind } from "../../../src/domain/shared/identifiers.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { type Account, makeAccount, type Reply } from "../../support/api/api.ts";
import { addColleague } from "../../support/people/people.ts";

/** Inserts a row with the columns that every record has, as the API would. */
async function insertRow(
  table: string,
  kind: RecordKind,
  accountId: string,
  columns: Record<string, string | number>,
): Promise<{ readonly id: string; readonly prefixId: string }> {
  const { id, prefixId } = newIdentity(kind, Date.now());
  const row = { id, created_at: 1, updated_at: 1, account_id: accountId };
  // Of an alert it is computed.
  const name = table === "alerts" ? {} : { prefix_id: prefixId };
  const all = { ...row, ...name, ...columns };
  const names = Object.keys(all).map((name) => `"${name}"`);
  await env.DB.prepare(
    `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
  )
    .bind(...Object.values(all))
    .run();
  return { id, prefixId };
}

async function insertIntegration(accountId: string, type: string, receiverId: string) {
  const row = await insertRow("integrations", "integration", accountId, {
    name: "Prometheus",
    urgency: "high",
    integration_type: "prometheus",
    intake_key: "x",
  });
  await env.DB.prepare("insert into integration_receivers values (?, ?, ?, ?, 0)")
    .bind(accountId, row.id, type, receiverId)
    .run();
  return row;
}

const insertRouter = (accountId: string, receiverId: string, rules = "") =>
  insertRow("routers", "router", accountId, {
    name: "By service",
    rules,
    default_receiver_type: "team",
    default_receiver_id: receiverId,
  });

async function insertAlert(
  accountId: string,
  status: AlertStatus,
  destinationIds: readonly string[],
) {
  const columns = { version: 1, title: "Disk full", status, urgency: "high" };
  const alert = await insertRow("alerts", "alert", accountId, columns);
  for (const id of destinationIds) {
    await env.DB.prepare("insert into alert_destinations values (?, ?, ?, 1)")
      .bind(accountId, id, alert.id)
      .run();
  }
  return alert;
}

async function makeTeam({ api, accountUserId }: Account, name = "Team"): Promise<Reply["body"]> {
  const made = await api("POST", "/teams", {
    name,
    member_account_user_ids: [accountUserId],
    admin_account_user_ids: [accountUserId],
  });
  return made.body;
}

const messagesOf = (reply: Reply) =>
  reply.body.errors.map(({ message }: { message: string }) => message);

describe("deleting", () => {
  test("a team keeps its schedule and policy, and removes it from policies that reassign to it", async () => {
    const account = await makeAccount();
    const { api } = account;
    const team = await makeTeam(account);
    const { body: policy } = await api("POST", "/escalation_policies", {
      name: "P",
      reassign_team_ids: [team.id],
    });
    const deleted = await api("DELETE", `/teams/${team.prefix_id}`);
    expect(deleted.status).toBe(204);
    expect(deleted.text).toBe("");
    expect((await api("GET", `/teams/${team.id}`)).status).toBe(404);
    expect((await api("DELETE", `/teams/${team.id}`)).status).toBe(404);
    expect((await api("GET", "/teams")).body.total_count).toBe(0);
    expect((await api("GET", `/schedules/${team.schedule_id}`)).status).toBe(200);
    const left = await api("GET", `/escalation_policies/${team.escalation_policy_id}`);
    expect(left.body.team_ids).toEqual([]);
    const reassigning = await api("GET", `/escalation_policies/${policy.id}`);
    expect(reassigning.body.reassign_team_ids).toEqual([]);
  });

  test("a schedule leaves its teams without one, and deletes events that are in no other schedule", async () => {
    const account = await makeAccount();
    const { api, accountId, accountUserId } = account;
    const team = await makeTeam(account);
    const { body: other } = await api("POST", "/schedules", { name: "Other" });
    const event = { start_at: 1, end_at: 2, layer: 1, time_zone: "UTC" };
    const [alone, shared] = [
      await insertRow("events", "event", accountId, event),
      await insertRow("events", "event", accountId, event),
    ];
    const place = (scheduleId: string, eventId: string) =>
      env.DB.prepare(
        "insert into event_schedules (account_id, schedule_id, event_id) values (?, ?, ?)",
      )
        .bind(accountId, scheduleId, eventId)
        .run();
    await place(team.schedule_id, alone.id);
    await place(team.schedule_id, shared.id);
    await place(other.id, shared.id);
    expect((await api("DELETE", `/schedules/${team.schedule_id}`)).status).toBe(204);
    const left = await api("GET", `/teams/${team.id}`);
    expect(left.body.schedule_id).toBeNull();
    expect(left.body.escalation_policy_id).toBe(team.escalation_policy_id);
    const events = await env.DB.prepare("select id from events where account_id = ?")
      .bind(accountId)
      .all();
    expect(events.results).toEqual([{ id: shared.id }]);
    const given = await api("PUT", `/teams/${team.id}`, { schedule_id: other.id });
    expect(given.body.schedule_id).toBe(other.id);
    expect(given.body.member_account_user_ids).toEqual([accountUserId]);
  });

  test("a policy deletes its layers, and leaves its teams without one", async () => {
    const account = await makeAccount();
    const { api } = account;
    const team = await makeTeam(account);
    const path = `/escalation_policies/${team.escalation_policy_id}`;
    expect((await api("DELETE", path)).status).toBe(204);
    expect((await api("GET", path)).status).toBe(404);
    expect((await api("GET", `/teams/${team.id}`)).body.escalation_policy_id).toBeNull();
    const layers = await env.DB.prepare(
      "select count(*) as n from escalation_layers where account_id = ?",
    )
      .bind(account.accountId)
      .first();
    expect(layers).toEqual({ n: 0 });
  });

  test("an account user removes them from teams, events and policies, and revokes their keys", async () => {
    const account = await makeAccount();
    const { api, accountId, accountUserId } = account;
    const person = await addColleague(account, "Grace");
    const team = await makeTeam(account);
    await api("PUT", `/teams/${team.id}`, {
      member_account_user_ids: [accountUserId, person.id],
      admin_account_user_ids: [person.id],
      drop_notification_account_user_ids: [person.id],
    });
    const { body: policy } = await api("POST", "/escalation_policies", {
      name: "P",
      reassign_account_user_ids: [person.id, accountUserId],
    });
    const event = await insertRow("events", "event", accountId, {
      start_at: 1,
      end_at: 2,
      layer: 1,
      time_zone: "UTC",
    });
    await env.DB.prepare("insert into event_attendees values ('attendee', ?, ?, ?, 0)")
      .bind(accountId, event.id, person.id)
      .run();
    const deleted = await api("DELETE", `/account_users/${person.id}`);
    expect(deleted.status, deleted.text).toBe(204);
    expect((await api("GET", `/account_users/${person.id}`)).status).toBe(404);
    expect((await api("GET", `/users/${person.userId}`)).status).toBe(404);
    expect((await api("GET", "/account_users")).body.total_count).toBe(1);
    expect((await api("GET", `/teams/${team.id}`)).body).toMatchObject({
      member_account_user_ids: [accountUserId],
      admin_account_user_ids: [],
      drop_notification_account_user_ids: [],
    });
    const left = await api("GET", `/escalation_policies/${policy.id}`);
    expect(left.body.reassign_account_user_ids).toEqual([accountUserId]);
    const attendees = await env.DB.prepare("select * from event_attendees where event_id = ?")
      .bind(event.id)
      .all();
    expect(attendees.results).toEqual([]);
    expect((await person.api("GET", "/teams")).status).toBe(401);
  });

  test("a team in use is a 409 that names the integrations, routers and alerts that refer to it", async () => {
    const account = await makeAccount();
    const { api, accountId } = account;
    const [team, other] = [await makeTeam(account), await makeTeam(account)];
    const integration = await insertIntegration(accountId, "team", team.id);
    const router = await insertRouter(accountId, team.id);
    const alert = await insertAlert(accountId, "open", [team.id]);
    const refused = await api("DELETE", `/teams/${team.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe(409);
    expect(messagesOf(refused)).toEqual([
      `still in use by the integration ${integration.prefixId} (Prometheus)`,
      `still in use by the router ${router.prefixId} (By service)`,
      `still in use by the alert ${alert.prefixId} (Disk full)`,
    ]);
    expect((await api("GET", `/teams/${team.id}`)).status).toBe(200);
    expect((await api("DELETE", `/teams/${other.id}`)).status).toBe(204);
  });

  test("a team that a router's rules name, by either form of its id, is a 409", async () => {
    const account = await makeAccount();
    const [one, two, free] = [
      await makeTeam(account),
      await makeTeam(account),
      await makeTeam(account),
    ];
    await insertRouter(account.accountId, "nobody", `receiver: [${one.id.toLowerCase()}]`);
    await insertRouter(account.accountId, "nobody", `receiver: ${two.prefix_id}`);
    for (const [team, status] of [
      [one, 409],
      [two, 409],
      [free, 204],
    ]) {
      expect((await account.api("DELETE", `/teams/${team.id}`)).status).toBe(status);
    }
  });

  test("a destination of an alert is a 409 until the alert is resolved or suppressed", async () => {
    const account = await makeAccount();
    const statuses = [
      "queued",
      "open",
      "acknowledged",
      "dropped",
      "resolved",
      "suppressed",
    ] as const;
    for (const status of statuses) {
      const team = await makeTeam(account);
      await insertAlert(account.accountId, status, [team.id]);
      const finished = status === "resolved" || status === "suppressed";
      for (const path of [
        `/escalation_policies/${team.escalation_policy_id}`,
        `/schedules/${team.schedule_id}`,
        `/teams/${team.id}`,
      ]) {
        const reply = await account.api("DELETE", path);
        expect([path, reply.status]).toEqual([path, finished ? 204 : 409]);
      }
    }
  });

  test("an account user in use is a 409 that names what refers to them", async () => {
    const account = await makeAccount();
    const { api, accountId } = account;
    const people = [
      await addColleague(account, "A"),
      await addColleague(account, "B"),
      await addColleague(account, "C"),
    ] as const;
    await insertIntegration(accountId, "account_user", people[0].id);
    await insertRouter(accountId, people[1].id);
    await insertAlert(accountId, "dropped", [people[2].id]);
    const replies = await Promise.all(
      people.map(({ id }) => api("DELETE", `/account_users/${id}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect(replies.map((reply) => messagesOf(reply)[0].split(" ")[5])).toEqual([
      "integration",
      "router",
      "alert",
    ]);
    expect((await people[0].api("GET", "/teams")).status).toBe(200);
  });

  test("ignores references from another account", async () => {
    const account = await makeAccount();
    const other = await makeAccount();
    const team = await makeTeam(account);
    await insertRouter(other.accountId, team.id, team.prefix_id);
    await insertIntegration(other.accountId, "team", team.id);
    await insertAlert(other.accountId, "open", [team.id]);
    for (const path of [`/teams/${team.id}`, `/schedules/${team.schedule_id}`]) {
      expect((await other.api("DELETE", path)).status).toBe(404);
    }
    expect((await account.api("DELETE", `/teams/${team.id}`)).status).toBe(204);
  });

  test("is allowed only to the account's admins; a team's admin can update the team", async () => {
    const account = await makeAccount();
    const lead = await addColleague(account, "Lead");
    const team = await makeTeam(account);
    await account.api("PUT", `/teams/${team.id}`, { admin_account_user_ids: [lead.id] });
    expect((await lead.api("PUT", `/teams/${team.id}`, { notes: "mine" })).status).toBe(200);
    for (const path of [
      `/teams/${team.id}`,
      `/schedules/${team.schedule_id}`,
      `/escalation_policies/${team.escalation_policy_id}`,
      `/account_users/${lead.id}`,
    ]) {
      expect((await lead.api("DELETE", path)).status).toBe(403);
    }
  });
});
