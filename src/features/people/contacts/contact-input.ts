// The rows of a person's email addresses and telephone numbers that a request changes (contract 2,
// Users).
import {
  type ContactChange,
  type ContactChanges,
  changeContacts,
  type StoredContact,
} from "../../../domain/people/contact-changes.ts";
import {
  type EmailChanges,
  preserveVerified,
  type StoredEmail,
  verifyInitialAddress,
} from "../../../domain/people/verified-addresses.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { type EmailEntry, MOST_CONTACTS, type PhoneEntry } from "../users/parameters.ts";

export type PhoneChange = ContactChange & {
  readonly country?: string | null | undefined;
  readonly method?: "sms" | "voice" | null | undefined;
};

/**
 * Applies a request to a person's addresses. A new value of `email` replaces the primary address,
 * unless the person already has that address. The primary address of a new person (`current` null)
 * is verified.
 */
export function emailChanges(
  current: readonly StoredEmail[] | null,
  parameters: {
    readonly email?: string | undefined;
    readonly emails_attributes?: readonly EmailEntry[] | undefined;
  },
  within: string,
  now: number,
): EmailChanges {
  const { email, emails_attributes: entries = [] } = parameters;
  const stored = current ?? [];
  const replaced = stored.some(({ value }) => value === email)
    ? undefined
    : stored.find(({ primary }) => primary);
  const changes: ContactChange[] = entries.map((entry, i) => ({
    field: `${within}emails_attributes[${i}]`,
    id: entry.id,
    value: entry.email,
    primary: entry.primary,
    remove: entry._destroy === true,
    newId: newId(now),
  }));
  if (email !== undefined) {
    const whole = { field: `${within}email`, value: email, primary: true, remove: false };
    changes.unshift({ ...whole, id: replaced?.id, newId: newId(now) });
  }
  const changed = changeContacts(stored, changes);
  return limitContacts(
    "emails_attributes",
    within,
    current === null
      ? verifyInitialAddress(changed, now)
      : preserveVerified(current, changed, newId(now), `${within}emails_attributes`),
  );
}

/** Applies a request to a person's numbers. */
export function phoneChanges(
  current: readonly StoredContact[],
  entries: readonly PhoneEntry[],
  within: string,
  now: number,
): ContactChanges<PhoneChange> {
  const changes = entries.map((entry, i) => ({
    field: `${within}phones_attributes[${i}]`,
    id: entry.id,
    value: entry.phone?.phone,
    country: entry.phone?.country,
    method: entry.confirmation_method,
    primary: entry.primary,
    remove: entry._destroy === true,
    newId: newId(now),
  }));
  return limitContacts("phones_attributes", within, changeContacts(current, changes));
}

function limitContacts<Changes extends ContactChanges<ContactChange>>(
  name: string,
  within: string,
  changes: Changes,
): Changes {
  if (changes.left <= MOST_CONTACTS) return changes;
  const message = `${within}${name} would be more than ${MOST_CONTACTS}`;
  const error: FieldError = { field: `${within}${name}`, message };
  return { ...changes, errors: [...changes.errors, error] };
}
