// The format of a backup: parts in a fixed order, and a manifest that names them. Pure. A part is
// NDJSON, compressed by gzip: one line per row, a JSON array of its columns. What is secret of the
// rows is a second file of as many lines, encrypted.

export const BACKUP_FORMAT = 2;

/** The rows of a table that one part has at most. A part is read, and restored, in one request. */
export const ROWS_PER_PART = 500;
/** The same of objects: each is asked for what it stores. */
export const OBJECTS_PER_PART = 25;

/** The objects whose storage is backed up; after the tables that name them. */
export const BACKUP_OBJECTS = [
  "alert",
  "inbox",
  "person",
  "schedule",
  "team",
  "broadcast",
  "absence",
  "bulk_operation",
  "calendar_import",
  "absence_calendar",
] as const;

export type BackupObjectKind = (typeof BACKUP_OBJECTS)[number];

export type Key = readonly (string | number)[];

/** Where the next part begins: the step, and the key of the last row that was read of it. */
export type BackupCursor = { readonly step: string; readonly after: Key | null };

/** One part, as the manifest names it. */
export type BackupPart = BackupCursor & {
  /** Of the files, without extension: unique, and sorted as the parts were written. */
  readonly name: string;
  readonly rows: number;
  /** The digest of the plain lines, and of the secret ones; null: the part has none. */
  readonly plainDigest: string | null;
  readonly secretDigest: string | null;
};

/** What must be the same where a backup is restored. */
export type BackupOrigin = {
  readonly format: number;
  /** The last migration of the database. */
  readonly schema: string;
  /** A digest of the parts and their columns, in their order; backups of earlier versions have none. */
  readonly layout?: string;
  /** Of the secret that signs links; null: the deployment has none. */
  readonly linkSecret: string | null;
  /** The public key of Web Push, by which browsers have subscribed; backups of earlier versions have none. */
  readonly pushKey?: string | null;
};

export type BackupManifest = BackupOrigin & {
  readonly id: string;
  /** ISO 8601. The parts were read between these instants. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly parts: readonly BackupPart[];
  /** The objects whose storage could not be read. */
  readonly unread: readonly string[];
};

/** A manifest with what proves that who made it had the key. */
export type SignedManifest = BackupManifest & { readonly mac: string };

/** The name of a part's files. `number`: from 0. */
export const partName = (number: number, step: string): string =>
  `${String(number).padStart(6, "0")}-${step}`;

/** The name of the file of a part's plain lines, and of its secret ones. */
export const plainFile = (name: string): string => `${name}.ndjson.gz`;
export const sealedFile = (name: string): string => `${name}.sealed`;

const FILE = /^\d{6}-[a-z_.]+\.(?:ndjson\.gz|sealed)$/;

/** Whether a file of a backup can have this name: it is in the backup's own folder. */
export const isFileName = (name: string): boolean => FILE.test(name);

/** NDJSON of lines. */
export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

/** The inverse. Throws a `SyntaxError` if a line is not JSON. */
export const parseLines = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): unknown => JSON.parse(line));

/** The parts in the order in which they are restored: the database, then the objects. */
export const inRestoreOrder = (parts: readonly BackupPart[]): BackupPart[] => {
  const isOfObjects = ({ step }: BackupPart) => step.startsWith("objects.");
  return [...parts.filter((it) => !isOfObjects(it)), ...parts.filter(isOfObjects)];
};
