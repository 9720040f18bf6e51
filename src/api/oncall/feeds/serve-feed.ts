// Serves calendar feeds, authorized only by the secret in the path. Shows names, never contact
// addresses. Uses the calculation that pages, in two round trips.
import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import type { Context } from "hono";
import { selectOnCallEvents, toOnCallEvents } from "../../../db/oncall/oncall-rows.ts";
import { membersFrom } from "../../../db/people/member-attributes.ts";
import { memberName } from "../../../db/people/recipient-rows.ts";
import type { RawRow } from "../../../db/records/attributes.ts";
import { calendarFeeds } from "../../../db/schema/calendar-feeds.ts";
import { eventAttendees, eventSchedules, schedules, teams } from "../../../db/schema/oncall.ts";
import { accountUsers } from "../../../db/schema/people.ts";
import { type Connection, openSession, statement } from "../../../db/shared/database.ts";
import {
  type FeedWindow,
  fitShifts,
  readFeedWindow,
  truncationNotice,
} from "../../../domain/oncall/feed-window.ts";
import { type OnCallEntry, onCallBetween } from "../../../domain/oncall/oncall.ts";
import { isRefusal, refuse } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { countFailure, lookUpCredential } from "../../../http/access/failure-limit.ts";
import { checkRateLimit } from "../../../http/access/rate-limit.ts";
import { respond } from "../../../http/answers.ts";
import type { Environment } from "../../../http/serve.ts";
import { hashOfSecret } from "./calendar-feeds.ts";
import { type CalendarShift, calendarText } from "./calendar-text.ts";

const UNKNOWN = refuse("not_found", "no such feed; it may have been revoked");

// ── Rows ──

type Feed = {
  readonly account_id: string;
  readonly name: string;
  readonly schedule_id: string | null;
  readonly person_id: string | null;
};

const selectFeed = (secretHash: string): SQL =>
  sql`select ${calendarFeeds.accountId} as account_id, ${calendarFeeds.personId} as person_id,
      coalesce(${calendarFeeds.scheduleId}, ${teams.scheduleId}) as schedule_id,
      coalesce(nullif(${calendarFeeds.name}, ''), ${teams.name},
        (select ${schedules.name} from ${schedules}
          where ${schedules.id} = ${calendarFeeds.scheduleId}),
        (select ${memberName} from ${membersFrom}
          where ${accountUsers.id} = ${calendarFeeds.personId}), '') as name
    from ${calendarFeeds} left join ${teams} on ${teams.id} = ${calendarFeeds.teamId}
    where ${calendarFeeds.secretHash} = ${secretHash}`;

/** Selects the schedules that contain the feed's shifts. */
function schedulesOf(feed: Feed): SQL {
  if (feed.person_id === null) return sql`select ${feed.schedule_id}`;
  return sql`select ${eventSchedules.scheduleId} from ${eventAttendees}
    join ${eventSchedules} on ${eventSchedules.eventId} = ${eventAttendees.eventId}
    where ${eventAttendees.accountId} = ${feed.account_id}
      and ${eventAttendees.accountUserId} = ${feed.person_id}`;
}

const selectNames = ({ account_id }: Feed, inSchedules: SQL, from: number): SQL =>
  sql`select ${accountUsers.id} as id, ${memberName} as name from ${membersFrom}
    where ${accountUsers.accountId} = ${account_id} and ${accountUsers.id} in (
      select ${eventAttendees.accountUserId} from ${eventSchedules}
        join ${eventAttendees} on ${eventAttendees.eventId} = ${eventSchedules.eventId}
      where ${eventSchedules.accountId} = ${account_id} and ${eventSchedules.activeUntil} > ${from}
        and ${eventSchedules.scheduleId} in (${inSchedules}))
    union all select ${schedules.id}, ${schedules.name} from ${schedules}
      where ${schedules.accountId} = ${account_id} and ${schedules.id} in (${inSchedules})`;

// ── Rules ──

/** The feed's shifts in a window, by start. When there are too many, the last entry says so. */
async function readShifts(
  db: Connection,
  feed: Feed,
  window: FeedWindow,
): Promise<CalendarShift[]> {
  const { from, to } = window;
  const inSchedules = schedulesOf(feed);
  const [rows, nameRows] = await db.batch<RawRow>([
    statement(db, selectOnCallEvents(feed.account_id, inSchedules, from)),
    statement(db, selectNames(feed, inSchedules, from)),
  ]);
  const bySchedule = toOnCallEvents(rows?.results ?? []);
  const events = new Map([...bySchedule.values()].flat().map((event) => [event.id, event]));
  const names = new Map(nameRows?.results.map(({ id, name }) => [id, String(name ?? "Invited")]));
  const nameOf = (id: string) => names.get(id) ?? "";
  const isMine = ({ attendees }: OnCallEntry) =>
    feed.person_id === null || attendees.some((it) => it.attendeeId === feed.person_id);
  const summaryOf = ({ eventId, layer, attendees }: OnCallEntry) => {
    if (feed.person_id === null) {
      return `${attendees.map((it) => nameOf(it.attendeeId)).join(", ")} (layer ${layer})`;
    }
    const containing = [...bySchedule].filter(([, all]) => all.some(({ id }) => id === eventId));
    return `On call: ${containing.map(([id]) => nameOf(id)).join(", ")} (layer ${layer})`;
  };
  const entries = onCallBetween([...events.values()], from, to)
    .filter(isMine)
    .sort((one, other) => one.startAt - other.startAt);
  const { shifts, cut } = fitShifts(entries, window);
  const shown = withUids(shifts, summaryOf);
  return cut === null ? shown : [...shown, cutEntry(window, cut)];
}

/** An all-day entry, where the feed is cut off, that says what is missing. */
function cutEntry(window: FeedWindow, cut: { at: number; left: number }): CalendarShift {
  const uid = `end-${cut.at}@tocsin`;
  return { uid, ...truncationNotice(window, cut), startAt: cut.at, endAt: cut.at + DAY };
}

/**
 * Assigns each shift a uid from its event and start. An override that ends in several shifts of one
 * event can give them the same key; later ones get a counter.
 */
function withUids(
  entries: readonly OnCallEntry[],
  summaryOf: (entry: OnCallEntry) => string,
): CalendarShift[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const { eventId, startAt, endAt } = entry;
    const key = `${eventId}-${startAt}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    const uid = `${before === 0 ? key : `${key}-${before}`}@tocsin`;
    return { uid, summary: summaryOf(entry), startAt, endAt };
  });
}

/** A weak ETag: responses with the same shifts differ in their creation time. */
function tagOf(name: string, shifts: readonly CalendarShift[]): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([name, shifts]))
    .digest("base64url");
  return `W/"${digest.slice(0, 27)}"`;
}

const matchesTag = (tag: string, ifNoneMatch: string | undefined) =>
  (ifNoneMatch ?? "").split(",").some((it) => it.trim() === "*" || it.trim() === tag);

// ── Routes ──

/**
 * `GET /feeds/<secret>.ics`. Responds 304 when the shifts are unchanged, and 404 when the secret is
 * unknown or revoked. `from` and `to` (dates) replace the default window.
 */
export async function serveFeed(context: Context<Environment>): Promise<Response> {
  const { env, req } = context;
  const requestId = context.get("requestId");
  const secret = /^([\w-]{43})\.ics$/.exec(req.param("file") ?? "")?.[1] ?? "";
  const secretHash = hashOfSecret(secret);
  const over = await checkRateLimit(env, env.API_RATE, `feed ${secretHash}`);
  if (over) return respond(over, requestId);
  const now = Date.now();
  // The window has whole days, so that an unchanged calendar keeps its ETag all day.
  const window = readFeedWindow(req.query("from") ?? null, req.query("to") ?? null, now);
  if (isRefusal(window)) return respond(window, requestId);
  // Reads from the primary, so that a revoked feed stops working at once.
  const db = openSession(env.DB, null, true);
  const address = req.header("cf-connecting-ip");
  const feed = secret
    ? await lookUpCredential(env, address, secretHash, () =>
        statement(db, selectFeed(secretHash)).first<Feed>(),
      )
    : await countFailure(env, address);
  if (isRefusal(feed)) return respond(feed, requestId);
  if (feed === null) return respond(UNKNOWN, requestId);
  const shifts = await readShifts(db, feed, window);
  const tag = tagOf(feed.name, shifts);
  const headers = { ETag: tag, "Cache-Control": "private, max-age=300" };
  if (matchesTag(tag, req.header("if-none-match")))
    return new Response(null, { status: 304, headers });
  return new Response(calendarText(feed.name, shifts, now), {
    headers: { ...headers, "Content-Type": "text/calendar; charset=utf-8" },
  });
}
