// Verifies an address by its mailed link. Whoever opens it reads that mailbox, and must be signed in as the person whom the
// address is to belong to.
import type { MemberActor } from "../../../domain/access/actor.ts";
import { readAccessLink } from "../../access/sessions/access-links.ts";
import { securityNotices } from "../../access/sessions/security-notices.ts";
import type { Context } from "../../change/context.ts";
import { findEmail, verifyEmail } from "./email-rows.ts";

/** The unverified address of a link. */
export type PendingAddress = {
  readonly kind: "address";
  readonly emailId: string;
  readonly email: string;
  /** Whether it becomes primary in every account once verified. */
  readonly isPrimary: boolean;
};

/** `over`: the address was changed or removed; `taken`: another person has verified it. */
export type EmailLink =
  | PendingAddress
  | {
      readonly kind: "expired" | "unknown" | "other_person" | "over" | "verified" | "taken";
    };

/** The address of a link that the person has followed, or why there is nothing to verify. */
export async function readEmailLink(
  { env, db }: Pick<Context, "env" | "db">,
  { userId }: Pick<MemberActor, "userId">,
  token: string,
): Promise<EmailLink> {
  const found = await readAccessLink(env, "address", token);
  if (found.kind !== "link") return found;
  const { emailId, isFor } = found.link;
  if (found.link.userId !== userId) return { kind: "other_person" };
  const address = await findEmail(db, userId, emailId);
  if (address === null || !isFor([address.email])) return { kind: "over" };
  if (address.isVerified) return { kind: "verified" };
  if (address.isTaken) return { kind: "taken" };
  const { email, isPrimary } = address;
  return { kind: "address", emailId, email, isPrimary };
}

/** Marks the address as verified and notifies the person; false if another person was first. */
export async function verifyPendingAddress(
  { env, db, now }: Pick<Context, "env" | "db" | "now">,
  { userId, accountId }: MemberActor,
  { emailId, email, isPrimary }: PendingAddress,
): Promise<boolean> {
  const notices = [
    { kind: "email_verified", detail: email },
    ...(isPrimary ? [{ kind: "email_primary", detail: email } as const] : []),
  ] as const;
  const writes = await securityNotices(env, { userId, accountId, byUserId: userId }, notices, now);
  return verifyEmail(db, { userId, emailId, email }, now, writes);
}
