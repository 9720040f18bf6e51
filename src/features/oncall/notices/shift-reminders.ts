// Queues announcements to the account's outgoing integrations that a person is about to go on or
// off call, with the lead time that each integration requests.
import type {
  Announcement,
  AnnouncementTarget,
} from "../../../domain/integrations/announcement.ts";
import {
  boundariesDue,
  nextReminderAt,
  type ShiftChange,
  shiftChanges,
} from "../../../domain/oncall/shift-reminders.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { ianaZone } from "../../../domain/shared/time-zones.ts";
import { reminderLeadMs } from "../../../products/outgoing/announcement-targets.ts";
import { queueAnnouncements, readAnnouncementTargets } from "../../outgoing/queue-announcements.ts";
import { readShiftFacts, readShiftTeams, type ShiftFacts, type ShiftTeam } from "./handoff-rows.ts";

/** Maximum number of boundaries announced per run, in case the alarm fires late. */
const MAX_BOUNDARIES = 50;

type Schedule = { readonly id: string; readonly accountId: string };

/** An account's outgoing integrations that announce shifts, by lead time (ms). */
async function targetsByLead(
  env: Cloudflare.Env,
  accountId: string,
): Promise<ReadonlyMap<number, readonly AnnouncementTarget[]>> {
  const targets = await readAnnouncementTargets(env.DB, accountId);
  const withReminders = targets.filter((it) => reminderLeadMs(it) !== null);
  return Map.groupBy(withReminders, (it) => reminderLeadMs(it) as number);
}

/** When a schedule's next reminder is due (epoch ms), after `now`; null = none. */
export async function findNextReminder(
  env: Cloudflare.Env,
  { accountId }: Schedule,
  { schedule }: ShiftFacts,
  now: number,
): Promise<number | null> {
  if (schedule.events.length === 0) return null;
  const leads = await targetsByLead(env, accountId);
  return nextReminderAt(schedule, [...leads.keys()], now);
}

/**
 * Queues the reminders that are due since `from` (epoch ms). Idempotent.
 *
 * @returns when the next one is due (epoch ms); null = none
 */
export async function queueReminders(
  env: Cloudflare.Env,
  schedule: Schedule,
  from: number,
  now: number,
): Promise<number | null> {
  const { id, accountId } = schedule;
  const facts = await readShiftFacts(env.DB, accountId, id, from - 1);
  const teams = await readShiftTeams(env.DB, accountId, id);
  const leads = await targetsByLead(env, accountId);
  for (const [lead, targets] of leads) {
    const due = boundariesDue(facts.schedule, lead, from, now, MAX_BOUNDARIES);
    const announcements = due.flatMap((boundary) =>
      shiftChanges(facts.schedule, boundary).map((change, i) =>
        announcementOf(schedule, { change, lead, facts, teams, sequence: i }),
      ),
    );
    await queueAnnouncements(env, accountId, announcements, targets);
  }
  return nextReminderAt(facts.schedule, [...leads.keys()], now);
}

type Reminder = {
  readonly change: ShiftChange;
  readonly lead: number;
  readonly facts: ShiftFacts;
  readonly teams: readonly ShiftTeam[];
  readonly sequence: number;
};

function announcementOf(
  { id, accountId }: Schedule,
  { change, lead, facts, teams, sequence }: Reminder,
): Announcement {
  const { goes, accountUserId, at, shift } = change;
  const { layer, eventId, startAt, endAt } = shift;
  const zone = facts.schedule.events.find((event) => event.id === eventId)?.timeZone ?? "UTC";
  const name = facts.names.get(accountUserId) ?? accountUserId;
  const effectId = `${id}:${at}:${layer}:${accountUserId}:${goes}`;
  const event = {
    id: eventId,
    prefix_id: prefixIdOf("event", eventId),
    start_time: new Date(startAt).toISOString(),
    end_time: new Date(endAt).toISOString(),
    time_zone: zone,
    iana_time_zone: ianaZone(zone),
    layer,
    schedule_id: id,
    teams: teams.map((team) => ({ ...team, prefix_id: prefixIdOf("team", team.id) })),
  };
  const person = {
    id: accountUserId,
    prefix_id: prefixIdOf("account_user", accountUserId),
    user: { name },
  };
  return {
    effectId,
    event: `event_reminder.going_${goes}_call`,
    at: at - lead,
    lane: id,
    sequence,
    alertId: null,
    audience: {
      teamIds: teams.map((team) => team.id),
      routerIds: [],
      accountUserIds: [accountUserId],
    },
    from: null,
    trail: [],
    payload: {
      about: "shift",
      shift: {
        account_id: accountId,
        at: new Date(at).toISOString(),
        event,
        account_user: person,
      },
      personName: name,
      teamNames: teams.map((team) => team.name),
      layer,
      at,
    },
  };
}
