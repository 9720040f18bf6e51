import type { MemberActor } from "../../../domain/access/actor.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { batch, first } from "../../../kernel/db/select.ts";
import { canSendLinks } from "../../../products/mail/mail-provider.ts";
import type { Context } from "../../change/context.ts";
import { refusePersonChange } from "../users/person-access.ts";
import { selectPerson } from "../users/rows.ts";
import { expectMails } from "./address-mails.ts";
import { selectShownEmail } from "./contact-attributes.ts";
import type { Email } from "./contract.ts";
import {
  deleteOldLinkSends,
  LINK_INTERVAL_MS,
  MAX_LINKS_PER_ADDRESS,
  ownsEmail,
  reserveLinkSends,
  selectStoredEmail,
} from "./email-rows.ts";

const NO_LINKS = refuse("conflict", "this deployment cannot send links by e-mail");
const VERIFIED = refuse("conflict", "the address is verified already");
const BLOCKED = refuse("conflict", "e-mail to the address bounced");
const TOO_MANY = refuse(
  "too_many",
  `an address gets a link every ${LINK_INTERVAL_MS / 1000} seconds and ${MAX_LINKS_PER_ADDRESS} a day at most`,
);

/**
 * Sends the verification link of an email address again. Any member may add any address to their
 * own data, so a daily limit protects the owners of addresses from unwanted email.
 *
 * @returns the address; 403 unless the actor may change the person's data; 404; 409 if it is
 *   verified or blocked, or the deployment has no links; 429 over the limits
 */
export async function sendEmailLink(
  context: Context<MemberActor>,
  identifier: Identifier,
): Promise<Email | Refusal> {
  const { env, db, actor, now } = context;
  const { accountId } = actor;
  const [[person], [stored]] = await batch(db, [
    selectPerson(ownsEmail(accountId, identifier)),
    selectStoredEmail(accountId, identifier),
  ]);
  // The contacts of an invited person are not visible.
  if (!person || person.state === "pending" || !stored) return notFound("email");
  const refusal = refusePersonChange(actor, person);
  if (refusal) return refusal;
  if (stored.isVerified) return VERIFIED;
  if (stored.isBlocked) return BLOCKED;
  if (!canSendLinks(env)) return NO_LINKS;
  const [, reserved] = await batch(db, [
    deleteOldLinkSends(accountId, now),
    reserveLinkSends(accountId, [stored.email], now),
  ]);
  if (reserved.length !== 1) return TOO_MANY;
  await expectMails(context, [stored]);
  const shown = await first(db, selectShownEmail(stored.id, accountId));
  return shown?.email ?? notFound("email");
}
