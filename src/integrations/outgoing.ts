// What types that tell others have in common: the events they tell of, the options for them, and what makes such a type.
// Sending, retrying and signing are elsewhere.
import { OUTGOING_EVENTS, type OutgoingEvent, optionOfEvent } from "../domain/announcement.ts";
import type { IntegrationType, OptionDescription, Outgoing } from "./integration-type.ts";

/** An answer to a message that is wrong in itself. */
export const isFaultOfMessage = (status: number) => [400, 413, 415, 422].includes(status);

const ALWAYS = ["alert.open", "alert.acknowledged", "alert.dropped", "alert.resolved"] as const;

/** Every event, on unless it is named here. */
export function allEventsBut(
  ...off: readonly OutgoingEvent[]
): Readonly<Partial<Record<OutgoingEvent, boolean>>> {
  return Object.fromEntries(OUTGOING_EVENTS.map((event) => [event, !off.includes(event)]));
}

/** What a channel of people wants to know: what is asked and answered, not each step of the machinery. */
export const EVENTS_OF_CHATS = allEventsBut(
  "alert.created",
  "alert.rejected",
  "alert.timeout",
  "alert.destroyed",
);

/** What another on-call service has to know to be in step. */
export const EVENTS_IN_STEP: Outgoing["events"] = {
  ...Object.fromEntries(ALWAYS.map((event) => [event, true])),
  "alert.destroyed": true,
};

const EVERYTHING: OptionDescription = {
  key: "everything",
  type: "boolean",
  required: false,
  default: false,
  help: "Notify of all events of the account, not only of those of the integration's teams, routers and account users.",
};

const REMINDER: OptionDescription = {
  key: "reminder_minutes",
  type: "integer",
  required: false,
  default: 0,
  help: "Minutes before the start or end of a shift at which the reminder is sent: 0 to 10080.",
};

const isReminder = (event: string) => event.startsWith("event_reminder.");

function optionsOfEvents(events: Outgoing["events"]): OptionDescription[] {
  const each = Object.entries(events).map(
    ([event, isOn]): OptionDescription => ({
      key: optionOfEvent(event as OutgoingEvent),
      type: "boolean",
      required: false,
      default: isOn,
      help: `Notify of ${event}.`,
    }),
  );
  return [EVERYTHING, ...each, ...(Object.keys(events).some(isReminder) ? [REMINDER] : [])];
}

type Described = Pick<IntegrationType, "name" | "title" | "description" | "options">;

/** A type that only tells. */
export function outgoingType(type: Described & { readonly outgoing: Outgoing }): IntegrationType {
  const { events } = type.outgoing;
  const message = `this ${type.title} integration only sends notifications; it accepts no events`;
  return {
    ...type,
    options: [...type.options, ...optionsOfEvents(events)],
    supports: { create: false, acknowledge: false, resolve: false },
    check: ({ reminder_minutes: minutes }) => {
      const field = "option_reminder_minutes";
      const isFine = typeof minutes !== "number" || (minutes >= 0 && minutes <= 10_080);
      return isFine ? [] : [{ field, message: `${field} must be between 0 and 10080` }];
    },
    translate: () => [{ kind: "invalid", errors: [{ message }] }],
  };
}
