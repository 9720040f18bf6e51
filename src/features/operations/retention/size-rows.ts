// The stored size of the database, and when the log last warned of it.
import { type SQL, sql } from "drizzle-orm";
import type { DatabaseSize } from "../../../domain/shared/database-size.ts";
import { returning, type Select, select } from "../../../kernel/db/select.ts";
import { idempotencyKeys } from "../../../kernel/db/tables.ts";
import { databaseSize } from "../../schema/bookkeeping.ts";

/** The id of the table's only row. */
const ONLY = 1;

const { id, measuredAt, bytes, freed, reclaiming, warnedAt, archiveFailedAt } = databaseSize;

/** Selects the stored size; no row before the first measurement. */
export const selectSize = (): Select<DatabaseSize> =>
  select({ bytes, freed, reclaiming }, sql`from ${databaseSize} where ${id} = ${ONLY}`);

/** Selects the stored size, and when the archive last failed (epoch ms). */
export const selectSizeNotice = () =>
  select(
    { bytes, freed, reclaiming, archiveFailedAt },
    sql`from ${databaseSize} where ${id} = ${ONLY}`,
  );

/** Stores a size. `now` in epoch ms. */
export const storeSize = (size: DatabaseSize, now: number): SQL =>
  sql`insert into ${databaseSize} (id, measured_at, bytes, freed, reclaiming)
    values (${ONLY}, ${now}, ${size.bytes}, ${size.freed}, ${size.reclaiming})
    on conflict (id) do update set measured_at = excluded.measured_at, bytes = excluded.bytes,
      freed = excluded.freed, reclaiming = excluded.reclaiming`;

/** The bytes of a row that a full database cannot take. */
const ROOM = 65_536;
/** Of no API key. */
const ROOM_KEY = "room";

/** Writes a row that needs room and deletes it, in one transaction: what a full database refuses. */
export const roomProof = (now: number): readonly [SQL, SQL] => {
  const { apiKeyId } = idempotencyKeys;
  return [
    sql`insert into ${idempotencyKeys}
      (account_id, api_key_id, key, request_hash, record_id, claimed_until, expires_at)
      values ('', ${ROOM_KEY}, '', hex(zeroblob(${ROOM / 2})), '', ${now}, ${now})`,
    sql`delete from ${idempotencyKeys} where ${apiKeyId} = ${ROOM_KEY}`,
  ];
};

/** What the log reports at most once in an interval. */
export type Warning = "size" | "archive";

const columnOf = (warning: Warning) =>
  sql.identifier((warning === "size" ? warnedAt : archiveFailedAt).name);

/** Records a warning; returns a row unless it was recorded before, at or after `since` (epoch ms). */
export const recordWarning = (warning: Warning, now: number, since: number) =>
  returning(
    sql`insert into ${databaseSize} (id, measured_at, bytes, ${columnOf(warning)})
      values (${ONLY}, ${now}, 0, ${now})
      on conflict (id) do update set ${columnOf(warning)} = excluded.${columnOf(warning)}
        where ${databaseSize}.${columnOf(warning)} < ${since}`,
    { measuredAt },
  );
