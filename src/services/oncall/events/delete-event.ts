import { sql } from "drizzle-orm";
import { assertFamilyUnchanged, withOverridesOf } from "../../../db/oncall/events/event-family.ts";
import { eventRecords } from "../../../db/oncall/events/event-records.ts";
import { deleteWithOverrides } from "../../../db/oncall/events/event-rows.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitChange } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { refuseImported } from "../imports/refuse-imported.ts";
import { changeOfFamily } from "./family-change.ts";
import { readFamily } from "./read-family.ts";

/**
 * Deletes an event and its overrides. What they served stays.
 *
 * @returns null; 404; 409 for a shift of a calendar import, or when its family changes at the same time
 */
export function deleteEvent(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { accountId } = context.actor;
  return retryOnConflict(async () => {
    const { stored } = await readFamily(context, identifier);
    if (!stored) return notFound("event");
    const { family, record: before } = stored;
    const refusal = refuseImported(family);
    if (refusal) return refusal;
    const { id } = family.event;
    const root = sql`select ${id} as id`;
    await commitChange(context, {
      ...{ verb: "delete", records: eventRecords, id, before },
      writes: [assertFamilyUnchanged(accountId, family), deleteWithOverrides(accountId, root)],
      touches: sql`${withOverridesOf(accountId, root)} select id from family`,
      onCall: changeOfFamily(family, []),
    });
    return null;
  });
}
