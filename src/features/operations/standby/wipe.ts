// Empties a standby that stands down: its objects first, so that none of their timers pages, then the database.
import { BACKUP_OBJECTS } from "../../../domain/operations/backup/backup-format.ts";
import { quotedName } from "../../../kernel/db/quoted-name.ts";
import { backedUpObject } from "../../stubs.ts";
import { readObjectNames } from "../backup/backup-rows.ts";
import { backupTables, NOT_BACKED_UP } from "../backup/backup-tables.ts";
import { completeTables } from "../backup/restore-part.ts";
import { endRestore, readRestore } from "../backup/restore-rows.ts";

const EMPTY = { alarm: null, keys: [], tables: [] };
const AT_ONCE = 25;

/** Removes everything. Safe to repeat. */
export async function wipe(env: Cloudflare.Env): Promise<void> {
  const { DB: db } = env;
  if ((await readRestore(db)) !== null) {
    await completeTables(env, []);
    await endRestore(db);
  }
  for (const kind of BACKUP_OBJECTS) {
    let after: string | null = null;
    do {
      const names = await readObjectNames(db, kind, after === null ? null : [after], AT_ONCE);
      await Promise.all(
        names.map(async ({ name }) => {
          const object = backedUpObject(env, kind, name);
          await object.writeState(EMPTY);
          // It ends with the object that answers it.
          await object.restart().catch(() => {});
        }),
      );
      after = names.length < AT_ONCE ? null : (names.at(-1)?.id ?? null);
    } while (after !== null);
  }
  const names = [
    ...backupTables()
      .map(({ name }) => name)
      .toReversed(),
    ...NOT_BACKED_UP,
  ];
  const deletes = names.map((name) => db.prepare(`delete from ${quotedName(name)}`));
  // Twice: triggers write rows when others are deleted.
  await db.batch([db.prepare("pragma defer_foreign_keys = on"), ...deletes, ...deletes]);
}
