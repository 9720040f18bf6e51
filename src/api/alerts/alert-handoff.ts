// Hands off an alert to other destinations: `POST /alerts/:id/handoff` (contract 3, Escalation).
import { HandOffAlert } from "../../contract/alerts/alert-parameters.ts";
import { alertRecords } from "../../db/alerts/alert-rows.ts";
import { refuseFields } from "../../domain/shared/refusal.ts";
import type { Answer } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { one } from "../../http/shown.ts";
import { callerOf, commandAlert, destinationChecks, destinationsOf } from "./alert-command.ts";

// ── Routes ──

async function handOff(request: ApiRequest<HandOffAlert>): Promise<Answer> {
  const destinations = destinationsOf(request.body);
  if (!destinations.ok) return refuseFields(destinations.errors);
  const { given } = destinations;
  const command = { type: "handoff", destinations: given, note: request.body.note } as const;
  return commandAlert(request, { ...command, by: callerOf(request) });
}

export const alertHandOffRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/alerts/:id/handoff",
    operation: "handOffAlert",
    summary: "Hand off an alert",
    description: `Allowed while the alert is \`open\`, \`acknowledged\` or \`dropped\`; otherwise 409 with its current status. Running workflows are cancelled, the named destinations are notified from their first layer, and the alert is \`open\` again. \`acknowledged_at\` does not change. At least one destination is required.`,
    shows: one(alertRecords),
    refuses: ["unavailable"],
    body: HandOffAlert,
    furtherChecks: (body) => destinationChecks(body),
    handle: handOff,
  }),
];
