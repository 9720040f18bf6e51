// The email to a person who was added to an account (contract 6, Joining an account).
import type { SQLWrapper } from "drizzle-orm";
import { type Welcome, welcomeObjectName } from "../../../domain/people/welcome.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import type { Context } from "../../change/context.ts";
import { welcomeObject } from "../../stubs.ts";
import type { PersonWrites } from "../users/change-person.ts";
import { reserveInvitation } from "./invitation-rows.ts";
import { insertWelcome } from "./welcome-rows.ts";

/**
 * Prepares the person's object to send the email, and returns its write, for the end of the batch
 * that adds them. The object is called first: if this worker fails before the batch, the object
 * finds nothing to send; after it, the object sends.
 */
export async function prepareWelcomeMail(
  { env, now }: Context,
  welcome: Welcome,
  { isKnown }: PersonWrites,
): Promise<SQLWrapper> {
  await welcomeObject(env, welcomeObjectName(welcome)).expect(welcome);
  return insertWelcome(welcome, isKnown ? "user.invitation" : "user.password", now);
}

/** Invitations per account and hour, unless a variable sets another limit. */
const MOST_INVITATIONS = 100;

/**
 * Counts an invitation. Returns a refusal over the account's hourly limit (`INVITATIONS_PER_HOUR`),
 * else null. Limited because an invitation sends an email in our name to any address.
 */
export async function countInvitation({
  env: { RATE_LIMITS, INVITATIONS_PER_HOUR },
  db,
  actor: { accountId },
  now,
}: Context): Promise<Refusal | null> {
  if (RATE_LIMITS === "off" || INVITATIONS_PER_HOUR === "off") return null;
  const configured = Number(INVITATIONS_PER_HOUR);
  const most = INVITATIONS_PER_HOUR && configured >= 0 ? configured : MOST_INVITATIONS;
  const nextAt = await reserveInvitation(db, accountId, most, now);
  if (nextAt === null) return null;
  const message = `the account has sent ${most} invitations in the last hour; add people with invite: false and invite them later`;
  return { ...refuse("too_many", message), retryAfter: Math.ceil((nextAt - now) / 1000) };
}
