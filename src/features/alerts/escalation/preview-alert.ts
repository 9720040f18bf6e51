import type { PersonActor } from "../../../domain/access/actor.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { Context } from "../../change/context.ts";
import { readUnsavedRules } from "../../routing/routers/unsaved-rules.ts";
import { draftOf } from "../alerts/alert-draft.ts";
import type { PreviewAlert } from "../alerts/parameters.ts";
import { destinationsOf } from "../alerts/requested-destinations.ts";
import type { AlertPreview } from "./contract.ts";
import { forecastAlert } from "./forecast-alert.ts";

/**
 * Forecasts who would be paged by an alert that the actor creates, by the stored rules or by unsaved
 * ones.
 *
 * @returns the forecast; 422 without a destination, for unknown ones or invalid rules
 */
export async function previewAlert(
  context: Context<PersonActor>,
  body: PreviewAlert,
): Promise<AlertPreview | Refusal> {
  const unsaved = await readUnsavedRules(context, body);
  if (isRefusal(unsaved)) return unsaved;
  const isNew = unsaved.router !== null && !unsaved.isKept;
  const destinations = destinationsOf(body, isNew);
  if (isRefusal(destinations)) return destinations;
  const at = body.at ?? context.now;
  const draft = draftOf(context.actor, newId(at), body, destinations);
  return forecastAlert(context, draft, at, unsaved);
}
