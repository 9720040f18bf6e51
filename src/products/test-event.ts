// Marks the events of a test. Nothing else distinguishes a test event: it is translated, routed and
// notified of like one of the sender's.
import type { CreateEvent, InboundEvent } from "./integration-type.ts";
import { boundTexts } from "./reading/bounds.ts";

/** A test event of an integration, and the identifier of its alert. */
export type TestEvent = { readonly integration: string; readonly thirdpartyId: string };

const EXPLANATION = "A test event: whoever gets this would get this integration's alerts.";

/**
 * The alert that a test creates. Its identifier is the test's, and it has no dedup keys: the
 * sample's could be those of a real alert, which must not count a test or be resolved by its sender.
 */
export function markTest(
  events: readonly InboundEvent[],
  test: TestEvent,
): readonly InboundEvent[] {
  const created = events.find((event) => event.kind === "create");
  return created === undefined ? events : [asTest(created, test)];
}

function asTest(event: CreateEvent, { integration, thirdpartyId }: TestEvent): CreateEvent {
  const { title, description, urgency, tags } = event;
  return {
    ...event,
    ...boundTexts(
      `Test of ${integration}: ${title}`,
      [EXPLANATION, description].filter((text) => text !== null).join("\n\n"),
    ),
    thirdpartyId,
    dedupKeys: [],
    tags: [...new Set([...tags, "test"])],
    // A sample that notifies nobody would test nothing.
    urgency: urgency === "silent" ? null : urgency,
    incident: false,
    incidentSeverity: null,
    incidentMessage: null,
  };
}
