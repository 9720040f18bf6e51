// More people for a test's account, each with a key of their own, put straight into the tables.
import { env } from "cloudflare:workers";
import { build, statement } from "../../src/db/database.ts";
import { newIdentity } from "../../src/db/identifiers.ts";
import { accountUsers, apiKeys, users } from "../../src/db/schema/people.ts";
import { newApiKey } from "../../src/setup/first-account.ts";
import { type Account, call } from "./api.ts";

/** A person in the account, without any role unless one is named; the returned `api` uses their key. */
export async function addPerson(
  account: Account,
  name: string,
  roles: { readonly admin?: boolean; readonly broadcaster?: boolean } = {},
): Promise<Account> {
  const now = Date.now();
  const { accountId } = account;
  const user = { ...newIdentity("user", now), name };
  const person = { ...newIdentity("account_user", now), accountId, userId: user.id, ...roles };
  const { key, keyHash } = newApiKey();
  const apiKey = { ...newIdentity("api_key", now), accountId, accountUserId: person.id, keyHash };
  const inserts = [
    build.insert(users).values(user),
    build.insert(accountUsers).values(person),
    build.insert(apiKeys).values(apiKey),
  ];
  await env.DB.batch(inserts.map((insert) => statement(env.DB.withSession(), insert)));
  return {
    key,
    accountId,
    accountUserId: person.id,
    api: (method, path, body, headers) =>
      call(method, `/api/v4${path}`, {
        key,
        ...(body !== undefined && { body }),
        ...(headers && { headers }),
      }),
  };
}
