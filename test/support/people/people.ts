// Creates people in a test's account, each with their own key.
import { env } from "cloudflare:workers";
import { newApiKey } from "../../../src/kernel/credentials.ts";
import { newIdentity } from "../../../src/kernel/db/identifiers.ts";
import { type Account, call, type Reply } from "../api/api.ts";

export type Colleague = {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly api: Account["api"];
};

let people = 0;

/** A unique e-mail address. */
export function freshEmail(name = "person"): string {
  people += 1;
  return `${name}.${people}.${Date.now()}@example.com`;
}

/** Inserts a key of an account user, since the API does not create one for a new person. */
export async function keyOf(
  accountId: string,
  accountUserId: string,
  readOnly = false,
): Promise<Account["api"]> {
  const { key, keyHash } = newApiKey(env.LINK_SECRET);
  const row = newIdentity("api_key", Date.now());
  await env.DB.prepare(
    `insert into api_keys (id, prefix_id, created_at, updated_at, account_id, account_user_id, key_hash, read_only,
      self_made) values (?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  )
    .bind(
      row.id,
      row.prefixId,
      row.createdAt,
      row.updatedAt,
      accountId,
      accountUserId,
      keyHash,
      Number(readOnly),
    )
    .run();
  return (method, path, body, headers) =>
    call(method, `/api/v4${path}`, {
      key,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    });
}

/** Creates a member of the account with these roles and their own key. */
export async function addColleague(
  account: Account,
  name: string,
  roles: Record<string, boolean> = {},
): Promise<Colleague> {
  const email = freshEmail(name.split(" ")[0]?.toLowerCase());
  const made = await account.api("POST", "/account_users", {
    user_attributes: { name, emails_attributes: [{ email }] },
    roles,
  });
  if (made.status !== 201) throw new Error(made.text);
  const { id, user } = made.body;
  return { id, userId: user.id, email, api: await keyOf(account.accountId, id) };
}

/** The invalid parameters that a response lists, sorted. */
export function faultyFields(reply: Reply): string[] {
  return reply.body.errors.map((error: { field?: string }) => error.field ?? "").sort();
}

/** Marks addresses as verified. */
export async function markVerified(...emails: readonly string[]): Promise<void> {
  const verify = env.DB.prepare("update user_emails set verified_at = ? where email = ?");
  await env.DB.batch(emails.map((email) => verify.bind(Date.now(), email)));
}
