// What the compiler refuses of a record's columns: checked by `npm run types`, where an unused `@ts-expect-error` is a
// fault. Nothing here runs.
import { sql } from "drizzle-orm";
import type { AnswerName } from "../../src/contract/answers.ts";
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
} from "../../src/db/records/attributes.ts";
import type { Records } from "../../src/db/records/records.ts";
import { alerts } from "../../src/db/schema/alerts.ts";
import { schedules, teams } from "../../src/db/schema/oncall.ts";

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

const right = {
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

/** Every field, each of its type: this compiles. */
export const complete: AttributesOf<Shown> = right;

const { url: _, ...withoutUrl } = right;
// @ts-expect-error a field is missing, although some callers are not shown it
export const missing: AttributesOf<Shown> = withoutUrl;

// @ts-expect-error a field that the contract does not have
export const extra: AttributesOf<Shown> = { ...right, other: string(teams.name) };

// @ts-expect-error the column may be null, the field may not
export const nullable: AttributesOf<Shown> = { ...right, name: string(teams.notes) };

// @ts-expect-error the field may be null, the column never is
export const neverNull: AttributesOf<Shown> = { ...right, notes: string(teams.name) };

// @ts-expect-error an expression that says nothing of its type
export const untyped: AttributesOf<Shown> = { ...right, name: string(sql`'x'`) };

// @ts-expect-error any text, where the contract names a few words
export const anyWord: AttributesOf<Shown> = { ...right, drop_notifications: string(teams.name) };

// @ts-expect-error a number shown as a text
export const wrongKind: AttributesOf<Shown> = { ...right, version: instant(teams.createdAt) };

export const wrongShape: AttributesOf<Shown> = {
  ...right,
  // @ts-expect-error parsed JSON without one of its properties
  attachments: nestedAs(teams.attachments, (files) => files.map(({ url }) => ({ url }))),
};

export const hidden: Records<"Schedule"> = {
  kind: "schedule",
  shows: "Schedule",
  from: schedules,
  accountId: schedules.accountId,
  id: schedules.id,
  prefixId: schedules.prefixId,
  // @ts-expect-error a record of the contract without its name
  attributes: commonAttributes(schedules),
  search: [],
  total: "schedules",
};

/** A reference keeps the nullability of its column. */
export const references: AttributesOf<{ schedule_id: string | null }> = {
  schedule_id: reference(teams.scheduleId, teams.accountId, schedules),
};

// @ts-expect-error no answer of this name
export const unknown: AnswerName = "Teem";
