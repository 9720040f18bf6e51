// Handing an alert on to others: `POST /alerts/:id/handoff` (`contract.md` 3).
import { HandOffAlert } from "../contract/alerts/alert-parameters.ts";
import { alertRecords } from "../db/alert-rows.ts";
import { refuseFields } from "../domain/refusal.ts";
import type { Answer } from "../http/answers.ts";
import { type ApiRequest, type Route, route } from "../http/route.ts";
import { one } from "../http/shown.ts";
import { callerOf, commandAlert, destinationChecks, destinationsOf } from "./alert-command.ts";

// ── Routes ──

async function handOff(request: ApiRequest<HandOffAlert>): Promise<Answer> {
  const destinations = destinationsOf(request.body);
  if (!destinations.ok) return refuseFields(destinations.errors);
  const { given } = destinations;
  const command = { type: "handoff", destinations: given, note: request.body.note } as const;
  return commandAlert(request, { ...command, by: callerOf(request) });
}

export const alertHandOffRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/alerts/:id/handoff",
    operation: "handOffAlert",
    summary: "Hand an alert on",
    description: `Allowed while it is \`open\`, \`acknowledged\` or \`dropped\`; 409 names the state it is in. What
      ran for it is cancelled, the named destinations are asked from their first layer, and it is \`open\` again;
      \`acknowledged_at\` is kept. At least one destination is required.`,
    shows: one(alertRecords),
    refuses: ["unavailable"],
    allow: "everyone",
    body: HandOffAlert,
    furtherChecks: (body) => destinationChecks(body),
    handle: handOff,
  }),
];
