// What goes with an address that is not verified: the mail whose link proves it.
import type { SQLWrapper } from "drizzle-orm";
import { hasLinks } from "../../../channels/links/links.ts";
import { isMailSetUp } from "../../../channels/mail/mail-services.ts";
import { deleteOldLinkSends, reserveLinkSends } from "../../../db/people/email-rows.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import type { Actor } from "../../../http/access/actor.ts";
import { accessMailObject } from "../../../objects/shared/stubs.ts";
import type { UnverifiedAddress } from "../people-changes.ts";

/** Whether this deployment can prove addresses: it needs mails, and links in them. */
export const canSendLinks = (env: Cloudflare.Env): boolean => hasLinks(env) && isMailSetUp(env);

/** Has the addresses' objects expect the mails that were asked for at `now` (epoch ms). */
export async function expectMails(
  env: Cloudflare.Env,
  { accountId, userId }: Actor,
  addresses: readonly UnverifiedAddress[],
  now: number,
): Promise<void> {
  const about = { kind: "address", accountId, byUserId: userId, at: now } as const;
  await Promise.all(
    addresses.map(({ id, email }) =>
      accessMailObject(env, prefixIdOf("email", id)).expect({ ...about, emailId: id, email }),
    ),
  );
}

/**
 * Has the objects of addresses that are about to be written expect their mails, and returns the writes that let them go,
 * for the end of the batch that writes them. The objects are told first: should we die before the batch, they find
 * nothing to send; after it, they send. An address that has had its share of mails gets none, and can be proven later.
 */
export async function proveWith(
  env: Cloudflare.Env,
  actor: Actor,
  addresses: readonly UnverifiedAddress[],
  now: number,
): Promise<SQLWrapper[]> {
  if (addresses.length === 0 || !canSendLinks(env)) return [];
  await expectMails(env, actor, addresses, now);
  const emails = addresses.map(({ email }) => email);
  return [deleteOldLinkSends(actor.accountId, now), reserveLinkSends(actor.accountId, emails, now)];
}
