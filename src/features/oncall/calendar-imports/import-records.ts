// What the record of a calendar import shows (contract 2, Calendar imports).
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import {
  commonAttributes,
  instant,
  list,
  number,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { calendarImports, calendarImportTexts } from "../../schema/calendar-imports.ts";
import { schedules, teamPeople, teams } from "../../schema/oncall.ts";

/**
 * Whether the caller sees the URL, which is a secret of the calendar: account admins do, and admins
 * of a team that uses the schedule; a read-only key does not.
 */
function seesUrl({ roles, readOnly, accountId, accountUserId }: MemberActor): SQL {
  if (readOnly) return sql`0`;
  if (roles.admin) return sql`1`;
  return sql`exists (select 1 from ${teams} join ${teamPeople} on ${teamPeople.teamId} = ${teams.id}
      and ${teamPeople.relation} = 'admin' and ${teamPeople.accountUserId} = ${accountUserId}
    where ${teams.accountId} = ${accountId} and ${teams.scheduleId} = ${calendarImports.scheduleId})`;
}

/** Whether the import has a text. The text names people, who may be of no account: it is not shown. */
const hiddenText = sql<string | null>`case when ${calendarImports.url} is null
  and exists (select 1 from ${calendarImportTexts}
    where ${calendarImportTexts.importId} = ${calendarImports.id}) then '***' end`;

/** The records of calendar imports, limited to what the caller may see. */
export const calendarImportRecords = ({
  actor,
}: {
  readonly actor: MemberActor;
}): Records<"CalendarImport"> => ({
  kind: "calendar_import",
  shows: "CalendarImport",
  from: calendarImports,
  accountId: calendarImports.accountId,
  id: calendarImports.id,
  prefixId: calendarImports.prefixId,
  attributes: {
    ...commonAttributes(calendarImports),
    schedule_id: reference(calendarImports.scheduleId, calendarImports.accountId, schedules),
    name: string(calendarImports.name),
    layer: number(calendarImports.layer),
    // Not filterable: a filter would reveal the value.
    url: {
      ...string(sql<string>`(case when ${seesUrl(actor)} then ${calendarImports.url} end)`),
      unfiltered: true,
      omittedWhenNull: true,
    },
    ical: { ...string(hiddenText), unfiltered: true },
    last_read_at: instant(calendarImports.lastReadAt),
    last_error: string(calendarImports.lastError),
    failing_since: instant(calendarImports.failingSince),
    next_read_at: instant(calendarImports.nextReadAt),
    shift_count: number(calendarImports.shiftCount),
    unmatched: list(calendarImports.unmatched),
    imported_until: instant(calendarImports.importedUntil),
  },
  search: [calendarImports.name],
  total: "calendar_imports",
});
