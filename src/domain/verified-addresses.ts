// Which of a person's addresses are verified: whoever signs in as that person reads mail to them. Only these say who
// somebody is: any member may write any address beside their own name. Pure: rows are written elsewhere.
import type { ContactChange, ContactChanges, HeldContact } from "./contact-changes.ts";

export type HeldEmail = HeldContact & {
  /** Epoch ms; null while nobody has proven it. */
  readonly verifiedAt: number | null;
};

export type EmailChanges = ContactChanges<ContactChange> & {
  /** When the addresses were verified (epoch ms); one that is not among them is not. */
  readonly verified: ReadonlyMap<string, number>;
};

/**
 * What becomes of the verified addresses. An address is verified, not the row it stands in: it stays so when it moves
 * to another row, and another text in its row is not. A person keeps at least one, or they could not sign in: the last
 * one stays beside what was written in its place, and cannot be removed. Nobody is exempt, an admin who mistyped the
 * address of somebody new neither: the first password is on its way to that address, so they remove that person and
 * invite again.
 *
 * @param spareId the id of the row in which the last verified address stays, should it have to
 * @param field the parameter that is at fault where it would be removed
 */
export function keepVerified(
  current: readonly HeldEmail[],
  changes: ContactChanges<ContactChange>,
  spareId: string,
  field: string,
): EmailChanges {
  const before = current.filter((it) => it.verifiedAt !== null);
  const verified = new Map(before.map((it) => [it.value, it.verifiedAt ?? 0]));
  const { removed, changed, added } = changes;
  const values = new Map(changed.map(({ id, value }) => [id, value]));
  const stays = before.filter(({ id }) => !removed.includes(id));
  const after = [
    ...current
      .filter(({ id }) => !removed.includes(id))
      .map(({ id, value }) => values.get(id) ?? value),
    ...added.map(({ value }) => value),
  ];
  if (before.length === 0 || after.length === 0 || after.some((value) => verified.has(value))) {
    return { ...changes, verified };
  }
  const last = stays.find(({ primary }) => primary) ?? stays[0];
  if (last === undefined) {
    const message = `${field} must leave a verified e-mail address: verify another one first`;
    return { ...changes, verified, errors: [...changes.errors, { field, message }] };
  }
  const change = { field, value: last.value, remove: false, newId: spareId };
  const spare = { id: spareId, value: last.value, differs: true, change };
  return { ...changes, verified, added: [...added, spare], left: changes.left + 1 };
}

/** Of a new person: the one address that their first password goes to, which nobody else will sign in by. */
export function foundingOnly(changes: ContactChanges<ContactChange>, now: number): EmailChanges {
  const founding = changes.added.find(({ id }) => id === changes.primaryId);
  return { ...changes, verified: new Map(founding ? [[founding.value, now]] : []) };
}

/** The addresses that a change has put there and nobody has proven. */
export function unverified({ changed, added, verified }: EmailChanges) {
  return [...changed.filter(({ differs }) => differs), ...added]
    .filter(({ value }) => !verified.has(value))
    .map(({ id, value }) => ({ id, email: value }));
}
