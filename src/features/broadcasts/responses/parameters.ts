// The parameters of a response to a broadcast (contract 5).
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreateBroadcastResponse = z.object({
  broadcast_response_option_id: field.requiredText(64),
});
export type CreateBroadcastResponse = z.output<typeof CreateBroadcastResponse>;
