// What the log of a request says of events that change no alert.
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { InboundEvent } from "../../../products/integration-type.ts";
import { boundText } from "../../../products/reading/bounds.ts";
import type { CommentedAlert } from "./notes.ts";
import type { EventOutcome } from "./stored-events.ts";

/** How the outcome of an event begins that the integration's type does not understand. */
export const NOT_UNDERSTOOD = "Not understood: ";
/** A request can have a thousand events. */
const MAX_MESSAGE = 1_000;

/**
 * The warning of a request's events that were not understood; null without any. Its other events
 * act all the same, and the sender is answered 200.
 */
export function warningOf(events: readonly InboundEvent[]): EventOutcome | null {
  const reasons = events.flatMap((event) => {
    if (event.kind === "invalid") return event.errors.map(({ message }) => message);
    return event.kind === "ignored" && event.isUnknown ? [event.reason] : [];
  });
  if (reasons.length === 0) return null;
  const message = boundText(NOT_UNDERSTOOD + [...new Set(reasons)].join("; "), MAX_MESSAGE);
  return { level: "warn", message, alertId: null };
}

/** The outcome to log for a request whose events change no alert. */
export function outcomeWithoutAlert(
  events: readonly InboundEvent[],
  noted: readonly CommentedAlert[],
): EventOutcome {
  const warning = warningOf(events);
  if (warning !== null) return { ...warning, alertId: noted[0]?.alertId ?? null };
  const ignored = events.filter((event) => event.kind === "ignored");
  const alertId = noted[0]?.alertId ?? null;
  if (ignored.length > 0) {
    const reasons = ignored.map(({ reason }) => reason).join("; ");
    const areRecords = ignored.every(({ isRecord }) => isRecord);
    const level = ignored.some(({ isWarning }) => isWarning) ? "warn" : "info";
    return { level, message: areRecords ? reasons : `Ignored: ${reasons}`, alertId };
  }
  if (alertId === null) {
    const message = "Unmatched: no alert has this Id, the note is dropped";
    return { level: "warn", message, alertId };
  }
  const names = noted.map((it) => prefixIdOf("alert", it.alertId));
  return { level: "info", message: `Noted on alert ${names.join(", ")}`, alertId };
}
