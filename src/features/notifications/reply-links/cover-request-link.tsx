// The page of a person's link to an absence for which they are asked: what is asked, and buttons to accept and to
// decline. Opening it changes nothing.
import { sql } from "drizzle-orm";
import type { Child } from "hono/jsx";
import { statusAt } from "../../../domain/oncall/absences/asking.ts";
import { hoursText, momentText } from "../../../domain/oncall/notices/notice-text.ts";
import { own } from "../../../domain/shared/own.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { batch, select } from "../../../kernel/db/select.ts";
import { statusOf } from "../../../kernel/http/answers.ts";
import type { LinkSubject } from "../../../kernel/links.ts";
import { commit } from "../../change/commit.ts";
import { acceptAbsence } from "../../oncall/absences/accept-absence.ts";
import { type AnswerAbsence, declineAbsence } from "../../oncall/absences/answer-absence.ts";
import {
  type AskingAbsence,
  acceptedBy,
  askingOf,
  nameIn,
  selectStoredAbsence,
} from "../../oncall/absences/stored-absences.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { type LinkPages, type LinkRequest, linkContext } from "./link-request.ts";
import { Answer, Button, Done, type LinkPage, messagePage, Refused, withTimes } from "./page.tsx";

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
async function readDetails({ db, subject }: LinkRequest): Promise<Details | LinkPage> {
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

const isPage = (result: Details | LinkPage): result is LinkPage => "body" in result;

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** An instant in the person's own time zone, which the page names. */
const LocalMoment = ({ at, zone }: { readonly at: number; readonly zone: string }) => (
  <time datetime={new Date(at).toISOString()}>{momentText(at, zone)}</time>
);

/** The hours to be covered, each with its schedules; the time itself where none are left. */
function shiftTexts({ asking, startAt, endAt, scheduleNames }: AskingAbsence, zone: string) {
  const { hours } = asking;
  if (hours.length === 0) return [hoursText({ startAt, endAt }, zone)];
  return hours.map((it) => {
    const places = it.scheduleIds.flatMap((id) => scheduleNames[id] ?? []);
    return `${[...places, `step ${it.layer}`].join(", ")}: ${hoursText(it, zone)}`;
  });
}

function stateText({ absence, accountUserId, zone }: Details, now: number): Child {
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
      return (
        <>
          Expired <LocalMoment at={asking.expiresAt} zone={zone} />
        </>
      );
    case "cancelled":
      return "Cancelled";
  }
}

/** The buttons of the answers that are left, null without any; the one that the link names stands out. */
function buttonsFor({ absence, accountUserId }: Details, answer: string | null, now: number) {
  const { asking } = absence;
  if (statusAt(asking, now) !== "open") return null;
  const own = asking.asked.find((it) => it.accountUserId === accountUserId);
  const isToDecline = answer === "decline";
  return (
    <>
      <Button action="accept" label="Accept" kind={isToDecline ? "plain" : "go"} />
      {own?.answer !== "declined" && (
        <Button action="decline" label="Decline" kind={isToDecline ? "go" : "stop"} />
      )}
    </>
  );
}

function pageOf(
  details: Details,
  { now, query }: Pick<LinkRequest, "now" | "query">,
  status: LinkPage["status"],
  flash: Child,
): LinkPage {
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
    body: (
      <>
        {flash}
        <section>
          <h1>{title.slice(0, 300)}</h1>
          <dl>
            <dt>You take</dt>
            <dd>
              {shiftTexts(absence, zone).map((it) => (
                <>
                  {it}
                  <br />
                </>
              ))}
            </dd>
            {inReturn && (
              <>
                <dt>{name} takes</dt>
                <dd>{hoursText(inReturn, zone)}</dd>
              </>
            )}
            {reason && (
              <>
                <dt>Reason</dt>
                <dd>{reason.slice(0, 1_000)}</dd>
              </>
            )}
            <dt>Status</dt>
            <dd>{stateText(details, now)}</dd>
            {buttons !== null && (
              <>
                <dt>Expires</dt>
                <dd>
                  <LocalMoment at={expiresAt} zone={zone} />
                </dd>
              </>
            )}
          </dl>
          <p class="soft">All times in {zone}.</p>
        </section>
        {buttons !== null && (
          <Answer
            as={<p class="soft">You answer as {personName}. The first who accepts gets it.</p>}
          >
            {buttons}
          </Answer>
        )}
      </>
    ),
  };
}

type Effect = {
  readonly run: AnswerAbsence;
  readonly title: string;
  readonly text: string;
};

/** By the value of their button. */
const ANSWERS: Readonly<Record<string, Effect>> = {
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

async function act(request: LinkRequest, sent: string): Promise<LinkPage> {
  const details = await readDetails(request);
  if (isPage(details)) return details;
  const answer = own(ANSWERS, sent);
  if (answer === undefined) {
    return pageOf(details, request, 422, <Refused why="Choose one of the buttons." />);
  }
  const context = linkContext(request, details.personName);
  const identifier = { form: "id", value: request.subject.recordId } as const;
  const result = await commit(context, () => answer.run(context, identifier));
  const after = await readDetails(request);
  if (isPage(after)) return after;
  if (isRefusal(result) && result.done === undefined) {
    const status = statusOf(result.reason) as LinkPage["status"];
    const why = withTimes(sentence(result.errors[0]?.message ?? ""));
    return pageOf(after, request, status, <Refused why={why} />);
  }
  const { title, text } = answer;
  const said = isRefusal(result) ? sentence(result.done ?? "") : text;
  return pageOf(after, request, 200, <Done title={title} text={said} />);
}

export const coverRequestPages: LinkPages = {
  show: async (request) => {
    const details = await readDetails(request);
    return isPage(details) ? details : pageOf(details, request, 200, null);
  },
  act,
};
