// The page of an admin's link to a standby's question: take over, or stand down? Opening it changes nothing.
import { sql } from "drizzle-orm";
import type { StandbyQuestion } from "../../../domain/operations/standby.ts";
import { first, select } from "../../../kernel/db/select.ts";
import type { LinkSubject } from "../../../kernel/links.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { standbyObject } from "../../stubs.ts";
import type { LinkPages, LinkRequest } from "./link-request.ts";
import { Answer, Button, type LinkPage, Moment, messagePage } from "./page.tsx";

const OVER = messagePage(
  410,
  "This question is over",
  "It was answered, or the primary has answered the standby since. A link can be used once.",
);
const NOT_YOURS = messagePage(403, "You no longer have access", "You are no longer an admin.");

const ORDERS = {
  take_over: {
    title: "Take over from the primary?",
    text: "The primary does not answer its standby, and nobody in another network says that it is gone. If it still pages, people are called by both.",
    label: "Take over",
    done: "The standby takes over",
    doneText: "It delivers what waits and escalates open alerts, until it is told to stand down.",
  },
  stand_down: {
    title: "Stand down?",
    text: "The standby has taken over, and pages. If the primary does not, nobody is paged until the standby takes over again.",
    label: "Stand down",
    done: "The standby stands down",
    doneText: "It is silent from now on. What was answered at it is given to the primary.",
  },
} as const;

/** Selects the link's person as an admin of the account. */
const selectAdmin = ({ accountId, accountUserId }: LinkSubject) =>
  select(
    { name: users.name },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.admin} and ${accountUsers.state} = 'active'`,
  );

type Asked = { readonly question: StandbyQuestion; readonly name: string };

/** Reads the question; returns an error page if it is over, or the person is no admin any more. */
async function readAsked({ env, db, subject }: LinkRequest): Promise<Asked | LinkPage> {
  if (!env.STANDBY_OF) return OVER;
  const question = await standbyObject(env).question(subject.recordId);
  if (question === null) return OVER;
  const admin = await first(db, selectAdmin(subject));
  return admin === null ? NOT_YOURS : { question, name: admin.name };
}

async function show(request: LinkRequest): Promise<LinkPage> {
  const asked = await readAsked(request);
  if (!("question" in asked)) return asked;
  const { order, at } = asked.question;
  const { title, text, label } = ORDERS[order];
  return {
    status: 200,
    title,
    body: (
      <>
        <section>
          <h1>{title}</h1>
          <p>{text}</p>
          <p class="soft">
            Asked <Moment at={at} />
          </p>
        </section>
        <Answer as={<p class="soft">You answer as {asked.name}.</p>}>
          <Button action={order} label={label} kind="go" />
        </Answer>
      </>
    ),
  };
}

async function act(request: LinkRequest, action: string): Promise<LinkPage> {
  const asked = await readAsked(request);
  if (!("question" in asked)) return asked;
  const { id, order } = asked.question;
  if (action !== order) return show(request);
  const { accountId, accountUserId } = request.subject;
  const by = { by: "link", accountId, accountUserId } as const;
  const { done, doneText } = ORDERS[order];
  return (await standbyObject(request.env).answer(id, by))
    ? messagePage(200, done, doneText)
    : OVER;
}

export const standbyPages: LinkPages = { show, act };
