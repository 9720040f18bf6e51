// Applies a request's `emails_attributes` or `phones_attributes` to a person's addresses
// (contract 1, Update; contract 2, Users): with `id` = change, without = add, `_destroy` =
// remove; exactly one is primary. Pure: formats are validated before, and rows are written
// elsewhere.
import type { FieldError } from "../shared/refusal.ts";

export type StoredContact = {
  readonly id: string;
  readonly prefixId: string;
  /** The address or the number. */
  readonly value: string;
  readonly primary: boolean;
};

export type ContactChange = {
  /** The parameter as the caller wrote it, such as `emails_attributes[0]`. */
  readonly field: string;
  /** Either form of the identifier; absent or null = add, or change the row with this value. */
  readonly id?: string | null | undefined;
  readonly value?: string | undefined;
  readonly primary?: boolean | undefined;
  readonly remove: boolean;
  /** The id of the row if the change adds one. */
  readonly newId: string;
};

/** A row that a change touches. */
type TouchedContact<Change> = {
  readonly id: string;
  readonly value: string;
  /** Whether the value changed. */
  readonly differs: boolean;
  readonly change: Change;
};

export type ContactChanges<Change> = {
  /** Ids. */
  readonly removed: readonly string[];
  readonly changed: readonly TouchedContact<Change>[];
  readonly added: readonly TouchedContact<Change>[];
  /** Null when none is left. */
  readonly primaryId: string | null;
  readonly left: number;
  readonly errors: readonly FieldError[];
};

type ContactEntry = {
  id: string;
  prefixId: string;
  value: string;
  primary: boolean;
  notPrimary: boolean;
};

/**
 * Applies the changes in order. Primary is the last one marked primary; else the previous one; else
 * the first that no change marked `primary: false`; else the first.
 */
export function changeContacts<Change extends ContactChange>(
  current: readonly StoredContact[],
  changes: readonly Change[],
): ContactChanges<Change> {
  const entries: ContactEntry[] = current.map((contact) => ({ ...contact, notPrimary: false }));
  const removed: string[] = [];
  const changed: TouchedContact<Change>[] = [];
  const added: TouchedContact<Change>[] = [];
  const errors: FieldError[] = [];
  for (const change of changes) {
    const found = findEntry(entries, change);
    const value = change.value ?? found?.value ?? "";
    if (change.id != null && found === undefined) {
      errors.push({ field: `${change.field}.id`, message: `${change.field}.id: no such record` });
    } else if (change.remove) {
      if (found) removed.push(...entries.splice(entries.indexOf(found), 1).map((it) => it.id));
    } else {
      const entry = found ?? addEntry(entries, change.newId);
      const touched = { id: entry.id, value, differs: entry.value !== value, change };
      (found ? changed : added).push(touched);
      entry.value = value;
      markPrimary(entries, entry, change.primary);
    }
  }
  const remaining = added.filter(({ id }) => !removed.includes(id));
  errors.push(...duplicateErrors(entries, [...changed, ...remaining]));
  const primaryId = primaryOf(entries)?.id ?? null;
  return { removed, changed, added: remaining, primaryId, left: entries.length, errors };
}

/** Errors for changed rows that duplicate another. Checked at the end: rows may swap values. */
function duplicateErrors(
  entries: readonly ContactEntry[],
  touched: readonly TouchedContact<ContactChange>[],
) {
  const values = new Map(entries.map(({ id, value }) => [id, value]));
  return touched
    .filter(({ id }) => entries.some((it) => it.id !== id && it.value === values.get(id)))
    .map(({ change: { field } }) => ({ field, message: `${field} already exists` }));
}

function findEntry(
  entries: readonly ContactEntry[],
  change: ContactChange,
): ContactEntry | undefined {
  const { id, value } = change;
  if (id == null) return entries.find((entry) => entry.value === value);
  return entries.find((entry) => entry.id === id.toUpperCase() || entry.prefixId === id);
}

function addEntry(entries: ContactEntry[], id: string): ContactEntry {
  const entry = { id, prefixId: "", value: "", primary: false, notPrimary: false };
  entries.push(entry);
  return entry;
}

function markPrimary(
  entries: readonly ContactEntry[],
  named: ContactEntry,
  primary: boolean | undefined,
): void {
  if (primary === undefined) return;
  if (primary) for (const entry of entries) entry.primary = false;
  named.primary = primary;
  named.notPrimary = !primary;
}

function primaryOf(entries: readonly ContactEntry[]): ContactEntry | undefined {
  return (
    entries.find((entry) => entry.primary) ??
    entries.find((entry) => !entry.notPrimary) ??
    entries[0]
  );
}
