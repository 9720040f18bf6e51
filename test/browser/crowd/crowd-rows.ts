// A large account for the browser tests: 200 people, 60 schedules, 500 alerts. Its rows are inserted
// before the worker runs, because making them through the API takes minutes.

import { alertDestinations, alerts } from "../../../src/features/schema/alerts.ts";
import { integrations, routers } from "../../../src/features/schema/integrations.ts";
import {
  escalationLayers,
  escalationPolicies,
  eventAttendees,
  eventSchedules,
  events,
  schedules,
  teamPeople,
  teams,
} from "../../../src/features/schema/oncall.ts";
import { accountUsers, userEmails, users } from "../../../src/features/schema/people.ts";
import { build } from "../../../src/kernel/db/database.ts";
import { newId, newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { toStatement } from "../../../src/setup/first-account.ts";

const PEOPLE = 199;
const TEAMS = 60;
const ALERTS = 500;
const DAY = 86_400_000;

const FIRST = ["Ana", "Björn", "Chidi", "Dana", "Emre", "Fatima", "Goran", "Hana", "Ines", "Jun"];
const LAST = ["Okafor", "Silva", "Larsson", "Nowak", "Tanaka", "Moreau", "Haddad", "Kovač"];

/** The name of a person of the crowd: each is another. */
export const crowdName = (at: number): string =>
  `${FIRST[at % FIRST.length]} ${LAST[at % LAST.length]} ${at + 1}`;

/** The name of a team, of its schedule and of its policy. */
const teamName = (at: number): string => `Team ${at + 1} ${LAST[at % LAST.length]}`;

function person(accountId: string, at: number, now: number) {
  const user = { ...newIdentity("user", now), name: crowdName(at), passwordExpired: false };
  const accountUser = { ...newIdentity("account_user", now), accountId, userId: user.id };
  const email = {
    ...newIdentity("email", now),
    userId: user.id,
    email: `person.${at + 1}@crowd.example.com`,
    primary: true,
    verifiedAt: now,
  };
  return {
    id: accountUser.id,
    inserts: [
      build.insert(users).values(user),
      build.insert(userEmails).values(email),
      build.insert(accountUsers).values(accountUser),
    ],
  };
}

/** A team of five with a schedule, whose people take weekly turns, and a policy of two layers. */
function team(accountId: string, at: number, members: readonly string[], now: number) {
  const common = (kind: "team" | "schedule" | "escalation_policy" | "event") => ({
    ...newIdentity(kind, now),
    accountId,
  });
  const name = teamName(at);
  const schedule = { ...common("schedule"), name };
  const policy = { ...common("escalation_policy"), name };
  const group = {
    ...common("team"),
    ...{ name, scheduleId: schedule.id, escalationPolicyId: policy.id },
  };
  const event = {
    ...common("event"),
    ...{ startAt: now - 30 * DAY, endAt: now - 23 * DAY, layer: 1, timeZone: "UTC" },
    ...{ repeat: true, frequency: 1, frequencyUnit: "weekly" as const, rotation: true },
  };
  return {
    id: group.id,
    inserts: [
      build.insert(schedules).values(schedule),
      build.insert(escalationPolicies).values(policy),
      ...[1, 2].map((layer) =>
        build.insert(escalationLayers).values({
          ...newIdentity("escalation_layer", now),
          ...{ accountId, escalationPolicyId: policy.id, layer, timeout: 5 },
        }),
      ),
      build.insert(teams).values(group),
      ...members.map((accountUserId, position) =>
        build
          .insert(teamPeople)
          .values({ accountId, teamId: group.id, relation: "member", accountUserId, position }),
      ),
      build.insert(events).values(event),
      build
        .insert(eventSchedules)
        .values({ accountId, scheduleId: schedule.id, eventId: event.id }),
      ...members.map((accountUserId, position) =>
        build.insert(eventAttendees).values({
          ...{ id: newId(now), accountId, eventId: event.id },
          ...{ accountUserId, position },
        }),
      ),
    ],
  };
}

function alert(accountId: string, at: number, teamId: string, now: number) {
  const { id } = newIdentity("alert", now + at);
  return [
    build.insert(alerts).values({
      ...{ id, accountId, createdAt: now + at, updatedAt: now + at, version: 1 },
      title: `${LAST[at % LAST.length]}-db-${at}: the disk of the primary is filling up`,
      ...{
        status: "open" as const,
        urgency: at % 9 === 0 ? ("critical" as const) : ("high" as const),
      },
      ...{ tags: ["database", `shard-${at % 20}`], destinationTeamIds: [teamId] },
    }),
    build
      .insert(alertDestinations)
      .values({ accountId, destinationId: teamId, alertId: id, escalated: true }),
  ];
}

/** Integrations with teams to choose from and routers, in the account. */
function configuration(accountId: string, at: number, teamId: string, now: number) {
  return [
    build.insert(integrations).values({
      ...newIdentity("integration", now),
      ...{ accountId, name: `Monitoring ${at + 1}`, urgency: "high", integrationType: "webhook" },
      intakeKey: at.toString(16).padStart(32, "0"),
    }),
    build.insert(routers).values({
      ...newIdentity("router", now),
      ...{ accountId, name: `Router ${at + 1}`, defaultReceiverType: "team" },
      defaultReceiverId: teamId,
    }),
  ];
}

/** The rows of the crowd in an account that has an admin. */
export function crowdRows(accountId: string, now: number) {
  const people = Array.from({ length: PEOPLE }, (_, at) => person(accountId, at, now));
  const groups = Array.from({ length: TEAMS }, (_, at) => {
    const members = Array.from({ length: 5 }, (_, place) => people[(at * 3 + place) % PEOPLE]?.id);
    return team(
      accountId,
      at,
      members.filter((id) => id !== undefined),
      now,
    );
  });
  const [first] = groups;
  if (!first) throw new Error("there are no teams");
  const begun = now - ALERTS * 60_000;
  return [
    ...people.flatMap(({ inserts }) => inserts),
    ...groups.flatMap(({ inserts }) => inserts),
    ...Array.from({ length: ALERTS }, (_, at) =>
      alert(accountId, at, groups[at % TEAMS]?.id ?? first.id, begun),
    ).flat(),
    ...Array.from({ length: 40 }, (_, at) => configuration(accountId, at, first.id, now)).flat(),
  ].map(toStatement);
}
