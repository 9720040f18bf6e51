// Requests for cover, and the people who are asked. No foreign keys to people: a request that was
// answered outlives their memberships.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import {
  ANSWER_CHANNELS,
  REQUEST_ANSWERS,
  REQUEST_STATUSES,
} from "../../../domain/oncall/requests/cover-request.ts";
import { common, instant, stringList } from "../columns.ts";

/** Hours on call that are asked for, as notices list them. */
export type RequestedHours = {
  readonly startAt: number;
  readonly endAt: number;
  readonly layer: number;
  readonly scheduleIds: readonly string[];
};

export const coverRequests = sqliteTable(
  "cover_requests",
  {
    ...common(),
    /** Who is to be covered. */
    accountUserId: text("account_user_id").notNull(),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    /** Null: all schedules. */
    scheduleIds: text("schedule_ids", { mode: "json" }).$type<readonly string[]>(),
    /** Both null: nothing in return. */
    returnStartAt: instant("return_start_at"),
    returnEndAt: instant("return_end_at"),
    reason: text("reason"),
    /** `open` also after `expires_at`, until the request's object has noted it. */
    status: text("status", { enum: REQUEST_STATUSES }).notNull(),
    expiresAt: instant("expires_at").notNull(),
    /** When it was accepted, declined by everybody, cancelled or expired. */
    endedAt: instant("ended_at"),
    acceptedBy: text("accepted_by"),
    /** The covers that accepting has made. */
    coverIds: stringList("cover_ids"),
    /** What the person served in the time when it was asked for, or accepted. */
    hours: text("hours", { mode: "json" }).$type<readonly RequestedHours[]>().notNull(),
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
    answer: text("answer", { enum: REQUEST_ANSWERS }).notNull().default("pending"),
    answeredAt: instant("answered_at"),
    channel: text("channel", { enum: ANSWER_CHANNELS }),
  },
  (table) => [
    primaryKey({ columns: [table.requestId, table.accountUserId] }),
    index("cover_request_people_account").on(table.accountId, table.accountUserId),
  ],
);
