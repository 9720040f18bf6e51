// Tracks which of a person's addresses are verified, which means that whoever signs in as that
// person reads mail sent there. Only verified email addresses identify a person: any member can add
// any address to their own record. Pure: rows are written elsewhere.
import type { ContactChange, ContactChanges, StoredContact } from "./contact-changes.ts";

export type StoredEmail = StoredContact & {
  /** Epoch ms; null while unverified. */
  readonly verifiedAt: number | null;
};

export type EmailChanges = ContactChanges<ContactChange> & {
  /** Verification times by address (epoch ms); absent = unverified. */
  readonly verified: ReadonlyMap<string, number>;
};

/**
 * Decides which addresses stay verified after a change. Verification belongs to the address, not to
 * its row: it follows the address to another row, and a new value in the row is unverified. A
 * person keeps at least one verified address, or they could not sign in: the last one is kept in a
 * spare row when its row gets a new value, and cannot be removed. This also applies to admins who
 * mistyped a new person's address: the first password is on its way there, so they must remove the
 * person and invite them again.
 *
 * @param spareId the id of the row that keeps the last verified address, if needed
 * @param field the parameter to report if the last verified address would be removed
 */
export function preserveVerified(
  current: readonly StoredEmail[],
  changes: ContactChanges<ContactChange>,
  spareId: string,
  field: string,
): EmailChanges {
  const before = current.filter((it) => it.verifiedAt !== null);
  const verified = new Map(before.map((it) => [it.value, it.verifiedAt ?? 0]));
  const { removed, changed, added } = changes;
  const values = new Map(changed.map(({ id, value }) => [id, value]));
  const remaining = before.filter(({ id }) => !removed.includes(id));
  const after = [
    ...current
      .filter(({ id }) => !removed.includes(id))
      .map(({ id, value }) => values.get(id) ?? value),
    ...added.map(({ value }) => value),
  ];
  if (before.length === 0 || after.length === 0 || after.some((value) => verified.has(value))) {
    return { ...changes, verified };
  }
  const last = remaining.find(({ primary }) => primary) ?? remaining[0];
  if (last === undefined) {
    const message = `${field} must leave a verified e-mail address: verify another one first`;
    return { ...changes, verified, errors: [...changes.errors, { field, message }] };
  }
  const change = { field, value: last.value, remove: false, newId: spareId };
  const spare = { id: spareId, value: last.value, differs: true, change };
  return { ...changes, verified, added: [...added, spare], left: changes.left + 1 };
}

/** For a new person: only the primary address, which receives the first password, is verified. */
export function verifyInitialAddress(
  changes: ContactChanges<ContactChange>,
  now: number,
): EmailChanges {
  const primary = changes.added.find(({ id }) => id === changes.primaryId);
  return { ...changes, verified: new Map(primary ? [[primary.value, now]] : []) };
}

/** A new address that is not verified. */
export type UnverifiedAddress = { readonly id: string; readonly email: string };

/** The addresses that a change added or set and that are not verified. */
export function unverifiedAddresses({
  changed,
  added,
  verified,
}: EmailChanges): UnverifiedAddress[] {
  return [...changed.filter(({ differs }) => differs), ...added]
    .filter(({ value }) => !verified.has(value))
    .map(({ id, value }) => ({ id, email: value }));
}
