// What an entry of the history shows (contract 4, History).
import { sql } from "drizzle-orm";
import {
  FORMER_KINDS,
  FORMER_REASON,
  IRREVERSIBLE,
  IRREVERSIBLE_REASONS,
} from "../../../domain/oncall/changes/history-entry.ts";
import {
  boolean,
  instant,
  list,
  reference,
  references,
  string,
} from "../../../kernel/db/attributes.ts";
import { prefixIdFrom } from "../../../kernel/db/prefix-id.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { changeSchedules, changes } from "../../schema/changes.ts";
import { events, schedules } from "../../schema/oncall.ts";
import { accountUsers } from "../../schema/people.ts";
import { selectLater } from "./change-entries.ts";

const later = sql`(${selectLater(sql`changes`)})`;

const words = sql.join(
  IRREVERSIBLE_REASONS.map((reason) => {
    const [name, text] = [reason, IRREVERSIBLE[reason]].map((it) => it.replaceAll("'", "''"));
    return sql.raw(`when '${name}' then '${text}'`);
  }),
  sql` `,
);

const formerKinds = sql.join(
  FORMER_KINDS.map((kind) => sql`${kind}`),
  sql`, `,
);

const notUndoable = sql<string | null>`(case
  when ${changes.undoneById} is not null then 'it was undone'
  when ${changes.kind} in (${formerKinds}) then ${FORMER_REASON}
  when ${changes.irreversible} is not null then case ${changes.irreversible} ${words} end
  else (select 'a later change depends on it: ' || ${prefixIdFrom("change", sql`found.id`)}
    from ${later} as found) end)`;

/** Of a take-over: a JSON list of the account users whom it relieved. */
const relieved = sql<
  readonly string[]
>`(select json_group_array(value) from json_each(${changes.recordBefore}, '$.relieved'))`;

/** The entries of schedules: `change_schedules` is the order in which a schedule's are read. */
export const changeRecords: Records<"ScheduleChange"> = {
  kind: "change",
  shows: "ScheduleChange",
  from: sql`${changeSchedules} join ${changes} on ${changes.accountId} = ${changeSchedules.accountId}
    and ${changes.id} = ${changeSchedules.changeId}`,
  accountId: changeSchedules.accountId,
  id: changeSchedules.changeId,
  prefixId: changes.prefixId,
  attributes: {
    id: string(sql<string>`${changeSchedules.changeId}`),
    prefix_id: string(changes.prefixId),
    account_id: string(changes.accountId),
    created_at: instant(changes.createdAt),
    actor_kind: string(changes.actorKind),
    account_user_id: reference(changes.accountUserId, changes.accountId, accountUsers),
    api_key_id: string(
      sql<string | null>`iif(${changes.actorKind} = 'key', ${changes.actorId}, null)`,
    ),
    verb: string(changes.verb),
    record_kind: string(changes.kind),
    record_id: string(changes.recordId),
    record_name: string(changes.name),
    fields: list(changes.fields),
    event_ids: references(changes.eventIds, changes.accountId, events),
    relieved_account_user_ids: references(relieved, changes.accountId, accountUsers),
    schedule_ids: references(changes.scheduleIds, changes.accountId, schedules),
    corrects_past: boolean(changes.correctsPast),
    undoes_id: string(changes.undoesId),
    undone_by_id: string(changes.undoneById),
    undoable: { ...boolean(sql<boolean>`(${notUndoable} is null)`), unfiltered: true },
    not_undoable_reason: { ...string(notUndoable), unfiltered: true },
  },
  search: [],
  datedById: true,
};
