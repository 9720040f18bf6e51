// Reads one part of a backup: rows of a table, or what objects of a kind store. Bounded: the caller
// asks for one part after the other.
import {
  type NamedObject,
  type Row,
  readObjectNames,
  readRows,
  readSchema,
} from "../../../db/operations/backup/backup-rows.ts";
import {
  type BackupKeys,
  compress,
  keyedDigest,
  seal,
  sha256,
} from "../../../db/operations/backup/backup-seal.ts";
import {
  BACKUP_FORMAT,
  type BackupCursor,
  type BackupObjectKind,
  type BackupOrigin,
  type BackupPart,
  type Key,
  linesOf,
  nextStep,
  OBJECTS_PER_PART,
  partName,
  plainFile,
  ROWS_PER_PART,
  sealedFile,
  stepNamed,
} from "../../../domain/operations/backup/backup-format.ts";
import type { BackupTable } from "../../../domain/operations/backup/tables.ts";
import { DEPLOYMENT_SECRETS } from "../../../domain/operations/deployment-secrets.ts";
import { backedUpObject } from "../../shared/stubs.ts";

type BackupFile = { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };

export type ReadPart = {
  readonly part: BackupPart;
  readonly files: readonly BackupFile[];
  /** Names of objects that could not be read. */
  readonly unread: readonly string[];
  /** Where the next part begins; null: this is the last one. */
  readonly next: BackupCursor | null;
};

/** Lines of a part before they are written. */
type Lines = {
  readonly plain: readonly Row[] | null;
  readonly secret: readonly unknown[] | null;
  readonly columns: Pick<BackupPart, "plain" | "secret">;
  readonly unread: readonly string[];
  /** The key of the last row if there may be more; else null. */
  readonly last: Key | null;
};

const NONE = { plain: [], secret: [] };

const secretLines = (env: Cloudflare.Env): Lines => ({
  plain: null,
  secret: DEPLOYMENT_SECRETS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  columns: { ...NONE, secret: ["name", "value"] },
  unread: [],
  last: null,
});

async function tableLines(db: D1Database, table: BackupTable, after: Key | null): Promise<Lines> {
  const { plain, secret, key } = table;
  const columns = [...plain, ...secret];
  // What is read repeatedly must be a key even if it is secret: the key is read beside it.
  const rows = await readRows(db, table, [...columns, ...key], after, ROWS_PER_PART);
  const last = rows.length < ROWS_PER_PART ? undefined : rows.at(-1);
  return {
    plain: rows.map((row) => row.slice(0, plain.length)),
    secret: secret.length === 0 ? null : rows.map((row) => row.slice(plain.length, columns.length)),
    columns: { plain, secret },
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
  const read = async ({ name }: NamedObject) => backedUpObject(env, kind, name).readState();
  const states = await Promise.allSettled(names.map(read));
  const secret = states.flatMap((it, i) =>
    it.status === "fulfilled" && it.value !== null ? [[names[i]?.name, it.value]] : [],
  );
  const unread = states.flatMap((it, i) =>
    it.status === "rejected" ? [`${kind} ${names[i]?.name}`] : [],
  );
  const last = names.length < OBJECTS_PER_PART ? undefined : names.at(-1);
  const columns = { ...NONE, secret: ["name", "state"] };
  return { plain: null, secret, columns, unread, last: last === undefined ? null : [last.id] };
}

async function readLines(env: Cloudflare.Env, { step, after }: BackupCursor): Promise<Lines> {
  const named = stepNamed(step);
  if (named === null) throw new Error(`a backup has no step ${step}`);
  if (named.kind === "secrets") return secretLines(env);
  if (named.kind === "table") return tableLines(env.DB, named.table, after);
  return objectLines(env, named.of, after);
}

/** Reads the part that begins at a cursor. `number`: how many parts there are before it. */
export async function readPart(
  env: Cloudflare.Env,
  keys: BackupKeys,
  cursor: BackupCursor,
  number: number,
): Promise<ReadPart> {
  const { plain, secret, columns, unread, last } = await readLines(env, cursor);
  const name = partName(number, cursor.step);
  const texts = { plain: plain && linesOf(plain), secret: secret && linesOf(secret) };
  const files: BackupFile[] = [];
  if (texts.plain !== null) {
    files.push({ name: plainFile(name), bytes: await compress(texts.plain) });
  }
  if (texts.secret !== null) {
    files.push({ name: sealedFile(name), bytes: await seal(keys, name, texts.secret) });
  }
  const part: BackupPart = {
    ...{ ...cursor, ...columns, name },
    rows: plain?.length ?? secret?.length ?? 0,
    sha256: texts.plain === null ? null : await sha256(texts.plain),
    hmac: texts.secret === null ? null : await keyedDigest(keys, texts.secret),
  };
  const next = last === null ? nextStep(cursor.step) : { step: cursor.step, after: last };
  return { part, files, unread, next };
}

/** What a deployment must have in common with another to restore its backup. */
export async function readOrigin(env: Cloudflare.Env, keys: BackupKeys): Promise<BackupOrigin> {
  const { LINK_SECRET } = env;
  const linkSecret = LINK_SECRET ? await keyedDigest(keys, `links ${LINK_SECRET}`) : null;
  return { format: BACKUP_FORMAT, schema: await readSchema(env.DB), linkSecret };
}
