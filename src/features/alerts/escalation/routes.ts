// The route of `GET /alerts/:id/next_steps`.
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { bare, found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { bareList, exactly } from "../../../kernel/http/shown.ts";
import { PreviewAlert } from "../alerts/parameters.ts";
import { previewAlert } from "./preview-alert.ts";
import { readNextSteps } from "./read-next-steps.ts";

export const nextStepRoutes = [
  route({
    method: "GET",
    path: "/alerts/:id/next_steps",
    operation: "getAlertNextSteps",
    allow: "everyone",
    summary: "Get an alert's next escalation steps",
    description: `One entry for each destination with an open workflow: who has been notified, until when, and who would be notified next by the current policy and schedule. If \`next\` is null, nobody is left to notify, and the alert is reassigned to the listed teams and people, if any.`,
    shows: bareList("NextStep"),
    handle: onRecord("alert", async (request, identifier) => {
      const steps = await readNextSteps(request, identifier);
      return isRefusal(steps) ? steps : bare(steps);
    }),
  }),
];

/** The route of `POST /alerts/preview`: who would be paged by an alert. */
export const alertPreviewRoutes = [
  route({
    method: "POST",
    path: "/alerts/preview",
    operation: "previewAlert",
    allow: "everyone",
    summary: "Preview an alert",
    description: `Returns who would be notified if this alert were created \`at\` that time (now by default) and nobody acknowledged it: when, on which channel and why. Nothing is stored or sent. Deduplication and aggregation with other alerts are ignored. An unsaved \`router\` or \`notification_rule\` can be tested: the router replaces the one with its \`id\` or, without an \`id\`, is an additional destination; the notification rule applies to everybody.`,
    shows: exactly("AlertPreview"),
    body: PreviewAlert,
    keepsNoAnswer: true,
    handle: async (request) => found(await previewAlert(request, request.body)),
  }),
];
