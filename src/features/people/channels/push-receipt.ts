// The address at which a browser confirms that it has shown a push message.

import type { NotificationKey } from "../../../domain/notifications/page.ts";
import { signedLink } from "../../../kernel/links.ts";

export const PUSH_RECEIPT = { path: "/callbacks/push/", purpose: "push_receipt" } as const;

/** How long after its message it is valid (ms). */
const LIFETIME_MS = 86_400_000;

/** The URL for a notification in a browser; null if the deployment has no links. `at`: of the message, epoch ms. */
export const pushReceiptUrl = (
  env: Cloudflare.Env,
  { accountId, accountUserId, id }: NotificationKey,
  subscriptionId: string,
  at: number,
): Promise<string | null> => {
  const claims = {
    ...{ aud: PUSH_RECEIPT.purpose, acc: accountId, rec: id, sub: accountUserId },
    dev: subscriptionId,
  };
  return signedLink(env, PUSH_RECEIPT.path, claims, at + LIFETIME_MS);
};
