// An event with its parent and all overrides below it, read at once, since a decision about one
// depends on all. Every write must have the precondition that the family is unchanged.
import { type SQL, sql } from "drizzle-orm";
import type { OnCallEvent } from "../../domain/oncall/on-call-event.ts";
import type { Identifier } from "../../domain/shared/identifiers.ts";
import type { RawRow } from "../records/attributes.ts";
import { identified } from "../records/records.ts";
import { eventSchedules, events } from "../schema/oncall.ts";
import { assertPrecondition } from "../shared/precondition.ts";
import { onCallColumns, toOnCallEvent } from "./oncall-rows.ts";

export type EventFamily = {
  readonly event: OnCallEvent;
  /** For an override: the event it overrides. */
  readonly parent: OnCallEvent | null;
  /** All overrides below the event, including overrides of overrides. */
  readonly overrides: readonly OnCallEvent[];
  /** The schedules of the event, and so of its whole family. */
  readonly scheduleIds: readonly string[];
  /** The event's `updated_at` (epoch ms). */
  readonly updatedAt: number;
  /** The members and their `updated_at`, for `assertFamilyUnchanged`. */
  readonly asRead: string;
};

/** The ids of an event's schedules, as JSON. */
export const schedulesOfEvent = sql<
  readonly string[]
>`(select json_group_array(schedule_id order by schedule_id)
  from ${eventSchedules} where ${eventSchedules.eventId} = ${events.id})`;

/**
 * A `with` clause that defines `family`: the ids of the events that `roots` selects and of all
 * overrides below them. Goes before a select or a delete.
 */
export function withOverridesOf(accountId: string, roots: SQL): SQL {
  return sql`with recursive family(id) as (${roots}
    union select child.id from family join ${events} as child
      on child.account_id = ${accountId} and child.parent_id = family.id)`;
}

function selectMembers(accountId: string, identifier: Identifier, columns: SQL): SQL {
  const here = sql`from ${events}
    where ${events.accountId} = ${accountId} and ${identified(events, identifier)}`;
  return sql`${withOverridesOf(accountId, sql`select ${events.id} ${here}`)}
    select ${columns} from ${events} where ${events.accountId} = ${accountId}
      and (${events.id} in (select id from family)
        or ${events.id} = (select ${events.parentId} ${here}))
    order by ${events.id}`;
}

/** Selects the rows for `toFamily`: none if the account has no such event. */
export function selectFamily(accountId: string, identifier: Identifier): SQL {
  const columns = sql`${onCallColumns}, ${events.prefixId} as prefix_id,
    ${events.updatedAt} as updated_at, ${schedulesOfEvent} as schedule_ids`;
  return selectMembers(accountId, identifier, columns);
}

/** Converts rows of `selectFamily` to the event's family; null if there is no such event. */
export function toFamily(
  rows: readonly RawRow[] | undefined,
  identifier: Identifier,
): EventFamily | null {
  const root = rows?.find((row) => row[identifier.form] === identifier.value);
  if (!rows || !root) return null;
  const event = toOnCallEvent(root);
  const others = rows.filter((row) => row !== root).map(toOnCallEvent);
  return {
    event,
    parent: others.find((other) => other.id === event.parentId) ?? null,
    overrides: others.filter((other) => other.id !== event.parentId),
    scheduleIds: JSON.parse(String(root.schedule_ids)) as string[],
    updatedAt: Number(root.updated_at),
    asRead: rows.map((row) => `${row.id} ${row.updated_at}`).join(),
  };
}

/** The precondition that no member was added, removed or changed since the family was read. */
export function assertFamilyUnchanged(accountId: string, { event, asRead }: EventFamily): SQL {
  const members = selectMembers(
    accountId,
    { form: "id", value: event.id },
    sql`${events.id} as id, ${events.updatedAt} as updated_at`,
  );
  return assertPrecondition(sql`(select group_concat(id || ' ' || updated_at, ',' order by id)
    from (${members})) = ${asRead}`);
}
