// What a payload would do, and who would be paged. Parses, aggregates and routes the payload as the
// integration's inbox does; stores nothing.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import {
  isRefusal,
  notFound,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { resolveReferences } from "../../../kernel/db/references.ts";
import { first } from "../../../kernel/db/select.ts";
import type { InboundEvent, InboundRequest } from "../../../products/integration-type.ts";
import { interpretRequest } from "../../../products/interpret.ts";
import { parseInbound } from "../../../products/reading/inbound.ts";
import { loggedRequest } from "../../../products/reading/redact.ts";
import { senderDraft } from "../../../products/reading/sender-draft.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { AlertPreview } from "../../alerts/escalation/contract.ts";
import { forecastAlert } from "../../alerts/escalation/forecast-alert.ts";
import type { Context } from "../../change/context.ts";
import { readUnsavedRules } from "../../routing/routers/unsaved-rules.ts";
import { selectIntegration, toIntegrationConfiguration } from "../inbox/integration-rows.ts";
import { mergeOptions } from "../integrations/integration-options.ts";
import type { PreviewIntegration } from "../integrations/parameters.ts";
import type { IntegrationPreview } from "./contract.ts";
import { previewEvent } from "./preview-event.ts";

/** The payload as the request that a sender would make to this URL. */
function previewedRequest(
  address: string,
  { payload, headers = {}, params = {} }: PreviewIntegration,
): InboundRequest {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
  const text = typeof payload === "string" ? payload : JSON.stringify(payload ?? null);
  const isJson = typeof payload !== "string";
  const requestHeaders = new Headers(isJson ? { "content-type": "application/json" } : {});
  for (const [name, value] of Object.entries(headers))
    setHeader(requestHeaders, name, String(value));
  return parseInbound("POST", url, requestHeaders, new TextEncoder().encode(text));
}

/** Skips names and values that are not valid in a header. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    return;
  }
}

/** The scheme and host of senders' URLs. */
type PreviewContext = Context & { readonly origin: string };

/**
 * Previews a payload (contract 2, Integrations): the events that the integration would read from
 * it, with unsaved options if given, and who would be notified of the first alert.
 *
 * @returns the preview; 404; 409 if the integration's type no longer exists; 422 for invalid
 *   options and rules, and for unknown destinations
 */
export async function previewIntegration(
  context: PreviewContext,
  identifier: Identifier,
  body: PreviewIntegration,
): Promise<IntegrationPreview | Refusal> {
  const { db, actor, origin } = context;
  const stored = await first(db, selectIntegration(actor.accountId, identifier));
  if (!stored) return notFound("integration");
  const type = integrationTypeNamed(stored.integrationType);
  if (type === null) return refuse("conflict", "the integration's type no longer exists");
  const { options, errors } = mergeOptions(type, stored, body.options);
  if (errors.length > 0) return refuseFields(errors);
  const configuration = toIntegrationConfiguration(stored);
  const inbound = previewedRequest(`${origin}/integration/${identifier.value}`, body);
  const events = interpretRequest(type, inbound, options, configuration);
  const changed = { ...configuration, options };
  const previews = await forecastFirstAlert(context, body, changed, inbound, events);
  if (isRefusal(previews)) return previews;
  return { events: events.map((event) => previewEvent(event, configuration.urgency)), previews };
}

/** The forecast of the first alert that the request would create; empty when it creates none. */
async function forecastFirstAlert(
  context: PreviewContext,
  body: PreviewIntegration,
  configuration: IntegrationConfiguration,
  inbound: InboundRequest,
  events: readonly InboundEvent[],
): Promise<AlertPreview[] | Refusal> {
  const unsaved = await readUnsavedRules(context, body);
  if (isRefusal(unsaved)) return unsaved;
  const integration = await withDestinations(context, body, configuration);
  if (isRefusal(integration)) return integration;
  const made = events.find((event) => event.kind === "create");
  if (!body.pages || made === undefined) return [];
  const at = body.at ?? context.now;
  const draft = senderDraft(integration, made, {
    ...{ alertId: newId(at), logId: null, acceptedAt: at, thirdpartyId: null },
    request: loggedRequest(inbound, null),
  });
  const result = await forecastAlert(context, draft, at, unsaved);
  return isRefusal(result) ? result : [result];
}

const DESTINATIONS = [
  ["destination_team_ids", "team"],
  ["destination_router_ids", "router"],
  ["destination_account_user_ids", "account_user"],
] as const;

/**
 * The integration with the destinations in the request, including an unsaved router; without any,
 * with its own.
 */
async function withDestinations(
  { db, actor }: PreviewContext,
  body: PreviewIntegration,
  configuration: IntegrationConfiguration,
): Promise<IntegrationConfiguration | Refusal> {
  const named = DESTINATIONS.map(([name, kind]) => ({ field: name, kind, ids: body[name] ?? [] }));
  const isNew = body.router != null && body.router.id == null;
  if (named.every(({ ids }) => ids.length === 0) && !isNew) return configuration;
  const resolved = await resolveReferences(db, actor.accountId, named);
  if (!resolved.ok) return refuseFields(resolved.errors);
  const receivers = {
    teamIds: resolved.idsOf("destination_team_ids"),
    routerIds: resolved.idsOf("destination_router_ids"),
    accountUserIds: resolved.idsOf("destination_account_user_ids"),
  };
  return { ...configuration, receivers };
}
