// `POST /alerts/preview`: who would be paged by an alert (`forecast-alert.ts`), by the stored rules
// or by unsaved ones.
import { PreviewAlert } from "../../contract/alerts/alert-parameters.ts";
import { newId } from "../../db/shared/identifiers.ts";
import { isRefusal, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import { forecastAlert } from "../../services/alerts/forecast-alert.ts";
import { readUnsaved } from "../../services/routing/unsaved-rules.ts";
import { destinationsOf } from "./alert-command.ts";

import { draftOf } from "./alerts.ts";

// ── Routes ──

async function previewAlert(request: ApiRequest<PreviewAlert>): Promise<Answer> {
  const { actor, body, now } = request;
  const unsaved = await readUnsaved(request, request.body);
  if (isRefusal(unsaved)) return unsaved;
  const isNew = unsaved.router !== null && !unsaved.isKept;
  const destinations = destinationsOf(body, isNew);
  if (!destinations.ok) return refuseFields(destinations.errors);
  const at = body.at ?? now;
  const draft = draftOf({ actor, body, recordId: newId(at) }, destinations.given);
  const result = await forecastAlert(request, draft, at, unsaved);
  return isRefusal(result) ? result : found(result);
}

export const alertPreviewRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/alerts/preview",
    operation: "previewAlert",
    summary: "Preview an alert",
    description: `Returns who would be notified if this alert were created \`at\` that time (now by default) and nobody acknowledged it: when, on which channel and why. Nothing is stored or sent. Deduplication and aggregation with other alerts are ignored. An unsaved \`router\` or \`notification_rule\` can be tested: the router replaces the one with its \`id\` or, without an \`id\`, is an additional destination; the notification rule applies to everybody.`,
    shows: exactly("AlertPreview"),
    body: PreviewAlert,
    keepsNoAnswer: true,
    handle: previewAlert,
  }),
];
