// Telling a person by mail that something about their access or their contacts was changed (contract 1, People).
import type { SQLWrapper } from "drizzle-orm";
import { isMailSetUp } from "../../channels/mail/mail-services.ts";
import { insertNotice, type NoticeContext } from "../../db/access/security-notice-rows.ts";
import type { SecurityNotice } from "../../domain/access/security-notice.ts";
import { securityMailObject } from "../../objects/shared/stubs.ts";

export type { NoticeContext, SecurityNotice };

/**
 * Has the person's object expect a mail, and returns the writes of its notices: put them BEFORE the writes of the
 * change, in the same batch, so that the mail goes to the verified addresses as they were, and only if the change is
 * made. The object is told first: should the batch fail, it finds nothing to send.
 *
 * @param now epoch ms
 */
export async function securityNotices(
  env: Cloudflare.Env,
  context: NoticeContext,
  notices: readonly SecurityNotice[],
  now: number,
): Promise<SQLWrapper[]> {
  if (notices.length === 0 || !isMailSetUp(env)) return [];
  await securityMailObject(env, context.userId).expect();
  return notices.map((notice) => insertNotice(context, notice, now));
}
