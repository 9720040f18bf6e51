import { sql } from "drizzle-orm";
import { noteReleased } from "../../../db/oncall/covers/cover-writes.ts";
import { withOverridesOf } from "../../../db/oncall/events/event-family.ts";
import { eventRecords } from "../../../db/oncall/events/event-records.ts";
import { deleteWithOverrides } from "../../../db/oncall/events/event-rows.ts";
import { oneRecord, selectId } from "../../../db/records/records.ts";
import { events } from "../../../db/schema/oncall.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import { select } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange, commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { refuseSkipped } from "../covers/refuse-skipped.ts";
import { refuseImported } from "../imports/refuse-imported.ts";
import { changeOfFamily } from "./family-change.ts";
import { readFamily } from "./read-family.ts";

/**
 * Deletes an event and its overrides.
 *
 * @returns null; 404; 409 for a shift of a calendar import, and for an override to come of a
 *   rotation that skips who is unavailable
 */
export function deleteEvent(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const scope = sql`${events.importId} is null
    and (${events.absentAccountUserId} is null or ${events.endAt} <= ${context.now})`;
  const root = sql`${selectId(eventRecords, accountId, identifier)} and ${scope}`;
  const writes = [noteReleased(accountId, root, context.now), deleteWithOverrides(accountId, root)];
  const touches = sql`${withOverridesOf(accountId, root)} select id from family`;
  const change = { verb: "delete", records: eventRecords, identifier, scope, writes, touches };
  const { importId, absentAccountUserId, endAt } = events;
  const kept = select(
    { importId, absentAccountUserId, endAt },
    sql`from ${events} where ${oneRecord(events, accountId, identifier)}`,
  );
  if (context.preview) return previewDeletion(context, identifier);
  return retryOnConflict(async () => {
    const { before, rows } = await commitUnread(context, change, [kept]);
    const [[found]] = rows;
    if (before !== null) return null;
    if (!found) return notFound("event");
    return refuseImported(found) ?? refuseSkipped(found, context.now);
  });
}

async function previewDeletion(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { stored } = await readFamily(context, identifier);
  if (!stored) return notFound("event");
  const { family, record: before } = stored;
  const refusal = refuseImported(family) ?? refuseSkipped(family.event, context.now);
  if (refusal) return refusal;
  const { id } = family.event;
  // The schedules stay with what their covers then do.
  const onCall = { ...changeOfFamily(family, []), releasedIds: [id] };
  await commitChange(context, {
    verb: "delete",
    records: eventRecords,
    id,
    before,
    writes: [],
    onCall,
  });
  return null;
}
