import { and } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { hashOfSecret, newSecret } from "../../../kernel/credentials.ts";
import { build } from "../../../kernel/db/database.ts";
import { retryOnConflict } from "../../../kernel/db/optimistic-retry.ts";
import { oneRecord, selectId } from "../../../kernel/db/records.ts";
import { commitChange, commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { calendarFeeds } from "../../schema/calendar-feeds.ts";
import type { CalendarFeed } from "./contract.ts";
import { accessibleFeeds } from "./feed-scope.ts";
import type { CreateFeed } from "./parameters.ts";
import { calendarFeedRecords, type FeedSource, insertFeed, sourceOf } from "./rows.ts";

type NewFeed = {
  /** The ULID of the new feed. */
  readonly id: string;
  /** The record whose shifts the feed shows. */
  readonly kind: FeedSource;
  readonly identifier: Identifier;
};

type CreatedFeed = {
  readonly record: CalendarFeed;
  /** Shown once: only its hash is stored. */
  readonly secret: string;
};

/**
 * Creates a calendar feed: a URL at which a calendar program reads on-call shifts without an API key
 * (contract 2, Calendar feeds).
 *
 * @returns the feed and the secret of its URL; 404 of the source
 */
export function createFeed(
  context: Context<MemberActor>,
  { id, kind, identifier }: NewFeed,
  body: CreateFeed,
): Promise<CreatedFeed | Refusal> {
  const { actor, env, now } = context;
  const { accountId, accountUserId: creatorId } = actor;
  return retryOnConflict(async () => {
    const secret = newSecret(env.LINK_SECRET, "feed");
    const feed = {
      id,
      accountId,
      creatorId,
      name: body.name ?? "",
      meta: body.meta ?? {},
      secretHash: hashOfSecret(secret),
    };
    const source = selectId(sourceOf(kind), accountId, identifier);
    const writes = [insertFeed(feed, kind, source, now)];
    const change = { verb: "create", records: calendarFeedRecords, id, before: null, writes };
    const { after } = await commitChange(context, change);
    return after ? { record: after, secret } : notFound(kind);
  });
}

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
