// Changes the password of a signed-in person: at the first sign-in to replace the first password. All other sessions of the
// person end.

import { passwordFault } from "../../../domain/access/password.ts";
import { singleSignOnName } from "../../../domain/access/single-sign-on.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { statement } from "../../../kernel/db/database.ts";
import { passwordWork } from "./password-work.ts";
import { type DerivePassword, hashPassword, matchesPassword } from "./passwords.ts";
import { securityNotices } from "./security-notices.ts";
import { forgetSessions, type Session } from "./session.ts";
import {
  deleteSessionsOf,
  readSignInUser,
  type SignInUser,
  storePassword,
} from "./session-rows.ts";
import type { SignInContext } from "./sign-in.ts";
import { deleteFailures, type SignInAttempt } from "./sign-in-rows.ts";
import { runWithinLimits } from "./within-limits.ts";

/** What the person enters; `current` is not asked for in place of the first password. */
export type EnteredPasswords = {
  readonly current: string;
  readonly password: string;
  readonly again: string;
};

/** Refuses if the current password is wrong, or equals the new one. */
async function comparePasswords(
  derive: DerivePassword,
  { mustChoosePassword }: Session,
  { passwordHash: hash }: SignInUser,
  { current, password }: EnteredPasswords,
): Promise<Refusal | null> {
  if (hash === null) return null;
  const isCurrent = mustChoosePassword || (await matchesPassword(current, hash, derive));
  if (!isCurrent) return refuse("invalid", "current is incorrect", "current");
  return (await matchesPassword(password, hash, derive))
    ? refuse("invalid", "password must differ from your current password", "password")
    : null;
}

/** Limited per session, because its holder is already signed in. */
const attemptOf = ({ id, actor }: Session): SignInAttempt => ({
  who: actor.userId,
  place: { kind: "browser", name: id },
});

const NEEDS_NONE = refuse("forbidden", "you sign in with single sign-on, without a password");

/**
 * Changes the password of a session's person, who is notified of it.
 *
 * @returns null; 403 for somebody who signs in without a password; 422 for wrong or unfit passwords; 429
 *   over the limits on attempts
 */
export async function changePassword(
  { env, db, now }: Omit<SignInContext, "place">,
  session: Session,
  entered: EnteredPasswords,
): Promise<Refusal | null> {
  if (singleSignOnName(env) !== null && !session.hasPassword) return NEEDS_NONE;
  const { userId, accountId } = session.actor;
  const signer = await readSignInUser(db, userId);
  if (signer === null) return NEEDS_NONE;
  const wrong = passwordFault(entered.password, entered.again, signer);
  if (wrong) return wrong;
  const attempt = attemptOf(session);
  const derive = passwordWork(env);
  const refused = await runWithinLimits(db, attempt, () =>
    comparePasswords(derive, session, signer, entered),
  );
  if (refused !== null) return refused;
  const changes = session.mustChoosePassword ? [] : [{ kind: "password", detail: "" } as const];
  const notices = await securityNotices(env, { userId, accountId, byUserId: userId }, changes, now);
  await db.batch([
    ...notices.map((notice) => statement(db, notice)),
    statement(
      db,
      storePassword(userId, await hashPassword(entered.password, undefined, derive), now),
    ),
    statement(db, deleteSessionsOf(userId, session.token)),
    statement(db, deleteFailures(attempt)),
  ]);
  forgetSessions((known) => known.actor.userId === userId);
  return null;
}
