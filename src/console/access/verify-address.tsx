// The page of a verification link. Whoever opens it reads that mailbox, and must be signed in as
// the person whom the address is to belong to. A GET changes nothing, because mail scanners open
// links.
import type { Child } from "hono/jsx";
import {
  type EmailLink,
  type PendingAddress,
  readEmailLink,
  verifyPendingAddress,
} from "../../features/people/contacts/verify-email.ts";
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

/** The page that says why there is nothing to verify. */
function refusedPage(visit: Visit, kind: Exclude<EmailLink["kind"], "address">): Reply {
  switch (kind) {
    case "unknown":
      return UNKNOWN;
    case "expired":
      return EXPIRED;
    case "other_person":
      return otherPerson(visit);
    case "over":
      return OVER;
    case "verified":
      return VERIFIED;
    case "taken":
      return TAKEN;
  }
}

/** The address of the link, or the page that says why it is invalid. */
async function readLink(visit: Visit): Promise<PendingAddress | Reply> {
  const { params, session } = visit;
  const link = await readEmailLink(visit, session.actor, params.token ?? "");
  return link.kind === "address" ? link : refusedPage(visit, link.kind);
}

async function showConfirmation(visit: Visit): Promise<Reply> {
  const address = await readLink(visit);
  if (address.kind !== "address") return address;
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
  const address = await readLink(visit);
  if (address.kind !== "address") return address;
  return (await verifyPendingAddress(visit, visit.session.actor, address))
    ? done("/settings#emails", `${address.email} verified.`)
    : TAKEN;
}

export const verifyAddressPages: readonly ConsolePage[] = [
  page("/verify/:token", showConfirmation),
  action("/verify/:token", verify),
];
