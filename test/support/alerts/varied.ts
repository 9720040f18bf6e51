// Creates an account with several different records of every kind: texts that differ only in case,
// nulls, empty lists, and both values of flags.
import { env } from "cloudflare:workers";
import { notifications } from "../../../src/features/schema/alerts.ts";
import { deliveries } from "../../../src/features/schema/integrations.ts";
import { build, statement } from "../../../src/kernel/db/database.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { newCalendar } from "../oncall/calendars.ts";
import { newSubscription } from "../providers/push.ts";
import { type Inhabited, insertChatAccount, makeInhabited } from "../worker/inhabited.ts";
import { waitUntilIdle } from "../worker/quiet.ts";
import { newNotification } from "./notifications.ts";

const NAMES = ["alpha", "Alpha", "béta 10%", "zulu_x"];

type Body = Record<string, unknown>;
type Make = (path: string, body: Body) => Promise<Body & { id: string }>;

const nth = <Value>(values: readonly Value[], i: number): Value =>
  values[i % values.length] as Value;

async function people(make: Make, world: Inhabited): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, name] of NAMES.entries()) {
    const made = await make("/account_users", {
      user_attributes: {
        name,
        notify_sms: i === 1,
        notify_voice: i > 1,
        emails_attributes: [{ email: `${world.word}.varied.${i}@example.com` }],
      },
      time_zone: nth(["UTC", "Berlin"], i),
      preferred_language: nth(["en", "de"], i),
      roles: { admin: i === 0, billing: i === 1, broadcaster: i > 1 },
      team_ids: i > 1 ? [world.ids.team.id] : [],
      notification_rule_id: i === 1 ? world.ids.notification_rule.id : null,
      meta: i === 2 ? { floor: 3, remote: true } : {},
    });
    ids.push(made.id);
    await make("/api_keys", { name, read_only: i === 1, account_user_id: made.id });
    await make(`/account_users/${made.id}/feeds`, { name });
  }
  return ids;
}

async function oncall(make: Make, world: Inhabited, persons: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, name] of NAMES.entries()) {
    const policy = await make("/escalation_policies", {
      name,
      repeat: i % 3,
      reassign_account_user_ids: i > 1 ? [nth(persons, i)] : [],
      reassign_team_ids: i === 1 ? [world.ids.team.id] : [],
    });
    const team = await make("/teams", {
      name,
      notes: nth([null, "some notes"], i),
      drop_notifications: nth(["none", "team_all"], i),
      handoff_notifications: nth(["none", "specific_users"], i),
      member_account_user_ids: [nth(persons, i), nth(persons, i + 1)],
      admin_account_user_ids: [world.accountUserId],
      drop_notification_account_user_ids: i === 1 ? [nth(persons, i)] : [],
      handoff_notification_account_user_ids: i === 2 ? [nth(persons, i)] : [],
      ...(i > 0 && { escalation_policy_id: policy.id }),
    });
    await make("/events", {
      start_datetime: `2026-0${i + 1}-05T09:00:00Z`,
      end_datetime: `2026-0${i + 1}-05T17:00:00Z`,
      layer: i + 1,
      time_zone: nth(["UTC", "Berlin"], i),
      schedule_ids: i === 0 ? [] : [world.ids.schedule.id],
      account_user_ids: persons.slice(0, i + 1),
      rotation: i === 2,
      ...(i > 0 && {
        repeat: true,
        frequency: i,
        frequency_unit: nth(["daily", "weekly"], i),
        days_of_week: i === 3 ? [1, 5] : [],
        repeat_end_datetime: i === 2 ? "2026-12-01T00:00:00Z" : null,
      }),
    });
    ids.push(team.id);
  }
  return ids;
}

async function messages(make: Make, world: Inhabited, persons: readonly string[]): Promise<void> {
  for (const [i, name] of NAMES.entries()) {
    const alert = await make("/alerts", {
      title: name,
      description: nth([null, `about ${name}`], i),
      urgency: nth(["silent", "low", "critical"], i),
      tags: i === 0 ? [] : [name, "shared"],
      thirdparty_id: i === 1 ? "varied-1" : null,
      dedup_keys: i === 2 ? ["key"] : [],
      destination_account_user_ids: [nth(persons, i)],
      destination_team_ids: i > 1 ? [world.ids.team.id] : [],
      meta: i === 3 ? { incident: true, incident_severity: "SEV-2", incident_message: name } : {},
    });
    if (i === 1) await world.api("POST", `/alerts/${alert.id}/acknowledge`);
    if (i === 2) await world.api("POST", `/alerts/${alert.id}/resolve`);
    await make("/broadcasts", {
      title: name,
      description: nth([null, "text"], i),
      tag_list: i === 0 ? [] : [name, "shared"],
      response_requested: i === 1,
      response_requested_by: i === 1 ? "2030-01-01T00:00:00Z" : null,
      destination_account_user_ids: [nth(persons, i)],
      destination_team_ids: i > 1 ? [world.ids.team.id] : [],
      broadcast_response_options_attributes: [{ value: name }],
    });
    const on = nth(["/alerts", "/broadcasts", "/comments", ""], i);
    const { alert: a, broadcast, comment } = world.ids;
    const parent = nth([a, broadcast, comment, a], i);
    await make(on === "" ? "/comments" : `${on}/${parent.id}/comments`, { body: name });
    await make(`/alerts/${a.id}/comments`, { body: `${name} again` });
    await make(`/broadcasts/${broadcast.id}/comments`, { body: `${name} too` });
    await make(`/comments/${comment.id}/comments`, { body: `${name} as well` });
  }
}

async function configuration(make: Make, world: Inhabited, persons: readonly string[]) {
  for (const [i, name] of NAMES.entries()) {
    const integration = await make("/integrations", {
      name,
      enabled: i !== 1,
      urgency: nth(["silent", "high"], i),
      integration_type_id: nth(["webhook", "prometheus"], i),
      account_user_ids: [nth(persons, i)],
      team_ids: i > 1 ? [world.ids.team.id] : [],
      router_ids: i === 3 ? [world.ids.router.id] : [],
    });
    await make("/maintenance_windows", {
      name,
      description: nth([null, "why"], i),
      start_datetime: `203${i}-01-01T00:00:00Z`,
      end_datetime: `203${i}-01-0${i + 2}T00:00:00Z`,
      time_zone: nth(["UTC", "Berlin"], i),
      integration_ids: [integration.id],
    });
    await make("/company_holidays", {
      name,
      start_date: `203${i}-06-01`,
      end_date: `203${i}-06-0${i + 1}`,
      repeats_yearly: i === 1,
    });
    await make("/calendar_imports", {
      name,
      schedule_id: world.ids.schedule.id,
      layer: nth([1, 2], i),
      ical: newCalendar(i > 1 ? [{ summary: name }, { summary: "shared" }] : []),
    });
    await make("/absence_calendars", {
      name,
      account_user_id: nth(persons, i),
      url: `https://calendar-${i}.example.com/absences.ics`,
    });
    await make("/absences", {
      account_user_id: nth(persons, i),
      start_datetime: `203${i}-01-01T00:00:00Z`,
      end_datetime: `203${i}-01-0${i + 2}T00:00:00Z`,
      reason: nth([null, name], i),
    });
    await make("/absences", {
      account_user_id: world.accountUserId,
      start_datetime: `203${i}-01-01T00:00:00Z`,
      end_datetime: `203${i}-01-01T0${i + 2}:00:00Z`,
      instead: nth(["next_in_line", "empty"], i),
      schedule_ids: i > 1 ? [world.ids.schedule.id] : [],
      reason: nth([null, "Holiday"], i),
    });
    await make("/notification_rules", { name, enabled: i !== 2 });
    await make("/push_subscriptions", { ...newSubscription(), name });
    await make("/saved_filters", { name, filter: { q: name } });
    await make("/bulk_operations", {
      action: nth(["acknowledge", "resolve"], i),
      filter: { title: `nothing ${i}` },
      team_id: i === 1 ? world.ids.team.id : null,
    });
    await insertChatAccount(world, `varied${i}`);
    await make("/channel_addresses", {
      channel: nth(["ntfy", "webhook"], i),
      name,
      settings: {
        topic: `varied-${i}`,
        url: "https://varied.example.com/hook",
        secret: `whsec_${"c2Vj".repeat(8)}`,
      },
    });
    await make("/routers", {
      name,
      enabled: i !== 1,
      ...nth<Body>(
        [
          { default_receiver_team_id: world.ids.team.id },
          { default_receiver_account_user_id: nth(persons, i) },
          { default_receiver_router_id: world.ids.router.id },
        ],
        i,
      ),
    });
  }
}

/** Absences of the account's admin, who is on call at all times: open, cancelled, accepted. */
async function askings(make: Make, world: Inhabited, persons: readonly string[]): Promise<void> {
  for (const [i, name] of NAMES.entries()) {
    const absence = await make("/absences", {
      instead: "ask",
      start_datetime: `204${i}-01-01T00:00:00Z`,
      end_datetime: `204${i}-01-0${i + 2}T00:00:00Z`,
      account_user_ids: persons.slice(0, i + 1),
      schedule_ids: i > 1 ? [world.ids.schedule.id] : [],
      reason: nth([null, name], i),
      expires_at: i === 3 ? "2039-01-01T00:00:00Z" : null,
    });
    if (i === 1) await world.api("POST", `/absences/${absence.id}/cancel`);
    if (i !== 2) continue;
    // As if the person had accepted: the account has no key of theirs.
    await env.DB.prepare(
      `update absences set asking_status = 'accepted', covering_account_user_id = ?,
        asking_ended_at = ?, return_of = ? where id = ?`,
    )
      .bind(nth(persons, i), Date.now(), world.ids.absence.id, absence.id)
      .run();
  }
}

/** Inserts notifications in every state, for an alert and for a broadcast. */
async function insertNotifications(
  { accountId, ids }: Inhabited,
  persons: readonly string[],
): Promise<void> {
  const now = Date.now();
  const rows = (["queued", "sent", "failed", "skipped"] as const).map((status, i) => ({
    ...newNotification(now + i),
    accountId,
    ownerId: i < 2 ? ids.alert.id : ids.broadcast.id,
    effect: `varied-${i}`,
    workflowId: i === 0 ? ids.alert_workflow.id : null,
    layer: i === 0 ? null : i,
    pass: i === 0 ? 1 : null,
    accountUserId: nth(persons, i),
    channel: nth(["email", "sms"], i),
    to: nth([null, "someone@example.com"], i),
    event: i < 2 ? "alert.open" : "broadcast.sent",
    status,
    reason: nth([null, "no address"], i),
    providerId: nth([null, "message-1"], i),
    attempts: i,
    sentAt: i === 1 ? now : null,
    failedAt: i === 2 ? now : null,
  }));
  const inserts = rows.map((row) => build.insert(notifications).values(row));
  await env.DB.batch(inserts.map((insert) => statement(env.DB, insert)));
}

/** Inserts deliveries of an integration in every state. */
async function insertDeliveries({ accountId, ids }: Inhabited): Promise<void> {
  const now = Date.now();
  const rows = (["queued", "delivered", "failed", "cancelled"] as const).map((status, i) => ({
    ...newIdentity("delivery", now + i, undefined),
    accountId,
    integrationId: ids.integration.id,
    effectId: `varied-${i}`,
    alertId: i < 2 ? ids.alert.id : null,
    event: nth(["alert.open", "comment.created"], i),
    lane: `varied-${i}`,
    happenedAt: now,
    sequence: i,
    status,
    attempts: i,
    queuedAt: now + i,
    // Due after the end of the test, so that it is never sent.
    nextAt: i === 0 ? now + 86_400_000 : null,
    attemptedAt: i > 0 ? now : null,
    responseCode: nth([null, 200, 500], i),
    reason: nth([null, "it answered 500"], i),
    deliveredAt: i === 1 ? now : null,
    failedAt: i === 2 ? now : null,
  }));
  const inserts = rows.map((row) => build.insert(deliveries).values(row));
  await env.DB.batch(inserts.map((insert) => statement(env.DB, insert)));
}

/** Creates the account. */
export async function makeVaried(word: string): Promise<Inhabited> {
  const world = await makeInhabited(word);
  const make: Make = async (path, body) => {
    const made = await world.api("POST", path, body);
    if (made.status !== 201) throw new Error(`${path}: ${made.text}`);
    return made.body;
  };
  const persons = await people(make, world);
  await oncall(make, world, persons);
  await messages(make, world, persons);
  await configuration(make, world, persons);
  await askings(make, world, persons);
  await waitUntilIdle();
  await insertNotifications(world, persons);
  await insertDeliveries(world);
  return world;
}
