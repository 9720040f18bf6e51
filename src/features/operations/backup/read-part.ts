// Reads one part of a backup: rows of a table, or what objects of a kind store. Bounded: the caller
// asks for one part after the other.

import {
  BACKUP_FORMAT,
  type BackupCursor,
  type BackupObjectKind,
  type BackupOrigin,
  type BackupPart,
  type Key,
  OBJECTS_PER_PART,
  partName,
  ROWS_PER_PART,
} from "../../../domain/operations/backup/backup-format.ts";
import { DEPLOYMENT_SECRETS } from "../../../domain/operations/deployment-secrets.ts";
import { vapidPublicKey } from "../../people/push-subscriptions/vapid.ts";
import { backedUpObject } from "../../stubs.ts";
import { type BackupFiles, closePart } from "./backup-part.ts";
import {
  type BackupObject,
  type Row,
  readObjectNames,
  readRows,
  readSchema,
} from "./backup-rows.ts";
import { type BackupKeys, keyedDigest } from "./backup-seal.ts";
import { backupLayout, nextStep, stepNamed } from "./backup-steps.ts";
import type { BackupTable } from "./backup-tables.ts";

export type ReadPart = {
  readonly part: BackupPart;
  readonly files: BackupFiles;
  /** Names of objects that could not be read. */
  readonly unread: readonly string[];
  /** Where the next part begins; null: this is the last one. */
  readonly next: BackupCursor | null;
};

/** The condition on the rows of tables that are not read whole, by name. */
type Only = Readonly<Record<string, string>>;

/** Lines of a part before they are written. */
type Lines = {
  readonly plain: readonly Row[] | null;
  readonly secret: readonly unknown[] | null;
  readonly unread: readonly string[];
  /** The key of the last row if there may be more; else null. */
  readonly last: Key | null;
};

const secretLines = (env: Cloudflare.Env): Lines => ({
  plain: null,
  secret: DEPLOYMENT_SECRETS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  unread: [],
  last: null,
});

async function tableLines(
  db: D1Database,
  table: BackupTable,
  after: Key | null,
  only: Only,
): Promise<Lines> {
  const { plain, secret, key } = table;
  const columns = [...plain, ...secret];
  // What is read repeatedly must be a key even if it is secret: the key is read beside it.
  const rows = await readRows(
    db,
    table,
    [...columns, ...key],
    after,
    ROWS_PER_PART,
    only[table.name],
  );
  const last = rows.length < ROWS_PER_PART ? undefined : rows.at(-1);
  return {
    plain: rows.map((row) => row.slice(0, plain.length)),
    secret: secret.length === 0 ? null : rows.map((row) => row.slice(plain.length, columns.length)),
    unread: [],
    last: (last?.slice(columns.length) as Key | undefined) ?? null,
  };
}

async function objectLines(
  env: Cloudflare.Env,
  kind: BackupObjectKind,
  after: Key | null,
): Promise<Lines> {
  const names = await readObjectNames(env.DB, kind, after, OBJECTS_PER_PART);
  const read = async ({ name }: BackupObject) => backedUpObject(env, kind, name).readState();
  const states = await Promise.allSettled(names.map(read));
  const secret = states.flatMap((it, i) =>
    it.status === "fulfilled" && it.value !== null ? [[names[i]?.name, it.value]] : [],
  );
  const unread = states.flatMap((it, i) =>
    it.status === "rejected" ? [`${kind} ${names[i]?.name}`] : [],
  );
  const last = names.length < OBJECTS_PER_PART ? undefined : names.at(-1);
  return { plain: null, secret, unread, last: last === undefined ? null : [last.id] };
}

async function readLines(
  env: Cloudflare.Env,
  { step, after }: BackupCursor,
  only: Only,
): Promise<Lines> {
  const named = stepNamed(step);
  if (named === null) throw new Error(`a backup has no step ${step}`);
  if (named.kind === "secrets") return secretLines(env);
  if (named.kind === "table") return tableLines(env.DB, named.table, after, only);
  return objectLines(env, named.of, after);
}

/**
 * Reads the part of a backup that begins at a cursor. `number`: how many parts there are before it.
 */
export async function readPart(
  env: Cloudflare.Env,
  keys: BackupKeys,
  backupId: string,
  cursor: BackupCursor,
  number: number,
  only: Only = {},
): Promise<ReadPart> {
  const { unread, last, ...lines } = await readLines(env, cursor, only);
  const name = partName(number, cursor.step);
  const { files, ...digests } = await closePart(keys, backupId, name, lines);
  const rows = lines.plain?.length ?? lines.secret?.length ?? 0;
  const next = last === null ? nextStep(cursor.step) : { step: cursor.step, after: last };
  return { part: { ...cursor, name, rows, ...digests }, files, unread, next };
}

/** What a deployment must have in common with another to restore its backup. */
export async function readOrigin(env: Cloudflare.Env, keys: BackupKeys): Promise<BackupOrigin> {
  const { LINK_SECRET } = env;
  const linkSecret = LINK_SECRET ? await keyedDigest(keys, `links ${LINK_SECRET}`) : null;
  const schema = await readSchema(env.DB);
  const pushKey = vapidPublicKey(env);
  return { format: BACKUP_FORMAT, schema, layout: backupLayout(), linkSecret, pushKey };
}
