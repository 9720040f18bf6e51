import { sql } from "drizzle-orm";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { selectId, selectRecord } from "../../../kernel/db/records.ts";
import { changeSchedules } from "../../schema/changes.ts";
import { scheduleRecords } from "../schedules/rows.ts";
import { changeRecords } from "./rows.ts";

/** Selects an entry of a schedule's history: as answers show it, and its id. */
export function selectChange(accountId: string, schedule: Identifier, change: Identifier) {
  const scheduleId = selectId(scheduleRecords, accountId, schedule);
  const scope = sql`${changeSchedules.scheduleId} = (${scheduleId})`;
  const id = sql`select ${changeRecords.id} from ${changeRecords.from}
    where ${changeRecords.accountId} = ${accountId} and ${identified(changeRecords, change)}
      and ${scope}`;
  return { record: selectRecord(changeRecords, accountId, change, scope), id, scheduleId };
}
