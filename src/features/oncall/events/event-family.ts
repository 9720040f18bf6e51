// An event with its whole family, the series with all its versions and overrides, read at once, since
// a decision about one depends on all. Every write must have the precondition that the family is unchanged.
import { type SQL, sql } from "drizzle-orm";
import { type Absence, concerns, inOrder } from "../../../domain/oncall/absences/absence.ts";
import type { PlacedEvents, PlacedPast } from "../../../domain/oncall/changes/keep-past.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { EventInSeries } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { parsed, type RowOf, select } from "../../../kernel/db/select.ts";
import { onCallColumns, schedulesOfEvent } from "../../change/event-columns.ts";
import { events } from "../../schema/oncall.ts";
import { selectAbsences } from "../absences/absence-rows.ts";
import { selectPastOf } from "./past-rows.ts";

export type EventFamily = EventInSeries & {
  /** The schedules of the event, in which new events of the family are placed. */
  readonly scheduleIds: readonly string[];
  /** The schedules of each member. */
  readonly schedulesOf: ReadonlyMap<string, readonly string[]>;
  /** The calendar import that owns the event; null: none does. */
  readonly importId: string | null;
  /** The event's `updated_at` (epoch ms). */
  readonly updatedAt: number;
  /** All that was read. */
  readonly whole: WholeFamilies;
};

/**
 * A select of the ids of all events of some series.
 *
 * @param ids a select of ids of any of their events, or of series
 */
export const withFamilies = (accountId: string, ids: SQL): SQL =>
  sql`select ${events.id} from ${events} where ${events.accountId} = ${accountId}
    and ${events.seriesId} in (${ids} union select named.series_id from ${events} as named
      where named.account_id = ${accountId} and named.id in (${ids}))`;

const fromFamilies = (accountId: string, ids: SQL): SQL =>
  sql`from ${events} where ${events.accountId} = ${accountId}
    and ${events.id} in (${withFamilies(accountId, ids)}) order by ${events.id}`;

const memberColumns = {
  ...onCallColumns(Number.MIN_SAFE_INTEGER),
  prefixId: events.prefixId,
  updatedAt: events.updatedAt,
  importId: events.importId,
  meta: events.meta,
  scheduleIds: parsed<readonly string[]>(schedulesOfEvent),
};

/** An event of a family, as a decision reads it. */
export type FamilyMember = RowOf<typeof memberColumns>;

/**
 * Selects the events of some families as they are now.
 *
 * @param ids a select of ids of any of their events, or of series
 */
const selectFamilies = (accountId: string, ids: SQL) =>
  select(memberColumns, fromFamilies(accountId, ids));

/** A select of some ids. */
export const theseIds = (ids: readonly string[]): SQL =>
  sql`select value from json_each(${JSON.stringify(ids)})`;

/** The precondition that the families are unchanged since they were read. */
export function assertFamiliesUnchanged(
  accountId: string,
  ids: SQL,
  members: readonly Pick<FamilyMember, "id" | "updatedAt">[],
): SQL {
  const asRead = members.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  return assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
    select ${events.id} || ' ' || ${events.updatedAt} as line ${fromFamilies(accountId, ids)}))
    = ${asRead}`);
}

/** All events of some families, their absences, and what is kept of their past. */
export type WholeFamilies = {
  readonly members: readonly FamilyMember[];
  readonly absences: readonly Absence[];
  readonly past: readonly PlacedPast[];
};

/** What `selectWholeFamilies` reads. */
export const toWholeFamilies = ([members, absences, past]: readonly [
  members: readonly FamilyMember[],
  absences: readonly Absence[],
  past: readonly PlacedPast[],
]): WholeFamilies => ({ members, absences, past });

/** Parts of occurrences that are older than this, and than their series, are found by their occurrence only (ms). */
const KNOWN_ABSENCES = 366 * DAY;

/**
 * Selects whole families, as they decide what a change of them keeps of the past.
 *
 * @param ids a select of ids of any of their events, or of series
 * @param now epoch ms
 * @param undone the id of the change that is being undone; null: none is
 */
export function selectWholeFamilies(
  accountId: string,
  ids: SQL,
  now: number,
  undone: string | null = null,
) {
  const families = withFamilies(accountId, ids);
  const oldest = sql`(select min(${events.createdAt}) from ${events}
    where ${events.accountId} = ${accountId} and ${events.id} in (${families}))`;
  return [
    selectFamilies(accountId, ids),
    selectAbsences(accountId, sql`min(coalesce(${oldest}, 0), ${now - KNOWN_ABSENCES})`),
    selectPastOf(
      accountId,
      sql`${ids} union select ${events.seriesId} from ${events} where ${events.id} in (${families})`,
      undone,
    ),
  ] as const;
}

/** Selects what `toFamily` reads: no members if the account has no such event. `now` in epoch ms. */
export const selectFamily = (accountId: string, identifier: Identifier, now: number) =>
  selectWholeFamilies(accountId, selectIdOf(accountId, identifier), now);

const selectIdOf = (accountId: string, identifier: Identifier): SQL =>
  sql`select ${events.id} from ${events}
    where ${events.accountId} = ${accountId} and ${identified(events, identifier)}`;

function toEvent(member: FamilyMember): OnCallEvent {
  const {
    prefixId: _,
    updatedAt: __,
    importId: ___,
    meta: ____,
    scheduleIds: _____,
    ...event
  } = member;
  return event;
}

/** The family of the event that was selected; null if there is no such event. */
export function toFamily(
  { members, absences, past }: WholeFamilies,
  identifier: Identifier,
): EventFamily | null {
  const { form, value } = identifier;
  const own = members.find((it) => (form === "id" ? it.id : it.prefixId) === value);
  if (!own) return null;
  return {
    event: toEvent(own),
    series: members.map(toEvent),
    scheduleIds: own.scheduleIds,
    schedulesOf: new Map(members.map(({ id, scheduleIds }) => [id, scheduleIds])),
    absences: inOrder(
      absences.filter((it) => own.scheduleIds.some((scheduleId) => concerns(it, scheduleId))),
    ),
    // It is the same in each.
    past: past.filter(({ scheduleId }) => scheduleId === own.scheduleIds[0]),
    importId: own.importId,
    updatedAt: own.updatedAt,
    whole: { members, absences, past },
  };
}

/** The precondition that no event of the family was added, removed or changed since it was read. */
export const assertFamilyUnchanged = (accountId: string, { event, whole }: EventFamily): SQL =>
  assertFamiliesUnchanged(accountId, theseIds([event.id]), whole.members);

/** The events as they are placed. */
export const toPlaced = (members: readonly FamilyMember[]): PlacedEvents => ({
  events: members.map(toEvent),
  schedulesOf: new Map(members.map(({ id, scheduleIds }) => [id, scheduleIds])),
});
