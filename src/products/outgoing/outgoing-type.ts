// The common part of outgoing integration types: their events, the options that select events, and
// the constructor of such a type. Sending, retrying and signing are elsewhere.
import {
  eventOptionOf,
  OUTGOING_EVENTS,
  type OutgoingEvent,
} from "../../domain/integrations/announcement.ts";
import type { IntegrationType, OptionDescription, Outgoing } from "../integration-type.ts";

/** Whether a response status rejects the message itself, so that a retry cannot succeed. */
export const isMessageRejected = (status: number) => [400, 413, 415, 422].includes(status);

const SYNCED = ["alert.open", "alert.acknowledged", "alert.dropped", "alert.resolved"] as const;

/** All events, enabled by default except those named. */
export function allEventsExcept(
  ...off: readonly OutgoingEvent[]
): Readonly<Partial<Record<OutgoingEvent, boolean>>> {
  return Object.fromEntries(OUTGOING_EVENTS.map((event) => [event, !off.includes(event)]));
}

/** Defaults for chat channels: states that concern people, without intermediate steps. */
export const CHAT_EVENTS = allEventsExcept(
  "alert.created",
  "alert.rejected",
  "alert.timeout",
  // The acknowledgement says so.
  "alert.snoozed",
  "alert.destroyed",
);

/** The events that keep another on-call service in sync. */
export const SYNC_EVENTS: Outgoing["events"] = {
  ...Object.fromEntries(SYNCED.map((event) => [event, true])),
  "alert.destroyed": true,
};

const EVERYTHING_OPTION: OptionDescription = {
  key: "everything",
  type: "boolean",
  required: false,
  default: false,
  help: "Notify of all events of the account, not only of those of the integration's teams, routers and people.",
};

const REMINDER_OPTION: OptionDescription = {
  key: "reminder_minutes",
  type: "integer",
  required: false,
  default: 0,
  help: "Minutes before the start or end of a shift at which the reminder is sent: 0 to 10080.",
};

const isReminder = (event: string) => event.startsWith("event_reminder.");

function eventOptions(events: Outgoing["events"]): OptionDescription[] {
  const each = Object.entries(events).map(
    ([event, isOn]): OptionDescription => ({
      key: eventOptionOf(event as OutgoingEvent),
      type: "boolean",
      required: false,
      default: isOn,
      help: "Notify of this event.",
    }),
  );
  return [
    EVERYTHING_OPTION,
    ...each,
    ...(Object.keys(events).some(isReminder) ? [REMINDER_OPTION] : []),
  ];
}

type TypeDescription = Pick<IntegrationType, "name" | "title" | "description" | "options">;

/** Builds a type that sends events and accepts none. */
export function createOutgoingType(
  type: TypeDescription & { readonly outgoing: Outgoing },
): IntegrationType {
  const { events } = type.outgoing;
  const message = `this ${type.title} integration only sends notifications; it accepts no events`;
  return {
    ...type,
    options: [...type.options, ...eventOptions(events)],
    supports: { create: false, acknowledge: false, resolve: false },
    check: ({ reminder_minutes: minutes }) => {
      const field = "option_reminder_minutes";
      const isValid = typeof minutes !== "number" || (minutes >= 0 && minutes <= 10_080);
      return isValid ? [] : [{ field, message: `${field} must be between 0 and 10080` }];
    },
    translate: () => [{ kind: "invalid", errors: [{ message }] }],
  };
}
