// The emails with the links that verify addresses.
import type { SQLWrapper } from "drizzle-orm";
import type { MemberActor } from "../../../domain/access/actor.ts";
import type { UnverifiedAddress } from "../../../domain/people/verified-addresses.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { canSendLinks } from "../../../products/mail/mail-provider.ts";
import type { Context } from "../../change/context.ts";
import { accessMailObject } from "../../stubs.ts";
import { deleteOldLinkSends, reserveLinkSends } from "./email-rows.ts";

/** Prepares the addresses' objects to send the emails requested at `now`. */
export async function expectMails(
  { env, actor, now }: Context<MemberActor>,
  addresses: readonly UnverifiedAddress[],
): Promise<void> {
  const { accountId, userId } = actor;
  const about = { kind: "address", accountId, byUserId: userId, at: now } as const;
  await Promise.all(
    addresses.map(({ id, email }) =>
      accessMailObject(env, prefixIdOf("email", id)).expect({ ...about, emailId: id, email }),
    ),
  );
}

/**
 * Prepares the objects of addresses that are about to be written, and returns the writes that
 * trigger their emails, for the end of the batch. The objects are called first: if this worker
 * fails before the batch, they find nothing to send; after it, they send. An address over its limit
 * gets no email and can be verified later.
 */
export async function prepareVerificationMails(
  context: Context<MemberActor>,
  addresses: readonly UnverifiedAddress[],
): Promise<SQLWrapper[]> {
  const { env, actor, now } = context;
  if (addresses.length === 0 || !canSendLinks(env)) return [];
  await expectMails(context, addresses);
  const emails = addresses.map(({ email }) => email);
  return [deleteOldLinkSends(actor.accountId, now), reserveLinkSends(actor.accountId, emails, now)];
}
