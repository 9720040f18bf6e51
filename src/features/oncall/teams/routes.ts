// The routes of teams: groups of account users with an active schedule and an active escalation
// policy (contract 2, Teams).

import type { SQL } from "drizzle-orm";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { administersTeam } from "../../access/permissions/team-reach.ts";
import { accountUserRecords } from "../../people/account-users/account-user-records.ts";
import { withPreview } from "../on-call/with-preview.ts";
import { isScheduledFor } from "../schedules/schedule-use-rows.ts";
import { createTeam } from "./create-team.ts";
import { deleteTeam } from "./delete-team.ts";
import { CreateTeam, UpdateTeam } from "./parameters.ts";
import { findMissingPeople, referencesOf } from "./team-input.ts";
import { teamRecords } from "./team-records.ts";
import { updateTeam } from "./update-team.ts";

const routes = [
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
    handle: async (request) => created(await createTeam(request, request.recordId, request.body)),
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
    handle: onRecord("team", async (request, identifier) =>
      found(await updateTeam(request, identifier, request.body)),
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
    handle: onRecord("team", async (request, identifier) =>
      deleted(await deleteTeam(request, identifier)),
    ),
  }),
];

export const teamRoutes = routes.map(withPreview);
