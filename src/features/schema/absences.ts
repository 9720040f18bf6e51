// Absences: when people are away, and who is on call instead; the people whom they ask.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { type ReleasedHours, SERVED_INSTEAD } from "../../domain/oncall/absences/absence.ts";
import { INSTEAD } from "../../domain/oncall/absences/absence-record.ts";
import { ANSWER_CHANNELS, ANSWERS, ASKING_STATUSES } from "../../domain/oncall/absences/asking.ts";
import { common, instant } from "../../kernel/db/columns.ts";
import { absenceCalendars } from "./calendar-imports.ts";
import { accountUsers } from "./people.ts";

/** Hours on call that are asked for, as notices list them. */
export type RequestedHours = {
  readonly startAt: number;
  readonly endAt: number;
  readonly layer: number;
  readonly scheduleIds: readonly string[];
};

export const absences = sqliteTable(
  "absences",
  {
    ...common(),
    /** Who is away. No reference: what was asked outlives their membership. */
    accountUserId: text("account_user_id").notNull(),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    /** Null: all schedules. */
    scheduleIds: text("schedule_ids", { mode: "json" }).$type<readonly string[]>(),
    reason: text("reason"),
    instead: text("instead", { enum: INSTEAD }).notNull(),
    coveringAccountUserId: text("covering_account_user_id").references(() => accountUsers.id, {
      onDelete: "set null",
    }),
    /** When a person last decided it: newer overrides by hand stay. */
    decidedAt: instant("decided_at").notNull(),
    /** It changes nobody's hours before: they are as they were served. */
    servesFrom: instant("serves_from").notNull().default(0),
    /** Hours that it leaves to the absent person: only of covers of former versions. */
    released: text("released", { mode: "json" })
      .$type<readonly ReleasedHours[]>()
      .notNull()
      .default([]),
    absenceCalendarId: text("absence_calendar_id").references(() => absenceCalendars.id, {
      onDelete: "cascade",
    }),
    /** Identifies it in the calendar. */
    calendarKey: text("calendar_key"),
    /** The absence whose acceptance made this one. No reference: it outlives that one. */
    returnOf: text("return_of"),
    /**
     * Null unless people are asked, like all that follow. `open` also after `asking_expires_at`, until
     * the object of the absence has noted it.
     */
    askingStatus: text("asking_status", { enum: ASKING_STATUSES }),
    /** When people were asked: an absence may ask again. */
    askedAt: instant("asked_at"),
    askingExpiresAt: instant("asking_expires_at"),
    /** When it was accepted, declined by everybody, cancelled or expired. */
    askingEndedAt: instant("asking_ended_at"),
    /** Both null: nothing in return. */
    returnStartAt: instant("return_start_at"),
    returnEndAt: instant("return_end_at"),
    /** What the person served in the time when people were asked, or somebody accepted. */
    hours: text("hours", { mode: "json" }).$type<readonly RequestedHours[]>(),
  },
  (table) => [
    uniqueIndex("absences_prefix_id").on(table.accountId, table.prefixId),
    index("absences_created").on(table.accountId, table.createdAt, table.id),
    index("absences_person").on(table.accountUserId, table.endAt),
    index("absences_end").on(table.accountId, table.endAt),
    index("absences_decided").on(table.accountId, table.endAt).where(sql`instead <> 'nobody_yet'`),
    // For the triggers: whether somebody's absence may concern whoever is next in line.
    index("absences_next_in_line")
      .on(table.accountId, table.endAt)
      .where(sql`instead = 'next_in_line'`),
    index("absences_covering")
      .on(table.coveringAccountUserId)
      .where(sql`covering_account_user_id is not null`),
    index("absences_calendar")
      .on(table.absenceCalendarId)
      .where(sql`absence_calendar_id is not null`),
  ],
);

/** The people who are asked. No reference to them: their answers outlive their memberships. */
export const absencePeople = sqliteTable(
  "absence_people",
  {
    accountId: text("account_id").notNull(),
    absenceId: text("absence_id")
      .notNull()
      .references(() => absences.id, { onDelete: "cascade" }),
    accountUserId: text("account_user_id").notNull(),
    position: integer("position").notNull(),
    answer: text("answer", { enum: ANSWERS }).notNull().default("pending"),
    answeredAt: instant("answered_at"),
    channel: text("channel", { enum: ANSWER_CHANNELS }),
  },
  (table) => [
    primaryKey({ columns: [table.absenceId, table.accountUserId] }),
    index("absence_people_account").on(table.accountId, table.accountUserId),
  ],
);

/**
 * What absences were before they changed or were deleted, in the hours that were served meanwhile. No
 * references: what was served stays.
 */
export const pastAbsences = sqliteTable(
  "past_absences",
  {
    accountId: text("account_id").notNull(),
    absenceId: text("absence_id").notNull(),
    accountUserId: text("account_user_id").notNull(),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    /** Former versions wrote `default` for `nobody_yet`, and `nobody` for `empty`. */
    instead: text("instead", { enum: SERVED_INSTEAD }).notNull(),
    coveringAccountUserId: text("covering_account_user_id"),
    /** Null: all schedules. */
    scheduleIds: text("schedule_ids", { mode: "json" }).$type<readonly string[]>(),
    decidedAt: instant("decided_at").notNull(),
    released: text("released", { mode: "json" }).$type<readonly ReleasedHours[]>().notNull(),
    /** When the person was away from; null: from `start_at` on. */
    since: instant("since"),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.endAt, table.absenceId, table.startAt] }),
  ],
);
