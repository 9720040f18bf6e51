// What a decision about covers reads: the covers of an account that have not ended, and the schedules
// of the people whom they concern. Every write must have the precondition that the covers are
// unchanged.
import { type SQL, sql } from "drizzle-orm";
import type { Absence } from "../../../domain/oncall/absences/absence.ts";
import type { OnCallSchedules } from "../../../domain/oncall/absences/absent-hours.ts";
import type { Cover } from "../../../domain/oncall/absences/cover.ts";
import { type Identifier, parseIdentifier } from "../../../domain/shared/identifiers.ts";
import { identified } from "../../records/identified.ts";
import { unavailabilities } from "../../schema/calendars/calendar-imports.ts";
import { covers } from "../../schema/calendars/covers.ts";
import { accountUsers } from "../../schema/people.ts";
import { assertPrecondition } from "../../shared/precondition.ts";
import { type RowOf, select } from "../../shared/select.ts";
import { selectOnCall, toOnCallSchedules } from "../oncall-rows.ts";
import { schedulesOfPeople } from "../person-schedules.ts";
import { selectCoveredBy } from "./absence-rows.ts";

/** All covers of an account are decided together: those made at the same time wait for each other. */
export const COVER_ATTEMPTS = 20;

const coverColumns = {
  id: covers.id,
  accountUserId: covers.accountUserId,
  startAt: covers.startAt,
  endAt: covers.endAt,
  instead: covers.coveredBy,
  coveringAccountUserId: covers.coveringAccountUserId,
  scheduleIds: covers.scheduleIds,
  decidedAt: covers.decidedAt,
  released: covers.released,
  updatedAt: covers.updatedAt,
};

/** A cover as it is stored. */
export type StoredCover = RowOf<typeof coverColumns>;

/** The cover without what only its row says. */
export const toCover = ({ updatedAt: _, ...cover }: StoredCover): Cover => cover;

/** The values of a cover's row that its decision says. */
export const coverValues = ({ instead: coveredBy, ...cover }: Cover) => ({ ...cover, coveredBy });

export type CoverState = {
  /** Those that have not ended, and the one that was asked for. */
  readonly covers: readonly StoredCover[];
  /** All absences of the account. */
  readonly absences: readonly Absence[];
  /** The schedules of the people asked for. */
  readonly schedules: OnCallSchedules;
  /** The precondition that no cover has changed since. */
  readonly unchanged: SQL;
};

type Scope = {
  readonly accountId: string;
  /** Epoch ms. */
  readonly now: number;
  /** A cover to read also if it has ended, with the schedules of its person since it began. */
  readonly cover?: Identifier;
  /** Account users, in either form of the identifier, whose schedules to read. */
  readonly people?: readonly string[];
  /** Selects the ids of further account users. */
  readonly peopleIn?: SQL;
};

const isRead = ({ accountId, now, cover }: Scope): SQL => sql`${covers.accountId} = ${accountId}
  and (${covers.endAt} > ${now} ${cover ? sql`or ${identified(covers, cover)}` : sql``})`;

/** Selects the ids of account users that are named in either form. */
function selectNamed(accountId: string, ids: readonly string[]): SQL {
  const people = ids.map((id) => parseIdentifier("account_user", id)?.value ?? "");
  const named = JSON.stringify(people);
  return sql`select ${accountUsers.id} from ${accountUsers}
    where ${accountUsers.accountId} = ${accountId}
      and (${accountUsers.id} in (select value from json_each(${named}))
        or ${accountUsers.prefixId} in (select value from json_each(${named})))`;
}

const selectPersonOf = (accountId: string, cover: Identifier): SQL =>
  sql`select ${covers.accountUserId} from ${covers}
    where ${covers.accountId} = ${accountId} and ${identified(covers, cover)}`;

/** Selects the person of an unavailability. */
export const selectAbsentPerson = (accountId: string, identifier: Identifier): SQL =>
  sql`select ${unavailabilities.accountUserId} from ${unavailabilities}
    where ${unavailabilities.accountId} = ${accountId}
      and ${identified(unavailabilities, identifier)}`;

/** The three reads for `toCoverState`. */
export function selectCoverState(scope: Scope) {
  const { accountId, now, cover, people = [], peopleIn } = scope;
  const named = sql`select id from (${selectNamed(accountId, people)}
    ${cover ? sql`union ${selectPersonOf(accountId, cover)}` : sql``}
    ${peopleIn ? sql`union ${peopleIn}` : sql``})`;
  const concerned = selectCoveredBy(accountId, named, now);
  const from = cover
    ? sql`coalesce((select min(start_at, ${now}) from ${covers}
        where ${covers.accountId} = ${accountId} and ${identified(covers, cover)}), ${now})`
    : now;
  const [events, absences] = selectOnCall(
    accountId,
    schedulesOfPeople(accountId, concerned, from),
    from,
  );
  const stored = select(
    coverColumns,
    sql`from ${covers} where ${isRead(scope)} order by ${covers.id}`,
  );
  return [stored, events, absences] as const;
}

/** What was read with the scope. */
export function toCoverState(
  scope: Scope,
  stored: readonly StoredCover[],
  events: Parameters<typeof toOnCallSchedules>[0],
  absences: readonly Absence[],
): CoverState {
  const lines = stored.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  return {
    covers: stored,
    absences,
    schedules: toOnCallSchedules(events, absences),
    unchanged: assertPrecondition(sql`(select coalesce(group_concat(line, ','), '') from (
      select ${covers.id} || ' ' || ${covers.updatedAt} as line from ${covers}
      where ${isRead(scope)} order by ${covers.id})) = ${lines}`),
  };
}
