// What absences were before they were one record. Read by the version before only: these tables leave
// with the next release.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { common, instant, stringList } from "../../kernel/db/columns.ts";
import { absenceCalendars } from "./calendar-imports.ts";
import { accountUsers } from "./people.ts";

export const covers = sqliteTable(
  "covers",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    coveredBy: text("covered_by").notNull(),
    coveringAccountUserId: text("covering_account_user_id").references(() => accountUsers.id, {
      onDelete: "set null",
    }),
    scheduleIds: text("schedule_ids"),
    reason: text("reason"),
    decidedAt: instant("decided_at").notNull(),
    servesFrom: instant("serves_from").notNull().default(0),
    released: text("released", { mode: "json" }).notNull().default([]),
  },
  (table) => [
    uniqueIndex("covers_prefix_id").on(table.accountId, table.prefixId),
    index("covers_created").on(table.accountId, table.createdAt, table.id),
    index("covers_end").on(table.accountId, table.endAt),
    index("covers_next_in_line")
      .on(table.accountId, table.endAt)
      .where(sql`covered_by = 'next_in_line'`),
    index("covers_covering")
      .on(table.coveringAccountUserId)
      .where(sql`covering_account_user_id is not null`),
  ],
);

export const unavailabilities = sqliteTable(
  "unavailabilities",
  {
    ...common(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    servesFrom: instant("serves_from").notNull().default(0),
    reason: text("reason"),
    absenceCalendarId: text("absence_calendar_id").references(() => absenceCalendars.id, {
      onDelete: "cascade",
    }),
    calendarKey: text("calendar_key"),
  },
  (table) => [
    uniqueIndex("unavailabilities_prefix_id").on(table.accountId, table.prefixId),
    index("unavailabilities_created").on(table.accountId, table.createdAt, table.id),
    index("unavailabilities_person").on(table.accountUserId, table.endAt),
    index("unavailabilities_end").on(table.accountId, table.endAt),
    index("unavailabilities_calendar").on(table.absenceCalendarId),
  ],
);

export const coverRequests = sqliteTable(
  "cover_requests",
  {
    ...common(),
    accountUserId: text("account_user_id").notNull(),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    scheduleIds: text("schedule_ids"),
    returnStartAt: instant("return_start_at"),
    returnEndAt: instant("return_end_at"),
    reason: text("reason"),
    status: text("status").notNull(),
    expiresAt: instant("expires_at").notNull(),
    endedAt: instant("ended_at"),
    acceptedBy: text("accepted_by"),
    coverIds: stringList("cover_ids"),
    hours: text("hours").notNull(),
  },
  (table) => [
    uniqueIndex("cover_requests_prefix_id").on(table.accountId, table.prefixId),
    index("cover_requests_created").on(table.accountId, table.createdAt, table.id),
    index("cover_requests_open")
      .on(table.accountId, table.accountUserId)
      .where(sql`status = 'open'`),
  ],
);

export const coverRequestPeople = sqliteTable(
  "cover_request_people",
  {
    accountId: text("account_id").notNull(),
    requestId: text("request_id").notNull(),
    accountUserId: text("account_user_id").notNull(),
    position: integer("position").notNull(),
    answer: text("answer").notNull().default("pending"),
    answeredAt: instant("answered_at"),
    channel: text("channel"),
  },
  (table) => [
    primaryKey({ columns: [table.requestId, table.accountUserId] }),
    index("cover_request_people_account").on(table.accountId, table.accountUserId),
  ],
);
