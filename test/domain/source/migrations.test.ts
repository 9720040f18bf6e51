// A rebuilt table loses its child rows on D1: `foreign_keys=OFF` is ignored inside its transaction, so dropping
// the old table fires every cascade. Such a migration has to be written by hand.
import { DatabaseSync } from "node:sqlite";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { readSchemaTables } from "../../support/source/schema-tables.ts";
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

const snapshots = filesBelow("migrations/meta", "_snapshot.json");

test("the last migration alone has a snapshot, from which the next is made; delete the one before", () => {
  const number = String(migrations.length - 1).padStart(4, "0");
  const expected = [`migrations/meta/${number}_snapshot.json`];
  expect(snapshots.map(({ path }) => path)).toEqual(expected);
});

test("every column of the schema is in a migration; else run `npm run migration`", async () => {
  type Columns = Readonly<Record<string, unknown>>;
  type Snapshot = { readonly tables: Readonly<Record<string, { readonly columns: Columns }>> };
  const { tables } = JSON.parse(snapshots.at(-1)?.text ?? "{}") as Snapshot;
  const namesOf = (name: string, columns: readonly string[]) =>
    columns.map((column) => `${name}.${column}`);
  const migrated = Object.entries(tables).flatMap(([name, { columns }]) =>
    namesOf(name, Object.keys(columns)),
  );
  const declared = (await readSchemaTables()).flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return namesOf(
      name,
      columns.map((column) => column.name),
    );
  });
  expect(declared.length).toBeGreaterThan(300);
  expect(declared.toSorted()).toEqual(migrated.toSorted());
});

/** A database before the migration that has a text. */
function databaseBefore(text: string) {
  const database = new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
  const at = migrations.findIndex((it) => it.text.includes(text));
  for (const it of migrations.slice(0, at)) database.exec(it.text);
  const insert = (table: string, row: Record<string, string | number>) => {
    const columns = database.prepare("select * from pragma_table_info(?)").all(table);
    const required = columns.filter((it) => it.notnull === 1 && it.dflt_value === null);
    const blank = required.map(({ name }) => [String(name), `${name} ${Object.values(row)[0]}`]);
    const values: Record<string, string | number> = { ...Object.fromEntries(blank), ...row };
    const names = Object.keys(values);
    const marks = names.map(() => "?").join();
    database
      .prepare(`insert into ${table} (${names.join()}) values (${marks})`)
      .run(...Object.values(values));
  };
  const migrate = () => {
    for (const it of migrations.slice(at)) database.exec(it.text);
  };
  return { database, insert, migrate };
}

test("integrations whose senders can only GET accept it after the migration", () => {
  const { database, insert, migrate } = databaseBefore("ADD `accepts_get`");
  for (const type of ["heartbeat", "uptimerobot", "webhook", "uptime_kuma"]) {
    insert("integrations", { integration_type: type });
  }
  migrate();
  const accepting =
    "select integration_type as type from integrations where accepts_get order by 1";
  const found = database.prepare(accepting).all();
  expect(found.map(({ type }) => type)).toEqual(["heartbeat", "uptimerobot"]);
});

test("events that continue another one, and rosters with rows of another event, are mended", () => {
  const { database, insert, migrate } = databaseBefore("ADD `continues`");
  insert("events", { id: "new" });
  insert("events", { id: "begins", begins_at: 1 });
  insert("events", { id: "turned", turn_offset: 2 });
  insert("events", { id: "changed", turn_offset: 2 });
  const people = ["own", "01OTHER000 other", "01GONE0000 gone"].map((id, position) => ({
    ...{ id, attendeeId: `person of ${id}`, attendeeType: "AccountUser", position },
  }));
  const attendees = JSON.stringify(people);
  insert("event_rosters", { event_id: "changed", until_at: 1, active_until: 1, attendees });
  insert("event_attendees", { id: "own", event_id: "changed" });
  insert("event_attendees", { id: "01OTHER000 other", event_id: "turned" });
  migrate();
  const events = database.prepare("select id, continues from events order by id").all();
  expect(events.map(({ id, continues }) => `${id} ${continues}`)).toEqual([
    "begins next_turn",
    "changed null",
    "new null",
    "turned next_turn",
  ]);
  const [roster] = database.prepare("select attendees from event_rosters").all();
  const mended: typeof people = JSON.parse(String(roster?.attendees));
  expect(mended.map(({ id: _, ...rest }) => rest)).toEqual(people.map(({ id: _, ...it }) => it));
  expect(mended.map(({ id }) => id)).toEqual([
    "own",
    expect.stringMatching(/^01OTHER000[0-9A-F]{16}$/),
    expect.stringMatching(/^01GONE0000[0-9A-F]{16}$/),
  ]);
});

test("covers, unavailabilities and requests for cover become absences", () => {
  const { database, insert, migrate } = databaseBefore("CREATE TABLE `absences`");
  const ofRequest = { account_id: "acc", account_user_id: "A", start_at: 10, end_at: 20 };
  const cover = (id: string, fields: Record<string, string | number> = {}) =>
    insert("covers", {
      ...{ id, prefix_id: `cov_${id}`, account_id: "acc", account_user_id: "A" },
      ...{ covered_by: "person", covering_account_user_id: "B", serves_from: 1, ...fields },
    });
  const request = (id: string, status: string, fields: Record<string, string | number> = {}) => {
    const prefix_id = `crq_${id}`;
    insert("cover_requests", { id, prefix_id, ...ofRequest, status, hours: "[1]", ...fields });
    insert("cover_request_people", { request_id: id, account_id: "acc", account_user_id: "B" });
  };
  insert("unavailabilities", {
    ...{ id: "away", prefix_id: "una_away", account_id: "acc", created_at: 7, serves_from: 8 },
    ...{ absence_calendar_id: "calendar", calendar_key: "key" },
  });
  cover("empty", { covered_by: "nobody", account_id: "other" });
  cover("asked");
  cover("returned", { account_user_id: "B", covering_account_user_id: "A" });
  cover("changed", { covering_account_user_id: "C" });
  request("swap", "accepted", {
    ...{ accepted_by: "B", cover_ids: '["asked","returned"]' },
    ...{ return_start_at: 30, return_end_at: 40, created_at: 5, ended_at: 6 },
  });
  request("other", "accepted", { accepted_by: "B", cover_ids: '["changed"]' });
  request("gone", "accepted", { accepted_by: "B", cover_ids: '["deleted"]' });
  for (const status of ["open", "declined", "expired", "cancelled"]) request(status, status);
  migrate();
  const read = (query: string) => database.prepare(query).all();
  const lines = (query: string) => read(query).map((row) => Object.values(row).join(" "));
  expect(
    lines(`select prefix_id, instead, coalesce(covering_account_user_id, '-') as covering,
      coalesce(asking_status, '-') as status, coalesce(return_of, '-') as returns
      from absences order by prefix_id`),
  ).toEqual([
    "abs_asked ask B accepted -",
    "abs_away nobody_yet - - -",
    "abs_cancelled ask - cancelled -",
    "abs_changed person C - -",
    "abs_declined ask - declined -",
    "abs_empty empty B - -",
    "abs_expired ask - expired -",
    "abs_open ask - open -",
    "abs_returned person A - asked",
  ]);
  expect(
    read(
      "select decided_at, serves_from, calendar_key, absence_calendar_id from absences where id = 'away'",
    ),
  ).toEqual([
    { decided_at: 7, serves_from: 8, calendar_key: "key", absence_calendar_id: "calendar" },
  ]);
  expect(
    read(
      "select asked_at, asking_ended_at, return_start_at, hours from absences where id = 'asked'",
    ),
  ).toEqual([{ asked_at: 5, asking_ended_at: 6, return_start_at: 30, hours: "[1]" }]);
  // What changed nobody's hours before does not from now on.
  expect(
    lines("select id from absences where asking_status <> 'accepted' and serves_from < end_at"),
  ).toEqual([]);
  expect(lines("select absence_id, account_user_id from absence_people order by 1")).toEqual([
    ...["asked B", "cancelled B", "declined B", "expired B", "open B"],
  ]);
  expect(
    lines("select account_id, total from list_totals where name = 'absences' order by 1"),
  ).toEqual([...["acc 8", "other 1"]]);
  expect(lines("select id from on_call_changes where kind = 'absence'")).toEqual([]);
});
