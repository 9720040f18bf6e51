// The apps of an account in chats: which it has, and their secrets.
import { sql } from "drizzle-orm";
import type { Connection } from "../../../kernel/db/database.ts";
import { first, parsed, select } from "../../../kernel/db/select.ts";
import { integrations } from "../../schema/integrations.ts";

/**
 * Reads the secrets of the oldest enabled integration of a type that has one of them; null without one.
 *
 * @param key the secret option that it must have
 */
export async function readChatSecrets(
  db: Connection,
  accountId: string,
  type: string,
  key: string,
): Promise<Readonly<Record<string, string>> | null> {
  const found = await first(
    db,
    select(
      { secrets: parsed<Readonly<Record<string, string>>>(integrations.secrets) },
      sql`from ${integrations} where ${integrations.accountId} = ${accountId}
        and ${integrations.integrationType} = ${type} and ${integrations.enabled} = 1
        and json_extract(${integrations.secrets}, ${`$.${key}`}) is not null
        order by ${integrations.id} limit 1`,
    ),
  );
  return found?.secrets ?? null;
}

/** Which of these integration types an account has an enabled integration of. */
export const selectEnabledTypes = (accountId: string, types: readonly string[]) =>
  select(
    { type: integrations.integrationType },
    sql`from ${integrations} where ${integrations.accountId} = ${accountId}
      and ${integrations.enabled} = 1
      and ${integrations.integrationType} in (select value from json_each(${JSON.stringify(types)}))
      group by ${integrations.integrationType}`,
  );
