// A subscription in the format of a browser's `PushSubscription.toJSON()`.
import * as z from "zod";
import * as field from "../../../kernel/contract/parameters.ts";

export const CreatePushSubscription = z
  .object({
    endpoint: field.requiredText(2_048),
    keys: z.object(
      { p256dh: field.requiredText(255), auth: field.requiredText(255) },
      "must be an object with p256dh and auth",
    ),
    name: field.optionalText(255),
    meta: field.hash.optional(),
  })
  .meta({ inExample: ["name"] });
export type CreatePushSubscription = z.output<typeof CreatePushSubscription>;
