// The history: every change of configuration, written in the transaction of the change. People,
// events and schedules are not references: history outlives them.
import { sql } from "drizzle-orm";
import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  CHANGE_AUTHORS,
  FORMER_KINDS,
  IRREVERSIBLE_REASONS,
  RECORDED_KINDS,
} from "../../domain/oncall/changes/history-entry.ts";
import { flag, instant, stringList } from "../../kernel/db/columns.ts";
import { prefixIdFrom } from "../../kernel/db/prefix-id.ts";

/** WITHOUT ROWID: an entry is one row; it is updated once, after the writes of its change. */
export const changes = sqliteTable(
  "changes",
  {
    accountId: text("account_id").notNull(),
    /** A dated ULID. */
    id: text("id").notNull(),
    prefixId: text("prefix_id")
      .notNull()
      .generatedAlwaysAs(prefixIdFrom("change", sql`id`), { mode: "virtual" }),
    createdAt: instant("created_at").notNull(),
    actorKind: text("actor_kind", { enum: CHANGE_AUTHORS }).notNull(),
    accountUserId: text("account_user_id"),
    /** The API key or the integration. */
    actorId: text("actor_id"),
    verb: text("verb").notNull(),
    kind: text("kind", { enum: [...RECORDED_KINDS, ...FORMER_KINDS] }).notNull(),
    recordId: text("record_id").notNull(),
    name: text("name"),
    /** Names of fields that an update changed. Their values are not stored: they may be secrets. */
    fields: text("fields", { mode: "json" }).$type<readonly string[]>(),
    /** The events that the change made, changed or deleted. */
    eventIds: stringList("event_ids"),
    /** The same, and the events that these override: earlier changes of any of them cannot be undone. */
    dependsOn: stringList("depends_on"),
    /** The schedules of these events before and after, and others that the change concerns. */
    scheduleIds: stringList("schedule_ids"),
    /** The entry that this change undid. */
    undoesId: text("undoes_id"),
    undoneById: text("undone_by_id"),
    /** Why the change cannot be undone; null: it can, unless a later change depends on it. */
    irreversible: text("irreversible", { enum: IRREVERSIBLE_REASONS }),
    /** Whether it was to change who was on call before it. */
    correctsPast: flag("corrects_past").notNull().default(false),
    /**
     * What an undo needs of the record before the change (JSON); null: it is new, or not needed. Of a
     * take-over `{"relieved": [...]}`: the account users who may undo it besides who made it.
     */
    recordBefore: text("record_before"),
    /** The same after it, where an undo takes back only what the change did. */
    recordAfter: text("record_after"),
    /** The rows of the events before and after the change (JSON); null: too large. */
    before: text("before"),
    after: text("after"),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.id] })],
);

/** Which schedules an entry is shown for. WITHOUT ROWID. */
export const changeSchedules = sqliteTable(
  "change_schedules",
  {
    accountId: text("account_id").notNull(),
    scheduleId: text("schedule_id").notNull(),
    changeId: text("change_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.scheduleId, table.changeId] })],
);
