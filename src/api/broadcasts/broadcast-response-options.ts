// The response options of a broadcast: the rules for their parameters, and the rows a request
// changes (contract 5). The position of an option never changes: responses refer to it.
import { eq, type SQLWrapper, sql } from "drizzle-orm";
import type { BroadcastResponseOption } from "../../contract/broadcasts/broadcast.ts";
import type { OptionEntry } from "../../contract/broadcasts/broadcast-parameters.ts";
import { broadcastResponseOptions, broadcastResponses } from "../../db/schema/messages.ts";
import { build } from "../../db/shared/database.ts";
import { newIdentity } from "../../db/shared/identifiers.ts";
import type { FieldError } from "../../domain/shared/refusal.ts";

// ── Rows ──

/** A stored option, as a write reads it. */
export type ResponseOption = {
  readonly id: string;
  readonly prefix_id: string;
  readonly value: string;
  readonly position: number;
};

/** The options of `broadcastId` as JSON, by position, each with its number of responses. */
export const optionsOf = (broadcastId: SQLWrapper) =>
  sql<
    readonly BroadcastResponseOption[]
  >`(select json_group_array(json_object('id', ${broadcastResponseOptions.id},
      'prefix_id', ${broadcastResponseOptions.prefixId}, 'value', ${broadcastResponseOptions.value},
      'position', ${broadcastResponseOptions.position}, 'broadcast_responses_count',
      (select count(*) from ${broadcastResponses}
        where ${broadcastResponses.broadcastId} = ${broadcastResponseOptions.broadcastId}
          and ${broadcastResponses.broadcastResponseOptionId} = ${broadcastResponseOptions.id}))
      order by ${broadcastResponseOptions.position})
    from ${broadcastResponseOptions} where ${broadcastResponseOptions.broadcastId} = ${broadcastId})`;

/**
 * The statements that apply changes to a broadcast's options. Removing an option deletes its
 * responses.
 */
export function writeOptions(
  accountId: string,
  broadcastId: string,
  { removed, changed, added }: OptionChanges,
  now: number,
): SQLWrapper[] {
  return [
    ...removed.flatMap((id) => [
      build.delete(broadcastResponses).where(eq(broadcastResponses.broadcastResponseOptionId, id)),
      build.delete(broadcastResponseOptions).where(eq(broadcastResponseOptions.id, id)),
    ]),
    ...changed.map(({ id, value }) =>
      build
        .update(broadcastResponseOptions)
        .set({ value, updatedAt: now })
        .where(eq(broadcastResponseOptions.id, id)),
    ),
    ...added.map(({ id, value, position }) =>
      build.insert(broadcastResponseOptions).values({
        ...newIdentity("broadcast_response_option", now, id),
        accountId,
        broadcastId,
        value,
        position,
      }),
    ),
  ];
}

// ── Rules ──

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
