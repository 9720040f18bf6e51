// The format of a backup: parts in a fixed order, and a manifest that names them. Pure. A part is
// NDJSON, compressed by gzip: one line per row, a JSON array of its columns. What is secret of the
// rows is a second file of as many lines, encrypted.
import { BACKUP_TABLES, type BackupTable } from "./tables.ts";

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

/** The tables that alerts' objects write to: read after the objects, which may be ahead of others. */
const AFTER_OBJECTS: readonly string[] = ["alert_timelines", "notifications", "deliveries", "logs"];

export type BackupStep =
  | { readonly kind: "secrets" }
  | { readonly kind: "table"; readonly table: BackupTable }
  | { readonly kind: "objects"; readonly of: BackupObjectKind };

const tableStep = (table: BackupTable): BackupStep => ({ kind: "table", table });
const isAfterObjects = ({ name }: BackupTable) => AFTER_OBJECTS.includes(name);

/** What is read, in this order. */
export const BACKUP_STEPS: readonly BackupStep[] = [
  { kind: "secrets" },
  ...BACKUP_TABLES.filter((it) => !isAfterObjects(it)).map(tableStep),
  ...BACKUP_OBJECTS.map((of): BackupStep => ({ kind: "objects", of })),
  ...BACKUP_TABLES.filter(isAfterObjects).map(tableStep),
];

/** The name of a step in parts: `secrets`, the table's, or `objects.<kind>`. */
export function nameOfStep(step: BackupStep): string {
  if (step.kind === "table") return step.table.name;
  return step.kind === "secrets" ? "secrets" : `objects.${step.of}`;
}

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
  /** Of the secret that signs links; null: the deployment has none. */
  readonly linkSecret: string | null;
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

/** The first cursor, or the one after the last part of a step; null: nothing is left. */
export function nextStep(step: string | null): BackupCursor | null {
  const index = step === null ? -1 : BACKUP_STEPS.findIndex((it) => nameOfStep(it) === step);
  const next = BACKUP_STEPS[index + 1];
  return next === undefined ? null : { step: nameOfStep(next), after: null };
}

/** The step of this name; null if there is none. */
export const stepNamed = (name: string): BackupStep | null =>
  BACKUP_STEPS.find((it) => nameOfStep(it) === name) ?? null;

/** The name of a part's files. `number`: from 0. */
export const partName = (number: number, step: string): string =>
  `${String(number).padStart(6, "0")}-${step}`;

/** The name of the file of a part's plain lines, and of its secret ones. */
export const plainFile = (name: string): string => `${name}.ndjson.gz`;
export const sealedFile = (name: string): string => `${name}.sealed`;

/** Whether a part has plain lines, and secret ones: the code says so, never the backup. */
export function linesExpectedOf(step: BackupStep): {
  readonly plain: boolean;
  readonly secret: boolean;
} {
  if (step.kind !== "table") return { plain: false, secret: true };
  return { plain: true, secret: step.table.secret.length > 0 };
}

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
