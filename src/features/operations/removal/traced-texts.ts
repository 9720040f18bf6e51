// Every text in the account's tables that names a member to erase. Tables and columns are read from
// the schema, so that new tables are covered.
import { type SQL, sql } from "drizzle-orm";
import { type PersonTraces, searchTermsOf } from "../../../domain/shared/anonymize.ts";
import type { RawRow } from "../../../kernel/db/attributes.ts";
import { type RowOf, select } from "../../../kernel/db/select.ts";

/** A table with texts of an account. */
export type TextTable = {
  readonly name: string;
  readonly keys: readonly string[];
  readonly texts: readonly string[];
  /**
   * Whether each row belongs to a person (`user_id`): the person's own rows are shared between
   * accounts and are deleted with the person.
   */
  readonly isPersonal: boolean;
};

/** Not searched: members' own rows, contacts used by other accounts, erasure's own tables. */
const EXCLUDED_TABLES: readonly string[] = [
  "account_users",
  "user_emails",
  "user_phones",
  "removed_members",
  "list_totals",
];

const tableColumns = {
  table: sql<string>`owner.name`,
  column: sql<string>`held.name`,
  type: sql<string>`held.type`,
  /** The position in the primary key; 0 = not part of it. */
  pk: sql<number>`held.pk`,
};
type TableColumn = RowOf<typeof tableColumns>;

export const selectColumns = select(
  tableColumns,
  sql`from sqlite_master as owner, pragma_table_info(owner.name) as held
  where owner.type = 'table' and substr(owner.name, 1, 7) <> 'sqlite_'
    and substr(owner.name, 1, 4) <> '_cf_' and substr(owner.name, 1, 3) <> 'd1_'
  order by owner.name, held.pk`,
);

/** The tables with texts of an account, in order. */
export function toTextTables(rows: readonly TableColumn[]): TextTable[] {
  const byTable = Map.groupBy(rows, (row) => row.table);
  return [...byTable].flatMap(([name, columns]) => {
    if (EXCLUDED_TABLES.includes(name) || !columns.some((it) => it.column === "account_id"))
      return [];
    const namesOf = (some: readonly TableColumn[]) => some.map((it) => it.column);
    const keys = namesOf(columns.filter((it) => it.pk > 0));
    const isText = ({ type }: TableColumn) => /text|char|clob|json/i.test(type) || type === "";
    const texts = namesOf(columns.filter(isText)).filter((it) => it !== "account_id");
    if (texts.length === 0) return [];
    const isPersonal = columns.some((it) => it.column === "user_id");
    return [{ name, keys: keys.length > 0 ? keys : ["rowid"], texts, isPersonal }];
  });
}

const joinNames = (names: readonly string[]) =>
  sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  );
const joinValues = (items: readonly unknown[]) =>
  sql.join(
    items.map((it) => sql`${it}`),
    sql`, `,
  );

/** Selects the last key of the rows after a key, and those rows that may name the person. */
export function selectNaming(
  { name, keys, texts, isPersonal }: TextTable,
  traces: PersonTraces,
  userId: string,
  after: readonly unknown[] | null,
  most: number,
): readonly [SQL, SQL] {
  const table = sql.identifier(name);
  const afterKey =
    after === null ? sql`` : sql`where (${joinNames(keys)}) > (${joinValues(after)})`;
  const order = (direction: SQL) =>
    sql.join(
      keys.map((key) => sql`${sql.identifier(key)} ${direction}`),
      sql`, `,
    );
  const chunk = (columns: SQL) =>
    sql`(select ${columns} from ${table} ${afterKey} order by ${order(sql`asc`)} limit ${most})`;
  const fullText = sql.join(
    texts.map((text) => sql`coalesce(${sql.identifier(text)}, '')`),
    sql` || char(10) || `,
  );
  const columns = keys[0] === "rowid" ? sql`rowid, *` : sql`*`;
  const needles = JSON.stringify(searchTermsOf(traces));
  return [
    sql`select ${joinNames(keys)} from ${chunk(joinNames(keys))} order by ${order(sql`desc`)} limit 1`,
    sql`select * from ${chunk(columns)} where account_id = ${traces.accountId}
      and ${isPersonal ? sql`user_id is not ${userId}` : sql`true`}
      and exists (select 1 from json_each(${needles}) as needle
        where instr(lower(${fullText}), needle.value) > 0)`,
  ];
}

/** Rewrites the texts of one row if they are unchanged since they were read. */
export function rewriteRow(
  { name, keys }: TextTable,
  row: RawRow,
  changed: Readonly<Record<string, string>>,
): SQL {
  const columns = Object.keys(changed);
  const set = columns.map((column) => sql`${sql.identifier(column)} = ${changed[column]}`);
  const same = [...keys, ...columns].map((it) => sql`${sql.identifier(it)} is ${row[it]}`);
  return sql`update or replace ${sql.identifier(name)} set ${sql.join(set, sql`, `)}
    where ${sql.join(same, sql` and `)}`;
}
