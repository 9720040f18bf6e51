// The routes of alerts: created, answered and changed through their objects, read from D1 (contract
// 3).
import { sql } from "drizzle-orm";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { type Records, recordsIn, selectId } from "../../../kernel/db/records.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { teams } from "../../schema/oncall.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { readAlertOverview } from "../escalation/read-overview.ts";
import { workflowRecords } from "../escalation/rows.ts";
import { ALERT_ALIASES, alertsOfTeam } from "./alert-lists.ts";
import { alertRecords } from "./alert-records.ts";
import { readAlertList } from "./alert-scope.ts";
import { handOffAlert } from "./hand-off-alert.ts";
import { logRecords } from "./log-records.ts";
import { mergeAlerts } from "./merge-alerts.ts";
import {
  CreateAlert,
  HandOffAlert,
  MergeAlerts,
  RequestResponders,
  SnoozeAlert,
  UpdateAlert,
} from "./parameters.ts";
import { checkDestinations } from "./requested-destinations.ts";
import { readSimilarAlerts } from "./similar-alerts.ts";
import { snoozeAlert } from "./snooze-alert.ts";
import {
  type AnswerAlert,
  acknowledgeAlert,
  createAlert,
  deleteAlert,
  escalateAlert,
  rejectAlert,
  reopenAlert,
  requestResponders,
  resolveAlert,
  respondersFaults,
  undoAnswer,
  updateAlert,
} from "./verbs.ts";

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
  route({
    method: "GET",
    path: "/alerts/overview",
    operation: "getAlertOverview",
    allow: "everyone",
    summary: "Get who has the alerts of a page",
    description: `Takes the query parameters of \`GET /alerts\`, and answers for the same page who has acknowledged each alert, and who is notified next if nobody does.`,
    shows: exactly("AlertOverview"),
    query: "AlertListQuery",
    handle: async (request) => found(await readAlertOverview(request)),
  }),
  ...readRoutes("/alerts", "Alert", alertRecords, ALERT_ALIASES, {
    query: "AlertListQuery",
    handle: async (request) => {
      const list = readAlertList(request.query, request.actor, request.longestPage);
      return isRefusal(list) ? list : listRecords(request, list.records, list);
    },
  }),
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
    path: "/alerts/:id/similar",
    operation: "getSimilarAlerts",
    allow: "everyone",
    summary: "Get the similar alerts of the last 30 days",
    description: `How often alerts of the same source came in the last 30 days whose titles are the same but for numbers: digits, dates, times, UUIDs, hexadecimal and random identifiers. And of the newest, who resolved them and their last comment. Looks at the newest 500 alerts of the alert's first destination, and at the newest 100 with its \`thirdparty_id\`; \`complete\` is false if there are more.`,
    shows: exactly("SimilarAlerts"),
    handle: onRecord("alert", async (request, identifier) =>
      found(await readSimilarAlerts(request, identifier)),
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

/** The route of `POST /alerts/:id/handoff` (contract 3, Escalation). */
export const alertHandOffRoutes = [
  route({
    method: "POST",
    path: "/alerts/:id/handoff",
    operation: "handOffAlert",
    allow: "everyone",
    summary: "Hand off an alert",
    description: `Allowed while the alert is \`open\`, \`acknowledged\` or \`dropped\`; otherwise 409 with its current status. Running workflows are cancelled, the named destinations are notified from their first layer, and the alert is \`open\` again. \`acknowledged_at\` does not change. At least one destination is required.`,
    shows: one(alertRecords),
    refuses: ["unavailable"],
    body: HandOffAlert,
    furtherChecks: (body) => checkDestinations(body),
    handle: onRecord("alert", async (request, identifier) =>
      found(await handOffAlert(request, identifier, request.body)),
    ),
  }),
];

// The routes that change the course of an alert beyond its answers: undo an answer, reopen, snooze,
// escalate, request responders, merge (contract 3, Escalation).

const common = { method: "POST", shows: one(alertRecords), refuses: ["unavailable"] } as const;

export const alertLifecycleRoutes = [
  route({
    ...common,
    path: "/alerts/:id/undo",
    operation: "undoAnswer",
    allow: "everyone",
    summary: "Undo your answer to an alert",
    description: `Takes back the caller's acknowledgement, resolution or rejection within a minute, if nothing else has changed the alert since; otherwise 409 with the reason. A step of its own: notifications that were sent are not recalled. After an acknowledgement or a resolution, each workflow continues in its former state: an open one notifies its current layer again, with the full timeout. After a rejection, the caller is notified again if the workflow is still on the same layer. \`acknowledged_at\` and \`resolved_at\` are what they were before. The messages to other people that the alert was acknowledged or resolved are sent ten seconds after the answer, and not at all if it is undone before.`,
    handle: onRecord("alert", async (request, identifier) =>
      found(await undoAnswer(request, identifier)),
    ),
  }),
  route({
    ...common,
    path: "/alerts/:id/reopen",
    operation: "reopenAlert",
    allow: "everyone",
    summary: "Reopen an alert",
    description: `Allowed while the alert is \`resolved\`; otherwise 409 with its current status. The alert is \`open\` again and its destinations are notified from their first layer. 409 while another alert of the same \`thirdparty_id\` of its integration, or with one of its \`dedup_keys\`, is not resolved. \`acknowledged_at\` does not change; \`resolved_at\` and \`merged_into_id\` become null.`,
    handle: onRecord("alert", async (request, identifier) =>
      found(await reopenAlert(request, identifier)),
    ),
  }),
  route({
    ...common,
    path: "/alerts/:id/snooze",
    operation: "snoozeAlert",
    allow: "everyone",
    summary: "Snooze an alert",
    description: `Allowed while the alert is \`open\`, \`acknowledged\` or \`dropped\`; otherwise 409 with its current status. The whole alert is \`acknowledged\` until then, and \`open\` again from the first layer afterwards. Acknowledging, resolving or handing it off ends the snooze; repeated events are only counted. Another snooze replaces it.`,
    body: SnoozeAlert,
    handle: onRecord("alert", async (request, identifier) =>
      found(await snoozeAlert(request, identifier, request.body)),
    ),
  }),
  route({
    ...common,
    path: "/alerts/:id/escalate",
    operation: "escalateAlert",
    allow: "everyone",
    summary: "Escalate an alert",
    description: `Allowed while the alert is \`open\`; otherwise 409 with its current status. Each open workflow goes to its next layer now. One with nobody further to notify waits on; 409 if that is true of all of them.`,
    handle: onRecord("alert", async (request, identifier) =>
      found(await escalateAlert(request, identifier)),
    ),
  }),
  route({
    ...common,
    path: "/alerts/:id/responders",
    operation: "requestResponders",
    allow: "everyone",
    summary: "Request responders for an alert",
    description: `Allowed while the alert is \`open\`, \`acknowledged\` or \`dropped\`; otherwise 409 with its current status. Each person and team is notified by a workflow of its own, marked \`requested\`, which does not affect the status of the alert: an acknowledgement by a requested responder is theirs alone. 409 if all of them are being asked already. At least one person or team is required.`,
    body: RequestResponders,
    furtherChecks: ({ account_user_ids: people = [], team_ids: teams = [] }) => ({
      faults: respondersFaults(people, teams),
      references: [
        { field: "account_user_ids", kind: "account_user", ids: people },
        { field: "team_ids", kind: "team", ids: teams },
      ],
    }),
    handle: onRecord("alert", async (request, identifier) =>
      found(await requestResponders(request, identifier, request.body)),
    ),
  }),
  route({
    ...common,
    path: "/alerts/:id/merge",
    operation: "mergeAlerts",
    allow: "everyone",
    summary: "Merge alerts into one",
    description: `Allowed while the alert is \`open\`, \`acknowledged\` or \`dropped\`; otherwise 409 with its current status. The named alerts become \`resolved\` with \`merged_into_id\`, and nobody is notified of them any more. Their later events are this alert's: a repetition is counted on it, and an acknowledgement or a resolve by the sender acknowledges or resolves it.`,
    body: MergeAlerts,
    handle: onRecord("alert", async (request, identifier) =>
      found(await mergeAlerts(request, identifier, request.body)),
    ),
  }),
];

/**
 * The routes of logs: inbound requests with their outcome, and the timeline of each alert (contract
 * 2, Logs).
 */
export const logRoutes = readRoutes("/logs", "Log", logRecords);
