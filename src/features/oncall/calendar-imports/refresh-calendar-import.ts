import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { selectRecord } from "../../../kernel/db/records.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { Previewed } from "../../change/preview.ts";
import { calendarImportObject } from "../../stubs.ts";
import { emptyPreview, previewOnCallChange } from "../on-call/preview-on-call-change.ts";
import type { CalendarImport } from "./contract.ts";
import { changeOfReading } from "./import-change.ts";
import { calendarImportRecords } from "./import-records.ts";
import { selectStoredImport } from "./import-rows.ts";
import { readNow } from "./read-now.ts";

/** Reads the calendar of an import now; the import, with the result; 404; 409. */
export async function refreshCalendarImport(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<CalendarImport | Refusal> {
  const { env, db, actor, stillAllowed } = context;
  const records = calendarImportRecords({ actor });
  const read = selectRecord(records, actor.accountId, identifier);
  const found = await retryOnConflict(() => batch(db, [read, ...stillAllowed]));
  if (isRefusal(found)) return found;
  const [[record]] = found;
  if (!record) return notFound("calendar_import");
  if (context.preview) throw await previewed(context, record.id);
  const object = calendarImportObject(env, record.prefix_id);
  return (await readNow(context, records, object, record.id)) ?? notFound("calendar_import");
}

async function previewed(context: Context<MemberActor>, id: string): Promise<Error> {
  const { db, actor } = context;
  const stored = await first(db, selectStoredImport(actor.accountId, id));
  if (!stored) return new Previewed(emptyPreview(context.now));
  return new Previewed(await previewOnCallChange(context, await changeOfReading(context, stored)));
}
