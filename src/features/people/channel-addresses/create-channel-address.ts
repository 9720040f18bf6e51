import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import type { AddressSettings } from "../../../domain/people/messengers.ts";
import { own } from "../../../domain/shared/own.ts";
import {
  type FieldError,
  type Refusal,
  refuse,
  refuseFields,
} from "../../../domain/shared/refusal.ts";
import { newIdentity } from "../../../kernel/db/identifiers.ts";
import type { Messenger } from "../../../products/messenger.ts";
import { commitChange } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { channelAddresses } from "../../schema/people.ts";
import { messengerOf } from "../channels/channels.ts";
import type { ChannelAddress } from "./contract.ts";
import type { CreateChannelAddress } from "./parameters.ts";
import { refusalOfSettings } from "./refusal-of-settings.ts";
import { channelAddressRecords } from "./rows.ts";
import { sendingSettings } from "./sending-settings.ts";

/** The most addresses of a person, whatever the channel. */
export const MAX_ADDRESSES = 20;

const FULL = refuse("conflict", `a person has at most ${MAX_ADDRESSES} addresses; remove one`);

/** The values of the channel's fields, and what is wrong with them. Other keys are dropped. */
function readSettings(
  env: Cloudflare.Env,
  { fields }: Messenger,
  given: AddressSettings,
): { readonly settings: AddressSettings; readonly faults: readonly FieldError[] } {
  const settings: Record<string, string> = {};
  const faults: FieldError[] = [];
  for (const { key, required, initial, url, format } of fields) {
    const value = (own<string | undefined>(given, key) ?? "").trim() || (initial ?? "");
    if (value !== "") settings[key] = value;
    const fault =
      value === ""
        ? required && "can't be blank"
        : url
          ? outboundUrlFault(value, allowedHosts(env.ALLOWED_HOSTS))
          : format && !format.pattern.test(value) && format.fault;
    if (fault) faults.push({ field: `settings.${key}`, message: `settings.${key} ${fault}` });
  }
  return { settings, faults };
}

/**
 * Adds an address of the actor on a messenger. It is used once it is confirmed.
 *
 * @param id the ULID of the new address
 * @returns the address; 409 if the deployment or the account has no such channel, or the person too many
 *   addresses; 422 naming every wrong field
 */
export async function createChannelAddress(
  context: Context<MemberActor>,
  id: string,
  body: CreateChannelAddress,
): Promise<ChannelAddress | Refusal> {
  const { db, env, actor, now } = context;
  const { accountId, accountUserId } = actor;
  const messenger = messengerOf(body.channel);
  if (!messenger.isSetUp(env)) {
    return refuse("conflict", `${messenger.title} is not set up on this deployment`);
  }
  const further = await sendingSettings(messenger, env, db, actor, {});
  if (further.kind !== "settings") return refusalOfSettings(further);
  const { settings, faults } = readSettings(env, messenger, body.settings ?? {});
  if (faults.length > 0) return refuseFields(faults);
  const { prefixId } = newIdentity("channel_address", now, id);
  const insert = sql`insert into ${channelAddresses}
      (id, prefix_id, account_id, account_user_id, created_at, updated_at, meta, channel, name, settings)
    select ${id}, ${prefixId}, ${accountId}, ${accountUserId}, ${now}, ${now},
      ${JSON.stringify(body.meta ?? {})}, ${body.channel}, ${body.name ?? ""},
      ${JSON.stringify(settings)}
    where (select count(*) from ${channelAddresses} where account_user_id = ${accountUserId})
      < ${MAX_ADDRESSES}`;
  const records = channelAddressRecords;
  const change = { verb: "create", records, id, before: null, writes: [insert] } as const;
  const { after } = await commitChange(context, change);
  return after ?? FULL;
}
