// The routes of teams: groups of account users with an active schedule and an active escalation
// policy (contract 2, Teams).
import type { SQL } from "drizzle-orm";
import { readWindow } from "../../../domain/oncall/window.ts";
import { parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { bare, created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { bareList, made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { administersTeam } from "../../access/permissions/team-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { accountUserRecords } from "../../people/account-users/account-user-records.ts";
import { readTeamsOnCall } from "../on-call/read-teams-on-call.ts";
import { readUncovered } from "../on-call/read-uncovered.ts";
import { isScheduledFor } from "../schedules/rows.ts";
import { CreateTeam, UpdateTeam } from "./parameters.ts";
import { findMissingPeople, referencesOf } from "./team-input.ts";
import { teamRecords } from "./team-records.ts";
import { createTeam, deleteTeam, updateTeam } from "./verbs.ts";

export const teamRoutes = [
  ...readRoutes("/teams", "Team", teamRecords),
  route({
    method: "GET",
    path: "/teams/:id/scheduled_account_users",
    operation: "listTeamScheduledAccountUsers",
    allow: "everyone",
    summary: "List who is in a team's schedule",
    shows: many(accountUserRecords),
    handle: onRecord("team", (request, identifier) => {
      const { actor, now } = request;
      const scope = (teamId: SQL) => isScheduledFor(actor.accountId, teamId, now);
      const below = { parent: teamRecords, identifier, scope };
      return listRecords(request, accountUserRecords, { below });
    }),
  }),
  route({
    method: "POST",
    path: "/teams",
    operation: "createTeam",
    allow: "admin",
    summary: "Create a team",
    shows: made(teamRecords),
    body: CreateTeam,
    furtherChecks: (body) => ({
      faults: findMissingPeople(body, true),
      references: referencesOf(body),
    }),
    makes: teamRecords,
    handle: handleChange(created, (request) => createTeam(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/teams/:id",
    operation: "updateTeam",
    allow: administersTeam,
    summary: "Update a team",
    shows: one(teamRecords),
    previews: true,
    body: UpdateTeam,
    furtherChecks: (body) => ({
      faults: findMissingPeople(body, false),
      references: referencesOf(body),
    }),
    handle: onRecord(
      "team",
      handleChange(found, (request, identifier) => updateTeam(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/teams/:id",
    operation: "deleteTeam",
    allow: "admin",
    summary: "Delete a team",
    shows: noBody,
    refuses: ["conflict"],
    handle: onRecord(
      "team",
      handleChange(deleted, (request, identifier) => deleteTeam(request, identifier)),
    ),
  }),
];

/** The route of who is on call in every team. */
export const onCallTeamRoutes = [
  route({
    method: "GET",
    path: "/oncall",
    operation: "getTeamsOnCall",
    allow: "everyone",
    summary: "List who is on call in a window, by team",
    description: `For every team, the \`window_events\` and the \`coverage\` of its schedule. Both are empty for a team without a schedule.`,
    shows: bareList("OnCallTeam"),
    query: "OnCallTeamsQuery",
    handle: async (request) => {
      const window = readWindow(request.query);
      if (isRefusal(window)) return window;
      const named = request.query.get("team_id");
      const team = named === null ? null : parseIdentifier("team", named);
      if (team === null && named !== null) return bare([]);
      return bare(await readTeamsOnCall(request, window, team));
    },
  }),
  route({
    method: "GET",
    path: "/oncall/uncovered",
    operation: "getUncoveredTeams",
    allow: "everyone",
    summary: "List the teams without anybody on call",
    description: `The layers of every team for which nobody is on call now or within a day, each with its first gap, by start. Layer 1 always counts; another layer of the escalation policy counts while it has people for half of the next 14 days.`,
    shows: bareList("UncoveredLayer"),
    handle: async (request) => bare(await readUncovered(request)),
  }),
];
