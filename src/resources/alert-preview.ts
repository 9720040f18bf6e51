// `POST /alerts/preview`: who would be paged by an alert (`alert-forecast.ts`), by the rules that are kept or by others
// that are tried.
import { PreviewAlert } from "../contract/alerts/alert-parameters.ts";
import type { AlertPreview } from "../contract/alerts/alert-preview.ts";
import { newId } from "../db/identifiers.ts";
import { isRefusal, refuseFields } from "../domain/refusal.ts";
import { type Answer, found } from "../http/answers.ts";
import { type ApiRequest, type Route, route } from "../http/route.ts";
import { exactly } from "../http/shown.ts";
import { destinationsOf } from "./alert-command.ts";
import { forecast } from "./alert-forecast.ts";
import { draftOf } from "./alerts.ts";
import { readUnsaved } from "./unsaved-rules.ts";

// ── Routes ──

async function foresee(request: ApiRequest<PreviewAlert>): Promise<Answer> {
  const { actor, body, now } = request;
  const unsaved = await readUnsaved(request);
  if (isRefusal(unsaved)) return unsaved;
  const isNew = unsaved.router !== null && !unsaved.isKept;
  const destinations = destinationsOf(body, isNew);
  if (!destinations.ok) return refuseFields(destinations.errors);
  const at = body.at ?? now;
  const draft = draftOf({ actor, body, recordId: newId(at) }, destinations.given);
  const foreseen = await forecast(request, draft, at, unsaved);
  return isRefusal(foreseen) ? foreseen : found<AlertPreview>(foreseen);
}

export const alertPreviewRoutes: readonly Route[] = [
  route({
    method: "POST",
    path: "/alerts/preview",
    operation: "previewAlert",
    summary: "Preview an alert",
    description: `Who would be paged by this alert, if it were created \`at\` that time (now by default) and nobody
      ever answered: when, on which channel, and why. Nothing is stored or sent. It is taken for a first one: what it
      would be counted on or aggregated with does not matter. A \`router\` or a \`notification_rule\` that is given
      is tried before it is kept: the router in place of the one of its \`id\`, or, without one, as one more
      destination; the notification rule for everybody.`,
    shows: exactly("AlertPreview"),
    allow: "everyone",
    body: PreviewAlert,
    keepsNoAnswer: true,
    handle: foresee,
  }),
];
