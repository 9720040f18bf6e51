// People's addresses on messengers: what a record shows. Secrets read back as `***`.
import { type SQL, sql } from "drizzle-orm";
import { type AddressSettings, secretFieldKeys } from "../../../domain/people/messengers.ts";
import { MINUTE } from "../../../domain/shared/time.ts";
import {
  commonAttributes,
  instant,
  nested,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import { type Connection, statement } from "../../../kernel/db/database.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { first, returning, select, truth } from "../../../kernel/db/select.ts";
import { notifications } from "../../schema/alerts.ts";
import { accountUsers, channelAddresses, users } from "../../schema/people.ts";
import { CODE_INTERVAL_MS, CODE_MS, MAX_CODE_ATTEMPTS } from "../contacts/phone-code-rows.ts";

/** Secret values are masked by their keys, which no channel uses for anything else. */
const maskedSettings = sql<Readonly<Record<string, string>>>`(select json_group_object(key,
    iif(key in (select value from json_each(${JSON.stringify(secretFieldKeys)})), '***', value))
  from json_each(${channelAddresses.settings}))`;

export const channelAddressRecords: Records<"ChannelAddress"> = {
  kind: "channel_address",
  shows: "ChannelAddress",
  from: channelAddresses,
  accountId: channelAddresses.accountId,
  id: channelAddresses.id,
  prefixId: channelAddresses.prefixId,
  attributes: {
    ...commonAttributes(channelAddresses),
    account_user_id: reference(
      channelAddresses.accountUserId,
      channelAddresses.accountId,
      accountUsers,
    ),
    channel: string(channelAddresses.channel),
    name: string(channelAddresses.name),
    settings: nested(maskedSettings),
    confirmed_at: instant(channelAddresses.confirmedAt),
    failing_since: instant(channelAddresses.failingSince),
    failure: string(channelAddresses.failure),
  },
  search: [channelAddresses.name],
};

// Rows of people's addresses on messengers: what a message is sent to, how an address is proven, and
// whose answer a button is. Codes are stored as hashes.

/** How long a link that proves an address is valid (ms). */
export const LINK_MS = 15 * MINUTE;

const storedColumns = {
  id: channelAddresses.id,
  prefixId: channelAddresses.prefixId,
  accountUserId: channelAddresses.accountUserId,
  channel: channelAddresses.channel,
  name: channelAddresses.name,
  settings: channelAddresses.settings,
  isConfirmed: truth(sql`${channelAddresses.confirmedAt} is not null`),
  isFailing: truth(sql`${channelAddresses.failingSince} is not null`),
};

/** Selects an address of a person by a condition. */
export const selectAddress = (condition: SQL) =>
  select(storedColumns, sql`from ${channelAddresses} where ${condition}`);

/** Reads a confirmed address of a person by its `prefix_id`. */
export const readUsableAddress = (
  db: Connection,
  accountId: string,
  accountUserId: string,
  prefixId: string,
) =>
  first(
    db,
    selectAddress(sql`${channelAddresses.accountId} = ${accountId}
      and ${channelAddresses.prefixId} = ${prefixId}
      and ${channelAddresses.accountUserId} = ${accountUserId}
      and ${channelAddresses.confirmedAt} is not null`),
  );

/** Stores since when and why the provider refuses an address; null: it accepts it again. */
export async function storeAddressHealth(
  db: Connection,
  id: string,
  failure: string | null,
  now: number,
): Promise<void> {
  const since = failure === null ? null : now;
  const query = sql`update ${channelAddresses}
    set failing_since = ${since}, failure = ${failure}, updated_at = ${now} where id = ${id}`;
  await statement(db, query).run();
}

/** Stores the hash of a new code; returns no row within the pause between two codes. */
export const storeAddressCode = (id: string, codeHash: string, now: number) =>
  returning(
    sql`update ${channelAddresses}
      set code_hash = ${codeHash}, code_sent_at = ${now}, code_attempts = 0, updated_at = ${now}
      where id = ${id} and confirmed_at is null
        and coalesce(code_sent_at, 0) <= ${now - CODE_INTERVAL_MS}`,
    { id: channelAddresses.id },
  );

/**
 * Counts an attempt before the comparison, so that concurrent attempts cannot exceed the limit.
 * Returns the stored hash; no row without a code that may be tried.
 */
export const countAddressAttempt = (id: string, validMs: number, now: number) =>
  returning(
    sql`update ${channelAddresses} set code_attempts = code_attempts + 1
      where id = ${id} and confirmed_at is null and code_hash is not null
        and code_attempts < ${MAX_CODE_ATTEMPTS} and code_sent_at > ${now - validMs}`,
    { codeHash: sql<string>`code_hash` },
  );

/** How long a code that was sent is valid (ms). */
export const ADDRESS_CODE_MS = CODE_MS;

/** Confirms an address whose code is still the one that was compared. */
export const confirmAddress = (
  id: string,
  codeHash: string,
  settings: AddressSettings,
  now: number,
): SQL =>
  sql`update ${channelAddresses}
    set confirmed_at = ${now}, code_hash = null, updated_at = ${now},
      settings = json_patch(settings, ${JSON.stringify(settings)})
    where id = ${id} and code_hash = ${codeHash}`;

/** A person who answers an alert by a provider's callback. */
export type Answerer = {
  readonly accountId: string;
  readonly accountUserId: string;
  readonly name: string;
  readonly timeZone: string;
  readonly alertId: string;
};

/** Reads whose account and person a member is; null if they are none any more. */
export const readAddressOwner = (db: Connection, accountUserId: string) =>
  first(
    db,
    select(
      { userId: accountUsers.userId, accountId: accountUsers.accountId },
      sql`from ${accountUsers} where ${accountUsers.id} = ${accountUserId}`,
    ),
  );

/** Reads the name of an active member; null if they are none. */
export const readMemberName = (db: Connection, accountId: string, accountUserId: string) =>
  first(
    db,
    select(
      { name: users.name },
      sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
        where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}
          and ${accountUsers.state} = 'active'`,
    ),
  );

/** Reads whose button of a Telegram message it is; null unless it was sent to this chat. */
export const readTelegramAnswerer = (
  db: Connection,
  accountUserId: string,
  notificationId: string,
  chatId: string,
): Promise<Answerer | null> =>
  first(
    db,
    select(
      {
        accountId: accountUsers.accountId,
        accountUserId: accountUsers.id,
        name: users.name,
        timeZone: users.timeZone,
        // Never null: a condition of the select.
        alertId: sql<string>`${notifications.alertId}`,
      },
      sql`from ${accountUsers}
        join ${users} on ${users.id} = ${accountUsers.userId}
        join ${notifications} on ${notifications.accountId} = ${accountUsers.accountId}
          and ${notifications.accountUserId} = ${accountUsers.id}
          and ${notifications.id} = ${notificationId}
        join ${channelAddresses} on ${channelAddresses.accountId} = ${accountUsers.accountId}
          and ${channelAddresses.prefixId} = ${notifications.to}
      where ${accountUsers.id} = ${accountUserId} and ${accountUsers.state} = 'active'
        and ${notifications.channel} = 'telegram' and ${notifications.alertId} is not null
        and ${channelAddresses.accountUserId} = ${accountUsers.id}
        and ${channelAddresses.confirmedAt} is not null
        and ${channelAddresses.settings} ->> 'chat_id' = ${chatId}`,
    ),
  );
