import { env } from "cloudflare:workers";
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { beforeAll, describe, expect, expectTypeOf, test, vi } from "vitest";
import { notificationRules } from "../../../src/features/schema/integrations.ts";
import { escalationLayers, teams } from "../../../src/features/schema/oncall.ts";
import { build } from "../../../src/kernel/db/database.ts";
import {
  all,
  batch,
  first,
  parsed,
  returning,
  select,
  truth,
} from "../../../src/kernel/db/select.ts";
import { type Account, makeAccount } from "../../support/api/api.ts";
import { makeTeam } from "../../support/worker/world.ts";

const db = env.DB;

const ATTACHMENTS = [{ filename: "runbook.pdf", url: "https://example.com/runbook.pdf" }];

let account: Account;
let teamId: string;

beforeAll(async () => {
  account = await makeAccount();
  teamId = (await makeTeam(account, [], { name: "Lamp Room" })).id;
  const columns = {
    attachments: ATTACHMENTS,
    dropNotifications: "none",
    meta: { floor: 3 },
  } as const;
  const change = build.update(teams).set(columns).where(eq(teams.id, teamId));
  await batch(db, [change]);
});

const ofTeam = () => sql`from ${teams} where ${teams.id} = ${teamId}`;

const one = <Value>(query: { readonly value: SQL<Value> }) => first(db, select(query, sql``));

describe("a column has the type of its schema", () => {
  test("JSON, enumerations, numbers, text and null", async () => {
    const row = await first(
      db,
      select(
        {
          id: teams.id,
          meta: teams.meta,
          attachments: teams.attachments,
          audience: teams.dropNotifications,
          notes: teams.notes,
          createdAt: teams.createdAt,
        },
        ofTeam(),
      ),
    );
    expect(row).toEqual({
      id: teamId,
      meta: { floor: 3 },
      attachments: ATTACHMENTS,
      audience: "none",
      notes: null,
      createdAt: expect.any(Number),
    });
    type Row = NonNullable<typeof row>;
    expectTypeOf<Row["id"]>().toEqualTypeOf<string>();
    expectTypeOf<Row["notes"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Row["createdAt"]>().toEqualTypeOf<number>();
    expectTypeOf<Row["meta"]>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<Row["audience"]>().toEqualTypeOf<typeof teams.$inferSelect.dropNotifications>();
  });

  test.each([true, false])("the boolean %s", async (enabled) => {
    const { body } = await account.api("POST", "/notification_rules", { name: "Nights", enabled });
    const { enabled: column, types } = notificationRules;
    const rest = sql`from ${notificationRules} where ${notificationRules.id} = ${body.id}`;
    const row = await first(db, select({ enabled: column, types }, rest));
    expect(row).toEqual({ enabled, types: ["alert.open"] });
    expectTypeOf(row?.enabled).toEqualTypeOf<boolean | undefined>();
  });
});

describe("an expression", () => {
  test.each([
    ["1", 1],
    ["'text'", "text"],
    ["null", null],
  ])("returns what SQLite returns: %s", async (text, value) => {
    expect(await one({ value: sql<unknown>`${sql.raw(text)}` })).toEqual({ value });
  });

  test.each([
    ["1 = 1", true],
    ["1 = 2", false],
    ["null = 1", false],
    ["exists (select 1 from teams)", true],
    ["1 = 2 or 2 = 2", true],
  ])("of a condition is a boolean: %s", async (condition, value) => {
    expect(await one({ value: truth(sql.raw(condition)) })).toEqual({ value });
  });

  test("of JSON is parsed, and null stays null", async () => {
    const list = parsed<readonly number[]>(sql`json_array(1, 2)`);
    expect(await one({ value: list })).toEqual({ value: [1, 2] });
    expect(await one({ value: parsed<null>(sql`null`) })).toEqual({ value: null });
  });

  test("of a column can be selected beside the column", async () => {
    const columns = { name: teams.name, hasNotes: truth(sql`${teams.notes} is not null`) };
    expect(await first(db, select(columns, ofTeam()))).toEqual({
      name: "Lamp Room",
      hasNotes: false,
    });
  });
});

test("two columns of the same name in two tables stay separate", async () => {
  const columns = { teamId: teams.id, layerId: escalationLayers.id };
  const rest = sql`from ${teams} left join ${escalationLayers}
    on ${escalationLayers.escalationPolicyId} = ${teams.escalationPolicyId}
    where ${teams.id} = ${teamId}`;
  expect(await first(db, select(columns, rest))).toEqual({ teamId, layerId: null });
});

test("reads all rows in order, or none", async () => {
  const query = select({ value: sql<number>`value` }, sql`from json_each('[3, 1, 2]')`);
  expect(await all(db, query)).toEqual([{ value: 3 }, { value: 1 }, { value: 2 }]);
  const none = select({ value: sql<number>`value` }, sql`from json_each('[]')`);
  expect(await all(db, none)).toEqual([]);
  expect(await first(db, none)).toBeNull();
});

describe("a batch", () => {
  test("types the rows of its selects, and leaves the others as they are", async () => {
    const [typed, raw, written, returned] = await batch(db, [
      select({ attachments: teams.attachments }, ofTeam()),
      sql`select attachments ${ofTeam()}`,
      sql`update ${teams} set notes = 'beside the stairs' where ${teams.id} = ${teamId}`,
      returning(sql`update ${teams} set notes = null where ${teams.id} = ${teamId}`, {
        id: teams.id,
        attachments: teams.attachments,
      }),
    ]);
    expect(typed).toEqual([{ attachments: ATTACHMENTS }]);
    expect(raw).toEqual([{ attachments: JSON.stringify(ATTACHMENTS) }]);
    expect(written).toEqual([]);
    expect(returned).toEqual([{ id: teamId, attachments: ATTACHMENTS }]);
    expectTypeOf(raw).toEqualTypeOf<readonly Readonly<Record<string, unknown>>[]>();
    expectTypeOf(returned[0]?.id).toEqualTypeOf<string | undefined>();
  });

  test("of a list of unknown length types the queries before it", async () => {
    const writes: SQLWrapper[] = [sql`select 1 as one`, sql`select 2 as two`];
    const [[row], ...rest] = await batch(db, [select({ name: teams.name }, ofTeam()), ...writes]);
    expect(row?.name).toBe("Lamp Room");
    expect(rest).toEqual([[{ one: 1 }], [{ two: 2 }]]);
  });

  test("sends no statement for null, and pairs the others with their own rows", async () => {
    const query = select({ name: teams.name }, ofTeam());
    const sent = vi.spyOn(Object.getPrototypeOf(db), "batch");
    const other = sql`select 2 as two`;
    const results = await batch(db, [null, query, null, other, query]);
    expect(results).toEqual([
      [],
      [{ name: "Lamp Room" }],
      [],
      [{ two: 2 }],
      [{ name: "Lamp Room" }],
    ]);
    expect(sent.mock.lastCall?.[0]).toHaveLength(3);
    sent.mockRestore();
  });

  test("sees its own writes, and reverts all of them if one fails", async () => {
    const notes = select({ notes: teams.notes }, ofTeam());
    const write = (text: string) =>
      sql`update ${teams} set notes = ${text} where ${teams.id} = ${teamId}`;
    const [before, , after] = await batch(db, [notes, write("new"), notes]);
    expect([before, after]).toEqual([[{ notes: null }], [{ notes: "new" }]]);
    await expect(batch(db, [write("never"), sql`select json('no')`])).rejects.toThrow();
    expect(await first(db, notes)).toEqual({ notes: "new" });
    await batch(db, [sql`update ${teams} set notes = null where ${teams.id} = ${teamId}`]);
  });
});
