// The page of a person's link to an alert: details, timeline, and buttons to acknowledge, reject and resolve. The buttons
// send the same commands as the API; the alert's object decides.
import { sql } from "drizzle-orm";
import { html } from "hono/html";
import type { RawRow } from "../db/records/attributes.ts";
import { alerts, alertWorkflows, sublogs } from "../db/schema/alerts.ts";
import { accountUsers, users } from "../db/schema/people.ts";
import { statement } from "../db/shared/database.ts";
import { prefixIdOf } from "../domain/shared/identifiers.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { statusWord } from "../domain/shared/status-word.ts";
import { statusOf } from "../http/answers.ts";
import type { CallerCommand } from "../objects/shared/rpc.ts";
import { alertObject } from "../objects/shared/stubs.ts";
import type { LinkPages, LinkRequest } from "./link-request.ts";
import { button, type Html, messagePage, moment, type Page, withTimes } from "./page.ts";

const NOT_YOURS = messagePage(
  403,
  "You no longer have access",
  "You are no longer a member of the account of this alert.",
);
const GONE = messagePage(404, "Alert not found", "The alert was deleted.");

/** Lines of its story that the page shows. */
const STORY_LINES = 8;
const MOST_CHARACTERS = 4_000;

type Held = {
  readonly personName: string;
  readonly title: string;
  readonly description: string;
  readonly urgency: string;
  readonly status: string;
  readonly createdAt: number;
  readonly isAsked: boolean;
  readonly where: string;
  /** Newest first. */
  readonly story: readonly { readonly time: number; readonly message: string }[];
};

/** What the page shows; a page instead where the person or the alert is not there any more. */
async function read({ db, subject }: LinkRequest): Promise<Held | Page> {
  const { accountId, recordId, accountUserId } = subject;
  const [found, story] = await db.batch<RawRow>([
    statement(
      db,
      sql`select ${users.name} as person_name, ${alerts.title} as title,
        ${alerts.description} as description, ${alerts.urgency} as urgency,
        ${alerts.status} as status, ${alerts.createdAt} as created_at,
        exists (select 1 from ${alertWorkflows}, json_each(${alertWorkflows.accountUserIds}) as asked
          where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = ${recordId}
            and ${alertWorkflows.state} = 'open' and asked.value = ${accountUserId}) as is_asked
      from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
        left join ${alerts} on ${alerts.id} = ${recordId} and ${alerts.accountId} = ${accountId}
      where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.state} = 'active'`,
    ),
    statement(
      db,
      sql`select ${sublogs.time} as time, ${sublogs.message} as message from ${sublogs}
      where ${sublogs.accountId} = ${accountId} and ${sublogs.logId} = ${recordId}
      order by ${sublogs.sequence} desc limit ${STORY_LINES}`,
    ),
  ]);
  const row = found?.results[0];
  if (!row) return NOT_YOURS;
  if (row.title === null) return GONE;
  return {
    personName: String(row.person_name),
    title: String(row.title),
    description: String(row.description ?? ""),
    urgency: String(row.urgency),
    status: String(row.status),
    createdAt: Number(row.created_at),
    isAsked: row.is_asked === 1,
    where: prefixIdOf("alert", recordId),
    story: (story?.results ?? []).map(({ time, message }) => ({
      time: Number(time),
      message: String(message),
    })),
  };
}

const isPage = (read: Held | Page): read is Page => "body" in read;

const cut = (text: string, most: number) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

function buttonsFor({ status, isAsked }: Held): Html[] {
  if (status === "acknowledged") return [button("resolve", "Resolve", "plain")];
  if (!["open", "dropped", "suppressed"].includes(status)) return [];
  const acknowledge = button("acknowledge", "Acknowledge", "go");
  return isAsked && status === "open"
    ? [acknowledge, button("reject", "Reject", "stop")]
    : [acknowledge];
}

function pageOf(held: Held, status: Page["status"], said: Html | null): Page {
  const buttons = buttonsFor(held);
  const title = cut(held.title, 300);
  return {
    status,
    title: cut(held.title, 80),
    body: html`${said}
<section>
<h1>${title}</h1>
${held.description === "" ? null : html`<p class="text">${cut(held.description, MOST_CHARACTERS)}</p>`}
<dl><dt>Status</dt><dd>${statusWord(held.status)}</dd><dt>Urgency</dt><dd>${held.urgency}</dd>
<dt>Created</dt><dd>${moment(held.createdAt)}</dd><dt>Alert</dt><dd>${held.where}</dd></dl>
</section>
${
  buttons.length === 0
    ? null
    : html`<section aria-label="Answer"><p class="soft">You respond as ${held.personName}.</p>
<form method="post">${buttons}</form></section>`
}
<section><h2>Timeline</h2>
<ol reversed>${held.story.map(
      ({ time, message }) => html`<li>${moment(time)} ${cut(withTimes(message), 500)}</li>`,
    )}</ol></section>`,
  };
}

const ACTIONS = ["acknowledge", "reject", "resolve"] as const;
type Action = (typeof ACTIONS)[number];

const DONE: Record<Action, { readonly title: string; readonly text: string }> = {
  acknowledge: {
    title: "Alert acknowledged",
    text: "Escalation stops. The other people who were notified are told that you acknowledged it.",
  },
  reject: {
    title: "Alert rejected",
    text: "You are not notified of it again. When everybody on the layer has rejected it, the next layer is notified.",
  },
  resolve: { title: "Alert resolved", text: "Escalation has ended." },
};

/** Who had answered before, in the story's own words. */
const ANSWERED = /^(Acknowledged|Resolved) by /;

function refusalSaid(held: Held, message: string): Html {
  const before = held.story.find((line) => ANSWERED.test(line.message));
  return html`<section role="alert"><h1>Nothing was changed</h1>
${before ? html`<p><strong>${before.message}</strong>, ${moment(before.time)}</p>` : null}
<p>${message.charAt(0).toUpperCase() + message.slice(1)}.</p></section>`;
}

async function act(request: LinkRequest, sent: string): Promise<Page> {
  const { env, subject } = request;
  const held = await read(request);
  if (isPage(held)) return held;
  const action = ACTIONS.find((it) => it === sent);
  if (action === undefined)
    return pageOf(held, 422, refusalSaid(held, "choose one of the buttons"));
  const by = { accountUserId: subject.accountUserId, name: held.personName };
  const command: CallerCommand = { type: action, by };
  const object = alertObject(env, prefixIdOf("alert", subject.recordId));
  const result = await object.command(subject.accountId, command, "for_readers");
  const after = await read(request);
  if (isPage(after)) return after;
  if (isRefusal(result)) {
    const status = statusOf(result.reason) as Page["status"];
    return pageOf(after, status, refusalSaid(after, result.errors[0]?.message ?? ""));
  }
  const { title, text } = DONE[action];
  return pageOf(after, 200, html`<section role="status"><h1>${title}</h1><p>${text}</p></section>`);
}

export const alertPages: LinkPages = {
  show: async (request) => {
    const held = await read(request);
    return isPage(held) ? held : pageOf(held, 200, null);
  },
  act,
};
