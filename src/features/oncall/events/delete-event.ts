import { overridesOfDeleted } from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { refuseImported } from "../calendar-imports/refuse-imported.ts";
import { eventRecords } from "./event-records.ts";
import { patchFamily } from "./event-rows.ts";
import { changeOfFamily } from "./family-change.ts";
import { readFamily } from "./read-family.ts";

/**
 * Deletes an event, and the overrides of its hours; with the last version of a series, all of its
 * overrides. What they served stays.
 *
 * @returns null; 404; 409 for a shift of a calendar import, or when its family changes at the same time
 */
export function deleteEvent(context: Context, identifier: Identifier): Promise<Refusal | null> {
  const { actor, now } = context;
  const { accountId } = actor;
  return retryOnConflict(async () => {
    const { stored } = await readFamily(context, identifier);
    if (!stored) return notFound("event");
    const { family, record: before } = stored;
    const refusal = refuseImported(family);
    if (refusal) return refusal;
    const { event, series } = family;
    const removed = overridesOfDeleted(event, series).map(({ id }) => id);
    const patched = patchFamily(accountId, family, { event: null, removed }, now);
    await commitChange(context, {
      ...{ verb: "delete", records: eventRecords, id: event.id, before, writes: patched.writes },
      onCall: changeOfFamily(family, patched),
    });
    return null;
  });
}
