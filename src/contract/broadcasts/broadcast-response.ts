// A recipient's response to a broadcast.
import * as z from "zod";
import { identifier, identity, text } from "../shared/fields.ts";

export const BroadcastResponse = z.object({
  ...identity("broadcast_response"),
  broadcast_id: identifier("broadcast", "The broadcast."),
  account_user_id: identifier("account_user", "The membership of the person in the account."),
  broadcast_response_option_id: identifier("broadcast_response_option", "The option chosen."),
  channel: text("How the answer came.", "api"),
});
export type BroadcastResponse = z.output<typeof BroadcastResponse>;
