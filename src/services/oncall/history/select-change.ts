import { sql } from "drizzle-orm";
import { changeRecords } from "../../../db/oncall/history/change-records.ts";
import { scheduleRecords } from "../../../db/oncall/schedule-records.ts";
import { identified } from "../../../db/records/identified.ts";
import { selectId, selectRecord } from "../../../db/records/records.ts";
import { changeSchedules } from "../../../db/schema/changes.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";

/** Selects an entry of a schedule's history: as answers show it, and its id. */
export function selectChange(accountId: string, schedule: Identifier, change: Identifier) {
  const scheduleId = selectId(scheduleRecords, accountId, schedule);
  const scope = sql`${changeSchedules.scheduleId} = (${scheduleId})`;
  const id = sql`select ${changeRecords.id} from ${changeRecords.from}
    where ${changeRecords.accountId} = ${accountId} and ${identified(changeRecords, change)}
      and ${scope}`;
  return { record: selectRecord(changeRecords, accountId, change, scope), id, scheduleId };
}
