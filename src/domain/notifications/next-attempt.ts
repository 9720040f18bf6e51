// Where a message goes that was accepted but not delivered: to the same address by the next
// provider, or to the person's next address. Pure.
import {
  type Channel,
  type Contact,
  contactKey,
  fallbackContacts,
  type NotificationRecipient,
} from "../people/contact.ts";
import { providerOf } from "./provider-id.ts";

/** An attempt to reach a person for one effect. */
export type EffectAttempt = Contact & { readonly providerId: string | null };

/** The providers that accepted a message to this address. */
export const triedProviders = (
  attempts: readonly EffectAttempt[],
  contact: Contact,
): readonly string[] =>
  attempts
    .filter((it) => contactKey(it) === contactKey(contact))
    .flatMap((it) => providerOf(it.channel, it.providerId) ?? []);

export type UndeliveredAttempt = {
  readonly contact: Contact;
  /** All attempts for the effects of the message, this one included. */
  readonly attempts: readonly EffectAttempt[];
  /** The channel's providers. */
  readonly providers: readonly string[];
  /** False if the phone or mailbox itself refused the message. */
  readonly isProviderAtFault: boolean;
};

/**
 * The next address to try; the same one if another provider may reach it. Null: none is left.
 *
 * @param available the channels of this deployment
 */
export function nextAttempt(
  person: NotificationRecipient,
  { contact, attempts, providers, isProviderAtFault }: UndeliveredAttempt,
  available: ReadonlySet<Channel>,
): Contact | null {
  const tried = triedProviders(attempts, contact);
  const isUsable = person.addresses[contact.channel]?.includes(contact.to) === true;
  const hasOther = providers.some((name) => !tried.includes(name));
  // Without the id of the attempt, its provider is not known, and might be the next one again.
  if (isProviderAtFault && isUsable && tried.length > 0 && hasOther) return contact;
  return fallbackContacts(person, attempts, available, true)[0] ?? null;
}
