// What an integration type is that tells others: which events, to which address, in which words. The counterpart of
// `translate`: pure, one file in `types/`, one line in `registered.ts`. Sending, retrying and signing are elsewhere.
import {
  OUTGOING_EVENTS,
  type OutgoingEvent,
  optionOfEvent,
  type Said,
} from "../domain/announcement.ts";
import type { IntegrationType, OptionDescription, Options } from "./integration-type.ts";

/** What there is to tell. */
export type Told = {
  readonly event: OutgoingEvent;
  /** When it happened (epoch ms). */
  readonly at: number;
  readonly said: Said;
  /** Where people look at it; null for what has no page, or without an address of the deployment. */
  readonly url: string | null;
};

/** An integration's secret options, by key. */
export type Secrets = Readonly<Record<string, string>>;

/** A request to be made: a POST of this as JSON. */
export type OutgoingRequest = {
  readonly url: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Signed with this by Standard Webhooks; null = as it is. */
  readonly signedWith?: string | null;
};

export type Outgoing = {
  /** The events it can tell of, and whether it does unless its option says otherwise. */
  readonly events: Readonly<Partial<Record<OutgoingEvent, boolean>>>;
  /** The option with the address. */
  readonly addressOption: string;
  /** Whether its requests are signed with the secret option `secret`. */
  readonly signs: boolean;
  /** Pure; null when there is nothing to say of it. */
  readonly announce: (told: Told, options: Options, secrets: Secrets) => OutgoingRequest | null;
  /** Whether an answer means that this very message will never be taken. */
  readonly refuses: (status: number) => boolean;
};

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
