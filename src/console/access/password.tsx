// Changes a password: at the first sign-in to replace the first password. A forgotten one is reset by
// a mailed link. All other sessions of the person end.

// The two fields of a new password.
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../domain/access/password.ts";
import { isRefusal, type Refusal, refuse } from "../../domain/shared/refusal.ts";
import { changePassword } from "../../features/access/sessions/change-password.ts";
import {
  canMailReset,
  type PasswordLink,
  readPasswordLink,
  requestPasswordMail,
  resetPassword,
} from "../../features/access/sessions/reset-password.ts";
import { closeEndedConsoles } from "../../features/access/sessions/session.ts";
import { card } from "../../kernel/console/card.tsx";
import { Button, Form, FormFaults, TextField } from "../../kernel/console/form.tsx";
import { formPage } from "../../kernel/console/form-page.tsx";
import { Notice } from "../../kernel/console/panel.tsx";
import { done, type Reply, refusalText } from "../../kernel/console/reply.ts";
import { textOf } from "../../kernel/console/values.ts";
import { checkRateLimit } from "../../kernel/http/rate-limit.ts";
import {
  action,
  type ConsolePage,
  type Guest,
  openAction,
  openPage,
  page,
  type Visit,
} from "../page.ts";
import { networkOfGuest, signInContext } from "./known-browser.ts";
import { enter } from "./sign-in.tsx";

const NewPasswordFields = ({ refusal }: { readonly refusal: Refusal | null }) => (
  <>
    <TextField
      name="password"
      label="New password"
      type="password"
      autocomplete="new-password"
      minlength={MIN_PASSWORD_LENGTH}
      maxlength={MAX_PASSWORD_LENGTH}
      help={`At least ${MIN_PASSWORD_LENGTH} characters. Several unrelated words work well.`}
      refusal={refusal}
      required
    />
    <TextField
      name="again"
      label="Repeat password"
      type="password"
      autocomplete="new-password"
      refusal={refusal}
      required
    />
  </>
);

function passwordPage({ session }: Visit, refusal: Refusal | null): Reply {
  const first = session.mustChoosePassword;
  return formPage({
    title: first ? "Choose password" : "Change password",
    lead: first
      ? "The one-time password was valid for one sign-in."
      : "All your other sessions are signed out.",
    refusal,
    form: (
      <Form to="/password" kind="fields">
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
    ),
  });
}

async function savePassword(visit: Visit): Promise<Reply> {
  const { context, env, form, session } = visit;
  const entered = {
    current: textOf(form, "current"),
    password: textOf(form, "password"),
    again: textOf(form, "again"),
  };
  const refusal = await changePassword(visit, session, entered);
  // Somebody who signs in without a password has no form.
  if (refusal?.reason === "forbidden") return refusal;
  if (refusal !== null) return passwordPage(visit, refusal);
  context.executionCtx.waitUntil(closeEndedConsoles(env, session.actor.accountId));
  return done("/settings", "Password changed.");
}

// Password reset: a link mailed to a verified address, and the page that it opens. The response is
// the same for every address, after the same work; the queue consumer that sends the mail looks up
// the address.

const NO_MAILS = refuse("not_found", "password reset is not set up on this deployment");

// ── The mail ──

const requestPage = (refusal: Refusal | null): Reply =>
  card(
    refusal === null ? 200 : 429,
    "Forgot your password?",
    <>
      {refusal ? <Notice tone="bad">{refusalText(refusal)}</Notice> : null}
      <p>Enter the address that you sign in with. We send a link to it.</p>
      <Form to="/forgotten" open kind="fields">
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

async function requestMail(guest: Guest): Promise<Reply> {
  if (!canMailReset(guest.env)) return NO_MAILS;
  const email = textOf(guest.form, "email").trim().toLowerCase();
  const refusal = await requestPasswordMail(signInContext(guest), email);
  return refusal === null ? sentPage : requestPage(refusal);
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

type Person = Extract<PasswordLink, { kind: "person" }>["person"];

/** The page of a link that lets nobody choose a password. */
async function unusable(
  guest: Guest,
  kind: Exclude<PasswordLink["kind"], "person">,
): Promise<Reply> {
  switch (kind) {
    case "expired":
      return EXPIRED;
    case "needs_none":
      return NEEDS_NONE;
    case "unknown": {
      const { env } = guest;
      return (await checkRateLimit(env, env.STRANGER_RATE, networkOfGuest(guest))) ?? UNKNOWN;
    }
  }
}

const readLink = (guest: Guest) => readPasswordLink(guest, guest.params.token ?? "");

const newPasswordPage = ({ url }: Guest, { email }: Person, refusal: Refusal | null): Reply =>
  card(
    refusal === null ? 200 : 422,
    "Choose a new password",
    <>
      <p>All your other sessions are signed out.</p>
      <Form to={url.pathname} open kind="fields">
        <FormFaults refusal={refusal} fields={["password", "again"]} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <NewPasswordFields refusal={refusal} />
        <Button>Save password and sign in</Button>
      </Form>
    </>,
  );

async function showLink(guest: Guest): Promise<Reply> {
  const link = await readLink(guest);
  return link.kind === "person"
    ? newPasswordPage(guest, link.person, null)
    : unusable(guest, link.kind);
}

async function saveReset(guest: Guest): Promise<Reply> {
  const link = await readLink(guest);
  if (link.kind !== "person") return unusable(guest, link.kind);
  const { person } = link;
  const [password, again] = [textOf(guest.form, "password"), textOf(guest.form, "again")];
  const result = await resetPassword(signInContext(guest), person, password, again);
  if (isRefusal(result)) return newPasswordPage(guest, person, result);
  if (result.kind === "expired") return EXPIRED;
  // Who has never signed in sets up their notifications first, as after a first password.
  const to = result.hasSignedIn ? "" : "/settings";
  const reply = enter(guest, result.session, person.email, to);
  const said = { tone: "good", text: "Password changed." } as const;
  return reply.kind === "goto" ? { ...reply, flash: said } : reply;
}

export const passwordPages: readonly ConsolePage[] = [
  page("/password", async (visit) => passwordPage(visit, null)),
  action("/password", savePassword),
  openPage("/forgotten", async ({ env }) => (canMailReset(env) ? requestPage(null) : NO_MAILS)),
  openAction("/forgotten", requestMail),
  openPage("/forgotten/:token", showLink),
  openAction("/forgotten/:token", saveReset),
];
