// An event with all events above it and all overrides below it, read at once, since a decision about
// one depends on all. Every write must have the precondition that the family is unchanged.
import { type SQL, sql } from "drizzle-orm";
import { type Absence, concerns, inOrder } from "../../../domain/oncall/absences/absence.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { identified } from "../../records/identified.ts";
import { eventSchedules, events } from "../../schema/oncall.ts";
import { assertPrecondition } from "../../shared/precondition.ts";
import { parsed, type RowOf, select } from "../../shared/select.ts";
import { selectAbsences } from "../absences/absence-rows.ts";
import { onCallColumns } from "../oncall-rows.ts";

export type EventFamily = {
  readonly event: OnCallEvent;
  /** For an override: the event it overrides. */
  readonly parent: OnCallEvent | null;
  /** For an override: all events above it, up to the series. */
  readonly above: readonly OnCallEvent[];
  /** All overrides below the event, including overrides of overrides. */
  readonly overrides: readonly OnCallEvent[];
  /** The schedules of the event, in which new events of the family are placed. */
  readonly scheduleIds: readonly string[];
  /**
   * The schedules of each member. What was served in one schedule only, before an undo, is in that one
   * only.
   */
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
  /** The absences that concern its schedules, in order. */
  readonly absences: readonly Absence[];
  /** The calendar import that owns the event; null: none does. */
  readonly importId: string | null;
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

function membersFrom(accountId: string, identifier: Identifier): SQL {
  const here = sql`from ${events}
    where ${events.accountId} = ${accountId} and ${identified(events, identifier)}`;
  const family = withOverridesOf(accountId, sql`select ${events.id} ${here}`);
  const above = sql`with recursive above(id) as (select ${events.parentId} ${here}
    union select parent.parent_id from above join ${events} as parent
      on parent.account_id = ${accountId} and parent.id = above.id)`;
  return sql`from ${events} where ${events.accountId} = ${accountId}
      and (${events.id} in (${family} select id from family)
        or ${events.id} in (${above} select id from above))
    order by ${events.id}`;
}

const memberColumns = {
  ...onCallColumns(0),
  prefixId: events.prefixId,
  updatedAt: events.updatedAt,
  importId: events.importId,
  scheduleIds: parsed<readonly string[]>(schedulesOfEvent),
};

/** An event of a family, as a decision reads it. */
type Member = RowOf<typeof memberColumns>;

/** Parts of occurrences that are older than this are found by their occurrence only (ms). */
const KNOWN_ABSENCES = 366 * DAY;

/**
 * Selects the members and the absences for `toFamily`: no members if the account has no such event.
 *
 * @param now epoch ms
 */
export const selectFamily = (accountId: string, identifier: Identifier, now: number) =>
  [
    select(memberColumns, membersFrom(accountId, identifier)),
    selectAbsences(accountId, now - KNOWN_ABSENCES),
  ] as const;

function toEvent(member: Member): OnCallEvent {
  const { prefixId: _, updatedAt: __, importId: ___, scheduleIds: ____, ...event } = member;
  return event;
}

/** From its parent on. */
function eventsAbove(
  { parentId }: OnCallEvent,
  events: ReadonlyMap<string, OnCallEvent>,
): readonly OnCallEvent[] {
  const parent = events.get(parentId ?? "");
  return parent ? [parent, ...eventsAbove(parent, events)] : [];
}

/** The family of the event that the members were selected for; null if there is no such event. */
export function toFamily(
  members: readonly Member[],
  absences: readonly Absence[],
  identifier: Identifier,
): EventFamily | null {
  const { form, value } = identifier;
  const root = members.find((it) => (form === "id" ? it.id : it.prefixId) === value);
  if (!root) return null;
  const event = toEvent(root);
  const others = members.filter((it) => it !== root).map(toEvent);
  const above = eventsAbove(event, new Map(others.map((it) => [it.id, it])));
  return {
    event,
    parent: above[0] ?? null,
    above,
    overrides: others.filter((it) => !above.includes(it)),
    scheduleIds: root.scheduleIds,
    schedulesOf: new Map(members.map(({ id, scheduleIds }) => [id, scheduleIds])),
    absences: inOrder(
      absences.filter((it) => root.scheduleIds.some((scheduleId) => concerns(it, scheduleId))),
    ),
    importId: root.importId,
    updatedAt: root.updatedAt,
    asRead: members.map((it) => `${it.id} ${it.updatedAt}`).join(),
  };
}

/** The precondition that no member was added, removed or changed since the family was read. */
export function assertFamilyUnchanged(accountId: string, { event, asRead }: EventFamily): SQL {
  const members = membersFrom(accountId, { form: "id", value: event.id });
  return assertPrecondition(sql`(select group_concat(id || ' ' || updated_at, ',' order by id)
    from (select ${events.id} as id, ${events.updatedAt} as updated_at ${members})) = ${asRead}`);
}
