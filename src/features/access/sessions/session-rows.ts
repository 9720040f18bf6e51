// Rows of sessions: sign in, resolve a cookie's token, sign out. Tokens are stored as hashes.
import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Identity } from "../../../domain/access/access-mail.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { first, parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import { accounts, accountUsers, userEmails, users } from "../../schema/people.ts";
import { sessions, userIdentities } from "../../schema/sessions.ts";
import { deleteFailures, hashOf, type SignInAttempt } from "./sign-in-rows.ts";

/** Lifetime of a generated first password. */
export const FIRST_PASSWORD_MS = 7 * DAY;

export type SignInUser = {
  readonly userId: string;
  readonly name: string;
  /** Their verified addresses. */
  readonly emails: readonly string[];
  readonly passwordHash: string | null;
  /** When a first password expires or has expired (epoch ms); null for a user-chosen one. */
  readonly firstPasswordUntil: number | null;
  readonly hasSignedIn: boolean;
  /** The membership to open first: that of the last session, or the oldest. */
  readonly accountUserId: string | null;
};

/** The oldest active membership of a person. */
export const anyMembership = (userId: SQL): SQL<string | null> =>
  sql<
    string | null
  >`(select ${accountUsers.id} from ${accountUsers} where ${accountUsers.userId} = ${userId}
    and ${accountUsers.state} = 'active' order by ${accountUsers.createdAt}, ${accountUsers.id} limit 1)`;

/** When a first password expires. */
const firstPasswordUntil = sql`coalesce(${users.firstPasswordUntil}, ${users.createdAt} + ${FIRST_PASSWORD_MS})`;

const readSignerBy = (db: Connection, userId: SQL): Promise<SignInUser | null> =>
  first(
    db,
    select(
      {
        userId: users.id,
        name: users.name,
        emails: parsed<readonly string[]>(sql`(select json_group_array(${userEmails.email})
          from ${userEmails} where ${userEmails.userId} = ${users.id}
            and ${userEmails.verifiedAt} is not null)`),
        passwordHash: users.passwordHash,
        firstPasswordUntil: sql<
          number | null
        >`iif(${users.passwordExpired}, ${firstPasswordUntil}, null)`,
        hasSignedIn: truth(sql`${users.lastSignInAt} is not null`),
        accountUserId: anyMembership(sql`${users.id}`),
      },
      sql`from ${users} where ${users.id} = ${userId}`,
    ),
  );

/** Finds the person of an address (lower case). Only verified ones count: anyone can enter any. */
export const findSignInUser = (db: Connection, email: string): Promise<SignInUser | null> =>
  readSignerBy(
    db,
    sql`(select ${userEmails.userId} from ${userEmails}
      where ${userEmails.email} = ${email} and ${userEmails.verifiedAt} is not null)`,
  );

export const readSignInUser = (db: Connection, userId: string): Promise<SignInUser | null> =>
  readSignerBy(db, sql`${userId}`);

/** Finds the person linked to a subject of a single sign-on provider. */
export const findIdentity = (
  db: Connection,
  { issuer, subject }: Identity,
): Promise<SignInUser | null> =>
  readSignerBy(
    db,
    sql`(select ${userIdentities.userId} from ${userIdentities}
      where ${userIdentities.issuer} = ${issuer} and ${userIdentities.subject} = ${subject})`,
  );

/** Links a person to a provider's subject; an existing link does not change. */
export const linkIdentity = (userId: string, { issuer, subject }: Identity, now: number): SQL =>
  sql`insert into ${userIdentities} (issuer, subject, user_id, created_at)
    values (${issuer}, ${subject}, ${userId}, ${now}) on conflict do nothing`;

/** Marks a first password as used; returns no row if it was used or has expired. */
export const useFirstPassword = (userId: string, passwordHash: string, now: number): SQL =>
  sql`update ${users} set first_password_until = 0 where id = ${userId} and password_expired
    and password_hash = ${passwordHash} and ${firstPasswordUntil} > ${now} returning id`;

/** Deletes the first password of a person who signs in another way. */
export const deleteFirstPassword = (userId: string): SQL =>
  sql`update ${users} set password_hash = null where id = ${userId} and password_expired`;

export type NewSession = {
  readonly token: string;
  readonly userId: string;
  readonly accountUserId: string;
  readonly browser: string;
  readonly expiresAt: number;
};

/**
 * Inserts the session, records the sign-in, and deletes the attempts that led to it.
 *
 * @param before writes that go first in the same batch
 */
export async function insertSession(
  db: Connection,
  session: NewSession,
  attempt: SignInAttempt | null,
  before: readonly SQLWrapper[],
  now: number,
): Promise<void> {
  const writes = [
    ...before,
    sql`delete from ${sessions} where ${sessions.expiresAt} <= ${now}`,
    sql`insert into ${sessions} (token_hash, id, user_id, account_user_id, browser, created_at,
        last_seen_at, expires_at)
      values (${hashOf(session.token)}, ${newId(now)}, ${session.userId}, ${session.accountUserId},
        ${session.browser.slice(0, 300)}, ${now}, ${now}, ${session.expiresAt})`,
    sql`update ${users} set last_sign_in_at = ${now} where id = ${session.userId}`,
    ...(attempt === null ? [] : [deleteFailures(attempt)]),
  ];
  await db.batch(writes.map((write) => statement(db, write)));
}

export type Membership = { readonly id: string; readonly name: string };

const memberships = sql`(select json_group_array(json_object('id', other.id, 'name', ${accounts.name})
    order by ${accounts.name})
  from account_users as other join ${accounts} on ${accounts.id} = other.account_id
  where other.user_id = ${users.id} and other.state = 'active')`;

const sessionColumns = {
  id: sessions.id,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
  userId: users.id,
  name: users.name,
  timeZone: users.timeZone,
  passwordExpired: users.passwordExpired,
  hasPassword: truth(sql`${users.passwordHash} is not null`),
  memberships: parsed<readonly Membership[]>(memberships),
  accountUserId: accountUsers.id,
  accountId: accountUsers.accountId,
  admin: accountUsers.admin,
  billing: accountUsers.billing,
  broadcaster: accountUsers.broadcaster,
  communicator: accountUsers.communicator,
};

/** A session with its person and the membership whose account is open. */
export type StoredSession = RowOf<typeof sessionColumns>;

/** Resolves a session's token; the membership is one in which the person is active. */
export function readSession(
  db: Connection,
  token: string,
  now: number,
): Promise<StoredSession | null> {
  const rest = sql`from ${sessions} join ${users} on ${users.id} = ${sessions.userId}
      join ${accountUsers} on ${accountUsers.id} = coalesce(
        (select mine.id from account_users as mine where mine.id = ${sessions.accountUserId}
          and mine.user_id = ${sessions.userId} and mine.state = 'active'),
        ${anyMembership(sql`${sessions.userId}`)})
    where ${sessions.tokenHash} = ${hashOf(token)} and ${sessions.expiresAt} > ${now}`;
  return first(db, select(sessionColumns, rest));
}

/** Records the use of a session, which extends it. */
export const touchSession = (token: string, now: number, expiresAt: number): SQL =>
  sql`update ${sessions} set last_seen_at = ${now}, expires_at = ${expiresAt}
    where token_hash = ${hashOf(token)}`;

/** Switches to another account; changes no row unless the person is an active member. */
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

/** Ends all sessions of a person except, if given, the token's. */
export const deleteSessionsOf = (userId: string, exceptToken: string | null): SQL =>
  sql`delete from ${sessions} where user_id = ${userId}
    and token_hash <> ${exceptToken === null ? "" : hashOf(exceptToken)}`;

const listedColumns = {
  id: sessions.id,
  browser: sessions.browser,
  createdAt: sessions.createdAt,
  lastSeenAt: sessions.lastSeenAt,
};

/** A session as its owner sees it. */
export type ListedSession = RowOf<typeof listedColumns>;

/** Selects a person's sessions, the last used one first. */
export const selectSessionsOf = (userId: string, now: number) =>
  select(
    listedColumns,
    sql`from ${sessions}
      where user_id = ${userId} and expires_at > ${now} order by last_seen_at desc limit 50`,
  );

/** Stores a user-chosen password. */
export const storePassword = (userId: string, passwordHash: string, now: number): SQL =>
  sql`update ${users} set password_hash = ${passwordHash}, password_expired = 0,
      first_password_until = null, updated_at = ${now}
    where id = ${userId}`;
