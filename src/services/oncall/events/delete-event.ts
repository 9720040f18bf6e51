import { sql } from "drizzle-orm";
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
import { refuseImported } from "../imports/refuse-imported.ts";
import { changeOfFamily } from "./family-change.ts";
import { readFamily } from "./read-family.ts";

/**
 * Deletes an event and its overrides.
 *
 * @returns null; 404; 409 for a shift of a calendar import
 */
export function deleteEvent(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { accountId } = context.actor;
  const scope = sql`${events.importId} is null`;
  const root = sql`${selectId(eventRecords, accountId, identifier)} and ${scope}`;
  const writes = [deleteWithOverrides(accountId, root)];
  const touches = sql`${withOverridesOf(accountId, root)} select id from family`;
  const change = { verb: "delete", records: eventRecords, identifier, scope, writes, touches };
  const kept = select(
    { importId: events.importId },
    sql`from ${events} where ${oneRecord(events, accountId, identifier)}`,
  );
  if (context.preview) return previewDeletion(context, identifier);
  return retryOnConflict(async () => {
    const { before, rows } = await commitUnread(context, change, [kept]);
    const [[found]] = rows;
    if (before !== null) return null;
    return found ? refuseImported(found) : notFound("event");
  });
}

async function previewDeletion(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { stored } = await readFamily(context, identifier);
  if (!stored) return notFound("event");
  const { family, record: before } = stored;
  const refusal = refuseImported(family);
  if (refusal) return refusal;
  await commitChange(context, {
    verb: "delete",
    records: eventRecords,
    id: family.event.id,
    before,
    writes: [],
    onCall: changeOfFamily(family, []),
  });
  return null;
}
