// At which addresses a person can be reached, channel by channel (contract 6, Channels). Pure.

import { own } from "./own.ts";
import type { AddressChoice, NotifyAction } from "./rules/notification-rules.ts";

/** Whatever a person can be reached by; `log` is the worker's own, for local use. */
export const CHANNELS = ["push", "email", "sms", "voice", "log"] as const;
export type Channel = (typeof CHANNELS)[number];

/** Where to turn when what a person chose does not work, in this order. */
const RESERVE_ORDER: readonly Channel[] = ["email", "push", "sms", "voice", "log"];

/** What is known of a person who is to be reached. */
export type Reachable = {
  readonly accountUserId: string;
  readonly name: string;
  /** False when the membership is not active, or gone. */
  readonly active: boolean;
  /** A listed name: whose quiet hours are meant. */
  readonly timeZone: string;
  /** Usable addresses only (verified, not blocked), the primary one first. `log` needs none. */
  readonly addresses: Readonly<Partial<Record<Channel, readonly string[]>>>;
  /** The channels they are told on when no rule says otherwise (`notify_*`). */
  readonly defaults: readonly Channel[];
};

export type Contact = { readonly channel: Channel; readonly to: string };

/** How a person is told that there is no way to them. */
export function unreachableReason(person: Reachable): string {
  if (!person.active) return "is no longer in the account";
  const known = Object.values(person.addresses).some((those) => those.length > 0);
  return known ? "has an address, but its channel is not set up" : "has no usable address";
}

/** The addresses on some channels, as the person (or a rule: `choices`) chose them; those not usable left out. */
export function contactsOn(
  person: Reachable,
  channels: readonly Channel[],
  choices: NotifyAction["addresses"],
  available: ReadonlySet<Channel>,
): Contact[] {
  return channels.flatMap((channel) => {
    const usable = available.has(channel) ? (person.addresses[channel] ?? []) : [];
    const choice = own<AddressChoice | undefined>(choices, channel);
    const to = chosen(usable, choice);
    return to === undefined ? [] : [{ channel, to }];
  });
}

function chosen(usable: readonly string[], choice: AddressChoice | undefined): string | undefined {
  if (choice === undefined) return usable[0];
  const { address, fallback } = choice;
  const wanted =
    typeof address === "object"
      ? usable.find((one) => one.toLowerCase() === address.literal.toLowerCase())
      : usable[address === "primary" ? 0 : 1];
  return wanted ?? (fallback ? usable[0] : undefined);
}

/**
 * Every other way to a person, one after the other, for when none of the ways they chose has worked.
 *
 * @param spoken whether a call may be made: one reads an alert out and takes an answer, nothing else
 */
export function reservesOf(
  person: Reachable,
  tried: readonly Contact[],
  available: ReadonlySet<Channel>,
  spoken: boolean,
): Contact[] {
  const known = new Set(tried.map(keyOf));
  const ways = RESERVE_ORDER.filter((channel) => available.has(channel))
    .filter((channel) => channel !== "voice" || spoken)
    .flatMap((channel) => addressesOn(person, channel).map((to) => ({ channel, to })));
  return ways.filter((contact) => !known.has(keyOf(contact)));
}

const addressesOn = (person: Reachable, channel: Channel) =>
  channel === "log" ? [person.name] : (person.addresses[channel] ?? []);

export const keyOf = ({ channel, to }: Contact) => `${channel}:${to}`;
