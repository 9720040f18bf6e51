// The routes of test pages and fire drills (contract 3, Exercises).

import { created } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made } from "../../../kernel/http/shown.ts";
import { administersTeam } from "../../access/permissions/team-reach.ts";
import { alertRecords } from "../alerts/alert-records.ts";
import { CreateDrill } from "./parameters.ts";
import { drillRecords } from "./rows.ts";
import { startDrill } from "./start-drill.ts";
import { startTestPage } from "./start-test-page.ts";

export const exerciseRoutes = [
  route({
    method: "POST",
    path: "/test_pages",
    operation: "createTestPage",
    allow: "everyone",
    summary: "Page yourself",
    description: `Pages the caller by their own notification rule and channels, as a real alert would. The alert is marked as a test, can be answered like any other, and resolves an hour later. \`GET /alerts/{id}/notifications\` tells what was sent and delivered on each channel. At most five an hour.`,
    shows: made(alertRecords),
    refuses: ["too_many", "unavailable"],
    makes: alertRecords,
    handle: async (request) => created(await startTestPage(request, request.recordId)),
  }),
  ...readRoutes("/drills", "Drill", drillRecords),
  route({
    method: "POST",
    path: "/teams/:id/drills",
    operation: "createDrill",
    allow: administersTeam,
    summary: "Start a fire drill",
    description: `Creates an alert for the team that escalates as a real one and is marked as a drill in every message. The drill ends when somebody acknowledges it, when nobody is left to ask, or when it is resolved; then its report is mailed to whoever started it and to the account's admins. Reports of response times and pages leave drills out. At most three an hour for a team.`,
    shows: made(drillRecords),
    refuses: ["too_many", "unavailable"],
    body: CreateDrill,
    makes: drillRecords,
    handle: onRecord("team", async (request, identifier) =>
      created(await startDrill(request, request.recordId, identifier, request.body)),
    ),
  }),
];
