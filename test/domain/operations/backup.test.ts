// What a backup contains: every column of the schema is classed, and parents come before children.
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { beforeAll, describe, expect, test } from "vitest";
import {
  inRestoreOrder,
  isFileName,
  linesOf,
  parseLines,
  partName,
} from "../../../src/domain/operations/backup/backup-format.ts";
import { closePart, openPart } from "../../../src/features/operations/backup/backup-part.ts";
import { insertRows } from "../../../src/features/operations/backup/backup-rows.ts";
import {
  backupKeys,
  isSigned,
  keyedDigest,
  seal,
  signManifest,
  unseal,
} from "../../../src/features/operations/backup/backup-seal.ts";
import {
  backupSteps,
  nameOfStep,
  nextStep,
} from "../../../src/features/operations/backup/backup-steps.ts";
import {
  backupTables,
  NOT_BACKED_UP,
} from "../../../src/features/operations/backup/backup-tables.ts";
import { findMismatch } from "../../../src/features/operations/backup/restore-part.ts";
import { isFull } from "../../support/generated/sizes.ts";
import { readSchemaTables } from "../../support/source/schema-tables.ts";

type Config = ReturnType<typeof getTableConfig>;
let schema: ReadonlyMap<string, Config>;
const keys = await backupKeys("a secret of at least thirty-two characters");

beforeAll(async () => {
  const tables = (await readSchemaTables()).map((it) => getTableConfig(it));
  schema = new Map(tables.map((it) => [it.name, it]));
});

describe("the tables of a backup", () => {
  test("are all tables of the schema but those that are named as left out", () => {
    const named = [...backupTables().map(({ name }) => name), ...NOT_BACKED_UP];
    expect(named.toSorted()).toEqual([...schema.keys()].toSorted());
    expect(new Set(named).size).toBe(named.length);
  });

  test("class every column as plain or secret, unless it is generated", () => {
    for (const { name, plain, secret } of backupTables()) {
      const columns = schema.get(name)?.columns.filter(({ generated }) => !generated) ?? [];
      const expected = columns.map((column) => column.name).toSorted();
      expect([...plain, ...secret].toSorted(), name).toEqual(expected);
    }
  });

  test("have no credential among the plain columns", () => {
    const suspicious = backupTables().flatMap(({ name, plain }) =>
      plain
        .filter((column) => /secret|hash|token|password|p256dh|^auth$|_key$|^url$/.test(column))
        .map((column) => `${name}.${column}`),
    );
    expect(suspicious).toEqual([
      // A flag and an instant, and the keys of shifts in calendars.
      ...["users.password_expired", "users.first_password_until"],
      ...["absences.calendar_key", "events.import_key", "unavailabilities.calendar_key"],
    ]);
  });

  test("are ordered by a unique key, and follow their parents", () => {
    const seen = new Set<string>();
    for (const { name, key, parents } of backupTables()) {
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
    expect(walked).toEqual(backupSteps().map(nameOfStep));
    expect(new Set(walked).size).toBe(walked.length);
  });

  test("read timelines after the objects, and restore all tables before them", () => {
    const steps = backupSteps().map(nameOfStep);
    expect(steps.indexOf("objects.alert")).toBeGreaterThan(steps.indexOf("alerts"));
    expect(steps.indexOf("objects.alert")).toBeLessThan(steps.indexOf("alert_timelines"));
    const nothing = { after: null, rows: 0, plainDigest: null, secretDigest: null };
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

  test("are opened by the key, the backup and the name that sealed them, and by no other", async () => {
    const others = await backupKeys("a secret of at least thirty-two characterz");
    const sealed = await seal(keys, "one", "000001-users", "the text");
    expect(await unseal(keys, "one", "000001-users", sealed)).toBe("the text");
    await expect(unseal(others, "one", "000001-users", sealed)).rejects.toThrow();
    await expect(unseal(keys, "two", "000001-users", sealed)).rejects.toThrow();
    await expect(unseal(keys, "one", "000002-users", sealed)).rejects.toThrow();
    expect(keys.token).not.toBe(others.token);
    expect(await keyedDigest(keys, "x")).not.toBe(await keyedDigest(others, "x"));
  });

  test.each([
    ["000007-users.ndjson.gz", true],
    ["000007-objects.alert.sealed", true],
    ["../000007-users.sealed", false],
    ["000007-users/../../x.sealed", false],
    ["manifest.json", false],
    ["000007-users.sealed\n", false],
  ])("%j is a name of a file: %s", (name, isName) => {
    expect(isFileName(name)).toBe(isName);
  });

  test("are inserted in statements that the database accepts", () => {
    const bound: string[] = [];
    const prepare = () => ({ bind: (text: string) => bound.push(text) });
    const [table] = backupTables();
    if (table === undefined) throw new Error("no tables");
    const long = "x".repeat(300_000);
    const rows = [[long], ["a"], [long], [long + long], ["b"]];
    insertRows({ prepare } as unknown as D1Database, table, ["id"], rows);
    expect(bound.flatMap((text) => JSON.parse(text) as unknown[])).toEqual(rows);
    expect(bound.map((text) => text.length < 400_100)).toEqual([true, true, false, true]);
  });
});

test("a backup, and a snapshot, is of a deployment with the same secrets as the one that restores it", () => {
  const here = { format: 2, schema: "0001", layout: "a", linkSecret: "b", pushKey: "c" };
  expect(findMismatch(here, here)).toBeNull();
  expect(findMismatch({ ...here, linkSecret: "x" }, here)).toMatch(/^LINK_SECRET differs/);
  expect(findMismatch({ ...here, pushKey: "x" }, here)).toMatch(/^VAPID_PRIVATE_KEY differs/);
  // Where one of them has no push, none can be refused.
  const { pushKey, ...earlier } = here;
  for (const without of [earlier, { ...here, pushKey: null }]) {
    expect([findMismatch(without, here), findMismatch(here, without)]).toEqual([null, null]);
  }
});

describe("a backup that somebody has changed", () => {
  const origin = { format: 2, schema: "0001", linkSecret: null };

  /** A backup of some parts, as it is written. */
  async function makeBackup(id: string) {
    const parts = await Promise.all(
      [
        { step: "users", plain: [["u1", `Ada ${id}`]], secret: [["hash of Ada"]] },
        { step: "accounts", plain: [["a1", `Acme ${id}`]], secret: null },
        { step: "api_keys", plain: [["k1", id]], secret: [["hash of a key"]] },
        { step: "objects.alert", plain: null, secret: [["alt_1", { status: "open" }]] },
      ].map(async ({ step, ...lines }, i) => {
        const name = partName(i, step);
        const { files, ...digests } = await closePart(keys, id, name, lines);
        return { part: { step, after: null, name, rows: 1, ...digests }, files };
      }),
    );
    const listed = parts.map(({ part }) => part);
    const instants = { startedAt: "2026-01-01", finishedAt: "2026-01-02" };
    const manifest = await signManifest(keys, {
      ...origin,
      ...instants,
      id,
      parts: listed,
      unread: [],
    });
    return { id, parts, manifest };
  }

  test("is opened only as it was written", async () => {
    const { id, parts, manifest } = await makeBackup("one");
    expect(await isSigned(keys, JSON.parse(JSON.stringify(manifest, null, 2)))).toBe(true);
    for (const { part, files } of parts)
      expect(await openPart(keys, id, part, files)).not.toBeNull();
  });

  test("is refused for every byte of every file, and every file that is missing", async () => {
    const { id, parts } = await makeBackup("one");
    for (const { part, files } of parts) {
      for (const [name, bytes] of files) {
        const rest = [...files].filter(([other]) => other !== name);
        expect(await openPart(keys, id, part, new Map(rest)), name).toBeNull();
        for (let at = 0; at < bytes.length; at += isFull ? 1 : 7) {
          const changed = bytes.with(at, (bytes[at] ?? 0) ^ 1) as typeof bytes;
          const opened = await openPart(keys, id, part, new Map([...rest, [name, changed]]));
          // Some bytes of gzip's header mean nothing: what is read is the same.
          const same = await openPart(keys, id, part, files);
          expect(opened === null || JSON.stringify(opened) === JSON.stringify(same), name).toBe(
            true,
          );
        }
      }
    }
  });

  test("is refused with the files of another part, or of another backup", async () => {
    const [one, two] = [await makeBackup("one"), await makeBackup("two")];
    const all = [...one.parts, ...two.parts];
    for (const { part, files } of one.parts) {
      for (const other of all) {
        if (other.files === files) continue;
        // Under the names that are expected.
        const renamed = new Map(
          [...other.files].map(([name, bytes]) => [
            name.replace(/^\d{6}-[a-z_.]+?(?=\.(ndjson|sealed))/, part.name),
            bytes,
          ]),
        );
        expect(await openPart(keys, one.id, part, renamed)).toBeNull();
        expect((await openPart(keys, one.id, other.part, other.files)) === null).toBe(
          !one.parts.includes(other),
        );
        const claimed = { ...other.part, name: part.name, step: part.step };
        expect(await openPart(keys, one.id, claimed, renamed)).toBeNull();
      }
    }
  });

  test("is refused with columns, digests or secrets that its part does not have", async () => {
    const { id, parts } = await makeBackup("one");
    const [, , ofKeys] = parts;
    if (ofKeys === undefined) throw new Error("no part");
    const { part, files } = ofKeys;
    const plainOnly = new Map([...files].filter(([name]) => name.endsWith(".gz")));
    for (const forged of [
      { ...part, secretDigest: null },
      { ...part, plainDigest: null },
      { ...part, step: "accounts" },
      { ...part, name: partName(9, "api_keys") },
      { ...part, step: "nothing" },
    ]) {
      expect(await openPart(keys, id, forged, plainOnly)).toBeNull();
      if (forged.step !== part.step || forged.name !== part.name)
        expect(await openPart(keys, id, forged, files)).toBeNull();
    }
  });

  test("is refused with any other manifest: fields, parts, their order and their fields", async () => {
    const { manifest } = await makeBackup("one");
    const changes: object[] = Object.keys(manifest).map((name) => ({ [name]: "another" }));
    changes.push({ parts: manifest.parts.toReversed() }, { parts: manifest.parts.slice(1) });
    changes.push(
      { parts: [...manifest.parts, manifest.parts[0]] },
      { more: 1 },
      { mac: undefined },
    );
    for (const [i, part] of manifest.parts.entries()) {
      for (const name of Object.keys(part)) {
        const parts = manifest.parts.with(i, { ...part, [name]: "another" });
        changes.push({ parts });
      }
    }
    for (const change of changes)
      expect(await isSigned(keys, { ...manifest, ...change }), JSON.stringify(change)).toBe(false);
    const others = await backupKeys("a secret of at least thirty-two characterz");
    expect(await isSigned(others, manifest)).toBe(false);
  });
});
