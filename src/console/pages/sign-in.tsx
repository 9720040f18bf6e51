// Signing in and out, and looking at another of one's accounts.
import { statement } from "../../db/database.ts";
import { hashPassword, isPassword } from "../../db/passwords.ts";
import {
  deleteSession,
  insertSession,
  readSigner,
  type Signer,
  switchAccount,
} from "../../db/session-rows.ts";
import { ownPath } from "../../domain/own-path.ts";
import { type Refusal, refuse } from "../../domain/refusal.ts";
import { canSendLinks } from "../../resources/address-mails.ts";
import { dropCookie, putCookie } from "../cookies.ts";
import {
  action,
  type ConsolePage,
  done,
  type Guest,
  notDone,
  openAction,
  openPage,
  type Reply,
  refusalText,
  textOf,
  type Visit,
} from "../page.ts";
import { Button, Form, TextField } from "../parts/form.tsx";
import { Icon } from "../parts/icons.tsx";
import { Notice } from "../parts/panel.tsx";
import { endOf, forgetSessions, newToken } from "../session.ts";
import { singleSignOnName } from "../single-sign-on.ts";

const MOST_PASSWORD = 256;

const WRONG = refuse("unauthenticated", "e-mail or password is not right");
const TOO_MANY = refuse(
  "too_many",
  "too many tries; wait a quarter of an hour, or sign in from another place",
);
const NOWHERE = refuse(
  "forbidden",
  "you are not a member of any account; approve your invitation first, by the link in its mail",
);

/** The page of ours that somebody wanted before they signed in; else the list of alerts. */
export const wantedPage = (guest: Guest, to: string): string =>
  ownPath(guest.url.origin, to) ?? "/alerts";

/** The page that asks who is there, with why the last try led nowhere. */
export function signInPage(guest: Guest, refusal: Refusal | null, email = ""): Reply {
  const to = guest.query.get("to") ?? textOf(guest.form, "to");
  const other = singleSignOnName(guest.env);
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
        {other ? (
          <>
            <a class="button primary" href={`/sign-in/with?to=${encodeURIComponent(to)}`}>
              Sign in with {other}
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
            <a href="/forgotten">Forgotten your password?</a>
          </p>
        ) : null}
        <p class="help">
          New here? Your first password is in the mail that told you of your account; you choose
          another one when you have signed in.
        </p>
      </div>
    ),
  };
}

/** A hash of nothing that anybody has: an address that nobody has takes as long to refuse as one that somebody has. */
let decoy: Promise<string> | null = null;

async function isRight(password: string, signer: Signer | null): Promise<boolean> {
  const kept = signer?.passwordHash;
  if (kept) return isPassword(password, kept);
  decoy ??= hashPassword(newToken());
  await isPassword(password, await decoy);
  return false;
}

/** Where a request came from, as the edge saw it. */
export const addressOf = ({ context }: Guest) => context.req.header("cf-connecting-ip") ?? "here";

/** Begins a session for a person, and says where they go. */
export async function begin(
  guest: Guest,
  signer: Pick<Signer, "userId" | "accountUserId">,
  email: string,
  to: string,
): Promise<Reply> {
  const { context, db, now } = guest;
  if (signer.accountUserId === null) return signInPage(guest, NOWHERE, email);
  const token = newToken();
  const expiresAt = endOf(now, now);
  await insertSession(
    db,
    {
      token,
      userId: signer.userId,
      accountUserId: signer.accountUserId,
      browser: context.req.header("user-agent") ?? "",
      expiresAt,
    },
    { email, address: addressOf(guest) },
    now,
  );
  putCookie(context, "session", token, 180 * 24 * 3600);
  return { kind: "goto", to: wantedPage(guest, to) };
}

async function signIn(guest: Guest): Promise<Reply> {
  const { db, form, now } = guest;
  const email = textOf(form, "email").trim().toLowerCase();
  const password = textOf(form, "password");
  if (email === "" || password === "" || password.length > MOST_PASSWORD) {
    return signInPage(guest, WRONG, email);
  }
  const signer = await readSigner(db, { email, address: addressOf(guest) }, now);
  if (signer === "too_many") return signInPage(guest, TOO_MANY, email);
  if (!(await isRight(password, signer)) || signer === null) return signInPage(guest, WRONG, email);
  return begin(guest, signer, email, textOf(form, "to"));
}

async function signOut({ context, db, session }: Visit): Promise<Reply> {
  await statement(db, deleteSession(session.token)).run();
  forgetSessions((known) => known.token === session.token);
  dropCookie(context, "session");
  dropCookie(context, "claim");
  return { kind: "goto", to: "/sign-in", said: { tone: "good", text: "You have signed out." } };
}

async function changeAccount(visit: Visit): Promise<Reply> {
  const { context, db, form, session } = visit;
  const switched = switchAccount(session.token, textOf(form, "account_user_id"));
  const row = await statement(db, switched).first();
  if (row === null) return notDone("/alerts", refuse("not_found", "no such account of yours"));
  forgetSessions((known) => known.token === session.token);
  dropCookie(context, "claim");
  const name = session.memberships.find(({ id }) => id === textOf(form, "account_user_id"))?.name;
  return done("/alerts", `You are looking at ${name ?? "another account"} now.`);
}

export const signInPages: readonly ConsolePage[] = [
  openPage("/sign-in", async (guest) =>
    guest.session === null
      ? signInPage(guest, null)
      : { kind: "goto", to: wantedPage(guest, guest.query.get("to") ?? "") },
  ),
  openAction("/sign-in", signIn),
  action("/sign-out", signOut),
  action("/account", changeAccount),
];
