// People's addresses on messengers: what a record shows. Secrets read back as `***`.
import { sql } from "drizzle-orm";
import { secretFieldKeys } from "../../../domain/people/messengers.ts";
import {
  commonAttributes,
  instant,
  nested,
  reference,
  string,
} from "../../../kernel/db/attributes.ts";
import type { Records } from "../../../kernel/db/records.ts";
import { accountUsers, channelAddresses } from "../../schema/people.ts";

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
