// What a restore refuses, and what rests until it has ended.
import { applyD1Migrations, createScheduledController } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { BackupOrigin } from "../../../src/domain/operations/backup/backup-format.ts";
import { backupKeys, signManifest } from "../../../src/features/operations/backup/backup-seal.ts";
import worker from "../../../src/index.ts";
import { audit, forgetOperations, get, monitor } from "../../support/operations/operations.ts";
import { soon } from "../../support/worker/faults.ts";

const KEY = "only-the-tests-encrypt-backups-with-this";

beforeEach(async () => {
  // Makes the table in which wrangler records the migrations of a deployment.
  await applyD1Migrations(env.DB, []);
  await forgetOperations();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await forgetOperations();
});

test("until a restore has ended, nothing is written by itself, and the canary is no reason to refuse one", async () => {
  vi.spyOn(env, "CANARY", "get").mockReturnValue("on");
  monitor();
  await audit();
  const alerts = () => env.DB.prepare("select count(*) as n from alerts").first<number>("n");
  await vi.waitFor(async () => expect(await alerts()).toBe(1), soon);
  vi.spyOn(env, "BACKUP_KEY", "get").mockReturnValue(KEY);
  const keys = await backupKeys(KEY);
  const authorization = { Authorization: `Bearer ${keys.token}` };
  const { origin } = await (await get("/backup?id=x", authorization)).json<{
    origin: BackupOrigin;
  }>();
  const made = { id: "a-backup", startedAt: "", finishedAt: "", parts: [], unread: [] };
  // Earlier versions did not note the layout.
  const { layout, ...earlier } = origin;
  expect(layout).toEqual(expect.any(String));
  const manifest = await signManifest(keys, { ...earlier, ...made });
  const post = (step: string, body: object) =>
    exports.default.fetch(`https://tocsin.test/restore/${step}`, {
      ...{ method: "POST", headers: authorization, body: JSON.stringify(body) },
    });
  const forged = await post("start", { ...manifest, id: "another" });
  expect([forged.status, await forged.text()]).toEqual([
    400,
    expect.stringContaining("BACKUP_KEY"),
  ]);
  const otherColumns = { ...earlier, layout: "of other columns", ...made };
  const mismatched = await post("start", await signManifest(keys, otherColumns));
  expect([mismatched.status, await mismatched.text()]).toEqual([
    409,
    expect.stringContaining("other columns"),
  ]);
  const started = await post("start", manifest);
  expect([started.status, await started.text()]).toEqual([
    200,
    expect.stringContaining('"next":0'),
  ]);
  await forgetOperations();
  // A report of the canary's message may have begun a backup before.
  const written = (await env.ARCHIVE?.list())?.objects ?? [];
  await env.ARCHIVE?.delete(written.map(({ key }) => key));
  await audit();
  await worker.scheduled(createScheduledController(), env);
  expect(await alerts()).toBe(1);
  expect((await env.ARCHIVE?.list())?.objects).toEqual([]);
  const part = { name: "000000-accounts", step: "accounts", after: null, rows: 1 };
  const files = { "000000-accounts.ndjson.gz": "H4sIAAAAAAAAAwMAAAAAAAAAAAA=" };
  const digests = { plainDigest: "00", secretDigest: null };
  const refused = await post("part", { number: 0, part: { ...part, ...digests }, files });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("the files of 000000-accounts are not those of the backup"),
  ]);
  expect((await post("finish", {})).status).toBe(200);
});
