// The addresses at which a person can be notified, by channel (contract 6, Channels). Pure.

import type { AddressChoice, NotifyAction } from "../routing/rules/notification-rules.ts";
import { own } from "../shared/own.ts";
import { MESSENGERS } from "./messengers.ts";

/** All channels; `log` is the worker's own, for local use. */
const CHANNELS = ["push", "email", "sms", "voice", ...MESSENGERS, "log"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Fallback order when the person's chosen channels fail. */
const FALLBACK_ORDER: readonly Channel[] = ["email", "push", ...MESSENGERS, "sms", "voice", "log"];

/** A person to notify, with their usable addresses. */
export type NotificationRecipient = {
  readonly accountUserId: string;
  readonly name: string;
  /** False when the membership is inactive or deleted. */
  readonly active: boolean;
  /** A listed name; quiet hours apply in this zone. */
  readonly timeZone: string;
  /** Usable addresses only (verified, not blocked), primary first. `log` needs none. */
  readonly addresses: Readonly<Partial<Record<Channel, readonly string[]>>>;
  /** The channels used when no rule applies: `notify_*`, and every messenger with an address. */
  readonly defaults: readonly Channel[];
  /** Whether a call about an unanswered alert is repeated once. */
  readonly repeatsCalls: boolean;
};

export type Contact = { readonly channel: Channel; readonly to: string };

/** The reason, as text, why a person cannot be reached. */
export function unreachableReason(person: NotificationRecipient): string {
  if (!person.active) return "is no longer in the account";
  const hasAddress = Object.values(person.addresses).some((those) => those.length > 0);
  return hasAddress ? "has an address, but its channel is not set up" : "has no usable address";
}

/** The usable contacts on some channels, chosen by a rule (`choices`) or by default. */
export function selectContacts(
  person: NotificationRecipient,
  channels: readonly Channel[],
  choices: NotifyAction["addresses"],
  available: ReadonlySet<Channel>,
): Contact[] {
  return channels.flatMap((channel) => {
    const usable = available.has(channel) ? (person.addresses[channel] ?? []) : [];
    const choice = own<AddressChoice | undefined>(choices, channel);
    const to = chooseAddress(usable, choice);
    return to === undefined ? [] : [{ channel, to }];
  });
}

function chooseAddress(
  usable: readonly string[],
  choice: AddressChoice | undefined,
): string | undefined {
  if (choice === undefined) return usable[0];
  const { address, fallback } = choice;
  const preferred =
    typeof address === "object"
      ? usable.find((one) => one.toLowerCase() === address.literal.toLowerCase())
      : usable[address === "primary" ? 0 : 1];
  return preferred ?? (fallback ? usable[0] : undefined);
}

/**
 * All remaining contacts of a person, for when every chosen contact failed.
 *
 * @param spoken whether a voice call may be made: calls support open alerts only
 */
export function fallbackContacts(
  person: NotificationRecipient,
  tried: readonly Contact[],
  available: ReadonlySet<Channel>,
  spoken: boolean,
): Contact[] {
  const triedKeys = new Set(tried.map(contactKey));
  const fallbacks = FALLBACK_ORDER.filter((channel) => available.has(channel))
    .filter((channel) => channel !== "voice" || spoken)
    .flatMap((channel) => addressesOn(person, channel).map((to) => ({ channel, to })));
  return fallbacks.filter((contact) => !triedKeys.has(contactKey(contact)));
}

const addressesOn = (person: NotificationRecipient, channel: Channel) =>
  channel === "log" ? [person.name] : (person.addresses[channel] ?? []);

/** The key of a contact, for comparing contacts. */
export const contactKey = ({ channel, to }: Contact) => `${channel}:${to}`;
