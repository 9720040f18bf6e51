// Broadcasts with their responses, and comments.
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { common, flag, identity, instant, stringList } from "../../kernel/db/columns.ts";

export const broadcasts = sqliteTable(
  "broadcasts",
  {
    ...common(),
    title: text("title").notNull(),
    description: text("description"),
    tags: stringList("tags"),
    status: text("status", { enum: ["queued", "open", "closed", "errored"] })
      .notNull()
      .default("queued"),
    responseRequested: flag("response_requested").notNull().default(false),
    responseRequestedBy: instant("response_requested_by"),
    destinationTeamIds: stringList("destination_team_ids"),
    destinationAccountUserIds: stringList("destination_account_user_ids"),
    accountUserId: text("account_user_id"),
  },
  (table) => [
    uniqueIndex("broadcasts_prefix_id").on(table.accountId, table.prefixId),
    index("broadcasts_created").on(table.accountId, table.createdAt, table.id),
  ],
);

export const broadcastResponseOptions = sqliteTable(
  "broadcast_response_options",
  {
    ...identity(),
    accountId: text("account_id").notNull(),
    broadcastId: text("broadcast_id")
      .notNull()
      .references(() => broadcasts.id, { onDelete: "cascade" }),
    value: text("value").notNull(),
    position: integer("position").notNull(),
  },
  (table) => [index("broadcast_response_options_broadcast").on(table.broadcastId, table.position)],
);

export const broadcastResponses = sqliteTable(
  "broadcast_responses",
  {
    ...identity(),
    accountId: text("account_id").notNull(),
    broadcastId: text("broadcast_id")
      .notNull()
      .references(() => broadcasts.id, { onDelete: "cascade" }),
    accountUserId: text("account_user_id").notNull(),
    broadcastResponseOptionId: text("broadcast_response_option_id").notNull(),
    channel: text("channel").notNull(),
  },
  (table) => [uniqueIndex("broadcast_responses_person").on(table.broadcastId, table.accountUserId)],
);

export const comments = sqliteTable(
  "comments",
  {
    ...common(),
    body: text("body").notNull(),
    commentableType: text("commentable_type"),
    commentableId: text("commentable_id"),
    parentId: text("parent_id"),
    accountUserId: text("account_user_id"),
    createdByName: text("created_by_name"),
  },
  (table) => [
    uniqueIndex("comments_prefix_id").on(table.accountId, table.prefixId),
    index("comments_created").on(table.accountId, table.createdAt, table.id),
    index("comments_commentable").on(table.accountId, table.commentableId, table.createdAt),
  ],
);
