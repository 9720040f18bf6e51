// Builds the inserts of a first account: the account, its first person as admin, and their API key.
// Everything after that goes through the API. The caller runs the statements.
import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { accounts, accountUsers, apiKeys, userEmails, users } from "../features/schema/people.ts";
import { newApiKey } from "../kernel/credentials.ts";
import { build } from "../kernel/db/database.ts";
import { newIdentity } from "../kernel/db/identifiers.ts";

export type FirstAccount = {
  /** The key in plain text; only its hash is stored. */
  readonly apiKey: string;
  readonly accountId: string;
  readonly accountUserId: string;
  /** The inserts in order, with their parameters. */
  readonly statements: readonly { readonly sql: string; readonly params: readonly unknown[] }[];
};

export type FirstAccountInput = {
  readonly account: string;
  readonly person: string;
  readonly email: string;
  /** Hash of the console password; without it the person has none. */
  readonly passwordHash?: string;
  /** Whether the password is valid for one sign-in only. */
  readonly passwordExpired?: boolean;
  /** Whether they have an API key from the start; unless it is false. */
  readonly hasKey?: boolean;
};

/** A member of a new account, with their own key. */
export type Colleague = {
  readonly accountUserId: string;
  readonly apiKey: string;
  readonly statements: FirstAccount["statements"];
};

const dialect = new SQLiteSyncDialect();

/** An insert as text and parameters. */
export function toStatement(insert: {
  readonly getSQL: () => SQL;
}): FirstAccount["statements"][number] {
  const { sql, params } = dialect.sqlToQuery(insert.getSQL());
  return { sql, params: params.map((it) => (typeof it === "boolean" ? Number(it) : it)) };
}

/** The rows of a person, their membership, and an API key that counts as self-made. */
function personRows(
  accountId: string,
  named: Omit<FirstAccountInput, "account">,
  keyName: string,
  admin: boolean,
  now: number,
  linkSecret: string | undefined,
) {
  const user = {
    ...newIdentity("user", now),
    name: named.person,
    passwordHash: named.passwordHash ?? null,
    passwordExpired: named.passwordExpired ?? true,
  };
  const email = {
    ...newIdentity("email", now),
    userId: user.id,
    email: named.email.toLowerCase(),
    primary: true,
    verifiedAt: now,
  };
  const accountUser = {
    ...newIdentity("account_user", now),
    accountId,
    userId: user.id,
    admin,
  };
  const { key, keyHash } = newApiKey(linkSecret);
  const apiKey = {
    ...newIdentity("api_key", now),
    accountId,
    accountUserId: accountUser.id,
    name: keyName,
    keyHash,
    selfMade: true,
  };
  const inserts = [
    build.insert(users).values(user),
    build.insert(userEmails).values(email),
    build.insert(accountUsers).values(accountUser),
    ...(named.hasKey === false ? [] : [build.insert(apiKeys).values(apiKey)]),
  ];
  return { apiKey: key, accountUserId: accountUser.id, statements: inserts.map(toStatement) };
}

/** The rows of a plain member of a new account, with their own key. The rest as below. */
export function buildColleague(
  accountId: string,
  named: Omit<FirstAccountInput, "account">,
  now: number,
  linkSecret?: string,
): Colleague {
  return personRows(accountId, named, "own key", false, now, linkSecret);
}

/**
 * The rows of a new account with one admin.
 *
 * @param now epoch ms
 * @param linkSecret the deployment's; unknown, its key has no MAC
 */
export function buildFirstAccount(
  named: FirstAccountInput,
  now: number,
  linkSecret?: string,
): FirstAccount {
  const { id, prefixId } = newIdentity("account", now);
  const admin = personRows(id, named, "first key", true, now, linkSecret);
  // The builder would name every column: the rest have their defaults, also in a database of an earlier layout.
  const account = sql`insert into ${accounts} (id, prefix_id, created_at, updated_at, name)
    values (${id}, ${prefixId}, ${now}, ${now}, ${named.account})`;
  return { ...admin, accountId: id, statements: [toStatement(account), ...admin.statements] };
}
