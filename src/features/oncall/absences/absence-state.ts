// What a decision about absences reads: those of an account that decide who serves instead and have
// not ended, and the schedules of the people whom they concern. Every write must have the
// precondition that they are unchanged.
import { type SQL, sql } from "drizzle-orm";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import type { AbsenceRecord } from "../../../domain/oncall/absences/absence-record.ts";
import type { OnCallSchedules } from "../../../domain/oncall/absences/absent-hours.ts";
import type { PlacedPast } from "../../../domain/oncall/changes/keep-past.ts";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../../kernel/db/identified.ts";
import { assertPrecondition } from "../../../kernel/db/precondition.ts";
import { mapped, type RowOf, type Select, select } from "../../../kernel/db/select.ts";
import { absences } from "../../schema/absences.ts";
import { accountUsers } from "../../schema/people.ts";
import { selectOnCall, toOnCallSchedules } from "../on-call/oncall-rows.ts";
import { schedulesOfPeople } from "../schedules/person-schedules.ts";
import { selectCoveredBy } from "./absence-rows.ts";

/** All absences of an account that decide are changed one after the other. */
export const ABSENCE_ATTEMPTS = 20;

const decidedColumns = {
  id: absences.id,
  accountUserId: absences.accountUserId,
  startAt: absences.startAt,
  endAt: absences.endAt,
  instead: absences.instead,
  coveringAccountUserId: absences.coveringAccountUserId,
  scheduleIds: absences.scheduleIds,
  decidedAt: absences.decidedAt,
  released: absences.released,
  askingStatus: absences.askingStatus,
  askingExpiresAt: absences.askingExpiresAt,
  updatedAt: absences.updatedAt,
};

type DecidedAbsence = AbsenceRecord & { readonly updatedAt: number };

const toDecided = ({
  askingStatus: status,
  askingExpiresAt: expiresAt,
  ...row
}: RowOf<typeof decidedColumns>): DecidedAbsence => ({
  ...row,
  asking: status === null ? null : { status, expiresAt: expiresAt ?? 0 },
});

export type AbsenceState = {
  /** Those that may decide and have not ended, and the one that was asked for. */
  readonly decided: readonly AbsenceRecord[];
  /** All absences of the account, as they are served. */
  readonly absences: readonly Absence[];
  /** The schedules of the people asked for. */
  readonly schedules: OnCallSchedules;
  /** The precondition that none of those that decide has changed since. */
  readonly unchanged: SQL;
};

type Scope = {
  readonly accountId: string;
  /** Epoch ms. */
  readonly now: number;
  /** An absence to read in any case, with the schedules of its person since it began. */
  readonly absence?: Identifier;
  /** Account users, in either form of the identifier, whose schedules to read. */
  readonly people?: readonly string[];
};

const isRead = ({ accountId, now, absence }: Scope): SQL => sql`${absences.accountId} = ${accountId}
  and (${absences.instead} <> 'nobody_yet' and ${absences.endAt} > ${now}
    ${absence ? sql`or ${identified(absences, absence)}` : sql``})`;

/** Selects the ids of account users that are named in either form. */
function selectNamed(accountId: string, ids: readonly string[]): SQL {
  const people = ids.map((id) => parseIdentifier("account_user", id)?.value ?? "");
  const named = JSON.stringify(people);
  return sql`select ${accountUsers.id} from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId}
      and (${accountUsers.id} in (select value from json_each(${named}))
        or ${accountUsers.prefixId} in (select value from json_each(${named})))`;
}

const selectPersonOf = (accountId: string, absence: Identifier): SQL =>
  sql`select ${absences.accountUserId} from ${absences}
    where ${absences.accountId} = ${accountId} and ${identified(absences, absence)}`;

/** The reads for `toAbsenceState`. */
export function selectAbsenceState(scope: Scope) {
  const { accountId, now, absence, people = [] } = scope;
  const named = sql`select id from (${selectNamed(accountId, people)}
    ${absence ? sql`union ${selectPersonOf(accountId, absence)}` : sql``})`;
  const concerned = selectCoveredBy(accountId, named, now);
  const from = absence
    ? sql`coalesce((select min(start_at, ${now}) from ${absences}
        where ${absences.accountId} = ${accountId} and ${identified(absences, absence)}), ${now})`
    : now;
  const onCall = selectOnCall(accountId, schedulesOfPeople(accountId, concerned, from), from);
  const decided: Select<DecidedAbsence> = mapped(
    select(decidedColumns, sql`from ${absences} where ${isRead(scope)} order by ${absences.id}`),
    toDecided,
  );
  return [decided, ...onCall] as const;
}

/** What was read with the scope. */
export function toAbsenceState(
  scope: Scope,
  stored: readonly DecidedAbsence[],
  events: Parameters<typeof toOnCallSchedules>[0],
  served: readonly Absence[],
  past: readonly PlacedPast[],
): AbsenceState {
  const lines = stored.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  return {
    decided: stored.map(({ updatedAt: _, ...it }) => it),
    absences: served,
    schedules: toOnCallSchedules(events, served, past),
    unchanged: assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
      select ${absences.id} || ' ' || ${absences.updatedAt} as line from ${absences}
      where ${isRead(scope)} order by ${absences.id})) = ${lines}`),
  };
}
