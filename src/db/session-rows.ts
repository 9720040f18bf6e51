// The rows of sessions: who signs in, how often somebody may try, who a cookie's token is, and the end of it.
// Tokens and addresses stand here only as hashes.
import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { HOUR, MINUTE } from "../domain/time.ts";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { newId } from "./identifiers.ts";
import { accounts, accountUsers, userEmails, users } from "./schema/people.ts";
import { sessions, signInAttempts } from "./schema/sessions.ts";

/** Tries of one address for one person in a quarter of an hour, for one person at all. */
type Most = { readonly fromAddress: number; readonly atAll: number };
const SIGN_INS: Most = { fromAddress: 10, atAll: 100 };
/** Each is a mail to them. */
const FORGOTTEN: Most = { fromAddress: 3, atAll: 10 };
/** Of one address for anybody. */
const MOST_FROM_ADDRESS = 50;
const SOON_MS = 15 * MINUTE;
const KEPT_MS = HOUR;

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

export type Attempt = { readonly email: string; readonly address: string };

export type Signer = {
  readonly userId: string;
  readonly passwordHash: string | null;
  /** The membership that they look at first: that of the session before, or the oldest. */
  readonly accountUserId: string | null;
};

/** The oldest active membership of a person. */
export const anyMembership = (userId: SQL): SQL =>
  sql`(select ${accountUsers.id} from ${accountUsers} where ${accountUsers.userId} = ${userId}
    and ${accountUsers.state} = 'active' order by ${accountUsers.createdAt}, ${accountUsers.id} limit 1)`;

/** The person by id where that is known, else by address: one that is verified, for anybody may write down any. */
const selectSigner = (email: string, userId: string | null): SQL =>
  sql`select ${users.id} as user_id, ${users.passwordHash} as password_hash,
      ${anyMembership(sql`${users.id}`)} as account_user_id
    from ${users} where ${users.id} = coalesce(${userId}, (select ${userEmails.userId}
      from ${userEmails}
      where ${userEmails.email} = ${email} and ${userEmails.verifiedAt} is not null))`;

const signerOf = (row: RawRow | null | undefined): Signer | null =>
  row
    ? {
        userId: String(row.user_id),
        passwordHash: row.password_hash === null ? null : String(row.password_hash),
        accountUserId: row.account_user_id === null ? null : String(row.account_user_id),
      }
    : null;

const forgetAttempts = (now: number): SQL =>
  sql`delete from ${signInAttempts} where attempted_at <= ${now - KEPT_MS}`;

/** Counts the try where there is room for one; counted before it is judged, tries side by side are not more. */
function takeAttempt({ email, address }: Attempt, most: Most, now: number): SQL {
  const emailHash = hashOf(email);
  const mine = sql`email_hash = ${emailHash}`;
  const here = sql`address = ${address}`;
  return sql`insert into ${signInAttempts} (email_hash, address, attempted_at)
    select ${emailHash}, ${address}, ${now}
    where (select count(*) from ${signInAttempts} where ${mine} and ${here}
        and attempted_at > ${now - SOON_MS}) < ${most.fromAddress}
      and (select count(*) from ${signInAttempts} where ${here}
        and attempted_at > ${now - SOON_MS}) < ${MOST_FROM_ADDRESS}
      and (select count(*) from ${signInAttempts} where ${mine}
        and attempted_at > ${now - KEPT_MS}) < ${most.atAll}
    returning attempted_at`;
}

/**
 * Who the address belongs to; "too_many" where no further try is let through, null where nobody has it.
 *
 * @param userId the person, where that is known: the address is then only what the tries are counted by
 */
export async function readSigner(
  db: Connection,
  attempt: Attempt,
  now: number,
  userId: string | null = null,
): Promise<Signer | "too_many" | null> {
  const [, taken, found] = await db.batch<RawRow>([
    statement(db, forgetAttempts(now)),
    statement(db, takeAttempt(attempt, SIGN_INS, now)),
    statement(db, selectSigner(attempt.email, userId)),
  ]);
  return taken?.results.length === 1 ? signerOf(found?.results[0]) : "too_many";
}

/** Counts somebody who says that they have forgotten their password; false where there have been too many. */
export async function takeForgotten(
  db: Connection,
  { email, address }: Attempt,
  now: number,
): Promise<boolean> {
  // Counted apart from tries to sign in: neither is to keep them from the other.
  const attempt = { email: `forgotten ${email}`, address };
  const [, taken] = await db.batch<RawRow>([
    statement(db, forgetAttempts(now)),
    statement(db, takeAttempt(attempt, FORGOTTEN, now)),
  ]);
  return taken?.results.length === 1;
}

/** Who the address belongs to, for whom somebody else vouches. */
export const findSigner = async (db: Connection, email: string): Promise<Signer | null> =>
  signerOf(await statement(db, selectSigner(email, null)).first<RawRow>());

/** Takes away the one-time password of somebody who signs in without one. */
export const dropFirstPassword = (userId: string): SQL =>
  sql`update ${users} set password_hash = null where id = ${userId} and password_expired`;

export type NewSession = {
  readonly token: string;
  readonly userId: string;
  readonly accountUserId: string;
  readonly browser: string;
  readonly expiresAt: number;
};

/** Makes the session, notes the sign-in, and forgets the tries that led to it. */
export async function insertSession(
  db: Connection,
  made: NewSession,
  attempt: Attempt,
  now: number,
): Promise<void> {
  await db.batch([
    statement(db, sql`delete from ${sessions} where ${sessions.expiresAt} <= ${now}`),
    statement(
      db,
      sql`insert into ${sessions} (token_hash, id, user_id, account_user_id, browser, created_at,
          last_seen_at, expires_at)
        values (${hashOf(made.token)}, ${newId(now)}, ${made.userId}, ${made.accountUserId},
          ${made.browser.slice(0, 300)}, ${now}, ${now}, ${made.expiresAt})`,
    ),
    statement(db, sql`update ${users} set last_sign_in_at = ${now} where id = ${made.userId}`),
    statement(
      db,
      sql`delete from ${signInAttempts} where email_hash = ${hashOf(attempt.email)}
        and address = ${attempt.address}`,
    ),
  ]);
}

/** What a session's token stands for; its membership's fields are of an account where the person is active. */
export async function readSession(
  db: Connection,
  token: string,
  now: number,
): Promise<RawRow | null> {
  const memberships = sql`(select json_group_array(json_object('id', other.id, 'name', ${accounts.name})
      order by ${accounts.name})
    from account_users as other join ${accounts} on ${accounts.id} = other.account_id
    where other.user_id = ${users.id} and other.state = 'active')`;
  const query = sql`select ${sessions.id} as id, ${sessions.lastSeenAt} as last_seen_at,
      ${sessions.createdAt} as created_at, ${users.id} as user_id, ${users.name} as name,
      ${users.timeZone} as time_zone, ${users.passwordExpired} as password_expired,
      ${users.passwordHash} is not null as has_password, ${memberships} as memberships,
      ${accountUsers.id} as account_user_id, ${accountUsers.accountId} as account_id,
      ${accountUsers.admin} as admin, ${accountUsers.billing} as billing,
      ${accountUsers.broadcaster} as broadcaster, ${accountUsers.communicator} as communicator
    from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
      join ${accountUsers} on ${accountUsers.id} = coalesce(
        (select mine.id from account_users as mine where mine.id = ${sessions.accountUserId}
          and mine.user_id = ${sessions.userId} and mine.state = 'active'),
        ${anyMembership(sql`${sessions.userId}`)})
    where ${sessions.tokenHash} = ${hashOf(token)} and ${sessions.expiresAt} > ${now}`;
  return await statement(db, query).first<RawRow>();
}

/** Notes that a session is in use, which makes it last longer. */
export const touchSession = (token: string, now: number, expiresAt: number): SQL =>
  sql`update ${sessions} set last_seen_at = ${now}, expires_at = ${expiresAt}
    where token_hash = ${hashOf(token)}`;

/** Looks at another of the person's accounts; no row changes where they are no active member. */
export const switchAccount = (token: string, accountUserId: string): SQL =>
  sql`update ${sessions} set account_user_id = ${accountUserId}
    where token_hash = ${hashOf(token)} and exists (select 1 from ${accountUsers}
      where id = ${accountUserId} and user_id = ${sessions.userId} and state = 'active')
    returning id`;

export const deleteSession = (token: string): SQL =>
  sql`delete from ${sessions} where token_hash = ${hashOf(token)}`;

/** Ends one of a person's sessions by its id. */
export const deleteSessionById = (userId: string, id: string): SQL =>
  sql`delete from ${sessions} where user_id = ${userId} and id = ${id}`;

/** Ends every session of a person but, where a token is given, its own. */
export const deleteSessionsOf = (userId: string, exceptToken: string | null): SQL =>
  sql`delete from ${sessions} where user_id = ${userId}
    and token_hash <> ${exceptToken === null ? "" : hashOf(exceptToken)}`;

/** A person's sessions, the one used last first. */
export const selectSessionsOf = (userId: string, now: number): SQL =>
  sql`select id, browser, created_at, last_seen_at from ${sessions}
    where user_id = ${userId} and expires_at > ${now} order by last_seen_at desc limit 50`;

/** The password that its owner has chosen. */
export const keepPassword = (userId: string, passwordHash: string, now: number): SQL =>
  sql`update ${users} set password_hash = ${passwordHash}, password_expired = 0, updated_at = ${now}
    where id = ${userId}`;
