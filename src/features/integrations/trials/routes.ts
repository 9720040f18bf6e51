// The routes that show what an integration makes of a payload, and what options of it would have
// changed.
import * as z from "zod";
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { PreviewIntegration } from "../integrations/parameters.ts";
import { MAX_ALERTS_READ } from "./past-alert-rows.ts";
import { previewIntegration } from "./preview-integration.ts";
import { replayIntegration } from "./replay-integration.ts";
import { ReplayIntegration } from "./replay-parameters.ts";
import { replayRouter } from "./replay-router.ts";
import { MAX_REPLAYED, ReplayRouter } from "./replay-router-parameters.ts";
import { sendTestEvent } from "./send-test-event.ts";

export const integrationPreviewRoutes = [
  route({
    method: "POST",
    path: "/integrations/:id/preview",
    operation: "previewIntegration",
    allow: "admin",
    summary: "Preview a payload",
    description: `Returns the events that the integration would read from a request with this \`payload\` (JSON, or the raw text), \`headers\` and \`params\` (the query). Unsaved options can be passed. With \`pages\`, also returns who would be notified of the first alert that it would create, as in \`POST /alerts/preview\`: for the integration's own destinations, or for those in the request. Nothing is stored, and no token is required.`,
    shows: exactly("IntegrationPreview"),
    refuses: ["conflict"],
    body: PreviewIntegration,
    keepsNoAnswer: true,
    handle: onRecord("integration", async (request, identifier) =>
      found(await previewIntegration(request, identifier, request.body)),
    ),
  }),
  route({
    method: "POST",
    path: "/integrations/:id/replay",
    operation: "replayIntegration",
    allow: "admin",
    summary: "Replay past alerts",
    description: `Returns what \`option_pause_for\` and \`option_reopen_within\` would have changed for the alerts that the integration created in the last 90 days: which messages would not have been sent, and about which of these alerts somebody had answered. Of an account with more than ${MAX_ALERTS_READ.toLocaleString("en-US")} alerts in that time, the newest are read. Nothing is stored or sent.`,
    shows: exactly("IntegrationReplay"),
    body: ReplayIntegration,
    keepsNoAnswer: true,
    handle: onRecord("integration", async (request, identifier) =>
      found(await replayIntegration(request, identifier, request.body)),
    ),
  }),
];

/** The route that sends a test event. */
export const integrationTestEventRoutes = [
  route({
    method: "POST",
    path: "/integrations/:id/test",
    operation: "testIntegration",
    allow: "admin",
    summary: "Send a test event",
    description: `Sends a test event through the integration, as a sender would and in its format (the type's \`set_up.sample\`): it creates an alert, notifies people and appears in the log. Find the alert by its \`thirdparty_id\`. An outgoing integration sends a test message; the delivery shows the outcome.`,
    shows: exactly("IntegrationTest"),
    refuses: ["conflict", "unavailable"],
    body: z.object({}),
    handle: onRecord("integration", async (request, identifier) =>
      found(await sendTestEvent(request, identifier)),
    ),
  }),
];

/** The route of `POST /routers/replay`: what unsaved rules would have done with past events. */
export const routerReplayRoutes = [
  route({
    method: "POST",
    path: "/routers/replay",
    operation: "replayRouter",
    allow: "admin",
    summary: "Replay past events",
    description: `Returns what an unsaved \`router\` would have done with the events of the account's last requests, up to ${MAX_REPLAYED}, at the time of each, and what the stored router with its \`id\` does. Without an \`id\`, the router is compared with the destinations of each event's integration. If integrations lead to the router, only their events count, otherwise those of all. The requests are read from the logs, without their secrets; deduplication, aggregation and maintenance windows are ignored. Nothing is stored or sent.`,
    shows: exactly("RouterReplay"),
    body: ReplayRouter,
    keepsNoAnswer: true,
    handle: async (request) => found(await replayRouter(request, request.body)),
  }),
];
