// `POST /integrations/:id/preview`: what a payload would do, and who would be paged (contract 2,
// Integrations). Parses, aggregates and routes the payload as the integration's inbox does; stores
// nothing.
import { PreviewIntegration } from "../../contract/integrations/integration-parameters.ts";
import type {
  IntegrationPreview,
  PreviewedEvent,
} from "../../contract/integrations/integration-preview.ts";
import { toIntegrationConfiguration } from "../../db/integrations/integration-rows.ts";
import { resolveReferences } from "../../db/records/references.ts";
import { newId } from "../../db/shared/identifiers.ts";
import type { AlertUrgency } from "../../domain/alerts/alert.ts";
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import { isRefusal, type Refusal, refuse, refuseFields } from "../../domain/shared/refusal.ts";
import { type Answer, found } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import type { InboundEvent, InboundRequest } from "../../integrations/integration-type.ts";
import { interpretRequest } from "../../integrations/interpret.ts";
import { parseInbound } from "../../integrations/reading/inbound.ts";
import { loggedRequest } from "../../integrations/reading/redact.ts";
import { senderDraft } from "../../integrations/templates/sender-draft.ts";
import { forecastAlert } from "../../services/alerts/forecast-alert.ts";
import { readUnsaved } from "../../services/routing/unsaved-rules.ts";
import { mergeOptions } from "./integration-options.ts";
import { readHeld, toHeld } from "./integration-records.ts";

type PreviewRequest = ApiRequest<PreviewIntegration>;

// ── Rules ──

const NOTHING = {
  reason: null,
  thirdparty_id: null,
  title: null,
  description: null,
  urgency: null,
  tags: [],
  dedup_keys: [],
  meta: {},
  additional_data: [],
};

function show(event: InboundEvent, urgency: AlertUrgency): PreviewedEvent {
  switch (event.kind) {
    case "ignored":
      return { ...NOTHING, kind: event.kind, reason: event.reason };
    case "invalid": {
      const reason = event.errors.map((error) => error.message).join("; ");
      return { ...NOTHING, kind: event.kind, reason };
    }
    case "note":
      return {
        ...NOTHING,
        kind: event.kind,
        thirdparty_id: event.thirdpartyId,
        reason: event.body,
      };
    case "create":
      return {
        ...NOTHING,
        kind: event.kind,
        thirdparty_id: event.thirdpartyId,
        title: event.title,
        description: event.description,
        urgency: event.urgency ?? urgency,
        tags: event.tags,
        dedup_keys: event.dedupKeys,
        meta: {
          ...event.meta,
          incident: event.incident,
          incident_severity: event.incidentSeverity,
          incident_message: event.incidentMessage,
        },
        additional_data: event.additionalData,
      };
    default: {
      const { kind, thirdpartyId, dedupKeys } = event;
      return { ...NOTHING, kind, thirdparty_id: thirdpartyId, dedup_keys: dedupKeys };
    }
  }
}

// ── Routes ──

/** The payload as the request that a sender would make. */
function requestOf({ origin, params: { id = "" }, body }: PreviewRequest): InboundRequest {
  const { payload, headers = {}, params = {} } = body;
  const url = new URL(`${origin}/integration/${id}`);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
  const text = typeof payload === "string" ? payload : JSON.stringify(payload ?? null);
  const isJson = typeof payload !== "string";
  const requestHeaders = new Headers(isJson ? { "content-type": "application/json" } : {});
  for (const [name, value] of Object.entries(headers))
    setHeader(requestHeaders, name, String(value));
  return parseInbound("POST", url, requestHeaders, new TextEncoder().encode(text));
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
  { db, actor, body }: PreviewRequest,
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

/** The forecast of the first alert that the request would create; empty when it creates none. */
async function forecastFirstAlert(
  request: PreviewRequest,
  configuration: IntegrationConfiguration,
  inbound: InboundRequest,
  events: readonly InboundEvent[],
) {
  const { body, now } = request;
  const unsaved = await readUnsaved(request, request.body);
  if (isRefusal(unsaved)) return unsaved;
  const integration = await withDestinations(request, configuration);
  if (isRefusal(integration)) return integration;
  const made = events.find((event) => event.kind === "create");
  if (!body.pages || made === undefined) return [];
  const at = body.at ?? now;
  const draft = senderDraft(integration, made, {
    ...{ alertId: newId(at), logId: null, acceptedAt: at, thirdpartyId: null },
    request: loggedRequest(inbound, null),
  });
  const result = await forecastAlert(request, draft, at, unsaved);
  return isRefusal(result) ? result : [result];
}

async function preview(request: PreviewRequest): Promise<Answer> {
  const row = await readHeld(request);
  if (isRefusal(row)) return row;
  const { type, ...stored } = toHeld(row);
  const configuration = toIntegrationConfiguration(row);
  if (type === null) return refuse("conflict", "the integration's type no longer exists");
  const { options, errors } = mergeOptions(type, stored, request.body.options);
  if (errors.length > 0) return refuseFields(errors);
  const inbound = requestOf(request);
  const events = interpretRequest(type, inbound, options, configuration);
  const previews = await forecastFirstAlert(
    request,
    { ...configuration, options },
    inbound,
    events,
  );
  if (isRefusal(previews)) return previews;
  return found<IntegrationPreview>({
    events: events.map((event) => show(event, configuration.urgency)),
    previews,
  });
}

/** Skips names and values that are not valid in a header. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    return;
  }
}

export const integrationPreviewRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/integrations/:id/preview",
    operation: "previewIntegration",
    summary: "Preview a payload",
    description: `Returns the events that the integration would read from a request with this \`payload\` (JSON, or the raw text), \`headers\` and \`params\` (the query). Unsaved options can be passed. With \`pages\`, also returns who would be notified of the first alert that it would create, as in \`POST /alerts/preview\`: for the integration's own destinations, or for those in the request. Nothing is stored, and no token is required.`,
    shows: exactly("IntegrationPreview"),
    refuses: ["conflict"],
    body: PreviewIntegration,
    keepsNoAnswer: true,
    handle: preview,
  }),
];
