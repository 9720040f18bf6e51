// A rebuilt table loses its child rows on D1: `foreign_keys=OFF` is ignored inside its transaction, so dropping
// the old table fires every cascade. Such a migration has to be written by hand.
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { filesBelow } from "../../support/source/source-files.ts";

const REBUILD = /\bdrop\s+table\b|__new_/i;

const migrations = filesBelow("migrations", ".sql");
const journal = filesBelow("migrations/meta", "_journal.json");

test.each([
  ["DROP TABLE `teams`;", true],
  ["drop  table if exists teams;", true],
  ["CREATE TABLE `__new_teams` (id text);", true],
  ["DROP TRIGGER teams_total_up; DROP INDEX teams_created;", false],
])("%s rebuilds: %s", (sql, rebuilds) => {
  expect(REBUILD.test(sql)).toBe(rebuilds);
});

test("no migration rebuilds a table", () => {
  expect(migrations.length).toBeGreaterThan(0);
  expect(migrations.filter(({ text }) => REBUILD.test(text)).map(({ path }) => path)).toEqual([]);
});

test("every migration is in the journal, in order and numbered without a gap", () => {
  const { entries } = JSON.parse(journal[0]?.text ?? "{}") as { entries: { tag: string }[] };
  const names = migrations.map(({ path }) => path.replace(/^migrations\/|\.sql$/g, ""));
  expect(entries.map(({ tag }) => tag)).toEqual(names);
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, i) => i));
});

test("integrations whose senders can only GET accept it after the migration", () => {
  using database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  const at = migrations.findIndex(({ text }) => text.includes("ADD `accepts_get`"));
  for (const { text } of migrations.slice(0, at)) database.exec(text);
  const types = ["heartbeat", "uptimerobot", "webhook", "uptime_kuma"];
  const columns = database.prepare("select * from pragma_table_info('integrations')").all();
  const required = columns.filter((it) => it.notnull === 1 && it.dflt_value === null);
  const names = required.map(({ name }) => String(name));
  for (const type of types) {
    const values = names.map((name) => (name === "integration_type" ? type : `${name} ${type}`));
    database
      .prepare(`insert into integrations (${names.join()}) values (${names.map(() => "?").join()})`)
      .run(...values);
  }
  for (const { text } of migrations.slice(at)) database.exec(text);
  const accepting =
    "select integration_type as type from integrations where accepts_get order by 1";
  const found = database.prepare(accepting).all();
  expect(found.map(({ type }) => type)).toEqual(["heartbeat", "uptimerobot"]);
});
