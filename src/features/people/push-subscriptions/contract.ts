// A browser that receives a person's Web Push notifications.
import * as z from "zod";
import { common, identifier, nested, text } from "../../../kernel/contract/fields.ts";

export const PushKeys = z.object({
  p256dh: text(
    "The public key, base64url.",
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  ),
  auth: text("The authentication secret, base64url.", "BTBZMqHH6r4Tts7J_aSIgg"),
});
export type PushKeys = z.output<typeof PushKeys>;

export const PushSubscription = z.object({
  ...common("push_subscription"),
  account_user_id: identifier("account_user", "The person's membership in the account."),
  name: text("The name.", "Payments"),
  endpoint: text(
    "The push service's address of the browser.",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn",
  ),
  keys: nested(PushKeys, "The keys of the browser's subscription. Read back as `***`."),
});
export type PushSubscription = z.output<typeof PushSubscription>;

export const PushKey = z.object({
  public_key: text(
    "The deployment's public VAPID key, base64url; null without Web Push.",
  ).nullable(),
});
export type PushKey = z.output<typeof PushKey>;
