// The messengers that write to people, and what a person enters for an address of each.

import { sql } from "drizzle-orm";
import type { MessengerChannel } from "../../../domain/people/messengers.ts";
import type { Connection } from "../../../kernel/db/database.ts";
import { all, select } from "../../../kernel/db/select.ts";
import type { AddressField, Messenger } from "../../../products/messenger.ts";
import { integrations } from "../../schema/integrations.ts";
import { availableMessengers, messengerOf } from "../channels/channels.ts";

export type { AddressField };

/** What there is to say of a messenger to who adds an address. */
export type MessengerDescription = Pick<
  Messenger,
  "channel" | "title" | "about" | "fields" | "proof"
>;

/** What there is to say of a messenger, whether or not the deployment has it. */
export const describeMessenger = (channel: MessengerChannel): MessengerDescription =>
  messengerOf(channel);

/** Which of these integration types an account has an enabled integration of. */
const selectEnabledTypes = (accountId: string, types: readonly string[]) =>
  select(
    { type: integrations.integrationType },
    sql`from ${integrations} where ${integrations.accountId} = ${accountId}
      and ${integrations.enabled} = 1
      and ${integrations.integrationType} in (select value from json_each(${JSON.stringify(types)}))
      group by ${integrations.integrationType}`,
  );

/** The messengers of this deployment that can write to the people of an account: those with an app of its own need it. */
export async function listUsableMessengers(
  env: Cloudflare.Env,
  db: Connection,
  accountId: string,
): Promise<readonly MessengerDescription[]> {
  const messengers = availableMessengers(env);
  const appTypes = messengers.flatMap(({ appType }) => appType ?? []);
  const apps = await all(db, selectEnabledTypes(accountId, appTypes));
  const enabled = new Set(apps.map(({ type }) => type));
  return messengers.filter(({ appType }) => appType === undefined || enabled.has(appType));
}
