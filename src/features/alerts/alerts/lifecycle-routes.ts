// The routes that change the course of an alert beyond its answers: undo an answer, reopen, snooze,
// escalate, request responders, merge (contract 3, Escalation).
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { one } from "../../../kernel/http/shown.ts";
import { alertRecords } from "./alert-records.ts";
import { escalateAlert } from "./escalate-alert.ts";
import { mergeAlerts } from "./merge-alerts.ts";
import { MergeAlerts, RequestResponders, SnoozeAlert } from "./parameters.ts";
import { reopenAlert } from "./reopen-alert.ts";
import { requestResponders, respondersFaults } from "./request-responders.ts";
import { snoozeAlert } from "./snooze-alert.ts";
import { undoAnswer } from "./undo-answer.ts";

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
