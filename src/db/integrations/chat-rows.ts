// Rows of apps in chats: the message of an alert in each channel, and the requests that were received.
import { type SQL, sql } from "drizzle-orm";
import { chatMessages, chatRequests } from "../schema/integrations.ts";
import { type Connection, statement } from "../shared/database.ts";
import { batch, first, returning, select } from "../shared/select.ts";

/** Reads the message that an integration posted for an alert; null without one. */
export const readChatMessage = (
  db: Connection,
  accountId: string,
  integrationId: string,
  alertId: string,
) =>
  first(
    db,
    select(
      { channel: chatMessages.channel, messageId: chatMessages.messageId },
      sql`from ${chatMessages} where ${chatMessages.accountId} = ${accountId}
        and ${chatMessages.alertId} = ${alertId}
        and ${chatMessages.integrationId} = ${integrationId}`,
    ),
  );

/**
 * Reads the alert that a message is about, and the integration that posted it; null if it is none.
 *
 * @param messageId null where each message has a channel of its own
 */
export const readAlertOfMessage = (
  db: Connection,
  accountId: string,
  channel: string,
  messageId: string | null,
) =>
  first(
    db,
    select(
      { alertId: chatMessages.alertId, integrationId: chatMessages.integrationId },
      sql`from ${chatMessages} where ${chatMessages.accountId} = ${accountId}
        and ${chatMessages.channel} = ${channel}
        and ${messageId === null ? sql`true` : sql`${chatMessages.messageId} = ${messageId}`}
        limit 1`,
    ),
  );

type NewMessage = {
  readonly accountId: string;
  readonly integrationId: string;
  readonly alertId: string;
  readonly channel: string;
  readonly messageId: string;
};

/** Stores the message of an alert, in place of an earlier one. */
export async function storeChatMessage(db: Connection, message: NewMessage): Promise<void> {
  const { accountId, integrationId, alertId, channel, messageId } = message;
  const query: SQL = sql`insert into ${chatMessages}
      (account_id, integration_id, alert_id, channel, message_id)
    values (${accountId}, ${integrationId}, ${alertId}, ${channel}, ${messageId})
    on conflict (account_id, alert_id, integration_id)
      do update set channel = excluded.channel, message_id = excluded.message_id`;
  await statement(db, query).run();
}

/** Lets a request be performed again. */
export async function releaseChatRequest(
  db: Connection,
  integrationId: string,
  signature: string,
): Promise<void> {
  const query = sql`delete from ${chatRequests} where ${chatRequests.integrationId} = ${integrationId}
    and ${chatRequests.signature} = ${signature}`;
  await statement(db, query).run();
}

/**
 * Claims a signed request, so that it is performed once.
 *
 * @param signature the digest of what was verified
 * @param since earlier requests have signatures that are not valid any more (epoch ms)
 * @returns whether it was not received before
 */
export async function claimChatRequest(
  db: Connection,
  accountId: string,
  integrationId: string,
  signature: string,
  now: number,
  since: number,
): Promise<boolean> {
  const [, [claimed]] = await batch(db, [
    sql`delete from ${chatRequests} where ${chatRequests.integrationId} = ${integrationId}
      and ${chatRequests.receivedAt} < ${since}`,
    returning(
      sql`insert into ${chatRequests} (account_id, integration_id, signature, received_at)
        values (${accountId}, ${integrationId}, ${signature}, ${now}) on conflict do nothing`,
      { receivedAt: chatRequests.receivedAt },
    ),
  ]);
  return claimed !== undefined;
}
