// The nightly backup to a bucket: written once a night, by steps that a failure does not lose, and
// only where there are a bucket and a key.
import { applyD1Migrations, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  type BackupPart,
  parseLines,
  type SignedManifest,
} from "../../../src/domain/operations/backup/backup-format.ts";
import {
  backupKeys,
  decompress,
  isSigned,
  unseal,
} from "../../../src/features/operations/backup/backup-seal.ts";
import { backupTables } from "../../../src/features/operations/backup/backup-tables.ts";
import { makeAccount } from "../../support/api/api.ts";
import { audit, forgetOperations, get, operations } from "../../support/operations/operations.ts";
import { makeIntegration, makePerson, makeTeam } from "../../support/worker/world.ts";

const KEY = "only-the-tests-encrypt-backups-with-this";

const bucket = () => {
  if (env.ARCHIVE === undefined) throw new Error("there is no bucket");
  return env.ARCHIVE;
};

async function fileNames(): Promise<string[]> {
  const { objects } = await bucket().list({ prefix: "backups/" });
  return objects.map(({ key }) => key);
}

async function bytesOf(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const object = await bucket().get(name);
  if (object === null) throw new Error(`${name} is not there`);
  return new Uint8Array(await object.arrayBuffer());
}

/** Ends the pause after a failure. */
const endPause = () =>
  runInDurableObject(operations(), (_, { storage }) => {
    const stored = storage.kv.get<object>("backup");
    storage.kv.put("backup", { ...stored, notBefore: 0 });
  });

beforeEach(async () => {
  // Makes the table in which wrangler records the migrations of a deployment.
  await applyD1Migrations(env.DB, []);
  vi.spyOn(env, "BACKUP_KEY", "get").mockReturnValue(KEY);
  await forgetOperations();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await forgetOperations();
  await bucket().delete(await fileNames());
});

test("a backup has every table and object, its secrets encrypted, and continues after a failure", async () => {
  const account = await makeAccount();
  const { accountUserId } = await makePerson(account, "Grace");
  const team = await makeTeam(account, [{ seconds: 600, people: [accountUserId] }]);
  await makeIntegration(account, [team.id]);
  const failure = vi.spyOn(console, "error").mockImplementation(() => {});
  const put = vi.spyOn(Object.getPrototypeOf(bucket()), "put");
  for (let i = 0; i < 5; i += 1) put.mockRejectedValueOnce(new Error("the bucket is down"));
  await audit();
  expect(failure).toHaveBeenCalledWith(
    expect.objectContaining({ message: "a backup failed", error: "Error: the bucket is down" }),
  );
  expect((await fileNames()).filter((name) => name.endsWith("manifest.json"))).toEqual([]);
  put.mockRestore();
  await vi.waitFor(
    async () => {
      await endPause();
      await audit();
      expect((await fileNames()).some((name) => name.endsWith("/manifest.json"))).toBe(true);
    },
    { timeout: 60_000, interval: 20 },
  );

  const names = await fileNames();
  const [manifestName = ""] = names.filter((name) => name.endsWith("/manifest.json"));
  const folder = manifestName.replace(/manifest\.json$/, "");
  expect(folder).toMatch(/^backups\/\d{4}-\d\d-\d\d\/[\w-]{36}\/$/);
  expect(names.every((name) => name.startsWith(folder))).toBe(true);
  const text = new TextDecoder().decode(await bytesOf(manifestName));
  const manifest: SignedManifest = JSON.parse(text);
  const partsOf = (step: string) => manifest.parts.filter((it: BackupPart) => it.step === step);
  for (const { name } of backupTables()) expect(partsOf(name), name).not.toEqual([]);
  expect(manifest.unread).toEqual([]);

  const [accounts] = partsOf("accounts");
  const rows = parseLines(await decompress(await bytesOf(`${folder}${accounts?.name}.ndjson.gz`)));
  const id =
    backupTables()
      .find(({ name }) => name === "accounts")
      ?.plain.indexOf("id") ?? -1;
  expect(rows.map((row) => (row as unknown[])[id])).toContain(account.accountId);
  const [secrets] = partsOf("secrets");
  const sealed = await bytesOf(`${folder}${secrets?.name}.sealed`);
  expect(new TextDecoder().decode(sealed)).not.toContain("LINK_SECRET");
  const opened = await unseal(await backupKeys(KEY), manifest.id, secrets?.name ?? "", sealed);
  expect(await isSigned(await backupKeys(KEY), manifest)).toBe(true);
  expect(opened).toContain(`["LINK_SECRET","${env.LINK_SECRET}"]`);
  const other = await backupKeys(`${KEY}, or nearly so`);
  await expect(unseal(other, manifest.id, secrets?.name ?? "", sealed)).rejects.toThrow();
  expect(await isSigned(other, manifest)).toBe(false);

  // The next one is due in the next night.
  await audit();
  expect(await fileNames()).toEqual(names);
});

test("a backup that was begun with other tables or columns is begun again", async () => {
  const startedAt = Date.now();
  const cursor = { step: "logs", after: null };
  const run = { ...{ id: "begun", layout: "other", startedAt, cursor }, parts: 0, unread: [] };
  await runInDurableObject(operations(), (_, { storage }) => {
    storage.kv.put("backup", { startedAt, run, notBefore: 0 });
  });
  await vi.waitFor(
    async () => {
      await audit();
      expect((await fileNames()).some((name) => name.endsWith("/manifest.json"))).toBe(true);
    },
    { timeout: 60_000, interval: 20 },
  );
  const names = await fileNames();
  expect(names.filter((name) => name.includes("/begun/"))).toEqual([]);
  expect(names.filter((name) => name.endsWith("-users.sealed"))).not.toEqual([]);
});

test("without a key nothing is written, and the addresses of backups do not exist", async () => {
  vi.spyOn(env, "BACKUP_KEY", "get").mockReturnValue("too short");
  await audit();
  expect(await fileNames()).toEqual([]);
  expect((await get("/backup")).status).toBe(404);
});

test("a backup is not read without the token", async () => {
  expect((await get("/backup")).status).toBe(401);
  const { token } = await backupKeys(`${KEY}, or nearly so`);
  const response = await get("/backup", { Authorization: `Bearer ${token}` });
  expect(response.status).toBe(401);
  expect(await response.text()).not.toContain("origin");
});
