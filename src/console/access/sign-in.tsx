// Signing in and out, and switching to another account.
import { sameOriginPath } from "../../domain/access/same-origin-path.ts";
import { singleSignOnName } from "../../domain/access/single-sign-on.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { canMailReset } from "../../features/access/sessions/reset-password.ts";
import {
  closeEndedConsoles,
  signOut as endSession,
  switchToAccount,
} from "../../features/access/sessions/session.ts";
import { type SignedIn, signInWithPassword } from "../../features/access/sessions/sign-in.ts";
import { card } from "../../kernel/console/card.tsx";
import { dropCookie, putCookie } from "../../kernel/console/cookies.ts";
import { Button, Form, TextField } from "../../kernel/console/form.tsx";
import { Icon } from "../../kernel/console/icons.tsx";
import { LinkButton, Notice } from "../../kernel/console/panel.tsx";
import { done, notDone, type Reply, refusalText } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { action, type ConsolePage, type Guest, openAction, openPage, type Visit } from "../page.ts";
import { rememberBrowser, signInContext } from "./known-browser.ts";

/** The path that was requested before signing in; else home. */
const targetPage = (guest: Guest, to: string): string =>
  sameOriginPath(guest.url.origin, to) ?? "/";

/** The sign-in page, with the reason why the last attempt failed. */
export function signInPage(
  guest: Guest,
  refusal: Refusal | null,
  email = "",
): Extract<Reply, { kind: "page" }> {
  const to = guest.query.get("to") ?? textOf(guest.form, "to");
  const providerName = singleSignOnName(guest.env);
  return {
    kind: "page",
    status: refusal === null ? 200 : refusal.reason === "too_many" ? 429 : 401,
    title: "Sign in",
    body: (
      <div class="card">
        <h1 class="brand">
          <Icon name="bell" />
          <span>Tocsin</span>
        </h1>
        {refusal ? <Notice tone="bad">{refusalText(refusal)}</Notice> : null}
        {providerName ? (
          <>
            <LinkButton to={`/sign-in/with?to=${encodeURIComponent(to)}`} tone="primary">
              Sign in with {providerName}
            </LinkButton>
            <p class="or">or with a password</p>
          </>
        ) : null}
        <Form to="/sign-in" open kind="fields">
          <input type="hidden" name="to" value={to} />
          <TextField
            name="email"
            label="E-mail"
            type="email"
            value={email}
            autocomplete="username"
            required
            autofocus={email === ""}
          />
          <TextField
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            required
            autofocus={email !== ""}
          />
          <Button>Sign in</Button>
        </Form>
        {canMailReset(guest.env) ? (
          <p class="help">
            <a href="/forgotten">Forgot your password?</a>
          </p>
        ) : null}
        <p class="help">
          New here? Your first password is in your welcome e-mail. You choose a new one after
          signing in.
        </p>
      </div>
    ),
  };
}

/** Gives the browser its session, and redirects to `to`; where there is none, shows the sign-in page. */
export function enter(
  guest: Guest,
  session: SignedIn | Refusal,
  email: string,
  to: string,
): Extract<Reply, { kind: "page" | "goto" }> {
  if (isRefusal(session)) return signInPage(guest, session, email);
  putCookie(guest.context, "session", session.token, 180 * 24 * 3600);
  rememberBrowser(guest.context, session.userId, guest.now);
  return { kind: "goto", to: targetPage(guest, to) };
}

const firstPasswordExpired = (guest: Guest, email: string): Reply =>
  card(
    401,
    "This first password has expired",
    <>
      <p>A first password is valid for one sign-in within seven days.</p>
      {canMailReset(guest.env) ? (
        <Form to="/forgotten" open kind="fields">
          <input type="hidden" name="email" value={email} />
          <Button>Send reset link</Button>
        </Form>
      ) : (
        <p>Contact an admin of your account.</p>
      )}
    </>,
  );

async function signIn(guest: Guest): Promise<Reply> {
  const { context, form } = guest;
  const email = textOf(form, "email").trim().toLowerCase();
  const result = await signInWithPassword(signInContext(guest), email, textOf(form, "password"));
  if (result.kind === "first_password_expired") return firstPasswordExpired(guest, email);
  if (isRefusal(result) && result.reason === "too_many") context.header("Retry-After", "30");
  return enter(guest, result, email, textOf(form, "to"));
}

async function signOut({ context, env, db, session }: Visit): Promise<Reply> {
  await endSession(db, session.token);
  context.executionCtx.waitUntil(closeEndedConsoles(env, session.actor.accountId));
  return signedOut(context, "Signed out.");
}

/** Makes the browser forget its session. */
export function signedOut(context: Guest["context"], text: string): Reply {
  dropCookie(context, "session");
  dropCookie(context, "claim");
  return done("/sign-in", text);
}

async function switchAccount({ context, db, form, session }: Visit): Promise<Reply> {
  const id = textOf(form, "account_user_id");
  if (!(await switchToAccount(db, session.token, id))) {
    return notDone("/alerts", refuse("not_found", "no such account"));
  }
  dropCookie(context, "claim");
  const name = session.memberships.find((it) => it.id === id)?.name;
  return done("/alerts", `Switched to ${name ?? "another account"}.`);
}

export const signInPages: readonly ConsolePage[] = [
  openPage("/sign-in", async (guest) =>
    guest.session === null
      ? signInPage(guest, null)
      : { kind: "goto", to: targetPage(guest, guest.query.get("to") ?? "") },
  ),
  openAction("/sign-in", signIn),
  action("/sign-out", signOut),
  action("/account", switchAccount),
];
