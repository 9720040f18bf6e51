// `npm start -- --demo`: a month of an account with twelve people in three teams. What is now is made through the API, as
// a client would; what was is inserted as the alerts' own decisions would have left it.
import { eq, isNull } from "drizzle-orm";
import { accounts, userEmails } from "../../features/schema/people.ts";
import { build } from "../../kernel/db/database.ts";
import type { Demo, DemoCalls } from "../demo.ts";
import { toStatement } from "../first-account.ts";
import type { BoundStatement } from "../inline-parameters.ts";
import { type Cast, type DemoPerson, pastAlertRows } from "./past-alert-rows.ts";
import {
  DAY_MS,
  LAYERS,
  MONTH_DAYS,
  PEOPLE,
  pastAlerts,
  personOnCall,
  TEAMS,
  type TeamStory,
} from "./story.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;

/** "Tomáš Novák" → tomas.novak@example.com. */
const emailOf = (name: string): string =>
  `${name
    .normalize("NFKD")
    .replaceAll("Ł", "L")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(" ", ".")}@example.com`;

/** Four weeks before the latest Monday 09:00 UTC that has been by `now` (epoch ms). */
function firstHandoff(now: number): number {
  const midnight = now - (now % DAY_MS);
  const daysSinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  const monday = midnight - daysSinceMonday * DAY_MS + 9 * HOUR_MS;
  return (monday > now ? monday - WEEK_MS : monday) - MONTH_DAYS * DAY_MS;
}

const iso = (at: number) => new Date(at).toISOString();

type Built = {
  readonly id: string;
  readonly story: TeamStory;
  readonly integrationId: string;
};

/** A primary and a secondary rotation of a week; who is secondary is primary next. */
async function addRotations(
  post: DemoCalls["post"],
  scheduleId: string,
  members: readonly string[],
  begins: number,
): Promise<void> {
  for (const layer of [1, 2]) {
    await post("/events", {
      ...{ start_datetime: iso(begins), end_datetime: iso(begins + WEEK_MS), time_zone: "UTC" },
      ...{ layer, repeat: true, frequency: 1, frequency_unit: "weekly", rotation: true },
      schedule_ids: [scheduleId],
      account_user_ids: [...members.slice(layer - 1), ...members.slice(0, layer - 1)],
    });
  }
}

/** A team with a policy of two layers, a primary and a secondary rotation of a week, and an integration. */
async function buildTeam(
  { post, typeNamed }: DemoCalls,
  story: TeamStory,
  people: readonly DemoPerson[],
  begins: number,
): Promise<Built> {
  const { name, integration } = story;
  const members = story.members.map((at) => people[at]?.id ?? "");
  const policy = await post("/escalation_policies", {
    name: `${name}: primary, then secondary`,
    escalation_layers_attributes: [...LAYERS],
  });
  const team = await post("/teams", {
    name,
    escalation_policy_id: policy.id,
    member_account_user_ids: members,
    admin_account_user_ids: members.slice(0, 1),
  });
  await addRotations(post, String(team.schedule_id), members, begins);
  const made = await post("/integrations", {
    name: integration.name,
    urgency: "high",
    integration_type_id: await typeNamed(integration.type),
    accepts_id: false,
    team_ids: [String(team.id)],
  });
  return { id: String(team.id), story, integrationId: String(made.id) };
}

/** What is going on now: alerts that wait, an absence, a maintenance window, a broadcast. */
async function describeToday(
  { post }: DemoCalls,
  [, payments, platform]: readonly Built[],
  people: readonly DemoPerson[],
  now: number,
): Promise<void> {
  if (!payments || !platform) return;
  const alert = (team: Built, at: number, urgency: string) =>
    post("/alerts", {
      title: team.story.problems[at]?.title ?? "",
      description: team.story.problems[at]?.description ?? "",
      urgency,
      destination_team_ids: [team.id],
    });
  const replication = await alert(platform, 1, "high");
  const refunds = await alert(payments, 3, "low");
  await post(`/alerts/${replication.id}/acknowledge`, {});
  await post("/comments", {
    body: "Looking. The replica catches up slowly.",
    commentable_type: "Alert",
    commentable_id: replication.id ?? "",
  });
  await post(`/alerts/${refunds.id}/snooze`, { until: iso(now + 3 * HOUR_MS) });
  await alert(payments, 0, "critical");
  const nextMonday = firstHandoff(now) + MONTH_DAYS * DAY_MS + WEEK_MS;
  const away = people[platform.story.members[2] ?? 0];
  await post("/absences", {
    account_user_id: away?.id ?? "",
    start_datetime: iso(nextMonday),
    end_datetime: iso(nextMonday + WEEK_MS),
    instead: "next_in_line",
    reason: "Two weeks in the mountains",
  });
  await post("/maintenance_windows", {
    name: "Upgrade of the database",
    start_datetime: iso(nextMonday + DAY_MS + 12 * HOUR_MS),
    end_datetime: iso(nextMonday + DAY_MS + 14 * HOUR_MS),
    time_zone: "UTC",
    integration_ids: [platform.integrationId],
  });
  await post("/broadcasts", {
    title: "Upgrade of the database on Tuesday night",
    description: "No deployments from 21:00 to 23:00 UTC, please.",
    destination_team_ids: [payments.id, platform.id],
  });
}

/** What the alerts of a team refer to. */
function castOf(
  team: Built,
  accountId: string,
  people: readonly DemoPerson[],
  begins: number,
): Cast {
  const { story, integrationId } = team;
  const { name, members, integration } = story;
  const byId = new Map(people.map((person) => [person.id, person]));
  return {
    accountId,
    teamId: team.id,
    source: { type: "Integration", id: integrationId, name: integration.name, logId: null },
    memberOf: (id) => byId.get(id) ?? { id, name: "", email: "" },
    factsAt: (at) => {
      const ends = begins + (Math.floor((at - begins) / WEEK_MS) + 1) * WEEK_MS;
      const onCall = LAYERS.map(({ layer }) => {
        const person = people[personOnCall(story, layer, begins, at)];
        const reason = `on call until ${iso(ends)}`;
        return [
          layer,
          person ? [{ accountUserId: person.id, name: person.name, reason }] : [],
        ] as const;
      });
      return {
        destination: { type: "team", id: team.id },
        name,
        layers: LAYERS.map(({ layer, timeout }) => ({ layer, timeoutMs: timeout * 60_000 })),
        repeat: 0,
        onCall: Object.fromEntries(onCall),
        memberIds: members.map((it) => people[it]?.id ?? ""),
        dropRecipientIds: [people[members[0] ?? 0]?.id ?? ""],
        reassign: [],
      };
    },
  };
}

/**
 * Makes the month around the demo.
 *
 * @param now epoch ms
 * @returns what is to be inserted: the alerts that were
 */
export async function createMonth(
  calls: DemoCalls,
  demo: Demo,
  first: { readonly accountId: string; readonly people: readonly DemoPerson[] },
  now: number,
): Promise<readonly BoundStatement[]> {
  const people = [...first.people];
  for (const name of PEOPLE) {
    const email = emailOf(name);
    const user = { name, emails_attributes: [{ email }] };
    const { id } = await calls.post("/account_users", { user_attributes: user });
    people.push({ id: String(id), name, email });
  }
  const begins = firstHandoff(now);
  const [lampRoom, ...others] = TEAMS;
  const members = (lampRoom?.members ?? []).map((at) => people[at]?.id ?? "");
  await calls.put(`/teams/${demo.team_id}`, { member_account_user_ids: members });
  await addRotations(calls.post, demo.schedule_id, members, begins);
  const teams: Built[] = lampRoom
    ? [
        {
          id: demo.team_id,
          story: lampRoom,
          integrationId: demo.integration_id,
        },
      ]
    : [];
  for (const story of others) teams.push(await buildTeam(calls, story, people, begins));
  await describeToday(calls, teams, people, now);
  const casts = teams.map((team) => castOf(team, first.accountId, people, begins));
  const rows = pastAlerts(now).flatMap((past) => {
    const cast = casts[past.team];
    return cast ? pastAlertRows(past, cast) : [];
  });
  const confirmed = build
    .update(userEmails)
    .set({ verifiedAt: now })
    .where(isNull(userEmails.verifiedAt));
  const progress = build
    .update(accounts)
    .set({ pageSentAt: begins, pageAnsweredAt: begins })
    .where(eq(accounts.id, first.accountId));
  return [confirmed, progress, ...rows].map(toStatement);
}
