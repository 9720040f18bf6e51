// The page of a verification link. Whoever opens it reads that mailbox, and must be signed in as
// the person whom the address is to belong to. A GET changes nothing, because mail scanners open
// links.
import type { Child } from "hono/jsx";
import { CHAT_TITLES } from "../../domain/people/chat.ts";
import { isRefusal, type Refusal } from "../../domain/shared/refusal.ts";
import {
  type ChatLinkSubject,
  readChatLink,
} from "../../features/people/chat-accounts/chat-links.ts";
import {
  findLinkable,
  linkChatAccount,
} from "../../features/people/chat-accounts/link-chat-account.ts";
import {
  type EmailLink,
  type PendingAddress,
  readEmailLink,
  verifyPendingAddress,
} from "../../features/people/contacts/verify-email.ts";
import { ActionButton, Button, Form } from "../../kernel/console/form.tsx";
import { formPage } from "../../kernel/console/form-page.tsx";
import { done, type Reply, refusalText } from "../../kernel/console/reply.ts";
import { action, type ConsolePage, deletion, page, type Visit } from "../page.ts";

type Status = 200 | 403 | 404 | 409 | 410;

const message = (status: Status, title: string, text: Child, further: Child = null): Reply =>
  formPage({
    ...{ status, title },
    form: (
      <>
        <p>{text}</p>
        {further ?? (
          <p>
            <a href="/settings#emails">Your e-mail addresses</a>
          </p>
        )}
      </>
    ),
  });

const TAKEN = message(
  409,
  "Another person has this address",
  "Another person verified it, and an address can belong to only one person. If it is yours, contact an admin of your account.",
);

/** The pages that say why there is nothing to verify. */
const REFUSED: Readonly<Record<Exclude<EmailLink["kind"], "address" | "other_person">, Reply>> = {
  unknown: message(
    404,
    "This link is not valid",
    "The address may be incomplete. Open the link from the e-mail again, or request another link.",
  ),
  expired: message(
    410,
    "This link has expired",
    "Verification links are valid for seven days. Request another link.",
  ),
  over: message(
    410,
    "This link is no longer valid",
    "The address was changed or removed after the e-mail was sent.",
  ),
  taken: TAKEN,
  verified: message(200, "This address is verified", "You can sign in with it."),
};

const otherPerson = ({ session }: Visit): Reply =>
  message(
    403,
    "This link is for another person",
    `You are signed in as ${session.actor.name}, but the address was entered for another person. Nothing was changed. If you are also that person, sign out and open the link again. Otherwise ignore the e-mail.`,
    <ActionButton to="/sign-out" label="Sign out" />,
  );

/** The address of the link, or the page that says why it is invalid. */
async function readLink(visit: Visit): Promise<PendingAddress | Reply> {
  const { params, session } = visit;
  const link = await readEmailLink(visit, session.actor, params.token ?? "");
  if (link.kind === "address") return link;
  return link.kind === "other_person" ? otherPerson(visit) : REFUSED[link.kind];
}

async function showConfirmation(visit: Visit): Promise<Reply> {
  const address = await readLink(visit);
  if (address.kind !== "address") return address;
  const { session, url } = visit;
  return formPage({
    title: "Verify this address",
    lead: address.email,
    form: (
      <Form to={url.pathname} kind="fields">
        <p>
          You are signed in as {session.actor.name}. After verification you can also sign in with
          this address.{" "}
          {address.isPrimary
            ? " It becomes your primary address and receives notifications first."
            : ""}
        </p>
        <Button>Verify address</Button>
      </Form>
    ),
  });
}

async function verify(visit: Visit): Promise<Reply> {
  const address = await readLink(visit);
  if (address.kind !== "address") return address;
  return (await verifyPendingAddress(visit, visit.session.actor, address))
    ? done("/settings#emails", `${address.email} verified.`)
    : TAKEN;
}

// The page of a link that a chat product's app sent to one person there: it links their account in
// the chat to the person who is signed in here. A GET changes nothing, because chats open links.

const BACK = "/settings#chats";

const chatMessage = (status: Status, title: string, text: Child): Reply =>
  message(
    status,
    title,
    text,
    <p>
      <a href={BACK}>Your chat accounts</a>
    </p>,
  );

const CHAT_UNKNOWN = chatMessage(
  404,
  "This link is not valid",
  "The address may be incomplete. Press a button in the chat again to get another link.",
);
const CHAT_EXPIRED = chatMessage(
  410,
  "This link has expired",
  "Links are valid for 15 minutes. Press a button in the chat again to get another link.",
);

const refused = (refusal: Refusal): Reply =>
  chatMessage(
    refusal.reason === "conflict" ? 409 : 403,
    "The chat account is not linked",
    refusalText(refusal),
  );

/** The account that the link names, or the page that says why it is invalid. */
async function readChatSubject({ env, params }: Visit): Promise<ChatLinkSubject | Reply> {
  const read = await readChatLink(env, params.token ?? "");
  if (read.kind === "link") return read.subject;
  return read.kind === "expired" ? CHAT_EXPIRED : CHAT_UNKNOWN;
}

const isReply = (read: ChatLinkSubject | Reply): read is Reply => !("product" in read);

async function showChatConfirmation(visit: Visit): Promise<Reply> {
  const subject = await readChatSubject(visit);
  if (isReply(subject)) return subject;
  const { session, url } = visit;
  const linkable = await findLinkable(visit, session.actor.userId, subject);
  if (isRefusal(linkable)) return refused(linkable);
  const { product, person } = subject;
  const title = `Link ${CHAT_TITLES[product]}`;
  return formPage({
    title,
    lead: `${person.name} (${person.userId})`,
    form: (
      <Form to={url.pathname} kind="fields">
        <p>
          You are signed in as {session.actor.name}. Whoever uses the {CHAT_TITLES[product]} account{" "}
          {person.name} of the workspace {person.workspaceId} then answers alerts, comments and
          pages people as you. Continue only if it is your own, and you pressed a button or wrote a
          command there yourself.
        </p>
        <Button>Link account</Button>
      </Form>
    ),
  });
}

async function link(visit: Visit): Promise<Reply> {
  const subject = await readChatSubject(visit);
  if (isReply(subject)) return subject;
  const refusal = await linkChatAccount(visit, visit.session.actor.userId, subject);
  if (refusal !== null) return refused(refusal);
  const { product, person } = subject;
  return done(
    BACK,
    `${CHAT_TITLES[product]} account ${person.name} linked. Press the button again.`,
  );
}

export const linkPages: readonly ConsolePage[] = [
  page("/verify/:token", showConfirmation),
  action("/verify/:token", verify),
  page("/chat/link/:token", showChatConfirmation),
  action("/chat/link/:token", link),
  deletion("/settings/chats/:id/remove", "/chat_accounts/:id", "Chat account unlinked.", BACK),
];
