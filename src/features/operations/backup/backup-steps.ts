// The steps of a backup: which parts it has, and in which order they are read.
import { createHash } from "node:crypto";
import {
  BACKUP_FORMAT,
  BACKUP_OBJECTS,
  type BackupCursor,
  type BackupObjectKind,
} from "../../../domain/operations/backup/backup-format.ts";
import { type BackupTable, backupTables } from "./backup-tables.ts";

/** The tables that alerts' objects write to: read after the objects, which may be ahead of others. */
const AFTER_OBJECTS: readonly string[] = ["alert_timelines", "notifications", "deliveries", "logs"];

export type BackupStep =
  | { readonly kind: "secrets" }
  | { readonly kind: "table"; readonly table: BackupTable }
  | { readonly kind: "objects"; readonly of: BackupObjectKind };

const tableStep = (table: BackupTable): BackupStep => ({ kind: "table", table });
const isAfterObjects = ({ name }: BackupTable) => AFTER_OBJECTS.includes(name);

const deriveSteps = (): readonly BackupStep[] => [
  { kind: "secrets" },
  ...backupTables()
    .filter((it) => !isAfterObjects(it))
    .map(tableStep),
  ...BACKUP_OBJECTS.map((of): BackupStep => ({ kind: "objects", of })),
  ...backupTables().filter(isAfterObjects).map(tableStep),
];

let steps: readonly BackupStep[] | undefined;

/** What is read, in this order. */
export function backupSteps(): readonly BackupStep[] {
  steps ??= deriveSteps();
  return steps;
}

/** A digest of the parts, their order, and that of their columns: only the same can be read as the same. */
export const backupLayout = (): string =>
  createHash("sha256")
    .update(JSON.stringify([BACKUP_FORMAT, backupSteps()]))
    .digest("hex");

/** The name of a step in parts: `secrets`, the table's, or `objects.<kind>`. */
export function nameOfStep(step: BackupStep): string {
  if (step.kind === "table") return step.table.name;
  return step.kind === "secrets" ? "secrets" : `objects.${step.of}`;
}

/** The first cursor, or the one after the last part of a step; null: nothing is left. */
export function nextStep(step: string | null): BackupCursor | null {
  const index = step === null ? -1 : backupSteps().findIndex((it) => nameOfStep(it) === step);
  const next = backupSteps()[index + 1];
  return next === undefined ? null : { step: nameOfStep(next), after: null };
}

/** The step of this name; null if there is none. */
export const stepNamed = (name: string): BackupStep | null =>
  backupSteps().find((it) => nameOfStep(it) === name) ?? null;

/** Whether a part has plain lines, and secret ones: the code says so, never the backup. */
export function linesExpectedOf(step: BackupStep): {
  readonly plain: boolean;
  readonly secret: boolean;
} {
  if (step.kind !== "table") return { plain: false, secret: true };
  return { plain: true, secret: step.table.secret.length > 0 };
}
