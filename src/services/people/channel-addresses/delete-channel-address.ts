import { sql } from "drizzle-orm";
import { channelAddressRecords } from "../../../db/people/contacts/channel-address-records.ts";
import { oneRecord } from "../../../db/records/records.ts";
import { channelAddresses } from "../../../db/schema/people.ts";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { commitUnread } from "../../shared/commit.ts";
import type { Context } from "../../shared/context.ts";
import { channelAddressScope } from "./channel-address-scope.ts";

/** Removes an address of the actor; null, or 404. */
export async function deleteChannelAddress(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Refusal | null> {
  const { actor } = context;
  const scope = channelAddressScope(actor);
  const deletion = sql`delete from ${channelAddresses}
    where ${oneRecord(channelAddresses, actor.accountId, identifier)} and ${scope}`;
  const { before } = await commitUnread(context, {
    verb: "delete",
    records: channelAddressRecords,
    identifier,
    scope,
    writes: [deletion],
  });
  return before ? null : notFound("channel_address");
}
