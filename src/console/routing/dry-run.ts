// A dry run of unsaved rules: who would be notified for a payload. The payload is either an alert's
// parameters or the body of a request to an integration.
import { isJsonObject, type JsonObject } from "../../domain/shared/json.ts";
import {
  type FieldError,
  isRefusal,
  type Refusal,
  refuse,
  refuseFields,
} from "../../domain/shared/refusal.ts";
import type { AlertPreview } from "../../features/alerts/escalation/contract.ts";
import type { IntegrationReplay } from "../../features/integrations/trials/contract.ts";
import type { RouterReplay } from "../../features/routing/routers/contract.ts";
import { textOf } from "../../kernel/console/values.ts";
import { instantText } from "../oncall/on-call-window.ts";
import type { Visit } from "../page.ts";

export type Tried = {
  readonly title: string;
  readonly preview: AlertPreview;
};

export type DryRunResult = {
  readonly tried: Tried | null;
  /** The result of a replay of past events, if that was asked for. */
  readonly replayed?: RouterReplay;
  /** The result of a replay of an integration's alerts, if that was asked for. */
  readonly withheld?: IntegrationReplay;
  /** Why the dry run failed. */
  readonly refusal: Refusal | null;
  /** The part of the refusal that concerns the rules' form, by its field names. */
  readonly ofForm: Refusal | null;
};

function parsePayload(text: string): JsonObject | Refusal {
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    return refuse(
      "invalid",
      `payload is not valid JSON: ${String((error as Error).message)}`,
      "payload",
    );
  }
  return refuse("invalid", "payload must be a JSON object", "payload");
}

async function previewThroughIntegration(
  { api }: Visit,
  id: string,
  payload: unknown,
  tried: JsonObject,
) {
  const previewed = await api.post("/integrations/:id/preview", {
    ...tried,
    id,
    payload,
    pages: true,
  });
  if (isRefusal(previewed)) return previewed;
  const created = previewed.events.find(({ kind }) => kind === "create");
  const [preview] = previewed.previews;
  if (created && preview) return { title: created.title ?? "", preview };
  const [first] = previewed.events;
  const reason = first?.reason ?? (first ? `the event type is ${first.kind}` : "it is empty");
  return refuse("invalid", `payload creates no alert: ${reason}`, "payload");
}

async function run(visit: Visit, tried: JsonObject): Promise<Tried | Refusal> {
  const payload = parsePayload(textOf(visit.form, "payload"));
  if (isRefusal(payload)) return payload;
  const integration = textOf(visit.form, "integration");
  if (integration !== "") return previewThroughIntegration(visit, integration, payload, tried);
  const preview = await visit.api.post("/alerts/preview", { ...payload, ...tried });
  return isRefusal(preview) ? preview : { title: String(payload.title ?? ""), preview };
}

/** The errors below a parameter, relative to it. */
function errorsWithin(name: string, { errors }: Refusal): readonly FieldError[] {
  const start = `${name}.`;
  return errors.flatMap(({ field, message }) =>
    field?.startsWith(start)
      ? [{ field: field.slice(start.length), message: message.replace(start, "") }]
      : [],
  );
}

/**
 * Runs the payload of a form.
 *
 * @param name the preview's parameter for the form's record
 * @param body the record as the form would save it; null to use the stored one
 * @param destinations `destination_*_ids` of the alert
 */
export async function dryRun(
  visit: Visit,
  name: "router" | "notification_rule",
  body: JsonObject | null,
  destinations: JsonObject,
): Promise<DryRunResult> {
  const wall = textOf(visit.form, "at");
  const at = wall === "" ? undefined : instantText(wall, visit.session.timeZone);
  const outcome = await run(visit, { ...destinations, at, ...(body && { [name]: body }) });
  if (!isRefusal(outcome)) return { tried: outcome, refusal: null, ofForm: null };
  return refused(name, outcome);
}

function refused(name: string, refusal: Refusal): DryRunResult {
  const errors = errorsWithin(name, refusal);
  return { tried: null, refusal, ofForm: errors.length > 0 ? refuseFields(errors) : null };
}

export async function replay(visit: Visit, router: JsonObject): Promise<DryRunResult> {
  const replayed = await visit.api.post("/routers/replay", { router });
  if (isRefusal(replayed)) return refused("router", replayed);
  return { tried: null, replayed, refusal: null, ofForm: null };
}
