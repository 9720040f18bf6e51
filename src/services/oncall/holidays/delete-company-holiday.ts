import {
  companyHolidayRecords,
  selectCompanyHolidays,
} from "../../../db/oncall/holidays/company-holiday-records.ts";
import { oneRecord, selectRecord } from "../../../db/records/records.ts";
import { companyHolidays } from "../../../db/schema/calendars/company-holidays.ts";
import { build } from "../../../db/shared/database.ts";
import { batch } from "../../../db/shared/select.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { Previewed } from "../../shared/preview.ts";
import { changeOfHolidays } from "../absence-calendars/absence-change.ts";
import { followHolidays } from "../absence-calendars/follow-holidays.ts";
import { previewOnCallChange } from "../preview/preview-on-call-change.ts";

/** Deletes a company holiday; null, or 404. */
export async function deleteCompanyHoliday(
  context: Context,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { accountId } = context.actor;
  if (context.preview) return showPreview(context, identifier);
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: companyHolidayRecords,
    identifier,
    writes: [
      build.delete(companyHolidays).where(oneRecord(companyHolidays, accountId, identifier)),
    ],
  });
  if (before === null) return notFound("company_holiday");
  followHolidays(context);
  return null;
}

/** Leaves the verb with its preview; or 404. */
async function showPreview(context: Context, identifier: Identifier): Promise<Refusal> {
  const { db, actor } = context;
  const [[record], holidays] = await batch(db, [
    selectRecord(companyHolidayRecords, actor.accountId, identifier),
    selectCompanyHolidays(actor.accountId),
  ]);
  if (!record) return notFound("company_holiday");
  const others = holidays.filter(({ id }) => id !== record.id);
  const change = await changeOfHolidays(context, others);
  throw new Previewed(await previewOnCallChange(context, change));
}
