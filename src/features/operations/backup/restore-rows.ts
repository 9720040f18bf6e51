// What the database remembers of a restore until it has ended: which backup, how far, and the
// triggers, which must not run while rows are inserted: they would change rows that the backup has.
import { quotedName } from "../../../kernel/db/quoted-name.ts";

/** Only there during a restore; no migration knows it. */
const TABLE = "restore_in_progress";

export type Restore = {
  /** The backup's id. */
  readonly id: string;
  /** How many parts are restored. */
  readonly next: number;
  /** Rows that were left out, since rows that they refer to are not in the backup. */
  readonly leftOut: number;
  /** The parts whose rows differed from the backup's when the tables were complete. */
  readonly differing: readonly string[];
};

type Trigger = { readonly name: string; readonly sql: string };

function nullWithoutTable(error: unknown): null {
  if (error instanceof Error && error.message.includes(`no such table: ${TABLE}`)) return null;
  throw error;
}

/** The restore that is in progress; null if none is. */
export async function readRestore(db: D1Database): Promise<Restore | null> {
  const text = `select id, next, left_out as leftOut, differing from ${TABLE}`;
  // Not asked of `sqlite_master`, which would read a row for each of its some hundred entries, every minute.
  const stored = await db
    .prepare(text)
    .first<Restore & { readonly differing: string }>()
    .catch(nullWithoutTable);
  return stored && { ...stored, differing: JSON.parse(stored.differing) as string[] };
}

/** Whether a restore is in progress: until it has ended, nothing writes by itself. */
export const isRestoring = async (db: D1Database): Promise<boolean> =>
  // Without the database there is none; what follows says so.
  (await readRestore(db).catch(() => null)) !== null;

const readTriggers = async (db: D1Database): Promise<Trigger[]> => {
  const text = "select name, sql from sqlite_master where type = 'trigger' order by name";
  return (await db.prepare(text).all<Trigger>()).results;
};

const drop = ({ name }: Trigger) => `drop trigger ${quotedName(name)}`;

/** Begins a restore: stores the triggers, and drops them. One transaction. */
export async function beginRestore(db: D1Database, id: string): Promise<void> {
  const triggers = await readTriggers(db);
  await db.batch([
    db.prepare(
      `create table ${TABLE} (id text not null, next integer not null, left_out integer not null, triggers text not null, differing text not null default '[]')`,
    ),
    db
      .prepare(`insert into ${TABLE} (id, next, left_out, triggers) values (?1, 0, 0, ?2)`)
      .bind(id, JSON.stringify(triggers)),
    // What the service itself wrote into the empty database: the backup has its own.
    db.prepare("delete from list_totals"),
    ...triggers.map((trigger) => db.prepare(drop(trigger))),
  ]);
}

/** Notes that a part is restored. */
export const advanceRestore = (db: D1Database, next: number, leftOut: number) =>
  db.prepare(`update ${TABLE} set next = ?1, left_out = left_out + ?2`).bind(next, leftOut);

/** Creates the triggers again, and notes which parts differ. Safe to repeat. */
export async function restoreTriggers(db: D1Database, differing: readonly string[]): Promise<void> {
  const stored = await db.prepare(`select triggers from ${TABLE}`).first<string>("triggers");
  const known = new Set((await readTriggers(db)).map(({ name }) => name));
  const triggers = (JSON.parse(stored ?? "[]") as Trigger[]).filter((it) => !known.has(it.name));
  await db.batch([
    ...triggers.map(({ sql }) => db.prepare(sql)),
    db.prepare(`update ${TABLE} set differing = ?1`).bind(JSON.stringify(differing)),
  ]);
}

/** Ends the restore. */
export async function endRestore(db: D1Database): Promise<void> {
  await db.prepare(`drop table ${TABLE}`).run();
}
