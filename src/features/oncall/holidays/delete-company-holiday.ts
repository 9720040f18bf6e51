import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { oneRecord, selectRecord } from "../../../kernel/db/records.ts";
import { batch } from "../../../kernel/db/select.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { Previewed } from "../../change/preview.ts";
import { companyHolidays } from "../../schema/company-holidays.ts";
import { changeOfHolidays } from "../absence-calendars/absence-change.ts";
import { followHolidays } from "../absence-calendars/follow-holidays.ts";
import { previewOnCallChange } from "../on-call/preview-on-call-change.ts";
import { companyHolidayRecords, selectCompanyHolidays } from "./company-holiday-records.ts";

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
