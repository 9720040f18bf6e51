// The links in messages by which a person answers what is no alert.
import type { ChannelMessage } from "../domain/notifications/page.ts";
import { actionLink } from "../kernel/links.ts";

/** The URL to respond to a broadcast; null if it has no options or there are no links. */
export async function broadcastLink(
  env: Cloudflare.Env,
  { accountId, page, notice }: ChannelMessage,
): Promise<string | null> {
  const broadcast = notice?.broadcast;
  if (!broadcast || broadcast.options.length === 0) return null;
  const { accountUserId, at } = page;
  const subject = {
    purpose: "broadcast",
    accountId,
    recordId: broadcast.id,
    accountUserId,
  } as const;
  return actionLink(env, subject, at);
}

/** The URL to answer what is no alert; null if nothing is asked or there are no links. */
export const answerLink = async (
  env: Cloudflare.Env,
  message: ChannelMessage,
): Promise<string | null> =>
  (await broadcastLink(env, message)) ??
  (await coverRequestLink(env, message)) ??
  (await standbyLink(env, message));

/** The URL to answer a standby's question; null if it is none or there are no links. */
export async function standbyLink(
  env: Cloudflare.Env,
  { accountId, page, notice }: ChannelMessage,
): Promise<string | null> {
  if (!notice?.standby) return null;
  const { accountUserId, at } = page;
  const subject = { purpose: "standby", accountId, recordId: notice.standby.id } as const;
  return actionLink(env, { ...subject, accountUserId }, at);
}

/** The URL to answer a request for cover; null if it asks for no answer or there are no links. */
export async function coverRequestLink(
  env: Cloudflare.Env,
  { accountId, page, notice }: ChannelMessage,
): Promise<string | null> {
  const request = notice?.coverRequest;
  if (!request || request.answerBy === null) return null;
  const { accountUserId } = page;
  const subject = { purpose: "cover_request", accountId, recordId: request.id } as const;
  return actionLink(env, { ...subject, accountUserId }, request.answerBy);
}
