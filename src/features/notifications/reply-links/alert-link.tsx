// The page of a person's link to an alert: details, its links, timeline, and buttons to acknowledge,
// reject, escalate, snooze and resolve, and to undo an answer. The buttons send the same commands as the API; the alert object decides.
import { sql } from "drizzle-orm";
import type { Child } from "hono/jsx";
import type { AdditionalDatum } from "../../../domain/alerts/alert.ts";
import { alertLinks } from "../../../domain/alerts/alert-links.ts";
import type { StoredEntry } from "../../../domain/alerts/stored-alert.ts";
import { prefixIdOf } from "../../../domain/shared/identifiers.ts";
import { own } from "../../../domain/shared/own.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { HOUR } from "../../../domain/shared/time.ts";
import { statusWord } from "../../../domain/shared/words.ts";
import { batch, first, parsed, select, truth } from "../../../kernel/db/select.ts";
import { statusOf } from "../../../kernel/http/answers.ts";
import type { LinkSubject } from "../../../kernel/links.ts";
import { snoozeAlert } from "../../alerts/alerts/snooze-alert.ts";
import { timelineOfAlert } from "../../alerts/alerts/timeline-rows.ts";
import {
  type AnswerAlert,
  acknowledgeAlert,
  escalateAlert,
  rejectAlert,
  resolveAlert,
  undoAnswer,
} from "../../alerts/alerts/verbs.ts";
import { alerts } from "../../schema/alerts.ts";
import { accountUsers, users } from "../../schema/people.ts";
import { alertWorkflows } from "../../schema/views/alert-workflows.ts";
import { type LinkPages, type LinkRequest, linkContext } from "./link-request.ts";
import {
  Answer,
  Button,
  Done,
  type LinkPage,
  Moment,
  messagePage,
  Refused,
  withTimes,
} from "./page.tsx";

const NOT_YOURS = messagePage(
  403,
  "You no longer have access",
  "You are no longer a member of the account of this alert.",
);
const GONE = messagePage(404, "Alert not found", "The alert was deleted.");

/** Number of timeline lines that the page shows. */
const TIMELINE_LINES = 8;
const MAX_DESCRIPTION_LENGTH = 4_000;

type AlertDetails = {
  readonly personName: string;
  readonly title: string;
  readonly description: string;
  readonly urgency: string;
  readonly status: string;
  readonly createdAt: number;
  /** Epoch ms; null unless it is snoozed. */
  readonly snoozedUntil: number | null;
  readonly data: readonly AdditionalDatum[];
  readonly isNotified: boolean;
  readonly where: string;
  /** Newest first. */
  readonly timeline: readonly { readonly time: number; readonly message: string }[];
};

/** Selects the person with the alert; its columns are null if there is none. */
function selectAlert({ accountId, recordId, accountUserId }: LinkSubject) {
  const isNotified = sql`exists (
    select 1 from ${alertWorkflows}, json_each(${alertWorkflows.accountUserIds}) as asked
    where ${alertWorkflows.accountId} = ${accountId} and ${alertWorkflows.alertId} = ${recordId}
      and ${alertWorkflows.state} = 'open' and asked.value = ${accountUserId})`;
  return select(
    {
      personName: users.name,
      title: sql<string | null>`${alerts.title}`,
      description: sql<string>`coalesce(${alerts.description}, '')`,
      urgency: alerts.urgency,
      status: alerts.status,
      createdAt: alerts.createdAt,
      snoozedUntil: alerts.snoozedUntil,
      data: parsed<readonly AdditionalDatum[] | null>(alerts.additionalData),
      isNotified: truth(isNotified),
    },
    sql`from ${accountUsers} join ${users} on ${users.id} = ${accountUsers.userId}
      left join ${alerts} on ${alerts.id} = ${recordId} and ${alerts.accountId} = ${accountId}
    where ${accountUsers.id} = ${accountUserId} and ${accountUsers.accountId} = ${accountId}
      and ${accountUsers.state} = 'active'`,
  );
}

const selectTimeline = ({ accountId, recordId }: LinkSubject) =>
  select(
    { entries: parsed<readonly StoredEntry[]>(timelineOfAlert) },
    sql`from ${alerts} where ${alerts.accountId} = ${accountId} and ${alerts.id} = ${recordId}`,
  );

/** Reads the details; returns an error page if the person or the alert no longer exists. */
async function readDetails({ db, subject }: LinkRequest): Promise<AlertDetails | LinkPage> {
  const [[alert], [log]] = await batch(db, [selectAlert(subject), selectTimeline(subject)]);
  if (!alert) return NOT_YOURS;
  const { title } = alert;
  if (title === null) return GONE;
  const latest = (log?.entries ?? []).slice(-TIMELINE_LINES).toReversed();
  const timeline = latest.map(([after, message]) => ({ time: alert.createdAt + after, message }));
  return {
    ...alert,
    title,
    data: alert.data ?? [],
    where: prefixIdOf("alert", subject.recordId),
    timeline,
  };
}

const isPage = (result: AlertDetails | LinkPage): result is LinkPage => "body" in result;

const cut = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;

/** Null if the alert takes no answer. */
function buttonsFor({ status, isNotified }: AlertDetails): Child {
  // A snoozed alert too: it is acknowledged.
  if (status === "acknowledged") return <Button action="resolve" label="Resolve" kind="plain" />;
  if (!["open", "dropped", "suppressed"].includes(status)) return null;
  return (
    <>
      <Button action="acknowledge" label="Acknowledge" kind="go" />
      {isNotified && status === "open" && <Button action="reject" label="Pass on" kind="stop" />}
    </>
  );
}

/** Null if the alert takes no further step. */
function furtherFor({ status, snoozedUntil }: AlertDetails): Child {
  if (snoozedUntil !== null || !["open", "dropped", "acknowledged"].includes(status)) return null;
  return (
    <section aria-label="Further steps">
      <form method="post">
        {status === "open" && <Button action="escalate" label="Escalate" kind="plain" />}
        <Button action="snooze" label="Snooze for 1 hour" kind="plain" />
      </form>
    </section>
  );
}

/** The additional data that the page shows, and the longest value of one (characters). */
const MAX_DATA = 12;
const MAX_VALUE_LENGTH = 200;

const Links = ({ details: { data, where } }: { readonly details: AlertDetails }) => (
  <p class="links">
    {alertLinks(data).map(({ label, url }) => (
      <a href={url} rel="noopener noreferrer nofollow">
        {label}
      </a>
    ))}
    <a href={`/alerts/${where}`}>Open in the console</a>
  </p>
);

function pageOf(details: AlertDetails, status: LinkPage["status"], flash: Child): LinkPage {
  const { description, personName } = details;
  const buttons = buttonsFor(details);
  const title = cut(details.title, 300);
  return {
    status,
    title: cut(details.title, 80),
    body: (
      <>
        {flash}
        <section>
          <h1>{title}</h1>
          <Links details={details} />
          {description !== "" && <p class="text">{cut(description, MAX_DESCRIPTION_LENGTH)}</p>}
          <dl>
            <dt>Status</dt>
            <dd>
              {details.snoozedUntil === null ? (
                statusWord(details.status)
              ) : (
                <>
                  snoozed until <Moment at={details.snoozedUntil} />
                </>
              )}
            </dd>
            <dt>Urgency</dt>
            <dd>{details.urgency}</dd>
            <dt>Created</dt>
            <dd>
              <Moment at={details.createdAt} />
            </dd>
            <dt>Alert</dt>
            <dd>{details.where}</dd>
            {details.data.slice(0, MAX_DATA).map(({ label, value }) => (
              <>
                <dt>{cut(label, 40)}</dt>
                <dd>{cut(value, MAX_VALUE_LENGTH)}</dd>
              </>
            ))}
          </dl>
        </section>
        {buttons !== null && (
          <Answer as={<p class="soft">You respond as {personName}.</p>}>{buttons}</Answer>
        )}
        {furtherFor(details)}
        <section>
          <h2>Timeline</h2>
          <ol reversed>
            {details.timeline.map(({ time, message }) => (
              <li>
                <Moment at={time} /> {cut(withTimes(message), 500)}
              </li>
            ))}
          </ol>
        </section>
      </>
    ),
  };
}

type Action = {
  readonly answer: AnswerAlert;
  /** The result, as the page says it. */
  readonly title: string;
  readonly text: string;
  /** Whether it can be taken back for a minute. */
  readonly undoable?: true;
};

/** By the value of their button. */
const ACTIONS: Readonly<Record<string, Action>> = {
  acknowledge: {
    answer: acknowledgeAlert,
    title: "Alert acknowledged",
    text: "Escalation stops. The other people who were notified are told that you acknowledged it.",
    undoable: true,
  },
  reject: {
    answer: rejectAlert,
    title: "Alert passed on",
    text: "You are not notified of it again. When everybody of the step has passed it on, the next step is notified.",
    undoable: true,
  },
  resolve: {
    answer: resolveAlert,
    title: "Alert resolved",
    text: "Escalation has ended.",
    undoable: true,
  },
  escalate: {
    answer: escalateAlert,
    title: "Alert escalated",
    text: "The next people are notified.",
  },
  snooze: {
    answer: (context, identifier) =>
      snoozeAlert(context, identifier, { until: context.now + HOUR }),
    title: "Alert snoozed",
    text: "Nobody is notified for an hour. Then the alert is open again.",
  },
  undo: {
    answer: undoAnswer,
    title: "Undone",
    text: "The people who are asked now are notified again.",
  },
};

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${withTimes(text.slice(1))}.`;

async function act(request: LinkRequest, sent: string): Promise<LinkPage> {
  const action = own(ACTIONS, sent);
  if (action === undefined) return show(request, 422, <Refused why="Choose one of the buttons." />);
  const alert = await first(request.db, selectAlert(request.subject));
  if (alert === null) return NOT_YOURS;
  if (alert.title === null) return GONE;
  const { answer, title, text, undoable } = action;
  const context = linkContext(request, alert.personName);
  const result = await answer(context, { form: "id", value: request.subject.recordId });
  if (isRefusal(result) && result.done === undefined) {
    const status = statusOf(result.reason) as LinkPage["status"];
    return show(request, status, <Refused why={sentence(result.errors[0]?.message ?? "")} />);
  }
  const said = isRefusal(result) ? sentence(result.done ?? "") : text;
  const undo = undoable && !isRefusal(result) && (
    <form method="post">
      <Button action="undo" label="Undo" kind="plain" />
    </form>
  );
  return show(
    request,
    200,
    <Done title={title} text={said}>
      {undo}
    </Done>,
  );
}

async function show(request: LinkRequest, status: LinkPage["status"], flash: Child) {
  const details = await readDetails(request);
  return isPage(details) ? details : pageOf(details, status, flash);
}

export const alertPages: LinkPages = { show: (request) => show(request, 200, null), act };
