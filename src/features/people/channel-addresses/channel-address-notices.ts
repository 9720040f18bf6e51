// The e-mails that tell a person of a messenger that receives their notifications, or no longer does.
import type { SQLWrapper } from "drizzle-orm";
import type { SecurityKind } from "../../../domain/access/security-notice.ts";
import type { MessengerChannel } from "../../../domain/people/messengers.ts";
import type { NoticeContext } from "../../access/sessions/security-notice-rows.ts";
import { securityNotices } from "../../access/sessions/security-notices.ts";
import { messengerOf } from "../channels/channels.ts";

type NamedAddress = { readonly channel: MessengerChannel; readonly name: string };

/**
 * The writes of the notice, for the batch of the change. Settings are not named: a topic or a key is
 * as good as a password.
 *
 * @param now epoch ms
 */
export function addressNotices(
  env: Cloudflare.Env,
  about: NoticeContext,
  kind: Extract<SecurityKind, `address_${string}`>,
  { channel, name }: NamedAddress,
  now: number,
): Promise<SQLWrapper[]> {
  const { title } = messengerOf(channel);
  const detail = name === "" ? title : `${title} (${name})`;
  return securityNotices(env, about, [{ kind, detail }], now);
}
