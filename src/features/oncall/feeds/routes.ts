// The routes of calendar feeds: URLs at which a calendar program reads on-call shifts without an API
// key (contract 2, Calendar feeds).
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made, many, noBody, one } from "../../../kernel/http/shown.ts";
import type { CalendarFeedWithUrl } from "./contract.ts";
import { accessibleFeeds } from "./feed-scope.ts";
import { CreateFeed } from "./parameters.ts";
import { calendarFeedRecords, type FeedSource } from "./rows.ts";
import { createFeed, revokeFeed } from "./verbs.ts";

/** The route that creates a feed of a record. */
function createRoute<const Path extends string>(
  kind: FeedSource,
  path: Path,
  { operation, noun }: Record<"operation" | "noun", string>,
) {
  return route({
    method: "POST",
    path: `${path}/:id/feeds`,
    operation,
    allow: "everyone",
    summary: `Create a calendar feed of ${noun}`,
    description: "The response contains the `url`. It is shown only once.",
    shows: made(calendarFeedRecords, "CalendarFeedWithUrl"),
    refuses: ["conflict"],
    body: CreateFeed,
    keepsNoAnswer: true,
    handle: onRecord(kind, async (request, identifier) => {
      const source = { id: request.recordId, kind, identifier };
      const feed = await createFeed(request, source, request.body);
      if (isRefusal(feed)) return feed;
      const url = `${request.origin}/feeds/${feed.secret}.ics`;
      return created({ ...feed.record, url } satisfies CalendarFeedWithUrl);
    }),
  });
}

export const calendarFeedRoutes = [
  createRoute("schedule", "/schedules", {
    operation: "createScheduleFeed",
    noun: "a schedule",
  }),
  createRoute("team", "/teams", {
    operation: "createTeamFeed",
    noun: "a team's schedule",
  }),
  createRoute("account_user", "/account_users", {
    operation: "createAccountUserFeed",
    noun: "a person's shifts",
  }),
  route({
    method: "GET",
    path: "/feeds",
    operation: "listFeeds",
    allow: "everyone",
    summary: "List calendar feeds",
    shows: many(calendarFeedRecords),
    handle: (request) => {
      const scope = accessibleFeeds(request.actor);
      return listRecords(request, calendarFeedRecords, scope ? { scope } : {});
    },
  }),
  route({
    method: "GET",
    path: "/feeds/:id",
    operation: "getFeed",
    allow: "everyone",
    summary: "Get a calendar feed",
    shows: one(calendarFeedRecords),
    handle: onRecord("calendar_feed", async ({ db, actor }, identifier) => {
      const scope = accessibleFeeds(actor);
      return found(await readRecord(db, calendarFeedRecords, actor.accountId, identifier, scope));
    }),
  }),
  route({
    method: "DELETE",
    path: "/feeds/:id",
    operation: "revokeFeed",
    allow: "everyone",
    summary: "Revoke a calendar feed",
    shows: noBody,
    handle: onRecord("calendar_feed", async (request, identifier) =>
      deleted(await revokeFeed(request, identifier)),
    ),
  }),
];
