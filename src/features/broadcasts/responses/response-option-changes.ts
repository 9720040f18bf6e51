// The rules for the parameters of a broadcast's response options (contract 5). The position of an
// option never changes: responses refer to it.
import type { FieldError } from "../../../domain/shared/refusal.ts";
import type { OptionEntry } from "../broadcasts/parameters.ts";

/** A response option, as a write reads or makes it. */
export type ResponseOption = {
  readonly id: string;
  readonly prefix_id: string;
  readonly value: string;
  readonly position: number;
};

export type OptionChanges = {
  /** Ids. */
  readonly removed: readonly string[];
  readonly changed: readonly ResponseOption[];
  readonly added: readonly ResponseOption[];
  /** The number of options after the changes. */
  readonly left: number;
  readonly errors: readonly FieldError[];
};

/**
 * Applies a request's entries to a broadcast's options: with `id` changes one, without adds one,
 * with `_destroy` removes one.
 *
 * @param newId generates the id of an added option
 */
export function changeOptions(
  current: readonly ResponseOption[],
  entries: readonly OptionEntry[],
  newId: () => string,
): OptionChanges {
  const removed = new Set<string>();
  const changed = new Map<string, ResponseOption>();
  const added: ResponseOption[] = [];
  const errors: FieldError[] = [];
  let position = Math.max(-1, ...current.map((option) => option.position));
  for (const [i, { id, value, _destroy }] of entries.entries()) {
    const name = `broadcast_response_options_attributes[${i}].id`;
    const stored = findOption(current, id);
    if (id != null && stored === undefined) {
      errors.push({ field: name, message: `${name}: no such broadcast response option` });
    } else if (stored && _destroy) {
      removed.add(stored.id);
    } else if (stored && value !== undefined) {
      changed.set(stored.id, { ...stored, value });
    } else if (!stored && !_destroy && value !== undefined) {
      position += 1;
      added.push({ id: newId(), prefix_id: "", value, position });
    }
  }
  const left = current.length - removed.size + added.length;
  const stays = [...changed.values()].filter((option) => !removed.has(option.id));
  const unchanged = current.filter(({ id }) => !removed.has(id) && !changed.has(id));
  errors.push(...findRepeatedValues(unchanged, [...stays, ...added], entries));
  return { removed: [...removed], changed: stays, added, left, errors };
}

const foldCase = (value: string) => value.trim().normalize("NFKC").toLowerCase();

/** Values are compared case-insensitively, so that a response names exactly one option. */
function findRepeatedValues(
  unchanged: readonly ResponseOption[],
  written: readonly ResponseOption[],
  entries: readonly OptionEntry[],
): FieldError[] {
  const seen = new Set(unchanged.map(({ value }) => foldCase(value)));
  return written.flatMap(({ value }): FieldError[] => {
    const isRepeated = seen.has(foldCase(value));
    seen.add(foldCase(value));
    if (!isRepeated) return [];
    const at = entries.findLastIndex((entry) => entry.value === value);
    const field = `broadcast_response_options_attributes[${at}].value`;
    return [{ field, message: `${field} must differ from the other options` }];
  });
}

function findOption(current: readonly ResponseOption[], id: string | null | undefined) {
  if (id == null) return undefined;
  return current.find((option) => option.id === id.toUpperCase() || option.prefix_id === id);
}
