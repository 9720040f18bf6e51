// A statement is compiled to what drizzle's own dialect makes of it, whatever it is made of.
import { eq, type SQL, sql } from "drizzle-orm";
import { alias, QueryBuilder, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { alerts, notifications } from "../../../src/features/schema/alerts.ts";
import { users } from "../../../src/features/schema/people.ts";
import { alertWorkflows } from "../../../src/features/schema/views/alert-workflows.ts";
import { compile, itemsOf } from "../../../src/kernel/db/compile.ts";
import { build } from "../../../src/kernel/db/database.ts";
import { select, truth } from "../../../src/kernel/db/select.ts";

const nested = select(
  { id: alerts.id, isOpen: truth(sql`${alerts.status} = ${"open"}`) },
  sql`from ${alerts}`,
);
const other = alias(users, "other");

const STATEMENTS: Readonly<Record<string, SQL>> = {
  "a text": sql`select 1`,
  nothing: sql``,
  "columns, tables and views": sql`select ${users.name}, ${alertWorkflows.state} from ${users}, ${alertWorkflows}`,
  "the same column twice": sql`select ${alerts.id} from ${alerts} where ${alerts.id} = ${alerts.sourceId}`,
  "values of every type": sql`select ${"a"}, ${1}, ${true}, ${null}, ${undefined}, ${2n}, ${new Date(0)}, ${{ a: 1 }}`,
  lists: sql`select 1 where 1 in ${[1, "b", null]} and 2 in ${[]}`,
  "a query in a query": sql`select (${sql`select ${3} from (${nested})`}) and ${truth(sql`${4} > 3`)}`,
  "a typed select": nested.getSQL(),
  "names, raw texts and joins": sql`select ${sql.identifier('odd "name"')}, ${sql.raw("now()")}, ${sql.join([sql`${1}`, sql`${2}`], sql`, `)}`,
  "an aliased table": sql`select ${other.id} from ${other}`,
  "an aliased expression": sql`select ${sql`${5}`.as("five")}`,
  "a parameter of a column": sql`select ${sql.param(["x"], alerts.tags)}, ${sql.param(null, alerts.tags)}`,
  "inlined parameters": sql`select ${sql`${"it's"}`.inlineParams()}`,
  "a placeholder": sql`select ${sql.placeholder("later")}`,
  "drizzle's conditions": sql`select 1 where ${eq(notifications.status, "sent")}`,
  "an insert by drizzle": build
    .insert(alertWorkflows)
    .values({ id: "w", meta: { a: 1 } } as never)
    .getSQL(),
  "an update by drizzle": build
    .update(users)
    .set({ name: "Ada" })
    .where(eq(users.id, "u"))
    .getSQL(),
  "a select by drizzle in a query": sql`select * from ${new QueryBuilder().select({ id: users.id }).from(users).as("found")}`,
};

test.each(Object.entries(STATEMENTS))("%s", (_, statement) => {
  const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(statement);
  const compiled = compile(statement);
  expect({ text: compiled.sql, params: compiled.params }).toStrictEqual({ text, params });
  // What is remembered of the parts is no state of the statement's.
  expect(compile(statement).sql).toBe(text);
});

test("a select list is that of drizzle's dialect, with as few parts as possible", () => {
  const list = {
    id: alerts.id,
    'odd "name"': other.name,
    isOpen: truth(sql`${alerts.status} = ${"open"}`),
    title: alerts.title,
    first: sql`${1}`,
    nested,
  };
  const items = Object.entries(list).map(([name, it]) => sql`${it} as ${sql.identifier(name)}`);
  const { sql: text, params } = compile(sql.join(items, sql`, `));
  expect(compile(itemsOf(list))).toMatchObject({ sql: text, params });
  expect(itemsOf(list).queryChunks).toHaveLength(7);
  expect(itemsOf(list)).toBe(itemsOf(list));
  expect(compile(itemsOf({ id: alerts.id })).sql).toBe('"alerts"."id" as "id"');
});

test("a limit is written into the text if it is a whole number, and anything else is bound", () => {
  const limited = (most: unknown) =>
    sql`select ${1} from (select 2 limit ${most}) where 3 = ${4} limit ${5} offset ${6}`;
  const text = (most: string) =>
    `select ? from (select 2 limit ${most}) where 3 = ? limit 5 offset ?`;
  expect(compile(limited(20))).toMatchObject({ sql: text("20"), params: [1, 4, 6] });
  for (const odd of ["2; drop table users", 1.5, Number.NaN, 2n, null, true])
    expect(compile(limited(odd))).toMatchObject({ sql: text("?"), params: [1, odd, 4, 6] });
  const column = sql`select 1 limit ${users.name} = ${7}`;
  expect(compile(column)).toMatchObject({ params: [7] });
});
