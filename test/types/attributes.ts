// Compile-time tests of the attributes of a record: `npm run types` fails on an unused `@ts-expect-error`. Nothing
// here runs.
import { sql } from "drizzle-orm";
import type { AnswerName } from "../../src/features/answers.ts";
import { alerts } from "../../src/features/schema/alerts.ts";
import { maintenanceWindows } from "../../src/features/schema/integrations.ts";
import { schedules, teams } from "../../src/features/schema/oncall.ts";
import {
  type AttributesOf,
  boolean,
  commonAttributes,
  instant,
  list,
  nested,
  nestedAs,
  number,
  reference,
  string,
} from "../../src/kernel/db/attributes.ts";
import { plainAttributes } from "../../src/kernel/db/plain-attributes.ts";
import type { Records } from "../../src/kernel/db/records.ts";

type Shown = {
  name: string;
  notes: string | null;
  drop_notifications: (typeof teams.dropNotifications)["enumValues"][number];
  attachments: readonly { filename: string; url: string }[];
  created_at: string;
  acknowledged_at: string | null;
  tags: readonly string[];
  version: number;
  incident: boolean;
  url?: string;
};

const valid = {
  name: string(teams.name),
  notes: string(teams.notes),
  drop_notifications: string(teams.dropNotifications),
  attachments: nested(teams.attachments),
  created_at: instant(teams.createdAt),
  acknowledged_at: instant(alerts.acknowledgedAt),
  tags: list(alerts.tags),
  version: number(alerts.version),
  incident: boolean(alerts.incident),
  url: string(sql<string>`'https://example.com'`),
};

/** Every field with its type compiles. */
export const complete: AttributesOf<Shown> = valid;

const { url: _, ...withoutUrl } = valid;
// @ts-expect-error a field is missing; it is required although some callers do not see it
export const missing: AttributesOf<Shown> = withoutUrl;

// @ts-expect-error a field that the contract does not have
export const extra: AttributesOf<Shown> = { ...valid, other: string(teams.name) };

// @ts-expect-error the column is nullable, the field is not
export const nullable: AttributesOf<Shown> = { ...valid, name: string(teams.notes) };

// @ts-expect-error the field is nullable, the column is not
export const neverNull: AttributesOf<Shown> = { ...valid, notes: string(teams.name) };

// @ts-expect-error an SQL expression without a type
export const untyped: AttributesOf<Shown> = { ...valid, name: string(sql`'x'`) };

// @ts-expect-error any string, where the contract has an enum
export const anyWord: AttributesOf<Shown> = { ...valid, drop_notifications: string(teams.name) };

// @ts-expect-error a timestamp, where the contract has a number
export const wrongKind: AttributesOf<Shown> = { ...valid, version: instant(teams.createdAt) };

export const wrongShape: AttributesOf<Shown> = {
  ...valid,
  // @ts-expect-error the parsed JSON lacks a property
  attachments: nestedAs(teams.attachments, (files) => files.map(({ url }) => ({ url }))),
};

export const hidden: Records<"Schedule"> = {
  kind: "schedule",
  shows: "Schedule",
  from: schedules,
  accountId: schedules.accountId,
  id: schedules.id,
  prefixId: schedules.prefixId,
  // @ts-expect-error the record's attributes lack its name
  attributes: commonAttributes(schedules),
  search: [],
  total: "schedules",
};

/** A reference keeps the nullability of its column. */
export const references: AttributesOf<{ schedule_id: string | null }> = {
  schedule_id: reference(teams.scheduleId, teams.accountId, schedules),
};

// @ts-expect-error the contract has no answer of this name
export const unknown: AnswerName = "Teem";

/** The columns of a window's times are shown otherwise. */
export const plain = plainAttributes("MaintenanceWindow", maintenanceWindows, [
  "start_at",
  "end_at",
]);

// @ts-expect-error `end_at` is neither shown nor hidden
export const forgotten = plainAttributes("MaintenanceWindow", maintenanceWindows, ["start_at"]);

// @ts-expect-error the table has no such column
export const noColumn = plainAttributes("Team", teams, ["no_such_column"]);

export const ofColumns: AttributesOf<{ description: string | null; created_at: string }> = {
  ...plain,
};

// @ts-expect-error the column is nullable, the field is not
export const neverNullEither: AttributesOf<{ description: string }> = { ...plain };
