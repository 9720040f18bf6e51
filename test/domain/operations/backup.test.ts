// What a backup contains: every column of the schema is classed, and parents come before children.
import { globSync } from "node:fs";
import { join } from "node:path";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, test } from "vitest";
import { insertRows } from "../../../src/db/operations/backup/backup-rows.ts";
import {
  backupKeys,
  keyedDigest,
  seal,
  unseal,
} from "../../../src/db/operations/backup/backup-seal.ts";
import {
  BACKUP_STEPS,
  inRestoreOrder,
  linesOf,
  nameOfStep,
  nextStep,
  parseLines,
  partName,
} from "../../../src/domain/operations/backup/backup-format.ts";
import { BACKUP_TABLES, NOT_BACKED_UP } from "../../../src/domain/operations/backup/tables.ts";
import { root } from "../../support/source/source-files.ts";

type Config = ReturnType<typeof getTableConfig>;
let schema: ReadonlyMap<string, Config>;

beforeAll(async () => {
  const files = globSync(join(root, "src/db/schema/**/*.ts").replaceAll("\\", "/"));
  const own = files.filter((file) => !file.includes("/views/"));
  const modules = await Promise.all(
    own.map((file) => import(file) as Promise<Record<string, unknown>>),
  );
  const tables = modules.flatMap((it) => Object.values(it)).filter((it) => is(it, SQLiteTable));
  schema = new Map(tables.map((it) => [getTableConfig(it).name, getTableConfig(it)]));
});

describe("the tables of a backup", () => {
  test("are all tables of the schema but those that are named as left out", () => {
    const named = [...BACKUP_TABLES.map(({ name }) => name), ...NOT_BACKED_UP];
    expect(named.toSorted()).toEqual([...schema.keys()].toSorted());
    expect(new Set(named).size).toBe(named.length);
  });

  test("class every column as plain or secret, unless it is generated", () => {
    for (const { name, plain, secret } of BACKUP_TABLES) {
      const columns = schema.get(name)?.columns.filter(({ generated }) => !generated) ?? [];
      const expected = columns.map((column) => column.name).toSorted();
      expect([...plain, ...secret].toSorted(), name).toEqual(expected);
    }
  });

  test("have no credential among the plain columns", () => {
    const suspicious = BACKUP_TABLES.flatMap(({ name, plain }) =>
      plain
        .filter((column) => /secret|hash|token|password|p256dh|^auth$|_key$|^url$/.test(column))
        .map((column) => `${name}.${column}`),
    );
    expect(suspicious).toEqual([
      // A flag and an instant, and the keys of shifts in calendars.
      ...["users.password_expired", "users.first_password_until"],
      ...["events.import_key", "unavailabilities.calendar_key"],
    ]);
  });

  test("are ordered by a unique key, and follow their parents", () => {
    const seen = new Set<string>();
    for (const { name, key, parents } of BACKUP_TABLES) {
      const config = schema.get(name);
      const unique = [
        config?.primaryKeys.flatMap(({ columns }) => columns.map((it) => it.name)) ?? [],
        config?.columns.filter(({ primary }) => primary).map((it) => it.name) ?? [],
        ...(config?.indexes ?? [])
          .filter((it) => it.config.unique && it.config.where === undefined)
          .map((it) => it.config.columns.map((column) => ("name" in column ? column.name : ""))),
      ];
      expect(unique, name).toContainEqual(key);
      const references = config?.foreignKeys.map((it) => it.reference()) ?? [];
      const expected = references.map(({ columns, foreignTable }) => [
        columns[0]?.name,
        getTableConfig(foreignTable).name,
      ]);
      expect(Object.entries(parents).toSorted(), name).toEqual(expected.toSorted());
      for (const parent of Object.values(parents)) expect(seen, name).toContain(parent);
      seen.add(name);
    }
  });
});

describe("the steps of a backup", () => {
  test("are walked once each, to the end", () => {
    const walked: string[] = [];
    for (let cursor = nextStep(null); cursor !== null; cursor = nextStep(cursor.step)) {
      expect(cursor.after).toBeNull();
      walked.push(cursor.step);
    }
    expect(walked).toEqual(BACKUP_STEPS.map(nameOfStep));
    expect(new Set(walked).size).toBe(walked.length);
  });

  test("read timelines after the objects, and restore all tables before them", () => {
    const steps = BACKUP_STEPS.map(nameOfStep);
    expect(steps.indexOf("objects.alert")).toBeGreaterThan(steps.indexOf("alerts"));
    expect(steps.indexOf("objects.alert")).toBeLessThan(steps.indexOf("alert_timelines"));
    const nothing = { after: null, rows: 0, sha256: null, hmac: null, plain: [], secret: [] };
    const parts = steps.map((step, i) => ({ ...nothing, step, name: partName(i, step) }));
    const restored = inRestoreOrder(parts).map(({ step }) => step);
    expect(restored.toSorted()).toEqual(steps.toSorted());
    expect(restored.indexOf("objects.alert")).toBeGreaterThan(restored.indexOf("logs"));
  });
});

describe("the files of a backup", () => {
  test("are lines of JSON, whatever the text has", () => {
    const rows = [
      ["a\nb", null, 9_007_199_254_740_991],
      ["\u2028\u0000", "", -0.5],
    ];
    expect(linesOf(rows).split("\n")).toHaveLength(3);
    expect(parseLines(linesOf(rows))).toEqual(rows);
  });

  test("are opened by the key and the name that sealed them, and by no other", async () => {
    const keys = await backupKeys("a secret of at least thirty-two characters");
    const others = await backupKeys("a secret of at least thirty-two characterz");
    const sealed = await seal(keys, "000001-users", "the text");
    expect(await unseal(keys, "000001-users", sealed)).toBe("the text");
    await expect(unseal(others, "000001-users", sealed)).rejects.toThrow();
    await expect(unseal(keys, "000002-users", sealed)).rejects.toThrow();
    const changed = sealed.with(sealed.length - 1, (sealed.at(-1) ?? 0) ^ 1);
    await expect(unseal(keys, "000001-users", changed)).rejects.toThrow();
    expect(keys.token).not.toBe(others.token);
    expect(await keyedDigest(keys, "x")).not.toBe(await keyedDigest(others, "x"));
  });

  test("are inserted in statements that the database accepts", () => {
    const bound: string[] = [];
    const prepare = () => ({ bind: (text: string) => bound.push(text) });
    const [table] = BACKUP_TABLES;
    if (table === undefined) throw new Error("no tables");
    const long = "x".repeat(300_000);
    const rows = [[long], ["a"], [long], [long + long], ["b"]];
    insertRows({ prepare } as unknown as D1Database, table, ["id"], rows);
    expect(bound.flatMap((text) => JSON.parse(text) as unknown[])).toEqual(rows);
    expect(bound.map((text) => text.length < 400_100)).toEqual([true, true, false, true]);
  });
});
