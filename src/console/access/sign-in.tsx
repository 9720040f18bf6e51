// Signing in and out, and switching to another account.

import { sameOriginPath } from "../../domain/access/same-origin-path.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { checkPassword } from "../../features/access/sessions/passwords.ts";
import { securityNotices } from "../../features/access/sessions/security-notices.ts";
import {
  deleteSession,
  findSignInUser,
  insertSession,
  type SignInUser,
  switchAccount,
  useFirstPassword,
} from "../../features/access/sessions/session-rows.ts";
import type { Attempt } from "../../features/access/sessions/sign-in-rows.ts";
import { card } from "../../kernel/console/card.tsx";
import { dropCookie, putCookie } from "../../kernel/console/cookies.ts";
import { Button, Form, TextField } from "../../kernel/console/form.tsx";
import { Icon } from "../../kernel/console/icons.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { done, notDone, refusalText } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { newSecret } from "../../kernel/credentials.ts";
import { statement } from "../../kernel/db/database.ts";
import { canSendLinks } from "../../products/mail/mail-provider.ts";
import { action, type ConsolePage, type Guest, openAction, openPage, type Visit } from "../page.ts";
import { deviceName } from "./device-name.ts";
import { singleSignOnName } from "./identity-provider.ts";
import { knownBrowser, rememberBrowser } from "./known-browser.ts";
import { attemptOf, runWithinLimits } from "./password-check.ts";
import { endOf, forgetSessions } from "./session.ts";

const MAX_PASSWORD = 256;

const WRONG_CREDENTIALS = refuse(
  "unauthenticated",
  "the e-mail address or the password is incorrect",
);
const NO_ACCOUNT = refuse(
  "forbidden",
  "you are not a member of any account; approve your invitation first with the link in its e-mail",
);

/** The path that was requested before signing in; else the list of alerts. */
const targetPage = (guest: Guest, to: string): string =>
  sameOriginPath(guest.url.origin, to) ?? "/alerts";

/** The sign-in page, with the reason why the last attempt failed. */
export function signInPage(guest: Guest, refusal: Refusal | null, email = ""): Reply {
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
            <a class="button primary" href={`/sign-in/with?to=${encodeURIComponent(to)}`}>
              Sign in with {providerName}
            </a>
            <p class="or">or with a password</p>
          </>
        ) : null}
        <Form to="/sign-in" session={null} kind="fields">
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
        {canSendLinks(guest.env) ? (
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

/** A successful authentication that a session is created for. */
type Authentication = {
  readonly signer: SignInUser;
  /** The email address that was used. */
  readonly email: string;
  readonly to: string;
  /** The attempt; deleted together with the failures before it. */
  readonly attempt: Attempt | null;
};

/** The client's address, as reported by Cloudflare. */
const addressOf = ({ context }: Guest) => context.req.header("cf-connecting-ip") ?? "here";

/** Creates a session, notifies the person if the browser is new, and redirects. */
export async function createSession(guest: Guest, entry: Authentication): Promise<Reply> {
  const { context, db, env, now } = guest;
  const { signer, email, to, attempt } = entry;
  const { userId, accountUserId } = signer;
  if (accountUserId === null) return signInPage(guest, NO_ACCOUNT, email);
  const token = newSecret(env.LINK_SECRET, "session");
  const browser = context.req.header("user-agent") ?? "";
  const expiresAt = endOf(now, now);
  const isNew =
    Boolean(env.LINK_SECRET) && signer.hasSignedIn && knownBrowser(context, userId, now) === null;
  const detail = `${deviceName(browser)}, from ${addressOf(guest)}`;
  const notices = await securityNotices(
    env,
    { userId, accountId: null, byUserId: null },
    isNew ? [{ kind: "sign_in", detail }] : [],
    now,
  );
  await insertSession(
    db,
    { token, userId, accountUserId, browser, expiresAt },
    attempt,
    notices,
    now,
  );
  putCookie(context, "session", token, 180 * 24 * 3600);
  rememberBrowser(context, userId, now);
  return { kind: "goto", to: targetPage(guest, to) };
}

/** The page that says that the first password has expired. */
const firstPasswordExpired = (guest: Guest, email: string): Reply =>
  card(
    401,
    "This first password has expired",
    <>
      <p>A first password is valid for one sign-in within seven days.</p>
      {canSendLinks(guest.env) ? (
        <Form to="/forgotten" session={null} kind="fields">
          <input type="hidden" name="email" value={email} />
          <Button>Send reset link</Button>
        </Form>
      ) : (
        <p>Contact an admin of your account.</p>
      )}
    </>,
  );

async function signIn(guest: Guest): Promise<Reply> {
  const { db, form, now } = guest;
  const email = textOf(form, "email").trim().toLowerCase();
  const password = textOf(form, "password");
  if (email === "" || password === "" || password.length > MAX_PASSWORD) {
    return signInPage(guest, WRONG_CREDENTIALS, email);
  }
  const signer = await findSignInUser(db, email);
  const { passwordHash: hash = null, firstPasswordUntil: until = null } = signer ?? {};
  const isExpired = until !== null && until <= now;
  const attempt = attemptOf(guest, signer?.userId ?? null, email);
  const isRight = await runWithinLimits(guest, attempt, () =>
    checkPassword(password, hash, isExpired),
  );
  if (isRefusal(isRight)) {
    guest.context.header("Retry-After", "30");
    return signInPage(guest, isRight, email);
  }
  if (!isRight || signer === null || hash === null)
    return signInPage(guest, WRONG_CREDENTIALS, email);
  if (isExpired) return firstPasswordExpired(guest, email);
  if (until !== null) {
    const used = await statement(db, useFirstPassword(signer.userId, hash, now)).first();
    if (used === null) return firstPasswordExpired(guest, email);
  }
  return createSession(guest, { signer, email, to: textOf(form, "to"), attempt });
}

async function signOut({ context, db, session }: Visit): Promise<Reply> {
  await statement(db, deleteSession(session.token)).run();
  forgetSessions((known) => known.token === session.token);
  dropCookie(context, "session");
  dropCookie(context, "claim");
  return { kind: "goto", to: "/sign-in", flash: { tone: "good", text: "Signed out." } };
}

async function switchToAccount(visit: Visit): Promise<Reply> {
  const { context, db, form, session } = visit;
  const switched = switchAccount(session.token, textOf(form, "account_user_id"));
  const row = await statement(db, switched).first();
  if (row === null) return notDone("/alerts", refuse("not_found", "no such account"));
  forgetSessions((known) => known.token === session.token);
  dropCookie(context, "claim");
  const name = session.memberships.find(({ id }) => id === textOf(form, "account_user_id"))?.name;
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
  action("/account", switchToAccount),
];
