// Rows of apps in chats: the message of an alert in each channel.
import { type SQL, sql } from "drizzle-orm";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import { first, select } from "../../../kernel/db/select.ts";
import { chatMessages } from "../../schema/integrations.ts";

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
