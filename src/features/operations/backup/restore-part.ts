// Restores a backup into an empty deployment, part by part: first the database, without its
// triggers, then the objects, whose timers are set again.

import type {
  BackupOrigin,
  BackupPart,
  SignedManifest,
} from "../../../domain/operations/backup/backup-format.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { ObjectState } from "../../../kernel/objects/object-state.ts";
import { dedupKey } from "../../alerts/alerts/shared-keys.ts";
import { selectOverdueIntegrations } from "../../integrations/deliveries/rows.ts";
import { backedUpObject, outgoingObject } from "../../stubs.ts";
import { type BackupFiles, openPart } from "./backup-part.ts";
import { insertRows, isDatabaseEmpty, type Row } from "./backup-rows.ts";
import { type BackupKeys, isSigned } from "./backup-seal.ts";
import { stepNamed } from "./backup-steps.ts";
import { readHeldKeys } from "./held-key-rows.ts";
import { readOrigin } from "./read-part.ts";
import {
  advanceRestore,
  beginRestore,
  endRestore,
  type Restore,
  readRestore,
  restoreTriggers,
} from "./restore-rows.ts";

/** Why a backup cannot be restored here; null if it can. */
export function findMismatch(backup: BackupOrigin, here: BackupOrigin): string | null {
  if (backup.format !== here.format) return `the backup's format is ${backup.format}`;
  if (backup.schema !== here.schema) {
    return `the backup has the schema ${backup.schema}, this deployment ${here.schema}`;
  }
  if (backup.layout !== undefined && backup.layout !== here.layout) {
    return "the version that wrote the backup has other columns, or has them in another order";
  }
  if (backup.linkSecret !== here.linkSecret) {
    return "LINK_SECRET differs: the links in messages that were sent would not work";
  }
  // Without a key there is no push, on either side, and nothing that could fail.
  if (backup.pushKey && here.pushKey && backup.pushKey !== here.pushKey) {
    return "VAPID_PRIVATE_KEY differs: push services would refuse every push";
  }
  return null;
}

/** Begins a restore, or continues the one of the same backup. Refused if anything is there. */
export async function startRestore(
  env: Cloudflare.Env,
  keys: BackupKeys,
  manifest: SignedManifest,
): Promise<Restore | Refusal> {
  if (!(await isSigned(keys, manifest))) {
    return refuse("malformed", "the manifest was changed, or is of another BACKUP_KEY");
  }
  const mismatch = findMismatch(manifest, await readOrigin(env, keys));
  if (mismatch !== null) return refuse("conflict", mismatch);
  const running = await readRestore(env.DB);
  if (running !== null) {
    return running.id === manifest.id
      ? running
      : refuse("conflict", "another backup is being restored");
  }
  if (!(await isDatabaseEmpty(env.DB))) {
    return refuse("conflict", "the deployment is not empty: it has accounts or people");
  }
  await beginRestore(env.DB, manifest.id);
  return { id: manifest.id, next: 0, leftOut: 0, differing: [] };
}

async function restoreObjects(
  env: Cloudflare.Env,
  part: BackupPart,
  states: readonly (readonly [name: string, state: ObjectState])[],
): Promise<void> {
  const step = stepNamed(part.step);
  if (step?.kind !== "objects") return;
  const restored = states.map(async ([name, state]) => {
    const object = backedUpObject(env, step.of, name);
    await object.writeState(state);
    // It ends with the object that answers it.
    await object.restart().catch(() => {});
  });
  await Promise.all(restored);
}

/** Restores one part; `number`: its position in the restore. One that is restored is left alone. */
export async function restorePart(
  env: Cloudflare.Env,
  keys: BackupKeys,
  number: number,
  part: BackupPart,
  files: BackupFiles,
): Promise<Restore | Refusal> {
  const running = await readRestore(env.DB);
  if (running === null || number > running.next) {
    return refuse("conflict", `the next part is number ${running?.next ?? 0}`);
  }
  if (number < running.next) return running;
  const lines = await openPart(keys, running.id, part, files);
  if (lines === null) {
    return refuse("malformed", `the files of ${part.name} are not those of the backup`);
  }
  const { plain, secret } = lines;
  const step = stepNamed(part.step);
  if (step?.kind === "objects") {
    await restoreObjects(env, part, secret as [string, ObjectState][]);
  }
  const rows = step?.kind === "table" ? plain.map((row, i) => joined(row, secret[i])) : [];
  const inserts =
    step?.kind === "table"
      ? insertRows(env.DB, step.table, [...step.table.plain, ...step.table.secret], rows)
      : [];
  const next = number + 1;
  const results = await env.DB.batch([...inserts, advanceRestore(env.DB, next, 0)]);
  const inserted = results.slice(0, -1).reduce((sum, { meta }) => sum + meta.changes, 0);
  const leftOut = rows.length - inserted;
  if (leftOut > 0) await advanceRestore(env.DB, next, leftOut).run();
  return { ...running, next, leftOut: running.leftOut + leftOut };
}

const joined = (plain: unknown, secret: unknown): Row => [
  ...(plain as Row),
  ...((secret as Row | undefined) ?? []),
];

/**
 * Creates the triggers again: all rows are there. `differing`: the parts whose rows are not those of the
 * backup, for whoever continues an interrupted restore.
 */
export const completeTables = (env: Cloudflare.Env, differing: readonly string[]): Promise<void> =>
  restoreTriggers(env.DB, differing);

/** Alerts claimed in one round. */
const CLAIMS_AT_ONCE = 50;

/** Ends a restore: alerts get their dedup keys back, and waiting deliveries are sent. */
export async function finishRestore(env: Cloudflare.Env): Promise<void> {
  const held = await readHeldKeys(env.DB);
  for (let i = 0; i < held.length; i += CLAIMS_AT_ONCE) {
    const claims = held
      .slice(i, i + CLAIMS_AT_ONCE)
      .map(({ accountId, alertId, key }) =>
        dedupKey(env, accountId, key).claim(alertId, null, null),
      );
    await Promise.all(claims);
  }
  const [outgoing] = await batch(env.DB, [selectOverdueIntegrations(Number.MAX_SAFE_INTEGER, 200)]);
  await Promise.all(outgoing.map(({ name }) => outgoingObject(env, name).refresh()));
  if ((await readRestore(env.DB)) !== null) await endRestore(env.DB);
}
