// The routes of alerts: created, answered and changed through their objects, read from D1 (contract
// 3).
import { sql } from "drizzle-orm";
import { type Records, recordsIn, selectId } from "../../../kernel/db/records.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { teams } from "../../schema/oncall.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { workflowRecords } from "../escalation/workflow-records.ts";
import { ALERT_ALIASES, alertsOfTeam } from "./alert-lists.ts";
import { alertRecords } from "./alert-records.ts";
import { type AnswerAlert, acknowledgeAlert, rejectAlert, resolveAlert } from "./answer-alert.ts";
import { createAlert } from "./create-alert.ts";
import { deleteAlert } from "./delete-alert.ts";
import { CreateAlert, UpdateAlert } from "./parameters.ts";
import { checkDestinations } from "./requested-destinations.ts";
import { updateAlert } from "./update-alert.ts";

/** `POST /alerts/:id/<name>`. */
const answerRoute = <const Name extends string>(
  name: Name,
  answer: AnswerAlert,
  words: Record<"summary" | "description", string>,
) =>
  route({
    method: "POST",
    path: `/alerts/:id/${name}`,
    operation: `${name}Alert`,
    allow: "everyone",
    ...words,
    shows: one(alertRecords),
    refuses: ["unavailable"],
    handle: onRecord("alert", async (request, identifier) =>
      found(await answer(request, identifier)),
    ),
  });

const answerRoutes = [
  answerRoute("acknowledge", acknowledgeAlert, {
    summary: "Acknowledge an alert",
    description: `Allowed while the alert is \`open\`, \`dropped\` or \`suppressed\`; otherwise 409 with its current status. The caller's workflows become acknowledged; a caller without workflows acknowledges all of them.`,
  }),
  answerRoute("reject", rejectAlert, {
    summary: "Reject an alert",
    description: `Requires an open workflow of the caller. The status does not change. When everybody on a layer has rejected the alert, the next layer starts immediately.`,
  }),
  answerRoute("resolve", resolveAlert, {
    summary: "Resolve an alert",
    description: `Allowed while the alert is \`open\`, \`dropped\` or \`acknowledged\`; otherwise 409 with its current status.`,
  }),
];

export const alertRoutes = [
  ...readRoutes("/alerts", "Alert", alertRecords, ALERT_ALIASES),
  route({
    method: "POST",
    path: "/alerts",
    operation: "createAlert",
    allow: "everyone",
    summary: "Create an alert",
    shows: made(alertRecords),
    refuses: ["unavailable"],
    body: CreateAlert,
    makes: alertRecords,
    furtherChecks: (body) => checkDestinations(body),
    handle: async (request) => created(await createAlert(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/alerts/:id",
    operation: "updateAlert",
    allow: "everyone",
    summary: "Update an alert",
    shows: one(alertRecords),
    refuses: ["unavailable"],
    body: UpdateAlert,
    handle: onRecord("alert", async (request, identifier) =>
      found(await updateAlert(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/alerts/:id",
    operation: "deleteAlert",
    allow: "admin",
    summary: "Delete an alert",
    shows: noBody,
    refuses: ["unavailable"],
    handle: onRecord("alert", async (request, identifier) =>
      deleted(await deleteAlert(request, identifier)),
    ),
  }),
  ...answerRoutes,
  route({
    method: "GET",
    path: "/alerts/:id/workflows",
    operation: "listAlertWorkflows",
    allow: "everyone",
    summary: "List an alert's workflows",
    shows: many(workflowRecords),
    handle: onRecord("alert", (request, identifier) =>
      listRecords(request, workflowRecords, {
        below: {
          parent: alertRecords,
          identifier,
          scope: (alertId) => sql`${alertWorkflows.alertId} = (${alertId})`,
        },
      }),
    ),
  }),
  route({
    method: "GET",
    path: "/teams/:id/alerts",
    operation: "listTeamAlerts",
    allow: "everyone",
    summary: "List a team's alerts",
    shows: many(alertRecords, ALERT_ALIASES),
    handle: onRecord("team", (request, identifier) => {
      const { accountId } = request.actor;
      const parent = recordsIn("team", teams);
      const teamId = selectId(parent, accountId, identifier);
      const narrow: Records["narrow"] = (_, filters) => alertsOfTeam(accountId, teamId, filters);
      const below = { parent, identifier };
      return listRecords(request, { ...alertRecords, narrow }, { aliases: ALERT_ALIASES, below });
    }),
  }),
];
