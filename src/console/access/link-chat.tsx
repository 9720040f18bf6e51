// The page of a link that a chat product's app sent to one person there: it links their account in
// the chat to the person who is signed in here. A GET changes nothing, because chats open links.
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
import { Button, Form } from "../../kernel/console/form.tsx";
import { Heading, Panel } from "../../kernel/console/panel.tsx";
import { done, refusalText } from "../../kernel/console/replies.ts";
import type { Reply } from "../../kernel/console/reply.ts";
import { action, type ConsolePage, page, type Visit } from "../page.ts";

const BACK = "/settings#chats";

const message = (status: 200 | 403 | 404 | 409 | 410, title: string, text: Child): Reply => ({
  kind: "page",
  status,
  title,
  section: "settings",
  body: (
    <div class="narrow">
      <Heading title={title} />
      <Panel>
        <p>{text}</p>
        <p>
          <a href={BACK}>Your chat accounts</a>
        </p>
      </Panel>
    </div>
  ),
});

const UNKNOWN = message(
  404,
  "This link is not valid",
  "The address may be incomplete. Press a button in the chat again to get another link.",
);
const EXPIRED = message(
  410,
  "This link has expired",
  "Links are valid for 15 minutes. Press a button in the chat again to get another link.",
);

const refused = (refusal: Refusal): Reply =>
  message(
    refusal.reason === "conflict" ? 409 : 403,
    "The chat account is not linked",
    refusalText(refusal),
  );

/** The account that the link names, or the page that says why it is invalid. */
async function readLink({ env, params }: Visit): Promise<ChatLinkSubject | Reply> {
  const read = await readChatLink(env, params.token ?? "");
  if (read.kind === "link") return read.subject;
  return read.kind === "expired" ? EXPIRED : UNKNOWN;
}

const isReply = (read: ChatLinkSubject | Reply): read is Reply => !("product" in read);

async function showConfirmation(visit: Visit): Promise<Reply> {
  const subject = await readLink(visit);
  if (isReply(subject)) return subject;
  const { session, url } = visit;
  const linkable = await findLinkable(visit, session.actor.userId, subject);
  if (isRefusal(linkable)) return refused(linkable);
  const { product, person } = subject;
  const title = `Link ${CHAT_TITLES[product]}`;
  return {
    kind: "page",
    title,
    section: "settings",
    body: (
      <div class="narrow">
        <Heading title={title} lead={`${person.name} (${person.userId})`} />
        <Panel>
          <Form to={url.pathname} session={session} kind="fields">
            <p>
              You are signed in as {session.actor.name}. Whoever uses the {CHAT_TITLES[product]}{" "}
              account {person.name} of the workspace {person.workspaceId} then answers alerts,
              comments and pages people as you. Continue only if it is your own, and you pressed a
              button or wrote a command there yourself.
            </p>
            <Button>Link account</Button>
          </Form>
        </Panel>
      </div>
    ),
  };
}

async function link(visit: Visit): Promise<Reply> {
  const subject = await readLink(visit);
  if (isReply(subject)) return subject;
  const refusal = await linkChatAccount(visit, visit.session.actor.userId, subject);
  if (refusal !== null) return refused(refusal);
  const { product, person } = subject;
  return done(
    BACK,
    `${CHAT_TITLES[product]} account ${person.name} linked. Press the button again.`,
  );
}

async function unlink({ api, params }: Visit): Promise<Reply> {
  const removed = await api.delete("/chat_accounts/:id", { id: params.id ?? "" });
  return isRefusal(removed) ? removed : done(BACK, "Chat account unlinked.");
}

export const linkChatPages: readonly ConsolePage[] = [
  page("/chat/link/:token", showConfirmation),
  action("/chat/link/:token", link),
  action("/settings/chats/:id/remove", unlink),
];
