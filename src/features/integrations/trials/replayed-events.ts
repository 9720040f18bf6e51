// The past events of a replay: what each integration reads from its logged requests now, as the
// subjects that routing takes.
import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { integrationFacts } from "../../../domain/integrations/integration-facts.ts";
import { factsForRules } from "../../../domain/routing/receivers.ts";
import type { Receiver, RoutingSubject } from "../../../domain/routing/routing.ts";
import { isJsonObject } from "../../../domain/shared/json.ts";
import type { CreateEvent, InboundRequest } from "../../../products/integration-type.ts";
import { interpretRequest } from "../../../products/interpret.ts";
import { senderDraft } from "../../../products/reading/sender-draft.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";

/** A logged request, with its secrets redacted. */
export type LoggedRequest = {
  readonly id: string;
  readonly createdAt: number;
  readonly ownerId: string;
  readonly request: Readonly<Record<string, unknown>> | null;
};

export type PastEvent = {
  readonly logId: string;
  readonly at: number;
  readonly integration: IntegrationConfiguration;
  readonly subject: RoutingSubject;
};

const textsIn = (value: unknown): Record<string, string> =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, it]) => [key, String(it)]))
    : {};

/** The request as it was received, except for its secrets. */
function inboundOf({ request }: LoggedRequest): InboundRequest {
  const { method, url, headers, params, body } = request ?? {};
  const isText = typeof body === "string";
  return {
    method: String(method ?? "POST"),
    url: String(url ?? ""),
    headers: textsIn(headers),
    query: isJsonObject(params) ? params : {},
    body: isText ? null : (body ?? null),
    text: isText ? body : JSON.stringify(body ?? null),
  };
}

/** The receivers that an integration's alerts go to. */
export const receiversOf = ({ receivers }: IntegrationConfiguration): readonly Receiver[] => [
  ...receivers.teamIds.map((id) => ({ type: "team" as const, id })),
  ...receivers.routerIds.map((id) => ({ type: "router" as const, id })),
  ...receivers.accountUserIds.map((id) => ({ type: "account_user" as const, id })),
];

/** The events of a request that create an alert. */
export function pastEvents(
  log: LoggedRequest,
  integration: IntegrationConfiguration,
): readonly PastEvent[] {
  const type = integrationTypeNamed(integration.integrationType);
  if (type === null) return [];
  const inbound = inboundOf(log);
  return interpretRequest(type, inbound, integration.options, integration)
    .filter((event) => event.kind === "create")
    .map((event) => ({
      logId: log.id,
      at: log.createdAt,
      integration,
      subject: subjectOf(log, integration, event),
    }));
}

function subjectOf(
  { id, createdAt, request }: LoggedRequest,
  integration: IntegrationConfiguration,
  event: CreateEvent,
): RoutingSubject {
  const draft = senderDraft(integration, event, {
    ...{ alertId: id, logId: id, acceptedAt: createdAt, thirdpartyId: null },
    request,
  });
  const { title, description, urgency, tags, meta, log } = draft;
  const facts = factsForRules({ ...draft, ...draft.destinations, dedupCount: 0 });
  return {
    content: { title, description, urgency, tags, meta },
    facts,
    log,
    integration: integrationFacts(draft.source as Parameters<typeof integrationFacts>[0]),
  };
}
