// The page of a person's link to an absence for which they are asked: what is asked, and buttons to accept and to
// decline. Opening it changes nothing.
import { sql } from "drizzle-orm";
import { html } from "hono/html";
import type { LinkSubject } from "../channels/links/links.ts";
import {
  type AskingAbsence,
  acceptedBy,
  askingOf,
  nameIn,
  selectStoredAbsence,
} from "../db/oncall/absences/stored-absences.ts";
import { accountUsers, users } from "../db/schema/people.ts";
import { batch, select } from "../db/shared/select.ts";
import { statusAt } from "../domain/oncall/absences/asking.ts";
import { hoursText, momentText } from "../domain/oncall/notices/notice-text.ts";
import { own } from "../domain/shared/own.ts";
import { isRefusal } from "../domain/shared/refusal.ts";
import { statusOf } from "../http/answers.ts";
import { acceptAbsence } from "../services/oncall/absences/accept-absence.ts";
import { type AnswerAbsence, declineAbsence } from "../services/oncall/absences/answer-absence.ts";
import { type LinkPages, type LinkRequest, linkContext } from "./link-request.ts";
import { button, type Html, messagePage, type Page, withTimes } from "./page.ts";

const NOT_YOURS = messagePage(
  403,
  "You no longer have access",
  "You are no longer asked to cover these hours.",
);

type Details = {
  readonly personName: string;
  readonly zone: string;
  readonly accountUserId: string;
  readonly absence: AskingAbsence;
};

const selectPerson = ({ accountId, accountUserId }: LinkSubject) =>
  select(
    { name: users.name, timeZone: users.timeZone },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}
        and ${accountUsers.state} = 'active'`,
  );

/** Reads the details; returns an error page if the person is no longer a member, or not asked. */
async function readDetails({ db, subject }: LinkRequest): Promise<Details | Page> {
  const { accountId, recordId, accountUserId } = subject;
  const [[person], [stored]] = await batch(db, [
    selectPerson(subject),
    selectStoredAbsence(accountId, { form: "id", value: recordId }),
  ]);
  const absence = askingOf(stored);
  const isAsked = absence?.asking.asked.some((it) => it.accountUserId === accountUserId);
  if (!person || !absence || !isAsked) return NOT_YOURS;
  return { personName: person.name, zone: person.timeZone, accountUserId, absence };
}

const isPage = (result: Details | Page): result is Page => "body" in result;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** An instant in the person's own time zone, which the page names. */
const time = (at: number, zone: string): Html =>
  html`<time datetime="${new Date(at).toISOString()}">${momentText(at, zone)}</time>`;

/** The hours to be covered, each with its schedules; the time itself where none are left. */
function shiftTexts({ asking, startAt, endAt, scheduleNames }: AskingAbsence, zone: string) {
  const { hours } = asking;
  if (hours.length === 0) return [hoursText({ startAt, endAt }, zone)];
  return hours.map((it) => {
    const places = it.scheduleIds.flatMap((id) => scheduleNames[id] ?? []);
    return `${[...places, `layer ${it.layer}`].join(", ")}: ${hoursText(it, zone)}`;
  });
}

function stateText({ absence, accountUserId, zone }: Details, now: number): Html | string {
  const { asking } = absence;
  const own = asking.asked.find((it) => it.accountUserId === accountUserId);
  switch (statusAt(asking, now)) {
    case "open":
      return own?.answer === "declined" ? "Open. You have declined." : "Open";
    case "accepted":
      return own?.answer === "accepted"
        ? "You have accepted."
        : `${nameIn(absence, acceptedBy(absence) ?? "")} has accepted.`;
    case "declined":
      return "Everybody has declined.";
    case "expired":
      return html`Expired ${time(asking.expiresAt, zone)}`;
    case "cancelled":
      return "Cancelled";
  }
}

/** The buttons of the answers that are left; the one that the link names stands out. */
function buttonsFor({ absence, accountUserId }: Details, answer: string | null, now: number) {
  const { asking } = absence;
  if (statusAt(asking, now) !== "open") return [];
  const own = asking.asked.find((it) => it.accountUserId === accountUserId);
  const accept = button("accept", "Accept", answer === "decline" ? "plain" : "go");
  if (own?.answer === "declined") return [accept];
  return [accept, button("decline", "Decline", answer === "decline" ? "go" : "stop")];
}

function pageOf(
  details: Details,
  { now, query }: Pick<LinkRequest, "now" | "query">,
  status: Page["status"],
  flash: Html | null,
): Page {
  const { absence, zone, personName } = details;
  const { reason } = absence;
  const { inReturn, expiresAt } = absence.asking;
  const name = nameIn(absence, absence.accountUserId);
  const title =
    inReturn === null ? `${name} asks you for cover` : `${name} asks you to swap shifts`;
  const buttons = buttonsFor(details, query.get("answer"), now);
  return {
    status,
    title: title.slice(0, 80),
    body: html`${flash}<section><h1>${title.slice(0, 300)}</h1>
<dl><dt>You take</dt><dd>${shiftTexts(absence, zone).map((it) => html`${it}<br>`)}</dd>
${inReturn ? html`<dt>${name} takes</dt><dd>${hoursText(inReturn, zone)}</dd>` : null}
${reason ? html`<dt>Reason</dt><dd>${reason.slice(0, 1_000)}</dd>` : null}
<dt>Status</dt><dd>${stateText(details, now)}</dd>
${buttons.length > 0 ? html`<dt>Expires</dt><dd>${time(expiresAt, zone)}</dd>` : null}</dl>
<p class="soft">All times in ${zone}.</p></section>
${
  buttons.length === 0
    ? null
    : html`<section aria-label="Answer"><p class="soft">You answer as ${personName}. The first who accepts gets it.</p>
<form method="post">${buttons}</form></section>`
}`,
  };
}

type Answer = {
  readonly run: AnswerAbsence;
  readonly title: string;
  readonly text: string;
};

/** By the value of their button. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  accept: {
    run: acceptAbsence,
    title: "You have accepted",
    text: "You are on call in these hours. The person who asked is told.",
  },
  decline: {
    run: declineAbsence,
    title: "You have declined",
    text: "Nothing changes for you. You may still accept while nobody else has.",
  },
};

async function act(request: LinkRequest, sent: string): Promise<Page> {
  const details = await readDetails(request);
  if (isPage(details)) return details;
  const answer = own(ANSWERS, sent);
  if (answer === undefined) {
    const flash = html`<section role="alert"><h1>Nothing was changed</h1><p>Choose one of the buttons.</p></section>`;
    return pageOf(details, request, 422, flash);
  }
  const context = linkContext(request, details.personName);
  const result = await answer.run(context, { form: "id", value: request.subject.recordId });
  const after = await readDetails(request);
  if (isPage(after)) return after;
  if (isRefusal(result) && result.done === undefined) {
    const status = statusOf(result.reason) as Page["status"];
    const why = withTimes(sentence(result.errors[0]?.message ?? ""));
    const flash = html`<section role="alert"><h1>Nothing was changed</h1><p>${why}</p></section>`;
    return pageOf(after, request, status, flash);
  }
  const { title, text } = answer;
  const said = isRefusal(result) ? sentence(result.done ?? "") : text;
  const flash = html`<section role="status"><h1>${title}</h1><p>${said}</p></section>`;
  return pageOf(after, request, 200, flash);
}

export const coverRequestPages: LinkPages = {
  show: async (request) => {
    const details = await readDetails(request);
    return isPage(details) ? details : pageOf(details, request, 200, null);
  },
  act,
};
