import type { AlertUrgency } from "../../../domain/alerts/alert.ts";
import type { InboundEvent } from "../../../products/integration-type.ts";
import type { PreviewedEvent } from "./contract.ts";

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

/** An event as a preview shows it. `urgency` is that of events without their own. */
export function previewEvent(event: InboundEvent, urgency: AlertUrgency): PreviewedEvent {
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
