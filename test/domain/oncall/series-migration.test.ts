/**
 * The migration to overrides as a list of their series: each event knows its series, also those that
 * the previous version writes meanwhile.
 */
import { type SQL, sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { statement } from "../../../src/kernel/db/database.ts";
import { all, select } from "../../../src/kernel/db/select.ts";
import { randomGenerator, sized } from "../../support/generated/sizes.ts";
import { makeLocalAccount } from "../../support/local/local-api.ts";
import { type LocalDatabase, openDatabase } from "../../support/local/sqlite-database.ts";
import { pick } from "../../support/oncall/roster-random.ts";

type Parents = Map<string, string | null>;

const rootOf = (parents: Parents, id: string): string => {
  const parent = parents.get(id);
  return parent ? rootOf(parents, parent) : id;
};

const insert = (accountId: string, id: string, parentId: string | null): SQL =>
  sql`insert into events (id, prefix_id, created_at, updated_at, account_id, parent_id, start_at, end_at,
      layer, time_zone)
    values (${id}, ${`evt_${id}`}, 0, 0, ${accountId}, ${parentId}, 0, 1, 1, 'UTC')`;

async function seriesIds(database: LocalDatabase): Promise<Record<string, string>> {
  const columns = { id: sql<string>`id`, seriesId: sql<string>`series_id` };
  const rows = await all(database, select(columns, sql`from events`));
  return Object.fromEntries(rows.map(({ id, seriesId }) => [id, seriesId]));
}

const expected = (parents: Parents): Record<string, string> =>
  Object.fromEntries([...parents.keys()].map((id) => [id, rootOf(parents, id)]));

describe("the migration to series", () => {
  it("finds the series of all overrides, whatever they override", async () => {
    const random = randomGenerator();
    for (let index = 0; index < sized(3, 30); index++) {
      const database = openDatabase("0026_");
      const { accountId } = await makeLocalAccount(database, 1);
      const parents: Parents = new Map();
      const store = async (id: string) => {
        const ids = [...parents.keys()];
        const parentId = random() < 0.7 ? (pick(random, ids) ?? null) : null;
        parents.set(id, parentId);
        await statement(database, insert(accountId, id, parentId)).run();
      };
      for (let each = 0; each < 20; each++) await store(`before ${each}`);
      const [past = ""] = parents.keys();
      await statement(
        database,
        sql`insert into schedules (id, prefix_id, created_at, updated_at, account_id, name)
          values ('place', 'sched_place', 0, 0, ${accountId}, 'Payments')`,
      ).run();
      await statement(
        database,
        sql`insert into past_events (id, account_id, schedule_id, root_id, from_at, until_at,
            active_until, events, change_id)
          values ('kept', ${accountId}, 'place', ${past}, 0, 1, 1, '[{"id":"a"},{"id":"b"}]', 'change')`,
      ).run();
      database.migrate();
      expect(await seriesIds(database)).toEqual(expected(parents));
      const kept = await all(
        database,
        select(
          { series: sql<string>`value ->> 'seriesId'` },
          sql`from past_events, json_each(events)`,
        ),
      );
      expect(kept).toEqual([{ series: past }, { series: past }]);
      // The previous version, which knows no series.
      for (let each = 0; each < 10; each++) await store(`after ${each}`);
      expect(await seriesIds(database)).toEqual(expected(parents));
      const [moved = "", first = ""] = [[...parents.keys()].at(-1), past];
      for (const parentId of [first, null]) {
        await statement(
          database,
          sql`update events set parent_id = ${parentId} where id = ${moved}`,
        ).run();
        parents.set(moved, parentId);
        expect((await seriesIds(database))[moved]).toBe(rootOf(parents, moved));
      }
    }
  });
});
