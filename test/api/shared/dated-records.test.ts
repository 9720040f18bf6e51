// Records whose ids carry the time: totals that are folded, lists and look-ups by the primary key.
import { env } from "cloudflare:workers";
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { prefixIdOf } from "../../../src/domain/shared/identifiers.ts";
import { isRefusal } from "../../../src/domain/shared/refusal.ts";
import { logRecords } from "../../../src/features/alerts/alerts/log-records.ts";
import { logs } from "../../../src/features/schema/alerts.ts";
import { accounts } from "../../../src/features/schema/people.ts";
import { statement } from "../../../src/kernel/db/database.ts";
import { foldTotal, foldTotals, rowsOf, uncount } from "../../../src/kernel/db/folded-totals.ts";
import { newDatedId } from "../../../src/kernel/db/identifiers.ts";
import { readListQuery } from "../../../src/kernel/db/list-query.ts";
import { selectPage, selectTotal } from "../../../src/kernel/db/record-lists.ts";
import { selectRecord } from "../../../src/kernel/db/records.ts";
import { batch, first } from "../../../src/kernel/db/select.ts";
import { makeAccount } from "../../support/api/api.ts";

const records = logRecords({ actor: { roles: { admin: true } } as never });
const NOW = Date.UTC(2026, 5, 1, 12);
const MINUTE = 60_000;

let made = 0;
let accountId = "";
beforeEach(() => {
  made += 1;
  accountId = `FOLDED${made}`.padEnd(26, "0");
});

type Row = { readonly id: string; readonly at: number };

const insert = (rows: readonly Row[], owner = "owner"): SQL =>
  sql`insert into ${logs} (id, account_id, created_at, updated_at, owner_type, owner_id, message)
    select value->>'id', ${accountId}, value->>'at', value->>'at', 'Integration', ${owner}, 'done'
    from json_each(${JSON.stringify(rows)})`;

/** Rows of successive instants, `apart` ms from each other, the last at `last`. */
const rowsUntil = (last: number, count: number, apart = 10): Row[] =>
  Array.from({ length: count }, (_, i) => {
    const at = last - (count - 1 - i) * apart;
    return { id: newDatedId(at), at };
  });

function listQuery(query: string) {
  const read = readListQuery(new URLSearchParams(query), records.attributes);
  if (isRefusal(read)) throw new Error(JSON.stringify(read));
  return read;
}

const total = async () =>
  (await first(env.DB, selectTotal(records, accountId, listQuery(""))))?.total;

const exact = async () => {
  const query = `select count(*) as count from logs where account_id = ?`;
  return (await env.DB.prepare(query).bind(accountId).first<{ count: number }>())?.count;
};

async function rowsReadBy(...queries: readonly SQLWrapper[]): Promise<number> {
  const results = await env.DB.batch(queries.map((query) => statement(env.DB, query)));
  return results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
}

const rowsWrittenBy = async (query: SQLWrapper) =>
  (await statement(env.DB, query).run()).meta.rows_written;

const fold = (now: number) => foldTotal(logs, accountId, now);

describe("a folded total", () => {
  test("is exact after inserts in and out of order, folds and deletions", async () => {
    const rows = rowsUntil(NOW - 2 * MINUTE, 250);
    await batch(env.DB, [insert(rows.slice(0, 120)), fold(NOW)]);
    expect(await total()).toBe(120);
    // Late: below the id that was counted to.
    await batch(env.DB, [insert(rowsUntil(NOW - 5 * MINUTE, 3)), fold(NOW)]);
    expect(await total()).toBe(123);
    await batch(env.DB, [insert(rows.slice(120)), fold(NOW)]);
    expect(await total()).toBe(253);
    const recent = rowsUntil(NOW, 150, 100);
    await batch(env.DB, [insert(recent), fold(NOW)]);
    expect(await total()).toBe(403);
    // Deletes rows on both sides of the id that was counted to.
    const gone = [...rows.slice(100, 140), ...recent.slice(0, 7)].map(({ id }) => id);
    const condition = sql`${logs.accountId} = ${accountId}
      and ${logs.id} in (select value from json_each(${JSON.stringify(gone)}))`;
    await batch(env.DB, [
      uncount(rowsOf(logs), condition),
      sql`delete from ${logs} where ${condition}`,
    ]);
    expect(await total()).toBe(356);
    await batch(env.DB, [fold(NOW + 10 * MINUTE)]);
    expect(await total()).toBe(356);
    expect(await exact()).toBe(356);
  });

  test("counts a row once that is inserted again", async () => {
    const rows = rowsUntil(NOW - 2 * MINUTE, 120);
    const again = sql`${insert(rows)} where true on conflict do nothing`;
    await batch(env.DB, [again, fold(NOW), again, fold(NOW)]);
    expect(await total()).toBe(120);
  });

  test("of every account is folded by the sweep", async () => {
    const accountIds = (await Promise.all([makeAccount(), makeAccount()])).map(
      (it) => it.accountId,
    );
    for (const id of accountIds) {
      accountId = id;
      await batch(env.DB, [insert(rowsUntil(NOW - 2 * MINUTE, 150))]);
    }
    await batch(env.DB, [foldTotals(logs, accounts, NOW)]);
    const { results } = await env.DB.prepare(
      `select total from list_totals where name = 'logs' and account_id in (?, ?)`,
    )
      .bind(...accountIds)
      .all();
    expect(results).toEqual([{ total: 150 }, { total: 150 }]);
    await batch(env.DB, [insert(rowsUntil(NOW - 90_000, 120, 1)), foldTotals(logs, accounts, NOW)]);
    expect(await total()).toBe(270);
    expect(await rowsReadBy(selectTotal(records, accountId, listQuery("")))).toBeLessThan(10);
  });

  test("is written once per hundred rows, and not for rows of the last minute", async () => {
    await batch(env.DB, [insert(rowsUntil(NOW - 2 * MINUTE, 99))]);
    expect(await rowsWrittenBy(fold(NOW))).toBe(0);
    await batch(env.DB, [insert(rowsUntil(NOW, 1_000, 1))]);
    expect(await rowsWrittenBy(fold(NOW))).toBe(0);
    await batch(env.DB, [insert(rowsUntil(NOW - MINUTE - 1, 1))]);
    expect(await rowsWrittenBy(fold(NOW))).toBeGreaterThan(0);
    expect(await rowsReadBy(fold(NOW))).toBeLessThan(20);
    expect(await total()).toBe(1_100);
  });
});

describe.each([1_000, 20_000])("of %d rows", (count) => {
  const queries = () => {
    const since = new Date(NOW - 2 * MINUTE - 400).toISOString();
    const until = new Date(NOW - 2 * MINUTE - 200).toISOString();
    return [
      "limit=10",
      "limit=10&direction=asc",
      "limit=10&owner_id=rare",
      `limit=10&created_at=${since}&ops=created_at:gte`,
      `limit=10&created_at=${since}..${until}&ops=created_at:between`,
      `limit=10&created_at=${since}`,
    ];
  };

  test("a page with its total, and a look-up by prefix_id, read few", async () => {
    const rows = rowsUntil(NOW - 2 * MINUTE, count);
    const rare = rowsUntil(NOW - 3 * MINUTE, 5);
    await batch(env.DB, [insert(rows), insert(rare, "rare"), fold(NOW)]);
    for (const text of queries()) {
      const query = listQuery(text);
      const read = await rowsReadBy(
        selectPage(records, accountId, query),
        selectTotal(records, accountId, query),
      );
      expect(read, text).toBeLessThan(200);
    }
    const one = rows[100] as Row;
    // Another minute, so that few rows share it.
    const alone = rowsUntil(NOW + 10 * MINUTE, 1)[0] as Row;
    await batch(env.DB, [insert([alone])]);
    for (const [{ id }, most] of [
      [one, 6_001],
      [alone, 10],
    ] as const) {
      const query = selectRecord(records, accountId, {
        form: "prefix_id",
        value: prefixIdOf("log", id),
      });
      expect((await first(env.DB, query))?.id).toBe(id);
      expect(await rowsReadBy(query)).toBeLessThan(most);
    }
  });
});

test.each(["equals", "lt", "lte", "gt", "gte"])(
  "created_at:%s finds the same records as without the ranges of ids",
  async (operation) => {
    const rows = rowsUntil(NOW, 20, 1);
    await batch(env.DB, [insert(rows)]);
    const pivot = rows[10] as Row;
    const text = `limit=100&created_at=${new Date(pivot.at).toISOString()}&ops=created_at:${operation}`;
    const found = async (datedById: boolean) =>
      (await batch(env.DB, [selectPage({ ...records, datedById }, accountId, listQuery(text))]))[0];
    const dated = await found(true);
    expect(dated.length).toBeGreaterThan(0);
    expect(dated).toEqual(await found(false));
  },
);
