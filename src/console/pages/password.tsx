// Choosing a password: the first time in the place of the one-time password, later of one's own accord. Every other
// session of the person ends with it.
import { statement } from "../../db/database.ts";
import { hashPassword, isPassword } from "../../db/passwords.ts";
import { deleteSessionsOf, keepPassword, readSigner } from "../../db/session-rows.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/refusal.ts";
import { action, type ConsolePage, done, page, type Reply, textOf, type Visit } from "../page.ts";
import { Button, Form, FormFaults, TextField } from "../parts/form.tsx";
import { NewPasswordFields, passwordFault } from "../parts/new-password.tsx";
import { Heading, Panel } from "../parts/panel.tsx";
import { forgetSessions } from "../session.ts";
import { singleSignOnName } from "../single-sign-on.ts";

function passwordPage({ session }: Visit, refusal: Refusal | null): Reply {
  const first = session.mustChoosePassword;
  return {
    kind: "page",
    status: refusal === null ? 200 : 422,
    title: first ? "Choose a password" : "Change your password",
    section: "settings",
    body: (
      <div class="narrow">
        <Heading
          title={first ? "Choose a password" : "Change your password"}
          lead={
            first
              ? "The one from the mail was for this sign-in only."
              : "Wherever else you are signed in, you will have to sign in again."
          }
        />
        <Panel>
          <Form to="/password" session={session} kind="fields">
            <FormFaults refusal={refusal} fields={["current", "password", "again"]} />
            {first ? null : (
              <TextField
                name="current"
                label="Your password until now"
                type="password"
                autocomplete="current-password"
                refusal={refusal}
                required
              />
            )}
            <NewPasswordFields refusal={refusal} />
            <Button>{first ? "Keep it and go on" : "Change it"}</Button>
          </Form>
        </Panel>
      </div>
    ),
  };
}

/** The hash of the password until now; a refusal where what was given is not it. */
async function currentHash(visit: Visit): Promise<string | null | Refusal> {
  const { db, form, now, session } = visit;
  const attempt = { email: session.actor.userId, address: session.id };
  const kept = await readSigner(db, attempt, now, session.actor.userId);
  if (kept === "too_many") return refuse("too_many", "too many tries; wait a quarter of an hour");
  const hash = kept?.passwordHash ?? null;
  if (session.mustChoosePassword || hash === null) return hash;
  return (await isPassword(textOf(form, "current"), hash))
    ? hash
    : refuse("invalid", "is not your password", "current");
}

const NEEDS_NONE = refuse("forbidden", "you sign in without a password");

async function choose(visit: Visit): Promise<Reply> {
  const { db, env, form, now, session } = visit;
  if (singleSignOnName(env) !== null && !session.hasPassword) return NEEDS_NONE;
  const password = textOf(form, "password");
  const wrong = passwordFault(password, textOf(form, "again"));
  if (wrong) return passwordPage(visit, wrong);
  const held = await currentHash(visit);
  if (isRefusal(held)) return passwordPage(visit, held);
  if (held !== null && (await isPassword(password, held))) {
    return passwordPage(visit, refuse("invalid", "is the one that you had until now", "password"));
  }
  const { userId } = session.actor;
  await db.batch([
    statement(db, keepPassword(userId, await hashPassword(password), now)),
    statement(db, deleteSessionsOf(userId, session.token)),
  ]);
  forgetSessions((known) => known.actor.userId === userId);
  const text = "Your password is changed.";
  return session.mustChoosePassword ? done("/set-up", text) : done("/settings", text);
}

export const passwordPages: readonly ConsolePage[] = [
  page("/password", async (visit) => passwordPage(visit, null)),
  action("/password", choose),
];
