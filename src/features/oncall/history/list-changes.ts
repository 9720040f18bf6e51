// Lists the history of a schedule, with the hours that each change gave to people or took from them.
import { sql } from "drizzle-orm";
import { EMPTY_SCHEDULE } from "../../../domain/oncall/absences/absence.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import type { ListQuery } from "../../../kernel/db/list-query.ts";
import { selectPage, selectTotal } from "../../../kernel/db/record-lists.ts";
import { presentRecord, selectId } from "../../../kernel/db/records.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { changeSchedules, changes } from "../../schema/changes.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { scheduleRecords } from "../schedules/rows.ts";
import type { ScheduleChange, ScheduleChangeWithHours } from "./contract.ts";
import { DAYS_BACK, effectOf } from "./read-change.ts";
import { changeRecords, selectEntriesOf } from "./rows.ts";

type ChangePage = {
  readonly data: readonly ScheduleChangeWithHours[];
  readonly total: number;
};

/** Reads a page of a schedule's history in one round trip; 404 if there is no such schedule. */
export async function listChanges(
  { db, actor }: Pick<Context, "db" | "actor">,
  identifier: Identifier,
  query: ListQuery,
): Promise<ChangePage | Refusal> {
  const { accountId } = actor;
  const scheduleId = selectId(scheduleRecords, accountId, identifier);
  const scope = sql`${changeSchedules.scheduleId} = (${scheduleId})`;
  const page = selectPage(changeRecords, accountId, query, scope);
  // Of an empty page: none.
  const oldest = sql`(select min(created_at - iif(corrects_past, ${DAYS_BACK * DAY}, 0))
    from ${changes} where account_id = ${accountId}
    and id in (select id from (${page.getSQL()})))`;
  const [rows, entries, [kept], [schedule], events, absences, past] = await batch(db, [
    page.getSQL(),
    selectEntriesOf(accountId, sql`select id from (${page.getSQL()})`),
    selectTotal(changeRecords, accountId, query, scope),
    select({ id: sql<string>`id` }, sql`from (${scheduleId})`),
    ...selectOnCall(accountId, scheduleId, oldest),
  ]);
  if (!schedule) return notFound("schedule");
  const onCall = toOnCallSchedules(events, absences, past).get(schedule.id) ?? EMPTY_SCHEDULE;
  const entryOf = new Map(entries.map((entry) => [entry.id, entry]));
  const data = rows.map((row) => {
    const change: ScheduleChange = presentRecord(changeRecords, row);
    const entry = entryOf.get(change.id);
    const effect = entry && effectOf(entry, schedule.id, onCall);
    return { ...change, hours_known: effect?.known ?? false, hours: effect?.hours ?? [] };
  });
  return { data, total: kept?.total ?? 0 };
}
