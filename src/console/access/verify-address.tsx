// The page of a verification link. Whoever opens it reads that mailbox, and must be signed in as
// the person whom the address is to belong to. A GET changes nothing, because mail scanners open
// links.
import type { Child } from "hono/jsx";
import { readAccessLink } from "../../features/access/sessions/access-links.ts";
import { securityNotices } from "../../features/access/sessions/security-notices.ts";
import { findEmail, verifyEmail } from "../../features/people/contacts/email-rows.ts";
import { ActionButton, Button, Form } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { done } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";

type Status = 200 | 403 | 404 | 409 | 410;

const message = (status: Status, title: string, text: string, button: Child = null): Reply => ({
  kind: "page",
  status,
  title,
  section: "settings",
  body: (
    <div class="narrow">
      <Heading title={title} />
      <Panel>
        <p>{text}</p>
        {button ?? (
          <p>
            <a href="/settings#emails">Your e-mail addresses</a>
          </p>
        )}
      </Panel>
    </div>
  ),
});

const UNKNOWN = message(
  404,
  "This link is not valid",
  "The address may be incomplete. Open the link from the e-mail again, or request another link.",
);
const EXPIRED = message(
  410,
  "This link has expired",
  "Verification links are valid for seven days. Request another link.",
);
const OVER = message(
  410,
  "This link is no longer valid",
  "The address was changed or removed after the e-mail was sent.",
);
const TAKEN = message(
  409,
  "Another person has this address",
  "Another person verified it, and an address can belong to only one person. If it is yours, contact an admin of your account.",
);
const VERIFIED = message(200, "This address is verified", "You can sign in with it.");

const otherPerson = ({ session }: Visit): Reply =>
  message(
    403,
    "This link is for another person",
    `You are signed in as ${session.actor.name}, but the address was entered for another person. Nothing was changed. If you are also that person, sign out and open the link again. Otherwise ignore the e-mail.`,
    <ActionButton to="/sign-out" session={session} label="Sign out" />,
  );

type PendingAddress = {
  readonly emailId: string;
  readonly email: string;
  readonly isPrimary: boolean;
};

/** The address of the link, or the page that says why it is invalid. */
async function readLink(visit: Visit): Promise<PendingAddress | Reply> {
  const { db, env, params, session } = visit;
  const found = await readAccessLink(env, "address", params.token ?? "");
  if (found.kind !== "link") return found.kind === "expired" ? EXPIRED : UNKNOWN;
  const { userId, emailId, isFor } = found.link;
  if (userId !== session.actor.userId) return otherPerson(visit);
  const address = await findEmail(db, userId, emailId);
  if (address === null || !isFor([address.email])) return OVER;
  if (address.isVerified) return VERIFIED;
  return address.isTaken ? TAKEN : { emailId, email: address.email, isPrimary: address.isPrimary };
}

const isReply = (address: PendingAddress | Reply): address is Reply => !("emailId" in address);

async function showConfirmation(visit: Visit): Promise<Reply> {
  const address = await readLink(visit);
  if (isReply(address)) return address;
  const { session, url } = visit;
  const title = "Verify this address";
  return {
    kind: "page",
    title,
    section: "settings",
    body: (
      <div class="narrow">
        <Heading title={title} lead={address.email} />
        <Panel>
          <Form to={url.pathname} session={session} kind="fields">
            <p>
              You are signed in as {session.actor.name}. After verification you can also sign in
              with this address.{" "}
              {address.isPrimary
                ? " It becomes your primary address and receives notifications first."
                : ""}
            </p>
            <Button>Verify address</Button>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function verify(visit: Visit): Promise<Reply> {
  const { db, env, now, session } = visit;
  const address = await readLink(visit);
  if (isReply(address)) return address;
  const { userId, accountId } = session.actor;
  const notices = [
    { kind: "email_verified", detail: address.email },
    ...(address.isPrimary ? [{ kind: "email_primary", detail: address.email } as const] : []),
  ] as const;
  const context = { userId, accountId, byUserId: userId };
  const writes = await securityNotices(env, context, notices, now);
  if (!(await verifyEmail(db, { userId, ...address }, now, writes))) return TAKEN;
  return done("/settings#emails", `${address.email} verified.`);
}

export const verifyAddressPages: readonly ConsolePage[] = [
  page("/verify/:token", showConfirmation),
  action("/verify/:token", verify),
];
