// What the record of a calendar import shows (contract 2, Calendar imports).
import { type SQL, sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { ImportedShift } from "../../../domain/oncall/imports/import-decision.ts";
import type { KnownPeople } from "../../../domain/oncall/imports/match-people.ts";
import {
  commonAttributes,
  instant,
  list,
  number,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { all, parsed, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { isSeenBy } from "../../people/contacts/contact-rows.ts";
import { calendarImports, calendarImportTexts } from "../../schema/calendar-imports.ts";
import { eventAttendees, events, schedules, teamPeople, teams } from "../../schema/oncall.ts";
import { accountUsers, userEmails } from "../../schema/people.ts";

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
  restored: ["layer", "meta", "name"],
  search: [calendarImports.name],
  total: "calendar_imports",
});

// Reads and writes a calendar import as its object does: what to read, the shifts it imported, and
// the result of a reading.

const importColumns = {
  id: calendarImports.id,
  prefixId: calendarImports.prefixId,
  accountId: calendarImports.accountId,
  name: calendarImports.name,
  updatedAt: calendarImports.updatedAt,
  scheduleId: calendarImports.scheduleId,
  layer: calendarImports.layer,
  url: calendarImports.url,
  ical: sql<string | null>`(select ${calendarImportTexts.ical} from ${calendarImportTexts}
    where ${calendarImportTexts.importId} = ${calendarImports.id})`,
  completeAt: calendarImports.completeAt,
  etag: calendarImports.etag,
  lastModified: calendarImports.lastModified,
  failures: calendarImports.failures,
  failingSince: calendarImports.failingSince,
  nextReadAt: calendarImports.nextReadAt,
};

/** A calendar import as a reading needs it. */
export type StoredImport = RowOf<typeof importColumns>;

/** Selects the import that a condition names; no row if there is none. */
export const selectImport = (condition: SQL) =>
  select(importColumns, sql`from ${calendarImports} where ${condition}`);

/** Selects the import; no row if it was deleted. */
export const selectStoredImport = (accountId: string, id: string) =>
  selectImport(sql`${calendarImports.accountId} = ${accountId} and ${calendarImports.id} = ${id}`);

const shiftColumns = {
  eventId: events.id,
  key: sql<string>`coalesce(${events.importKey}, '')`,
  startAt: events.startAt,
  endAt: events.endAt,
  layer: events.layer,
  attendeeIds: parsed<readonly string[]>(sql`(select json_group_array(account_user_id)
    from ${eventAttendees} where ${eventAttendees.eventId} = ${events.id})`),
};

/** Selects the shifts of an import that end after `from` (epoch ms). */
export const selectImportedShifts = (importId: string, from: number): Select<ImportedShift> =>
  select(
    shiftColumns,
    sql`from ${events} where ${events.importId} = ${importId} and ${events.importId} is not null
      and ${events.endAt} > ${from} order by ${events.startAt}, ${events.id}`,
  );

/** Finds the account's people among addresses (lower case) and `prefix_id`s. */
export async function readKnownPeople(
  db: Connection,
  accountId: string,
  names: { readonly addresses: readonly string[]; readonly prefixIds: readonly string[] },
): Promise<KnownPeople> {
  const { addresses, prefixIds } = names;
  if (addresses.length === 0 && prefixIds.length === 0) {
    return { byAddress: new Map(), byPrefixId: new Map() };
  }
  const found = await all(
    db,
    select(
      {
        name: sql<string>`name`,
        id: sql<string>`id`,
        isAddress: sql<number>`is_address`,
      },
      // Of several people with one address, the one who verified it: ordered last, it stays.
      sql`from (select ${userEmails.email} as name, ${accountUsers.id} as id, 1 as is_address,
            ${userEmails.verifiedAt} is not null as proven
          from ${accountUsers} join ${userEmails} on ${userEmails.userId} = ${accountUsers.userId}
          where ${accountUsers.accountId} = ${accountId}
            and ${isSeenBy(userEmails, accountUsers.accountId)}
            and ${userEmails.email} in (select value from json_each(${JSON.stringify(addresses)}))
        union all select ${accountUsers.prefixId}, ${accountUsers.id}, 0, 1 from ${accountUsers}
          where ${accountUsers.accountId} = ${accountId} and ${accountUsers.prefixId}
            in (select value from json_each(${JSON.stringify(prefixIds)})))
        order by proven, id desc`,
    ),
  );
  const namesOf = (isAddress: boolean) =>
    new Map(
      found.filter((it) => (it.isAddress === 1) === isAddress).map(({ name, id }) => [name, id]),
    );
  return { byAddress: namesOf(true), byPrefixId: namesOf(false) };
}

/** What a successful reading of an import found. */
export type ImportResult = {
  readonly shiftCount: number;
  readonly unmatched: readonly string[];
  /** Epoch ms. */
  readonly importedUntil: number;
};

/** Records what a reading found. */
export const recordImport = (id: string, result: ImportResult): SQL =>
  sql`update ${calendarImports} set shift_count = ${result.shiftCount},
      unmatched = ${JSON.stringify(result.unmatched)}, imported_until = ${result.importedUntil}
    where ${calendarImports.id} = ${id}`;
