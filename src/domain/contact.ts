// On which channels a person is reached, and at which addresses (`contract.md` 6). Pure.

/** Whatever a person can be reached by; `log` is the worker's own, for local use. */
export const CHANNELS = ["email", "sms", "voice", "push", "log"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What is known of a person who is to be reached. */
export type Reachable = {
  readonly accountUserId: string;
  readonly name: string;
  /** False when the membership is not active, or gone. */
  readonly active: boolean;
  /** Usable addresses only (not blocked), the primary one first. */
  readonly emails: readonly string[];
};

export type Contact = { readonly channel: Channel; readonly to: string };

export type ContactPlan =
  | { readonly kind: "contacts"; readonly contacts: readonly [Contact, ...Contact[]] }
  | { readonly kind: "unreachable"; readonly reason: string };

/**
 * The contacts for one page, in the order they are tried. Nobody is silently unreachable: with no address at all
 * the reason is for the alert's story; where pages may be written to the log (`available` has `log`) they go there.
 */
export function planContacts(
  person: Reachable | null,
  available: ReadonlySet<Channel>,
): ContactPlan {
  if (person === null || !person.active) {
    return { kind: "unreachable", reason: "is no longer in the account" };
  }
  const [email] = person.emails;
  if (email !== undefined && available.has("email")) {
    return { kind: "contacts", contacts: [{ channel: "email", to: email }] };
  }
  if (available.has("log")) {
    return { kind: "contacts", contacts: [{ channel: "log", to: person.name }] };
  }
  const reason =
    email === undefined ? "has no usable address" : "has an address, but its channel is not set up";
  return { kind: "unreachable", reason };
}
