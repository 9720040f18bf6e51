import { eq } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { decideImport } from "../../../domain/oncall/imports/import-decision.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { assertUnchanged, retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { calendarImports } from "../../schema/calendar-imports.ts";
import { calendarImportObject } from "../../stubs.ts";
import { changeOfImport } from "./import-change.ts";
import { calendarImportRecords } from "./import-records.ts";
import { selectImportedShifts, selectStoredImport } from "./import-rows.ts";
import {
  readOverriddenFamilies,
  recordedImport,
  releaseShifts,
  writeImportChanges,
} from "./imported-event-rows.ts";

/**
 * Deletes a calendar import with its shifts that have not begun. The running one ends now; past
 * shifts stay, as ordinary ones (contract 2, Calendar imports).
 *
 * @returns null; 404
 */
export async function deleteCalendarImport(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const records = calendarImportRecords({ actor });
  const deleted = await retryOnConflict(async () => {
    const before = await first(db, selectRecord(records, accountId, identifier));
    if (!before) return notFound("calendar_import");
    const { id } = before;
    const [[stored], shifts] = await batch(db, [
      selectStoredImport(accountId, id),
      selectImportedShifts(id, now),
    ]);
    if (!stored) return notFound("calendar_import");
    const changes = decideImport(shifts, [], now);
    const families = await readOverriddenFamilies(db, accountId, changes, now);
    const writes = [
      assertUnchanged(calendarImports, id, stored.updatedAt),
      ...writeImportChanges(stored, changes, families, now),
      releaseShifts(accountId, id),
      build.delete(calendarImports).where(eq(calendarImports.id, id)),
    ];
    const { touches, concerns } = recordedImport(id, stored.scheduleId, now);
    const previewed = context.preview && {
      onCall: await changeOfImport(context, stored, changes),
    };
    const change = { verb: "delete", records, id, before, writes, touches, concerns, ...previewed };
    await commitChange(context, change);
    return before;
  });
  if (isRefusal(deleted)) return deleted;
  const { id, prefix_id } = deleted;
  // It finds nothing, and empties itself. Otherwise its alarm does so.
  await calendarImportObject(env, prefix_id)
    .refresh({ id, accountId })
    .catch(() => undefined);
  return null;
}
