// The route of `POST /alerts/preview`: who would be paged by an alert.
import { found } from "../../../kernel/http/answers.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { PreviewAlert } from "../alerts/parameters.ts";
import { previewAlert } from "./preview-alert.ts";

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
