// The parameters of addresses on messengers. The fields of `settings` depend on the channel, and are
// validated by it.
import * as z from "zod";
import { MESSENGERS } from "../../../domain/people/messengers.ts";
import * as field from "../../../kernel/contract/parameters.ts";
import { ConfirmPhone } from "../contacts/phone-parameters.ts";

export const CreateChannelAddress = z
  .object({
    channel: field.choice(MESSENGERS),
    settings: z
      .record(
        z.string(),
        z.string("must be a string").max(2_048, "is too long (maximum is 2048 characters)"),
        "must be an object",
      )
      .nullish()
      .meta({
        description:
          "The fields of the channel. `ntfy`: `server` (`https://ntfy.sh`), `topic`, `token`. `pushover`: `user_key`, `device`. `gotify`: `server`, `token`. `matrix`: `server`, `room_id`, `token`. `webhook`: `url`, `secret`. `whatsapp`: `number`. `slack`: `member_id`. `teams` and `telegram`: none.",
        example: { topic: "ada-pages-7f3k" },
      }),
    name: field.optionalText(255),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["settings", "name"] });
export type CreateChannelAddress = z.output<typeof CreateChannelAddress>;

export const ConfirmChannelAddress = ConfirmPhone;
export type ConfirmChannelAddress = z.output<typeof ConfirmChannelAddress>;
