// The schema that the migrations lead to, in a seventh of the time that they take: each file of tests
// begins with an empty database. Runs in Node. That the migrations can be applied one after another is
// shown by everything that starts a worker by wrangler.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The statements that create the tables, indexes and triggers. Throws if a migration leaves rows. */
export function finalSchema(folder: string): readonly string[] {
  using database = new DatabaseSync(":memory:");
  const files = readdirSync(folder).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort()) database.exec(readFileSync(join(folder, name), "utf8"));
  const created = database
    .prepare(
      `select type, name, sql from sqlite_master where sql is not null and name not like 'sqlite!_%' escape '!'
      order by type = 'trigger', type = 'index', rowid`,
    )
    .all();
  for (const { type, name } of created) {
    if (type !== "table") continue;
    const row = database.prepare(`select 1 from "${String(name)}" limit 1`).get();
    if (row !== undefined) throw new Error(`the migrations leave rows in ${String(name)}`);
  }
  return created.map(({ sql }) => String(sql));
}
