// Teams, schedules, escalation policies and on-call events.
import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import { NOTIFICATION_AUDIENCES, TEAM_RELATIONS } from "../../domain/oncall/audiences.ts";
import {
  CONTINUED_TURNS,
  FREQUENCY_UNITS,
  type OnCallAttendee,
  type Restriction,
  type TurnPosition,
} from "../../domain/oncall/on-call-event.ts";
import { common, flag, identity, instant } from "../../kernel/db/columns.ts";
import { accountUsers } from "./people.ts";

export const schedules = sqliteTable(
  "schedules",
  { ...common(), name: text("name").notNull() },
  (table) => [
    uniqueIndex("schedules_prefix_id").on(table.accountId, table.prefixId),
    index("schedules_created").on(table.accountId, table.createdAt, table.id),
  ],
);

export const escalationPolicies = sqliteTable(
  "escalation_policies",
  {
    ...common(),
    name: text("name").notNull(),
    /** 0 to 3 more passes after the last layer. */
    repeat: integer("repeat").notNull().default(0),
  },
  (table) => [
    uniqueIndex("escalation_policies_prefix_id").on(table.accountId, table.prefixId),
    index("escalation_policies_created").on(table.accountId, table.createdAt, table.id),
  ],
);

export const escalationLayers = sqliteTable(
  "escalation_layers",
  {
    ...identity(),
    accountId: text("account_id").notNull(),
    escalationPolicyId: text("escalation_policy_id")
      .notNull()
      .references(() => escalationPolicies.id, { onDelete: "cascade" }),
    layer: integer("layer").notNull(),
    timeout: integer("timeout").notNull(),
    timeoutUnit: text("timeout_unit", { enum: ["seconds", "minutes", "hours", "days"] })
      .notNull()
      .default("minutes"),
    colorHex: text("color_hex"),
  },
  (table) => [
    uniqueIndex("escalation_layers_policy").on(
      table.accountId,
      table.escalationPolicyId,
      table.layer,
    ),
  ],
);

/** Teams or account users to whom an exhausted policy hands off the alert. */
export const escalationReassignments = sqliteTable(
  "escalation_reassignments",
  {
    accountId: text("account_id").notNull(),
    escalationPolicyId: text("escalation_policy_id")
      .notNull()
      .references(() => escalationPolicies.id, { onDelete: "cascade" }),
    receiverType: text("receiver_type", { enum: ["team", "account_user"] }).notNull(),
    receiverId: text("receiver_id").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.escalationPolicyId, table.receiverType, table.receiverId] }),
    index("escalation_reassignments_receiver").on(table.accountId, table.receiverId),
  ],
);

export const teams = sqliteTable(
  "teams",
  {
    ...common(),
    name: text("name").notNull(),
    notes: text("notes"),
    scheduleId: text("schedule_id").references(() => schedules.id),
    escalationPolicyId: text("escalation_policy_id").references(() => escalationPolicies.id),
    dropNotifications: text("drop_notifications", { enum: NOTIFICATION_AUDIENCES })
      .notNull()
      .default("team_admins"),
    handoffNotifications: text("handoff_notifications", { enum: NOTIFICATION_AUDIENCES })
      .notNull()
      .default("none"),
    gapNotifications: text("gap_notifications", { enum: NOTIFICATION_AUDIENCES })
      .notNull()
      .default("team_admins"),
    attachments: text("attachments", { mode: "json" })
      .$type<readonly { filename: string; url: string }[]>()
      .notNull()
      .default([]),
  },
  (table) => [
    uniqueIndex("teams_prefix_id").on(table.accountId, table.prefixId),
    index("teams_created").on(table.accountId, table.createdAt, table.id),
    index("teams_schedule").on(table.accountId, table.scheduleId),
    index("teams_policy").on(table.accountId, table.escalationPolicyId),
  ],
);

/** The people of a team by relation; a person may have several. */
export const teamPeople = sqliteTable(
  "team_people",
  {
    accountId: text("account_id").notNull(),
    teamId: text("team_id")
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    relation: text("relation", { enum: TEAM_RELATIONS }).notNull(),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.teamId, table.relation, table.accountUserId] }),
    index("team_people_person").on(table.accountId, table.accountUserId),
  ],
);

export const events = sqliteTable(
  "events",
  {
    ...common(),
    /** The id of the event that the series began with. Always set: a trigger does so for the previous version. */
    seriesId: text("series_id"),
    /** For an override: the event that it was made by. */
    parentId: text("parent_id"),
    /** Read by the previous version only: drop it in the next release. */
    overriddenStartAt: instant("overridden_start_at"),
    startAt: instant("start_at").notNull(),
    endAt: instant("end_at").notNull(),
    layer: integer("layer").notNull(),
    /** A name from the time zone list, not an IANA name. */
    timeZone: text("time_zone").notNull(),
    repeat: flag("repeat").notNull().default(false),
    frequency: integer("frequency"),
    frequencyUnit: text("frequency_unit", { enum: FREQUENCY_UNITS }),
    daysOfWeek: text("days_of_week", { mode: "json" })
      .$type<readonly number[]>()
      .notNull()
      .default([]),
    /** Includes the local day it falls on. */
    repeatEndAt: instant("repeat_end_at"),
    /** Exclusive end, set by `terminate_on`. */
    cutAt: instant("cut_at"),
    /** No occurrence starts before it. */
    beginsAt: instant("begins_at"),
    /** How the turns go on with those of another series; null: the rotation begins anew. */
    continues: text("continues", { enum: CONTINUED_TURNS }),
    rotation: flag("rotation").notNull().default(false),
    /** Offset added to the turn of each occurrence of a rotation. */
    turnOffset: integer("turn_offset").notNull().default(0),
    /** Positions of a rotation without a person. */
    emptyPositions: text("empty_positions", { mode: "json" })
      .$type<readonly number[]>()
      .notNull()
      .default([]),
    /** The hours of the week to which the occurrences are restricted. */
    restrictions: text("restrictions", { mode: "json" })
      .$type<readonly Restriction[]>()
      .notNull()
      .default([]),
    priority: integer("priority").notNull().default(0),
    /** The calendar import that owns the shift. Other writes leave it alone. */
    importId: text("import_id"),
    /** Identifies the shift in the imported calendar. */
    importKey: text("import_key"),
    /** Read by the version before only, as two below; these three leave with the next release. */
    coverId: text("cover_id"),
    /** For an override: whether its hours stay empty without people. */
    leavesEmpty: flag("leaves_empty").notNull().default(false),
    skipUnavailable: flag("skip_unavailable").notNull().default(false),
    absentAccountUserId: text("absent_account_user_id"),
    /** When a rotation began, or ceased, to skip who is away. */
    skipChanges: text("skip_changes", { mode: "json" })
      .$type<readonly number[]>()
      .notNull()
      .default([]),
  },
  (table) => [
    uniqueIndex("events_prefix_id").on(table.accountId, table.prefixId),
    index("events_created").on(table.accountId, table.createdAt, table.id),
    index("events_series").on(table.accountId, table.seriesId),
    index("events_import").on(table.importId, table.endAt).where(sql`import_id is not null`),
    index("events_skip").on(table.accountId).where(sql`skip_changes <> '[]'`),
  ],
);

/** `active_until` of an event that never ends; later than any accepted instant. */
export const FOREVER = 9_007_199_254_740_991;

/**
 * The schedules of an event. `active_until` is derived from the event's rule and stored here so
 * that reading who is on call never reads ended events.
 */
export const eventSchedules = sqliteTable(
  "event_schedules",
  {
    accountId: text("account_id").notNull(),
    scheduleId: text("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    activeUntil: instant("active_until").notNull().default(FOREVER),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.scheduleId] }),
    index("event_schedules_active").on(table.accountId, table.scheduleId, table.activeUntil),
  ],
);

export const eventAttendees = sqliteTable(
  "event_attendees",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    accountUserId: text("account_user_id")
      .notNull()
      .references(() => accountUsers.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
  },
  (table) => [
    index("event_attendees_event").on(table.eventId, table.position),
    index("event_attendees_person").on(table.accountId, table.accountUserId),
  ],
);

/**
 * The rosters that served an event before its own, and those that do until a planned change. People
 * are not references, so that what they served stays after they have left.
 */
export const eventRosters = sqliteTable(
  "event_rosters",
  {
    accountId: text("account_id").notNull(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    untilAt: instant("until_at").notNull(),
    /** The end of the last occurrence that the roster, or its cut, affects. */
    activeUntil: instant("active_until").notNull(),
    rotation: flag("rotation").notNull(),
    turnOffset: integer("turn_offset").notNull(),
    attendees: text("attendees", { mode: "json" }).$type<readonly OnCallAttendee[]>().notNull(),
    emptyPositions: text("empty_positions", { mode: "json" }).$type<readonly number[]>().notNull(),
    /** Null: running occurrences are served to their end. */
    cuts: text("cuts", { mode: "json" }).$type<readonly TurnPosition[]>(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.untilAt] }),
    index("event_rosters_active").on(table.accountId, table.activeUntil),
  ],
);

export const eventExceptions = sqliteTable(
  "event_exceptions",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    eventId: text("event_id")
      .notNull()
      .references(() => events.id, { onDelete: "cascade" }),
    startAt: instant("start_at").notNull(),
  },
  (table) => [uniqueIndex("event_exceptions_event").on(table.eventId, table.startAt)],
);
