// An address of a person on a messenger, such as an ntfy topic.
import * as z from "zod";
import { MESSENGERS } from "../../../domain/people/messengers.ts";
import { choice, common, identifier, instant, text } from "../../../kernel/contract/fields.ts";

export const ChannelAddress = z.object({
  ...common("channel_address"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  channel: choice(MESSENGERS, "The channel.", "ntfy"),
  name: text("The name.", "Payments"),
  settings: z.record(z.string(), z.string()).meta({
    description: "The fields of the channel. Secrets read back as `***`.",
    examples: [{ server: "https://ntfy.sh", topic: "ada-pages-7f3k", token: "***" }],
  }),
  confirmed_at: instant(
    "When the person proved that they read it. It is not used before.",
  ).nullable(),
  failing_since: instant(
    "Since when the provider refuses messages; null if the last one was accepted.",
    null,
  ).nullable(),
  failure: text("Why the provider refuses messages.", null).nullable(),
});
export type ChannelAddress = z.output<typeof ChannelAddress>;

export const ChannelAddressProof = z.object({
  sent: z.boolean().meta({ description: "Whether a code was sent to the address." }),
  link_url: text(
    "The link to follow instead, for channels that are linked at the provider (`telegram`).",
    null,
  ).nullable(),
});
export type ChannelAddressProof = z.output<typeof ChannelAddressProof>;
