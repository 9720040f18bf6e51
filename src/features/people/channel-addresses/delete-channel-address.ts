import { sql } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { first } from "../../../kernel/db/select.ts";
import { commitUnread } from "../../change/commit.ts";
import type { Context } from "../../change/context.ts";
import { channelAddresses } from "../../schema/people.ts";
import { addressNotices } from "./channel-address-notices.ts";
import { channelAddressScope } from "./channel-address-scope.ts";
import { channelAddressRecords, selectAddress } from "./rows.ts";

/**
 * Removes an address of the actor; null, or 404. Notifies the person by e-mail if messages were sent
 * to it.
 */
export async function deleteChannelAddress(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { db, env, actor, now } = context;
  const { accountId, userId } = actor;
  const scope = channelAddressScope(actor);
  const own = sql`${oneRecord(channelAddresses, accountId, identifier)} and ${scope}`;
  const address = await first(db, selectAddress(own));
  if (address === null) return notFound("channel_address");
  const about = { userId, accountId, byUserId: userId };
  const notices = address.isConfirmed
    ? await addressNotices(env, about, "address_removed", address, now)
    : [];
  const deletion = sql`delete from ${channelAddresses} where ${own}`;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: channelAddressRecords,
    identifier,
    scope,
    writes: [...notices, deletion],
  });
  return before ? null : notFound("channel_address");
}
