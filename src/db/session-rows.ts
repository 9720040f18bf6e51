// The rows of sessions: who signs in, who a cookie's token is, and the end of it. Tokens stand here only as hashes.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Identity } from "../domain/access-mail.ts";
import { DAY } from "../domain/time.ts";
import type { RawRow } from "./attributes.ts";
import { type Connection, statement } from "./database.ts";
import { newId } from "./identifiers.ts";
import { accounts, accountUsers, userEmails, users } from "./schema/people.ts";
import { sessions, userIdentities } from "./schema/sessions.ts";
import { type Attempt, forgetFailures, hashOf } from "./sign-in-rows.ts";

/** A generated first password is good for so long after it was sent. */
export const FIRST_PASSWORD_MS = 7 * DAY;

export type Signer = {
  readonly userId: string;
  readonly name: string;
  /** Their verified addresses. */
  readonly emails: readonly string[];
  readonly passwordHash: string | null;
  /** When a first password ends, or has ended (epoch ms); null for one that its owner has chosen. */
  readonly firstPasswordUntil: number | null;
  readonly hasSignedIn: boolean;
  /** The membership that they look at first: that of the session before, or the oldest. */
  readonly accountUserId: string | null;
};

/** The oldest active membership of a person. */
export const anyMembership = (userId: SQL): SQL =>
  sql`(select ${accountUsers.id} from ${accountUsers} where ${accountUsers.userId} = ${userId}
    and ${accountUsers.state} = 'active' order by ${accountUsers.createdAt}, ${accountUsers.id} limit 1)`;

/** When a first password ends. */
const firstPasswordUntil = sql`coalesce(${users.firstPasswordUntil}, ${users.createdAt} + ${FIRST_PASSWORD_MS})`;

const selectSigner = (userId: SQL): SQL =>
  sql`select ${users.id} as user_id, ${users.name} as name, ${users.passwordHash} as password_hash,
      iif(${users.passwordExpired}, ${firstPasswordUntil}, null) as first_password_until,
      ${users.lastSignInAt} is not null as has_signed_in,
      (select json_group_array(${userEmails.email}) from ${userEmails}
        where ${userEmails.userId} = ${users.id} and ${userEmails.verifiedAt} is not null) as emails,
      ${anyMembership(sql`${users.id}`)} as account_user_id
    from ${users} where ${users.id} = ${userId}`;

function signerOf(row: RawRow | null): Signer | null {
  if (row === null) return null;
  const { password_hash: hash, first_password_until: until, account_user_id: membership } = row;
  return {
    userId: String(row.user_id),
    name: String(row.name),
    emails: JSON.parse(String(row.emails)) as string[],
    passwordHash: hash === null ? null : String(hash),
    firstPasswordUntil: until === null ? null : Number(until),
    hasSignedIn: row.has_signed_in === 1,
    accountUserId: membership === null ? null : String(membership),
  };
}

const signer = async (db: Connection, userId: SQL): Promise<Signer | null> =>
  signerOf(await statement(db, selectSigner(userId)).first<RawRow>());

/** Who an address signs in, in lower case: one that is verified, for anybody may write down any. */
export const findSigner = (db: Connection, email: string): Promise<Signer | null> =>
  signer(
    db,
    sql`(select ${userEmails.userId} from ${userEmails}
      where ${userEmails.email} = ${email} and ${userEmails.verifiedAt} is not null)`,
  );

export const readSigner = (db: Connection, userId: string): Promise<Signer | null> =>
  signer(db, sql`${userId}`);

/** Who is linked to a subject of a provider of single sign-on. */
export const findIdentity = (
  db: Connection,
  { issuer, subject }: Identity,
): Promise<Signer | null> =>
  signer(
    db,
    sql`(select ${userIdentities.userId} from ${userIdentities}
      where ${userIdentities.issuer} = ${issuer} and ${userIdentities.subject} = ${subject})`,
  );

/** Links a person to a subject of a provider; a subject that is linked already stays whose it is. */
export const linkIdentity = (userId: string, { issuer, subject }: Identity, now: number): SQL =>
  sql`insert into ${userIdentities} (issuer, subject, user_id, created_at)
    values (${issuer}, ${subject}, ${userId}, ${now}) on conflict do nothing`;

/** Ends a first password by its use; no row where it has ended, by another use perhaps. */
export const useFirstPassword = (userId: string, passwordHash: string, now: number): SQL =>
  sql`update ${users} set first_password_until = 0 where id = ${userId} and password_expired
    and password_hash = ${passwordHash} and ${firstPasswordUntil} > ${now} returning id`;

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

/**
 * Makes the session, notes the sign-in, and forgets the attempts that led to it.
 *
 * @param before what is written in the same batch, before all that
 */
export async function insertSession(
  db: Connection,
  made: NewSession,
  attempt: Attempt | null,
  before: readonly SQLWrapper[],
  now: number,
): Promise<void> {
  const writes = [
    ...before,
    sql`delete from ${sessions} where ${sessions.expiresAt} <= ${now}`,
    sql`insert into ${sessions} (token_hash, id, user_id, account_user_id, browser, created_at,
        last_seen_at, expires_at)
      values (${hashOf(made.token)}, ${newId(now)}, ${made.userId}, ${made.accountUserId},
        ${made.browser.slice(0, 300)}, ${now}, ${now}, ${made.expiresAt})`,
    sql`update ${users} set last_sign_in_at = ${now} where id = ${made.userId}`,
    ...(attempt === null ? [] : [forgetFailures(attempt)]),
  ];
  await db.batch(writes.map((write) => statement(db, write)));
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
  sql`update ${users} set password_hash = ${passwordHash}, password_expired = 0,
      first_password_until = null, updated_at = ${now}
    where id = ${userId}`;
