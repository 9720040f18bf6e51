// Builds the alert draft of a `create` event, with the integration's defaults. Pure: the inbox
// delivers the draft, a preview only shows it.
import type { AlertDraft } from "../../domain/alerts/commands.ts";
import type { IntegrationConfiguration } from "../../domain/integrations/integration-configuration.ts";
import { windowAround } from "../../domain/integrations/maintenance.ts";
import { minutesOf } from "../common-options.ts";
import type { CreateEvent } from "../integration-type.ts";

/** The context of an accepted event. */
export type AcceptedEvent = {
  readonly alertId: string;
  readonly logId: string | null;
  /** Epoch ms. */
  readonly acceptedAt: number;
  /** The alert's `thirdparty_id` if the event has none. */
  readonly thirdpartyId: string | null;
  /** The request as logged; null if no rule reads it. */
  readonly request: Readonly<Record<string, unknown>> | null;
};

/** Builds the draft. */
export function senderDraft(
  configuration: IntegrationConfiguration,
  event: CreateEvent,
  { alertId, logId, acceptedAt, thirdpartyId, request }: AcceptedEvent,
): AlertDraft {
  const pauseMs = minutesOf(configuration.options.pause_for);
  return {
    id: alertId,
    accountId: configuration.accountId,
    source: {
      type: "Integration",
      id: configuration.id,
      name: configuration.name,
      logId,
      integrationType: configuration.integrationType,
    },
    thirdpartyId: event.thirdpartyId ?? thirdpartyId,
    dedupKeys: event.dedupKeys,
    destinations: configuration.receivers,
    title: event.title,
    description: event.description,
    urgency: event.urgency ?? configuration.urgency,
    tags: event.tags,
    meta: {
      ...event.meta,
      incident: event.incident,
      incident_severity: event.incidentSeverity,
      incident_message: event.incidentMessage,
    },
    additionalData: event.additionalData,
    log: request && { ...request, data: request.body },
    maintenance: windowAround(configuration.maintenanceWindows, acceptedAt),
    requestId: null,
    ...(pauseMs !== null && { pauseMs }),
    autoResolveMs: minutesOf(configuration.options.auto_resolve_after),
    ...(event.members && { members: event.members }),
    ...(configuration.options.lower_urgency === true && { lowersUrgency: true }),
    ...(event.trail && { trail: event.trail }),
  };
}
