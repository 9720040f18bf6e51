// A recipient's response to a broadcast.
import * as z from "zod";
import { identifier, identity, text } from "../../../kernel/contract/fields.ts";

export const BroadcastResponse = z.object({
  ...identity("broadcast_response"),
  broadcast_id: identifier("broadcast", "The broadcast."),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  broadcast_response_option_id: identifier("broadcast_response_option", "The chosen option."),
  channel: text("The channel of the response.", "api"),
});
export type BroadcastResponse = z.output<typeof BroadcastResponse>;
