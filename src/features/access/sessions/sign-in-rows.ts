// Rows of sign-in attempts and of password reset mails, which rate limits count. Counted in D1's
// primary because an attacker's requests run in many isolates. Each attempt is inserted before its
// check, so that concurrent ones see each other. Person ids and addresses are stored as hashes.
import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import {
  FEW_FAILURES,
  LINKS_PER_NETWORK,
  LINKS_PER_PERSON,
  MAX_CHECKS_PER_NETWORK,
  MAX_CHECKS_PER_PERSON,
  MAX_RESEND_AGE_MS,
  pausesByCount,
  RESEND_PAUSE_MS,
  RESENDS_PER_PERSON,
  type RecentAttempts,
} from "../../../domain/access/sign-in-limits.ts";
import { HOUR, MINUTE, SECOND } from "../../../domain/shared/time.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { batch, returning, select } from "../../../kernel/db/select.ts";
import { signInAttempts } from "../../schema/sessions.ts";

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * `who`: the person's id, or an address that nobody has. `place`: the network, or a browser in
 * which the person has signed in before. A browser is limited only by its own attempts, so that
 * others cannot lock its user out.
 */
export type SignInAttempt = {
  readonly who: string;
  readonly place: { readonly kind: "network" | "browser"; readonly name: string };
};

/** How long attempts count. */
const COUNTED_MS = HOUR;
/** Timeout of a check; afterwards its isolate is gone. */
const CHECK_MS = 10 * SECOND;

const placeKeyOf = ({ place: { kind, name } }: SignInAttempt): string =>
  kind === "browser" ? `browser ${name}` : name;

const forgetAttempts = (now: number): SQL =>
  sql`delete from ${signInAttempts} where ${signInAttempts.attemptedAt} <= ${now - COUNTED_MS}`;

/** Selects the attempts of the place and the person in the last hour, as one row. */
function selectSeen(attempt: SignInAttempt, now: number): SQL {
  const who = hashOf(attempt.who);
  const recent = sql`attempted_at > ${now - COUNTED_MS}`;
  return sql`select count(*) as anybody, coalesce(sum(email_hash = ${who}), 0) as mine,
      coalesce(max(attempted_at), 0) as latest,
      coalesce(sum(checking_until > ${now}), 0) as checking_here,
      (select count(*) from ${signInAttempts} where email_hash = ${who} and ${recent}
        and checking_until > ${now} and address not like 'browser %') as checking_for
    from ${signInAttempts} where address = ${placeKeyOf(attempt)} and ${recent}`;
}

/** The pause after a number of attempts; the last entry applies to all higher numbers. */
const pauseAt = (pauses: readonly number[], count: SQL): SQL => {
  // D1 binds numbers as reals, which are not valid JSON path indexes.
  const last = sql.raw(String(pauses.length - 1));
  return sql`json_extract(${JSON.stringify(pauses)}, '$[' || min(${count}, ${last}) || ']')`;
};

/** Inserts the attempt if it may be checked now. */
function insertAttempt(attempt: SignInAttempt, now: number) {
  const { forPerson, forAnybody } = pausesByCount;
  const pause = sql`max(${pauseAt(forPerson, sql`mine`)}, ${pauseAt(forAnybody, sql`anybody`)})`;
  const most = sql`case when mine < ${FEW_FAILURES} then ${MAX_CHECKS_PER_PERSON} else ${MAX_CHECKS_PER_PERSON - 1} end`;
  const hasRoom = attempt.place.kind === "browser" ? sql`true` : sql`checking_for < ${most}`;
  const insert = sql`insert into ${signInAttempts} (email_hash, address, attempted_at, checking_until)
    select ${hashOf(attempt.who)}, ${placeKeyOf(attempt)}, ${now}, ${now + CHECK_MS}
    from (${selectSeen(attempt, now)})
    where checking_here < ${MAX_CHECKS_PER_NETWORK} and ${hasRoom} and latest + ${pause} <= ${now}`;
  return returning(insert, { id: sql<number>`rowid` });
}

const NO_ATTEMPTS: RecentAttempts = { mine: 0, anybody: 0, latest: 0 };

/** Reserves an attempt: its row id if it may be checked now, else the counts to wait for. */
export async function reserveAttempt(
  db: Connection,
  attempt: SignInAttempt,
  now: number,
): Promise<{ readonly id: number } | RecentAttempts> {
  const recent = select(
    { mine: sql<number>`mine`, anybody: sql<number>`anybody`, latest: sql<number>`latest` },
    sql`from (${selectSeen(attempt, now)})`,
  );
  const [, [inserted], [counts]] = await batch(db, [
    forgetAttempts(now),
    insertAttempt(attempt, now),
    recent,
  ]);
  return inserted ?? counts ?? NO_ATTEMPTS;
}

/** Ends the check of a failed attempt, which counts for an hour. */
export const endAttempt = (attempt: SignInAttempt, id: number): SQL =>
  sql`update ${signInAttempts} set checking_until = null
    where rowid = ${id} and address = ${placeKeyOf(attempt)}`;

/** Deletes a person's failed attempts from a place after they signed in. */
export const deleteFailures = (attempt: SignInAttempt): SQL =>
  sql`delete from ${signInAttempts} where email_hash = ${hashOf(attempt.who)}
    and address = ${placeKeyOf(attempt)}`;

/** Deletes all attempts of a person and of their former addresses; extend it with `and`. */
export function deleteAttemptsOf(userId: string, emails: readonly string[]): SQL {
  const purposes = (["password", "identity"] as const).flatMap((purpose) =>
    linkHashes(purpose, userId),
  );
  const hashes = [...[userId, ...emails].map(hashOf), ...purposes];
  return sql`delete from ${signInAttempts}
    where email_hash in (select value from json_each(${JSON.stringify(hashes)}))`;
}

// ── Password reset mails ──

/** Limits requests for mails: per place, for any person, in a quarter of an hour. */
const MAX_REQUESTS = 50;
const REQUEST_WINDOW_MS = 15 * MINUTE;
const REQUESTED = hashOf("a mail is requested");

/** Counts a request for a mail; false if the place is over its limit. */
export async function countMailRequest(
  db: Connection,
  place: string,
  now: number,
): Promise<boolean> {
  // Counted separately from sign-in attempts: neither may block the other.
  const from = `mails ${place}`;
  const [, inserted] = await batch(db, [
    forgetAttempts(now),
    sql`insert into ${signInAttempts} (email_hash, address, attempted_at)
      select ${REQUESTED}, ${from}, ${now}
      where (select count(*) from ${signInAttempts} where address = ${from}
        and attempted_at > ${now - REQUEST_WINDOW_MS}) < ${MAX_REQUESTS}
      returning attempted_at`,
  ]);
  return inserted.length === 1;
}

/** A requested mail and where the request came from. `at` (epoch ms) also identifies it. */
export type LinkMailRequest = {
  readonly purpose: "password" | "identity";
  readonly userId: string;
  readonly place: string;
  readonly at: number;
};

/** Hashes under which a person's new links and resent links are counted. */
const linkHashes = (purpose: LinkMailRequest["purpose"], userId: string) =>
  [hashOf(`${purpose} ${userId}`), hashOf(`${purpose} again ${userId}`)] as const;

/**
 * Returns when the mail's link was created (epoch ms): now for a new link, earlier if so many exist
 * that the current one is sent again, null if that was done recently. Idempotent per mail.
 */
export async function reserveLink(
  db: Connection,
  { purpose, userId, place, at }: LinkMailRequest,
  now: number,
): Promise<number | null> {
  const [made, resent] = linkHashes(purpose, userId);
  const from = `mails ${place}`;
  const isKnown = sql`exists (select 1 from ${signInAttempts}
    where email_hash in (${made}, ${resent}) and attempted_at = ${at})`;
  const countOf = (where: SQL) => sql`(select count(*) from ${signInAttempts}
    where email_hash = ${made} and attempted_at > ${now - COUNTED_MS} and ${where})`;
  const latest = (hash: SQL) =>
    sql<number>`(select coalesce(max(attempted_at), 0) from ${signInAttempts} where email_hash in (${hash}))`;
  const insert = (hash: string, where: SQL) => sql`insert into ${signInAttempts}
    (email_hash, address, attempted_at) select ${hash}, ${from}, ${at} where not ${isKnown} and ${where}`;
  const isRoom = sql`${countOf(sql`address = ${from}`)} < ${LINKS_PER_NETWORK}
    and ${countOf(sql`true`)} < ${LINKS_PER_PERSON}`;
  // A place without a recent mail gets one at once, up to a limit; then pauses apply to everyone.
  const before = now - RESEND_PAUSE_MS;
  const isFirst = sql`not exists (select 1 from ${signInAttempts}
    where email_hash in (${made}, ${resent}) and address = ${from} and attempted_at > ${before})`;
  const isPause = sql`(${latest(sql`${made}, ${resent}`)} <= ${before} or (${isFirst} and (select count(*)
    from ${signInAttempts} where email_hash = ${resent}) < ${RESENDS_PER_PERSON}))`;
  const counted = sql<string | null>`(select email_hash from ${signInAttempts}
    where email_hash in (${made}, ${resent}) and attempted_at = ${at})`;
  const [, , , [found]] = await batch(db, [
    forgetAttempts(now),
    insert(made, isRoom),
    insert(resent, isPause),
    select({ countedAs: counted, madeAt: latest(sql`${made}`) }, sql``),
  ]);
  if (!found || found.countedAs === null) return null;
  const isNew = found.countedAs === made || found.madeAt <= now - MAX_RESEND_AGE_MS;
  return isNew ? at : found.madeAt;
}
