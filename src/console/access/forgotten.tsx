// Password reset: a link mailed to a verified address, and the page that it opens. The response is
// the same for every address, after the same work; the queue consumer that sends the mail looks up
// the address.
import { createHash } from "node:crypto";
import { passwordFault } from "../../domain/access/password.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { readAccessLink } from "../../features/access/sessions/access-links.ts";
import {
  type ResettableUser,
  readResettableUser,
  replacePassword,
} from "../../features/access/sessions/password-reset-rows.ts";
import { hashPassword, matchesPassword } from "../../features/access/sessions/passwords.ts";
import { readSignInUser } from "../../features/access/sessions/session-rows.ts";
import { countMailRequest } from "../../features/access/sessions/sign-in-rows.ts";
import { accessMailObject } from "../../features/stubs.ts";
import { card } from "../../kernel/console/card.tsx";
import { Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { refusalText } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { checkRateLimit } from "../../kernel/http/rate-limit.ts";
import { canSendLinks } from "../../products/mail/mail-provider.ts";
import { type ConsolePage, type Guest, openAction, openPage } from "../page.ts";
import { singleSignOnName } from "./identity-provider.ts";
import { NewPasswordFields } from "./new-password.tsx";
import { networkOfGuest, runWithinLimits } from "./password-check.ts";
import { forgetSessions } from "./session.ts";
import { createSession } from "./sign-in.tsx";

const MAX_ADDRESS = 254;

const NO_MAILS = refuse("not_found", "password reset is not set up on this deployment");
const TOO_MANY = refuse("too_many", "too many requests; try again in 15 minutes");

// ── The mail ──

const requestPage = (refusal: Refusal | null): Reply =>
  card(
    refusal === null ? 200 : 429,
    "Forgot your password?",
    <>
      {refusal ? <Notice tone="bad">{refusalText(refusal)}</Notice> : null}
      <p>Enter the address that you sign in with. We send a link to it.</p>
      <Form to="/forgotten" session={null} kind="fields">
        <TextField
          name="email"
          label="E-mail"
          type="email"
          autocomplete="username"
          required
          autofocus
        />
        <Button>Send reset link</Button>
      </Form>
    </>,
  );

const sentPage = card(
  200,
  "Check your e-mail",
  <p>
    If somebody signs in here with that address, a link is sent to it. The link is valid for 30
    minutes and can be used once. Unverified addresses receive nothing.
  </p>,
);

/** The Durable Object of an address; its name contains a hash, not the address. */
const mailObjectOf = ({ env }: Guest, email: string) =>
  accessMailObject(env, `password ${createHash("sha256").update(email).digest("hex")}`);

async function requestMail(guest: Guest): Promise<Reply> {
  const { db, env, form, now } = guest;
  if (!canSendLinks(env)) return NO_MAILS;
  const email = textOf(form, "email").trim().toLowerCase();
  const place = networkOfGuest(guest);
  if (!(await countMailRequest(db, place, now))) return requestPage(TOO_MANY);
  if (email !== "" && email.length <= MAX_ADDRESS) {
    await mailObjectOf(guest, email).expect({ kind: "password", email, place, at: now });
  }
  return sentPage;
}

// ── The link ──

const EXPIRED = card(
  410,
  "This link has expired",
  <p>
    A link is valid for 30 minutes and can be used once.{" "}
    <a href="/forgotten">Request another link</a>.
  </p>,
);
const UNKNOWN = card(
  404,
  "This link is not valid",
  <p>The address may be incomplete. Open the link from the e-mail again.</p>,
);
const NEEDS_NONE = card(
  403,
  "You sign in without a password",
  <p>Your organization uses single sign-on.</p>,
);

type Chooser = ResettableUser & { readonly isChooser: true };

/** The person whom the link lets choose a password, or the page that says why it does not. */
async function readResetLink(guest: Guest): Promise<Chooser | Reply> {
  const { db, env, params } = guest;
  const found = await readAccessLink(env, "password", params.token ?? "");
  if (found.kind === "expired") return EXPIRED;
  if (found.kind === "unknown") {
    return (await checkRateLimit(env, env.STRANGER_RATE, networkOfGuest(guest))) ?? UNKNOWN;
  }
  const { userId, emailId, isFor } = found.link;
  const person = await readResettableUser(db, userId, emailId);
  if (person === null || !isFor([person.email, person.passwordHash ?? ""])) return EXPIRED;
  if (person.passwordHash === null && singleSignOnName(env) !== null) return NEEDS_NONE;
  return { ...person, isChooser: true };
}

const isReply = (result: Chooser | Reply): result is Reply => !("isChooser" in result);

const newPasswordPage = (
  { url }: Guest,
  { email }: ResettableUser,
  refusal: Refusal | null,
): Reply =>
  card(
    refusal === null ? 200 : 422,
    "Choose a new password",
    <>
      <p>All your other sessions are signed out.</p>
      <Form to={url.pathname} session={null} kind="fields">
        <FormFaults refusal={refusal} fields={["password", "again"]} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <NewPasswordFields refusal={refusal} />
        <Button>Save password and sign in</Button>
      </Form>
    </>,
  );

async function showLink(guest: Guest): Promise<Reply> {
  const person = await readResetLink(guest);
  return isReply(person) ? person : newPasswordPage(guest, person, null);
}

async function resetPassword(guest: Guest): Promise<Reply> {
  const person = await readResetLink(guest);
  if (isReply(person)) return person;
  const { db, form, now } = guest;
  const password = textOf(form, "password");
  const { userId, email, passwordHash: kept } = person;
  const signer = await readSignInUser(db, userId);
  if (signer === null) return EXPIRED;
  const fault = passwordFault(password, textOf(form, "again"), signer);
  if (fault) return newPasswordPage(guest, person, fault);
  // Limited per link, so that nobody else can block it.
  const attempt = { who: userId, place: { kind: "browser", name: person.emailId } } as const;
  const newHash = await runWithinLimits(guest, attempt, async () =>
    kept !== null && (await matchesPassword(password, kept)) ? null : hashPassword(password),
  );
  if (isRefusal(newHash)) return newPasswordPage(guest, person, newHash);
  if (newHash === null) {
    const same = refuse("invalid", "password must differ from your current password", "password");
    return newPasswordPage(guest, person, same);
  }
  if (!(await replacePassword(db, person, newHash, now))) return EXPIRED;
  forgetSessions((known) => known.actor.userId === userId);
  // Who has never signed in sets up their notifications first, as after a first password.
  const to = signer.hasSignedIn ? "" : "/set-up";
  const reply = await createSession(guest, { signer, email, to, attempt });
  const said = { tone: "good", text: "Password changed." } as const;
  return "kind" in reply && reply.kind === "goto" ? { ...reply, flash: said } : reply;
}

export const forgottenPages: readonly ConsolePage[] = [
  openPage("/forgotten", async ({ env }) => (canSendLinks(env) ? requestPage(null) : NO_MAILS)),
  openAction("/forgotten", requestMail),
  openPage("/forgotten/:token", showLink),
  openAction("/forgotten/:token", resetPassword),
];
