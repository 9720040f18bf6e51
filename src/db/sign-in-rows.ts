// The rows of attempts to sign in, and of mails for forgotten passwords: what both are limited by. Counted in D1's
// primary, because requests of one attacker run in many isolates: each attempt is a row before it is checked, so that
// attempts side by side see each other. Persons and e-mail addresses stand here only as hashes.
import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import {
  type Busy,
  FEW_FAILURES,
  LINKS_FOR_PERSON,
  LINKS_FROM_PLACE,
  MOST_FOR_PERSON,
  MOST_FROM_PLACE,
  pausesByCount,
  RESEND_LIFE_MS,
  RESEND_PAUSE_MS,
  RESENDS_FOR_PERSON,
} from "../domain/sign-in-limits.ts";
import { HOUR, MINUTE, SECOND } from "../domain/time.ts";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { signInAttempts } from "./schema/sessions.ts";

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * `who`: the person's id, or the e-mail address that nobody has. `place`: the network, or a browser in which the person
 * has signed in before; a browser is limited by itself only, so that nobody else's attempts stand in its way.
 */
export type Attempt = {
  readonly who: string;
  readonly place: { readonly kind: "network" | "browser"; readonly name: string };
};

/** Attempts count for so long. */
const KEPT_MS = HOUR;
/** A check that has not ended by then never will: its isolate is gone. */
const CHECK_MS = 10 * SECOND;

const placeOf = ({ place: { kind, name } }: Attempt): string =>
  kind === "browser" ? `browser ${name}` : name;

const forgetAttempts = (now: number): SQL =>
  sql`delete from ${signInAttempts} where ${signInAttempts.attemptedAt} <= ${now - KEPT_MS}`;

/** One row: what the place and the person have attempted in the last hour. */
function seenOf(attempt: Attempt, now: number): SQL {
  const who = hashOf(attempt.who);
  const recent = sql`attempted_at > ${now - KEPT_MS}`;
  return sql`select count(*) as anybody, coalesce(sum(email_hash = ${who}), 0) as mine,
      coalesce(max(attempted_at), 0) as latest,
      coalesce(sum(checking_until > ${now}), 0) as checking_here,
      (select count(*) from ${signInAttempts} where email_hash = ${who} and ${recent}
        and checking_until > ${now} and address not like 'browser %') as checking_for
    from ${signInAttempts} where address = ${placeOf(attempt)} and ${recent}`;
}

/** The entry of a list of pauses that a count stands for; the last one for all above. */
const pauseIn = (pauses: readonly number[], count: SQL): SQL => {
  // D1 binds numbers as reals, which are no places in a list.
  const last = sql.raw(String(pauses.length - 1));
  return sql`json_extract(${JSON.stringify(pauses)}, '$[' || min(${count}, ${last}) || ']')`;
};

/** Writes the attempt if it may be checked now. */
function insertAttempt(attempt: Attempt, now: number): SQL {
  const { forPerson, forAnybody } = pausesByCount;
  const pause = sql`max(${pauseIn(forPerson, sql`mine`)}, ${pauseIn(forAnybody, sql`anybody`)})`;
  const most = sql`case when mine < ${FEW_FAILURES} then ${MOST_FOR_PERSON} else ${MOST_FOR_PERSON - 1} end`;
  const hasRoom = attempt.place.kind === "browser" ? sql`true` : sql`checking_for < ${most}`;
  return sql`insert into ${signInAttempts} (email_hash, address, attempted_at, checking_until)
    select ${hashOf(attempt.who)}, ${placeOf(attempt)}, ${now}, ${now + CHECK_MS}
    from (${seenOf(attempt, now)})
    where checking_here < ${MOST_FROM_PLACE} and ${hasRoom} and latest + ${pause} <= ${now}
    returning rowid as id`;
}

/** The attempt's row, when it may be checked now; else what it has to wait for. */
export async function takeAttempt(
  db: Connection,
  attempt: Attempt,
  now: number,
): Promise<{ readonly id: number } | Busy> {
  const [, taken, seen] = await db.batch<RawRow>([
    statement(db, forgetAttempts(now)),
    statement(db, insertAttempt(attempt, now)),
    statement(db, seenOf(attempt, now)),
  ]);
  const [row] = taken?.results ?? [];
  if (row) return { id: Number(row.id) };
  const { mine, anybody, latest } = seen?.results[0] ?? {};
  return { mine: Number(mine), anybody: Number(anybody), latest: Number(latest) };
}

/** The check of an attempt has ended: failed, it counts for an hour. */
export const endAttempt = (attempt: Attempt, id: number): SQL =>
  sql`update ${signInAttempts} set checking_until = null
    where rowid = ${id} and address = ${placeOf(attempt)}`;

/** Forgets what a person's place has failed at, once they are in. */
export const forgetFailures = (attempt: Attempt): SQL =>
  sql`delete from ${signInAttempts} where email_hash = ${hashOf(attempt.who)}
    and address = ${placeOf(attempt)}`;

/** Forgets every attempt of a person, and of addresses that nobody has any more; to be narrowed by `and`. */
export function forgetAttemptsOf(userId: string, emails: readonly string[]): SQL {
  const purposes = (["password", "identity"] as const).flatMap((purpose) =>
    linkHashes(purpose, userId),
  );
  const hashes = [...[userId, ...emails].map(hashOf), ...purposes];
  return sql`delete from ${signInAttempts}
    where email_hash in (select value from json_each(${JSON.stringify(hashes)}))`;
}

// ── Mails for who has forgotten their password ──

/** Requests for a mail, of one place for anybody, in a quarter of an hour. */
const MOST_REQUESTS = 50;
const SOON_MS = 15 * MINUTE;
const REQUESTED = hashOf("a mail is requested");

/** Counts a request for a mail; false where a place has made too many, whomever they were for. */
export async function takeRequest(db: Connection, place: string, now: number): Promise<boolean> {
  // Counted apart from attempts to sign in: neither is to keep anybody from the other.
  const from = `mails ${place}`;
  const [, taken] = await db.batch<RawRow>([
    statement(db, forgetAttempts(now)),
    statement(
      db,
      sql`insert into ${signInAttempts} (email_hash, address, attempted_at)
        select ${REQUESTED}, ${from}, ${now}
        where (select count(*) from ${signInAttempts} where address = ${from}
          and attempted_at > ${now - SOON_MS}) < ${MOST_REQUESTS}
        returning attempted_at`,
    ),
  ]);
  return taken?.results.length === 1;
}

/** A mail that is to be sent to a person, and where it was asked for. `at`: epoch ms, and its name among theirs. */
export type LinkRequest = {
  readonly purpose: "password" | "identity";
  readonly userId: string;
  readonly place: string;
  readonly at: number;
};

/** What a person's new links of a purpose are counted under, and links that are sent again. */
const linkHashes = (purpose: LinkRequest["purpose"], userId: string) =>
  [hashOf(`${purpose} ${userId}`), hashOf(`${purpose} again ${userId}`)] as const;

/**
 * When the link of a mail was made (epoch ms): now, for a new one; before, where there have been so many that the link
 * that is out is sent again; null where that was done just now. Asked twice for one mail it says the same.
 */
export async function takeLink(
  db: Connection,
  { purpose, userId, place, at }: LinkRequest,
  now: number,
): Promise<number | null> {
  const [made, again] = linkHashes(purpose, userId);
  const from = `mails ${place}`;
  const isKnown = sql`exists (select 1 from ${signInAttempts}
    where email_hash in (${made}, ${again}) and attempted_at = ${at})`;
  const countOf = (where: SQL) => sql`(select count(*) from ${signInAttempts}
    where email_hash = ${made} and attempted_at > ${now - KEPT_MS} and ${where})`;
  const latest = (hash: SQL) =>
    sql`(select coalesce(max(attempted_at), 0) from ${signInAttempts} where email_hash in (${hash}))`;
  const insert = (hash: string, where: SQL) => sql`insert into ${signInAttempts}
    (email_hash, address, attempted_at) select ${hash}, ${from}, ${at} where not ${isKnown} and ${where}`;
  const isRoom = sql`${countOf(sql`address = ${from}`)} < ${LINKS_FROM_PLACE}
    and ${countOf(sql`true`)} < ${LINKS_FOR_PERSON}`;
  // A place that has had none lately gets it at once, up to a number; then whoever asks, with pauses.
  const before = now - RESEND_PAUSE_MS;
  const isFirst = sql`not exists (select 1 from ${signInAttempts}
    where email_hash in (${made}, ${again}) and address = ${from} and attempted_at > ${before})`;
  const isPause = sql`(${latest(sql`${made}, ${again}`)} <= ${before} or (${isFirst} and (select count(*)
    from ${signInAttempts} where email_hash = ${again}) < ${RESENDS_FOR_PERSON}))`;
  const [, , , found] = await db.batch<RawRow>([
    statement(db, forgetAttempts(now)),
    statement(db, insert(made, isRoom)),
    statement(db, insert(again, isPause)),
    statement(
      db,
      sql`select (select email_hash from ${signInAttempts}
          where email_hash in (${made}, ${again}) and attempted_at = ${at}) = ${made} as is_new,
        ${latest(sql`${made}`)} as made_at`,
    ),
  ]);
  const { is_new: isNew, made_at: madeAt } = found?.results[0] ?? {};
  if (isNew === null || isNew === undefined) return null;
  return isNew === 1 || Number(madeAt) <= now - RESEND_LIFE_MS ? at : Number(madeAt);
}
