// The names by which the bench counts statements.
import { expect, test } from "vitest";
import { nameStatement } from "../../bench/instruments/statement-name.ts";

test.each([
  ["select 1 from alerts where id = ?", "select alerts"],
  ["select 1", "select"],
  ["SELECT * FROM (select id from logs)", "select logs"],
  ['insert into "notifications" ("id") values (?)', "insert notifications"],
  ["insert or ignore into sns_messages values (?, ?)", "insert sns_messages"],
  ["insert or replace into heartbeat values (1, ?, 0)", "insert heartbeat"],
  ["insert into alerts (id) values (?) on conflict (id) do update set title = 1", "insert alerts"],
  ["update \"alerts\" set title = 'delete from logs'", "update alerts"],
  ["update or ignore events set at = 1", "update events"],
  ["delete from logs where id in (select id from old)", "delete logs"],
  [
    "with recursive thread (id) as (select id from comments) delete from comments where 1",
    "delete comments",
  ],
  ["with new as (select 1) insert into totals select * from new", "insert totals"],
  ["create table if not exists event (id text)", "create event"],
  ["create index event_key on event (key)", "create event_key"],
  ["-- why\npragma optimize", "pragma optimize"],
  ["commit", "commit"],
])("%s", (sql, name) => {
  expect(nameStatement(sql)).toBe(name);
});
