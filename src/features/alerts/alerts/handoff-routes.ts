// The route of `POST /alerts/:id/handoff` (contract 3, Escalation).
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { one } from "../../../kernel/http/shown.ts";
import { alertRecords } from "./alert-records.ts";
import { handOffAlert } from "./hand-off-alert.ts";
import { HandOffAlert } from "./parameters.ts";
import { checkDestinations } from "./requested-destinations.ts";

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
