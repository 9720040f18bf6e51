import { eq } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse, refuseFields } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import {
  assertUnchanged,
  nextUpdatedAt,
  retryOnConflict,
} from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { resolveWith } from "../../../kernel/db/references.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { broadcasts } from "../../schema/messages.ts";
import { changeOptions, type OptionChanges } from "../responses/response-option-changes.ts";
import { type Destinations, destinationsOf, faultsOf, referencesOf } from "./broadcast-input.ts";
import {
  broadcastRecords,
  type StoredBroadcast,
  selectStoredBroadcast,
} from "./broadcast-records.ts";
import { columnsOf, wakeBroadcast, writeOptions } from "./broadcast-writes.ts";
import type { Broadcast } from "./contract.ts";
import type { UpdateBroadcast } from "./parameters.ts";

const CLOSED = refuse(
  "conflict",
  "the broadcast is closed; its destinations and response options cannot change",
);

const haveSameIds = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

/** Whether a write changes something that is fixed once a broadcast is closed. */
function changesFixedParts(
  stored: StoredBroadcast,
  destinations: Destinations,
  options: OptionChanges,
) {
  return (
    !haveSameIds(stored.teamIds, destinations.teamIds) ||
    !haveSameIds(stored.accountUserIds, destinations.accountUserIds) ||
    options.removed.length + options.changed.length + options.added.length > 0
  );
}

/**
 * Changes or closes a broadcast (contract 5). New destinations are notified.
 *
 * @returns the broadcast; 404; 409 for what is fixed in a closed one; 422 for unknown destinations
 *   or none, and for invalid response options
 */
export function updateBroadcast(
  context: Context,
  identifier: Identifier,
  body: UpdateBroadcast,
): Promise<Broadcast | Refusal> {
  const { db, actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const { resolved, rows } = await resolveWith(db, accountId, referencesOf(body), [
      selectStoredBroadcast(accountId, identifier),
      selectRecord(broadcastRecords, accountId, identifier),
    ]);
    const [[stored], [before]] = rows;
    if (!stored || !before) return notFound("broadcast");
    const entries = body.broadcast_response_options_attributes ?? [];
    const options = changeOptions(stored.options, entries, () => newId(now));
    const faults = faultsOf(body, stored, options);
    if (!resolved.ok) return refuseFields([...faults, ...resolved.errors]);
    if (faults.length > 0) return refuseFields(faults);
    const destinations = destinationsOf(body, resolved, stored);
    if (stored.status === "closed" && changesFixedParts(stored, destinations, options)) {
      return CLOSED;
    }
    const { id } = stored;
    const columns = {
      ...columnsOf(body, destinations),
      updatedAt: nextUpdatedAt(stored.updatedAt, now),
    };
    const writes = [
      assertUnchanged(broadcasts, id, stored.updatedAt),
      build.update(broadcasts).set(columns).where(eq(broadcasts.id, id)),
      ...writeOptions(accountId, id, options, now),
    ];
    const change = { verb: "update", records: broadcastRecords, id, before, writes };
    const { after } = await commitChange(context, change);
    wakeBroadcast(context, identifier);
    return after ?? notFound("broadcast");
  });
}
