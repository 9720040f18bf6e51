// What sending to an address needs beside its own settings, where the account's own app in a chat writes.
import { sql } from "drizzle-orm";
import type { AddressSettings } from "../../../domain/people/messengers.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { first, parsed, select } from "../../../kernel/db/select.ts";
import type {
  Addressee,
  ChatApps,
  FurtherSettings,
  Messenger,
} from "../../../products/messenger.ts";
import { integrations } from "../../schema/integrations.ts";
import { chatAccounts } from "../../schema/people.ts";

/**
 * Reads the secrets of the oldest enabled integration of a type that has one of them; null without one.
 *
 * @param key the secret option that it must have
 */
async function readChatSecrets(
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

/**
 * Reads the person's oldest Teams account with the oldest enabled bot of its tenant that has a secret; null
 * without one.
 */
const readTeamsReceiver = (db: Connection, accountId: string, accountUserId: string) =>
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

/** The apps of the account of this database that messengers write by. */
const chatAppsIn = (db: Connection, { accountId, accountUserId }: Addressee): ChatApps => ({
  readSecrets: (type, key) => readChatSecrets(db, accountId, type, key),
  readTeamsReceiver: () => readTeamsReceiver(db, accountId, accountUserId),
});

/** The settings with which a message is sent, or why it cannot be. */
export async function sendingSettings(
  { furtherSettings }: Messenger,
  env: Cloudflare.Env,
  db: Connection,
  person: Addressee,
  settings: AddressSettings,
): Promise<FurtherSettings> {
  if (furtherSettings === undefined) return { kind: "settings", settings };
  const further = await furtherSettings(env, chatAppsIn(db, person));
  if (further.kind !== "settings") return further;
  return { kind: "settings", settings: { ...settings, ...further.settings } };
}
