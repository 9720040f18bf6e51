// Calendar feeds: URLs at which a calendar program reads on-call shifts without an API key
// (contract 2, Calendar feeds). The secret in the URL is shown once, in the response that creates
// the feed; only its hash is stored.
import { createHash, randomBytes } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { CalendarFeedWithUrl } from "../../../contract/oncall/calendar-feed.ts";
import { CreateFeed } from "../../../contract/oncall/calendar-feed-parameters.ts";
import {
  commonAttributes,
  type RawRow,
  reference,
  string,
} from "../../../db/records/attributes.ts";
import { identified, type Records, selectId } from "../../../db/records/records.ts";
import { calendarFeeds } from "../../../db/schema/calendar-feeds.ts";
import { schedules, teams } from "../../../db/schema/oncall.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { statement } from "../../../db/shared/database.ts";
import { newIdentity } from "../../../db/shared/identifiers.ts";
import { retryOnConflict } from "../../../db/shared/optimistic-retry.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { isRefusal, notFound } from "../../../domain/shared/refusal.ts";
import { type Answer, created, found, nothing } from "../../../http/answers.ts";
import { listRecords, pathIdentifier, readRecord, writeAndRead } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { made, many, noBody, one } from "../../../http/shown.ts";

// ── Shape ──

/**
 * The records a feed can belong to: the path that creates it, and the column that refers to the
 * record.
 */
const SOURCES = {
  schedule: { path: "/schedules", type: "Schedule", table: schedules, column: "scheduleId" },
  team: { path: "/teams", type: "Team", table: teams, column: "teamId" },
  account_user: {
    path: "/account_users",
    type: "AccountUser",
    table: accountUsers,
    column: "personId",
  },
} as const;
type SourceKind = keyof typeof SOURCES;

// ── Rows ──

const { scheduleId, teamId, personId } = calendarFeeds;

const sourceType = sql<
  (typeof SOURCES)[SourceKind]["type"]
>`case when ${scheduleId} is not null then ${SOURCES.schedule.type}
  when ${teamId} is not null then ${SOURCES.team.type} else ${SOURCES.account_user.type} end`;

const calendarFeedRecords: Records<"CalendarFeed"> = {
  kind: "calendar_feed",
  shows: "CalendarFeed",
  from: calendarFeeds,
  accountId: calendarFeeds.accountId,
  id: calendarFeeds.id,
  prefixId: calendarFeeds.prefixId,
  attributes: {
    ...commonAttributes(calendarFeeds),
    name: string(calendarFeeds.name),
    /** The account user who created it. */
    account_user_id: reference(calendarFeeds.accountUserId, calendarFeeds.accountId, accountUsers),
    source_type: string(sourceType),
    source_id: reference(
      sql<string>`coalesce(${scheduleId}, ${teamId}, ${personId})`,
      calendarFeeds.accountId,
      schedules,
      teams,
      accountUsers,
    ),
  },
  search: [calendarFeeds.name],
  total: "calendar_feeds",
};

/** The stored form of a feed's secret: SHA-256, hexadecimal. */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Inserts a feed of the record that `source` selects; inserts nothing when it selects none. */
function insertFeed(
  request: ApiRequest<CreateFeed>,
  column: SQLiteColumn,
  source: SQL,
  secretHash: string,
): SQL {
  const { actor, now, body, recordId } = request;
  const { id, prefixId } = newIdentity("calendar_feed", now, recordId);
  return sql`insert into ${calendarFeeds} (id, prefix_id, created_at, updated_at, account_id, meta,
      name, account_user_id, secret_hash, ${sql.identifier(column.name)})
    select ${id}, ${prefixId}, ${now}, ${now}, ${actor.accountId},
      ${JSON.stringify(body.meta ?? {})}, ${body.name ?? ""}, ${actor.accountUserId},
      ${secretHash}, source.id
    from (${source}) as source`;
}

// ── Rules ──

/** The feeds an actor can access: all of the account for an admin (undefined), else their own. */
const scopeOf = ({ roles, accountUserId }: MemberActor): SQL | undefined =>
  roles.admin ? undefined : eq(calendarFeeds.accountUserId, accountUserId);

// ── Routes ──

async function create(request: ApiRequest<CreateFeed>, kind: SourceKind): Promise<Answer> {
  const { db, actor, origin, recordId } = request;
  const { accountId } = actor;
  const identifier = pathIdentifier(request, kind);
  if (isRefusal(identifier)) return identifier;
  const { table, column } = SOURCES[kind];
  const { id, prefixId } = table;
  const place = { kind, from: table, accountId: table.accountId, id, prefixId };
  const source = selectId(place, accountId, identifier);
  const secret = randomBytes(32).toString("base64url");
  const insert = insertFeed(request, calendarFeeds[column], source, hashOfSecret(secret));
  const feed = { form: "id", value: recordId } as const;
  const record = await writeAndRead(db, [insert], calendarFeedRecords, accountId, feed);
  if (isRefusal(record)) return notFound(kind);
  return created<CalendarFeedWithUrl>({ ...record, url: `${origin}/feeds/${secret}.ics` });
}

async function get(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "calendar_feed");
  if (isRefusal(identifier)) return identifier;
  const scope = scopeOf(actor);
  const record = await readRecord(db, calendarFeedRecords, actor.accountId, identifier, scope);
  return isRefusal(record) ? record : found(record);
}

async function revoke(request: ApiRequest): Promise<Answer> {
  const { db, actor } = request;
  const identifier = pathIdentifier(request, "calendar_feed");
  if (isRefusal(identifier)) return identifier;
  const concerned = and(
    eq(calendarFeeds.accountId, actor.accountId),
    identified(calendarFeeds, identifier),
    scopeOf(actor),
  );
  const deletion = sql`delete from ${calendarFeeds} where ${concerned}
    returning ${calendarFeeds.id} as id`;
  const revoked = await statement(db, deletion).first<RawRow>();
  return revoked ? nothing : notFound("calendar_feed");
}

function createRoute(kind: SourceKind, operation: string, noun: string): DeclaredRoute {
  return route({
    method: "POST",
    path: `${SOURCES[kind].path}/:id/feeds`,
    operation,
    summary: `Create a calendar feed of ${noun}`,
    description: "The response contains the `url`. It is shown only once.",
    shows: made(calendarFeedRecords, "CalendarFeedWithUrl"),
    refuses: ["conflict"],
    body: CreateFeed,
    keepsNoAnswer: true,
    handle: (request) => retryOnConflict(() => create(request, kind)),
  });
}

export const calendarFeedRoutes: readonly DeclaredRoute[] = [
  createRoute("schedule", "createScheduleFeed", "a schedule"),
  createRoute("team", "createTeamFeed", "a team's schedule"),
  createRoute("account_user", "createAccountUserFeed", "a person's shifts"),
  route({
    method: "GET",
    path: "/feeds",
    operation: "listFeeds",
    summary: "List calendar feeds",
    shows: many(calendarFeedRecords),
    handle: (request) => {
      const scope = scopeOf(request.actor);
      return listRecords(request, calendarFeedRecords, scope ? { scope } : {});
    },
  }),
  route({
    method: "GET",
    path: "/feeds/:id",
    operation: "getFeed",
    summary: "Get a calendar feed",
    shows: one(calendarFeedRecords),
    handle: get,
  }),
  route({
    method: "DELETE",
    path: "/feeds/:id",
    operation: "revokeFeed",
    summary: "Revoke a calendar feed",
    shows: noBody,
    handle: revoke,
  }),
];
