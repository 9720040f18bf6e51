// The alert that a sender's event asks for, as its integration has it made. Pure: the inbox hands it over, and a trial
// looks at what would come of it.
import type { AlertDraft } from "../domain/commands.ts";
import type { IntegrationConfiguration } from "../domain/integration-configuration.ts";
import { windowAround } from "../domain/maintenance.ts";
import { minutesOf } from "./common-options.ts";
import type { CreateEvent } from "./integration-type.ts";

/** Where an event comes from, and what is decided of its alert already. */
export type Sent = {
  readonly alertId: string;
  readonly logId: string | null;
  /** Epoch ms. */
  readonly acceptedAt: number;
  /** The alert's `thirdparty_id`, where the event itself has none. */
  readonly thirdpartyId: string | null;
  /** As it is logged; null where no rule will ask for it. */
  readonly request: Readonly<Record<string, unknown>> | null;
};

export function senderDraft(
  configuration: IntegrationConfiguration,
  given: CreateEvent,
  { alertId, logId, acceptedAt, thirdpartyId, request }: Sent,
): AlertDraft {
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
    thirdpartyId: given.thirdpartyId ?? thirdpartyId,
    dedupKeys: given.dedupKeys,
    destinations: configuration.receivers,
    title: given.title,
    description: given.description,
    urgency: given.urgency ?? configuration.urgency,
    tags: given.tags,
    meta: {
      ...given.meta,
      incident: given.incident,
      incident_severity: given.incidentSeverity,
      incident_message: given.incidentMessage,
    },
    additionalData: given.additionalData,
    log: request && { ...request, data: request.body },
    maintenance: windowAround(configuration.maintenanceWindows, acceptedAt),
    requestId: null,
    autoResolveMs: minutesOf(configuration.options.auto_resolve_after),
    ...(given.trail && { trail: given.trail }),
  };
}
