import { eventRecords } from "../../../db/oncall/event-records.ts";
import { deleteWithOverrides } from "../../../db/oncall/event-rows.ts";
import { selectId } from "../../../db/records/records.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";

/**
 * Deletes an event and its overrides.
 *
 * @returns null; 404
 */
export function deleteEvent(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const root = selectId(eventRecords, accountId, identifier);
  const writes = [deleteWithOverrides(accountId, root)];
  const change = { verb: "delete", records: eventRecords, identifier, writes };
  return retryOnConflict(async () => {
    const { before } = await commitUnread(context, change);
    return before === null ? notFound("event") : null;
  });
}
