// The Teams account that a person has linked, and the bot of the account that can write to it.
import { sql } from "drizzle-orm";
import type { Connection } from "../../../kernel/db/database.ts";
import { first, parsed, select } from "../../../kernel/db/select.ts";
import { integrations } from "../../schema/integrations.ts";
import { chatAccounts } from "../../schema/people.ts";

/**
 * Reads the person's oldest Teams account with the oldest enabled bot of its tenant that has a secret; null
 * without one.
 */
export const readTeamsReceiver = (db: Connection, accountId: string, accountUserId: string) =>
  first(
    db,
    select(
      {
        userId: chatAccounts.chatUserId,
        options: integrations.options,
        secrets: parsed<Readonly<Record<string, string>>>(integrations.secrets),
      },
      sql`from ${chatAccounts} join ${integrations}
          on ${integrations.accountId} = ${chatAccounts.accountId}
          and ${integrations.integrationType} = 'teams_app' and ${integrations.enabled} = 1
          and lower(json_extract(${integrations.options}, '$.tenant')) = ${chatAccounts.workspaceId}
          and json_extract(${integrations.secrets}, '$.client_secret') is not null
        where ${chatAccounts.accountUserId} = ${accountUserId}
          and ${chatAccounts.accountId} = ${accountId} and ${chatAccounts.product} = 'teams'
        order by ${chatAccounts.id}, ${integrations.id} limit 1`,
    ),
  );
