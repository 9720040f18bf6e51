import { and } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { build } from "../../../kernel/db/database.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { calendarFeeds } from "../../schema/calendar-feeds.ts";
import { calendarFeedRecords } from "./calendar-feed-records.ts";
import { accessibleFeeds } from "./feed-scope.ts";

/**
 * Deletes a calendar feed: its URL stops working at once.
 *
 * @returns null; 404, also for another member's feed unless the actor is an admin
 */
export async function revokeFeed(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = accessibleFeeds(actor);
  const concerned = and(oneRecord(calendarFeeds, actor.accountId, identifier), scope);
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: calendarFeedRecords,
    identifier,
    ...(scope && { scope }),
    writes: [build.delete(calendarFeeds).where(concerned)],
  });
  return before === null ? notFound("calendar_feed") : null;
}
