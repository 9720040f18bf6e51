// Emails that notify a person of a change to their access or their contacts (contract 1, People).
import type { SQLWrapper } from "drizzle-orm";
import type { SecurityNotice } from "../../../domain/access/security-notice.ts";
import { isMailSetUp } from "../../../products/mail/mail-provider.ts";
import { securityMailObject } from "../../stubs.ts";
import { insertNotice, type NoticeContext } from "./security-notice-rows.ts";

export type { NoticeContext, SecurityNotice };

/**
 * Prepares the person's object to send the emails, and returns the writes of the notices. Put them
 * BEFORE the writes of the change in the same batch: the emails then go to the addresses verified
 * before the change, and only if it commits. The object is called first; if the batch fails, it
 * finds nothing to send.
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
