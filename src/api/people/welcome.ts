// What goes with adding somebody to an account: the mail by which they learn of it (contract 6, Joining an account).
import type { SQLWrapper } from "drizzle-orm";
import { reserveInvitation } from "../../db/people/invitation-rows.ts";
import { insertWelcome } from "../../db/people/welcome-rows.ts";
import type { Connection } from "../../db/shared/database.ts";
import { type Welcome, welcomeObjectName } from "../../domain/people/welcome.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { welcomeObject } from "../../objects/shared/stubs.ts";
import type { PersonWrites } from "./people-changes.ts";

/**
 * Has the person's object expect the mail, and returns the write of it, for the end of the batch that adds them. The
 * object is told first: should we die before the batch, it finds nothing to send; after it, it sends.
 */
export async function welcomeWith(
  env: Cloudflare.Env,
  welcome: Welcome,
  { isKnown }: PersonWrites,
  now: number,
): Promise<SQLWrapper> {
  await welcomeObject(env, welcomeObjectName(welcome)).expect(welcome);
  return insertWelcome(welcome, isKnown ? "user.invitation" : "user.password", now);
}

/** Invitations of an account in an hour, where no variable says otherwise. */
const MOST_INVITATIONS = 100;

/**
 * Counts an invitation of the account: the refusal past its limit for an hour (`INVITATIONS_PER_HOUR`), else null. Each
 * is a mail in our name to an address that anybody may write down.
 */
export async function countInvitation(
  { RATE_LIMITS, INVITATIONS_PER_HOUR }: Cloudflare.Env,
  db: Connection,
  accountId: string,
  now: number,
): Promise<Refusal | null> {
  if (RATE_LIMITS === "off" || INVITATIONS_PER_HOUR === "off") return null;
  const given = Number(INVITATIONS_PER_HOUR);
  const most = INVITATIONS_PER_HOUR && given >= 0 ? given : MOST_INVITATIONS;
  const nextAt = await reserveInvitation(db, accountId, most, now);
  if (nextAt === null) return null;
  const message = `the account has sent ${most} invitations in the last hour; add people with invite: false and invite them later`;
  return { ...refuse("too_many", message), retryAfter: Math.ceil((nextAt - now) / 1000) };
}
