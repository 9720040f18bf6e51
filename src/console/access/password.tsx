// Changes a password: at the first sign-in to replace the first password. All other sessions of the
// person end.

import { passwordFault } from "../../domain/access/password.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { hashPassword, matchesPassword } from "../../features/access/sessions/passwords.ts";
import { securityNotices } from "../../features/access/sessions/security-notices.ts";
import {
  deleteSessionsOf,
  readSignInUser,
  type SignInUser,
  storePassword,
} from "../../features/access/sessions/session-rows.ts";
import { type Attempt, deleteFailures } from "../../features/access/sessions/sign-in-rows.ts";
import { Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { done } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { statement } from "../../kernel/db/database.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";
import { singleSignOnName } from "./identity-provider.ts";
import { NewPasswordFields } from "./new-password.tsx";
import { runWithinLimits } from "./password-check.ts";
import { forgetSessions } from "./session.ts";

function passwordPage({ session }: Visit, refusal: Refusal | null): Reply {
  const first = session.mustChoosePassword;
  return {
    kind: "page",
    status: refusal === null ? 200 : 422,
    title: first ? "Choose password" : "Change password",
    section: "settings",
    body: (
      <div class="narrow">
        <Heading
          title={first ? "Choose password" : "Change password"}
          lead={
            first
              ? "The password from the e-mail was valid for one sign-in."
              : "All your other sessions are signed out."
          }
        />
        <Panel>
          <Form to="/password" session={session} kind="fields">
            <FormFaults refusal={refusal} fields={["current", "password", "again"]} />
            {first ? null : (
              <TextField
                name="current"
                label="Current password"
                type="password"
                autocomplete="current-password"
                refusal={refusal}
                required
              />
            )}
            <NewPasswordFields refusal={refusal} />
            <Button>{first ? "Save password" : "Change password"}</Button>
          </Form>
        </Panel>
      </div>
    ),
  };
}

/** Refuses if the current password is wrong, or equals the new one. */
async function comparePasswords(
  visit: Visit,
  signer: SignInUser,
  password: string,
): Promise<Refusal | null> {
  const { passwordHash: hash } = signer;
  if (hash === null) return null;
  const isCurrent =
    visit.session.mustChoosePassword ||
    (await matchesPassword(textOf(visit.form, "current"), hash));
  if (!isCurrent) return refuse("invalid", "current is incorrect", "current");
  return (await matchesPassword(password, hash))
    ? refuse("invalid", "password must differ from your current password", "password")
    : null;
}

/** Limited per session, because its holder is already signed in. */
const attemptOf = ({ session }: Visit): Attempt => ({
  who: session.actor.userId,
  place: { kind: "browser", name: session.id },
});

const NEEDS_NONE = refuse("forbidden", "you sign in with single sign-on, without a password");

async function changePassword(visit: Visit): Promise<Reply> {
  const { db, env, form, now, session } = visit;
  if (singleSignOnName(env) !== null && !session.hasPassword) return NEEDS_NONE;
  const password = textOf(form, "password");
  const signer = await readSignInUser(db, session.actor.userId);
  if (signer === null) return NEEDS_NONE;
  const wrong = passwordFault(password, textOf(form, "again"), signer);
  if (wrong) return passwordPage(visit, wrong);
  const attempt = attemptOf(visit);
  const refused = await runWithinLimits(visit, attempt, () =>
    comparePasswords(visit, signer, password),
  );
  if (refused !== null) return passwordPage(visit, refused);
  const { userId, accountId } = session.actor;
  const changes = session.mustChoosePassword ? [] : [{ kind: "password", detail: "" } as const];
  const notices = await securityNotices(env, { userId, accountId, byUserId: userId }, changes, now);
  await db.batch([
    ...notices.map((notice) => statement(db, notice)),
    statement(db, storePassword(userId, await hashPassword(password), now)),
    statement(db, deleteSessionsOf(userId, session.token)),
    statement(db, deleteFailures(attempt)),
  ]);
  forgetSessions((known) => known.actor.userId === userId);
  const text = "Password changed.";
  return session.mustChoosePassword ? done("/set-up", text) : done("/settings", text);
}

export const passwordPages: readonly ConsolePage[] = [
  page("/password", async (visit) => passwordPage(visit, null)),
  action("/password", changePassword),
];
