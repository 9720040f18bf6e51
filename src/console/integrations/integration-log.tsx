// The recent requests to an integration, or the messages that it sent, with their outcomes, newest first. The list refreshes
// itself, and tells when the first request, or a test event, has arrived.

import type { Child } from "hono/jsx";
import { isRefusal } from "../../domain/shared/refusal.ts";
import { capitalized, eventWord } from "../../domain/shared/words.ts";
import type { Log } from "../../features/alerts/alerts/contract.ts";
import type { Delivery } from "../../features/integrations/deliveries/contract.ts";
import type { Integration } from "../../features/integrations/integrations/contract.ts";
import { Badge, type Tone } from "../../kernel/console/badge.tsx";
import { Pager } from "../../kernel/console/filters.tsx";
import { ActionButton } from "../../kernel/console/form.tsx";
import { pageOf } from "../../kernel/console/list-view.ts";
import { exactClockOf, Moment } from "../../kernel/console/moment.tsx";
import { Notice, Panel } from "../../kernel/console/panel.tsx";
import { done, notDone, pageReply, type Reply } from "../../kernel/console/reply.ts";
import { fieldText } from "../../kernel/console/values.ts";
import { action, type ConsolePage, idOf, page, pathOf, step, type Visit } from "../page.ts";
import type { WithVisit } from "../reads.ts";
import { isAdmin } from "../resource-pages.tsx";
import { acceptsEvents } from "./option-titles.ts";

const TONES: Readonly<Record<string, Tone>> = {
  queued: "busy",
  delivered: "good",
  failed: "bad",
  cancelled: "quiet",
};

const isOver = ({ status }: Delivery) => status === "failed" || status === "cancelled";

const SentMessage = ({ delivery, visit }: WithVisit<{ delivery: Delivery }>) => {
  const { id, alert_id: alertId, event, status, reason, queued_at: queuedAt } = delivery;
  return (
    <li>
      <div>
        <Moment at={queuedAt} exact /> <Badge tone={TONES[status] ?? "neutral"}>{status}</Badge>{" "}
        {capitalized(eventWord(event))}
        {reason === null ? null : <span class="soft">: {reason}</span>}
        {isOver(delivery) && isAdmin(visit) ? (
          <ActionButton
            to={`${pathOf("/integrations", visit)}/retry`}
            label="Retry"
            fields={{ delivery: id }}
          />
        ) : null}
      </div>
      {alertId === null ? null : <a href={`/alerts/${alertId}`}>Open alert</a>}
    </li>
  );
};

const DeliveryLog = ({ deliveries, visit }: WithVisit<{ deliveries: readonly Delivery[] }>) =>
  deliveries.length === 0 ? (
    <p class="soft">No message was sent yet. A test message shows what becomes of one.</p>
  ) : (
    <ol class="log">
      {deliveries.map((delivery) => (
        <SentMessage delivery={delivery} visit={visit} />
      ))}
    </ol>
  );

const SHOWN = 20;

/** A list that is not read. */
const NOTHING = { data: [], total_count: 0 };

/** Whether a message of a request begins so. */
const says = ({ details }: Log, beginning: RegExp): boolean =>
  [details, ...details.sublogs].some(({ message }) => beginning.test(message));

/** That events were not understood, until somebody has read why. */
export const NotUnderstood = ({ visit, integration }: WithVisit<{ integration: Integration }>) => {
  const { not_understood_at: at, prefix_id: id } = integration;
  if (at === null) return null;
  return (
    <Notice tone="warn" title="An event was not understood.">
      It changed no alert. It arrived <Moment at={at} />; <a href="#log">Recent events</a> show
      which state it had.
      {isAdmin(visit) ? (
        <ActionButton to={`/integrations/${id}/read`} label="Mark as read" />
      ) : null}
    </Notice>
  );
};

const Outcome = ({ log }: { readonly log: Log }) => {
  // It found no alert to act on, or the integration's type did not understand an event of it.
  if (says(log, /^unmatched/i)) return <Badge tone="warn">unmatched</Badge>;
  if (says(log, /^Not understood/)) return <Badge tone="warn">not understood</Badge>;
  if (log.level === "error") return <Badge tone="bad">failed</Badge>;
  if (log.level === "warn") return <Badge tone="warn">refused</Badge>;
  return <Badge tone="good">accepted</Badge>;
};

/** What the log says without the alert's ID: the entry links the alert. */
const withoutIds = (message: string): string => message.replace(/ alt_[\w-]+/g, "");

/** The first alert that a request created, was counted on or changed. */
const alertOf = ({ details }: Log): string | null =>
  details.sublogs.find(({ alert_id: id }) => id !== undefined)?.alert_id ?? null;

const AlertLink = ({ id }: { readonly id: string | null | undefined }) =>
  id ? <a href={`/alerts/${id}`}>Open alert</a> : null;

const Entry = ({ log, visit }: { readonly log: Log; readonly visit: Visit }) => {
  const zone = visit.session.timeZone;
  return (
    <li>
      <details>
        <summary>
          <Moment at={log.created_at} exact /> <Outcome log={log} />{" "}
          {withoutIds(log.details.message)}
        </summary>
        <ol class="steps">
          {log.details.sublogs.map(({ time, message, alert_id: id }) => (
            <li>
              <span class="soft">{exactClockOf(Date.parse(time), zone)}</span> {withoutIds(message)}{" "}
              <AlertLink id={id} />
            </li>
          ))}
        </ol>
        {log.details.request ? <pre>{JSON.stringify(log.details.request, null, 2)}</pre> : null}
      </details>
      <AlertLink id={alertOf(log)} />
    </li>
  );
};

/** The expected request is the integration's first; otherwise it is named by its log's id. */
const FIRST = "first";

type ExpectedProps = {
  readonly expected: string;
  readonly log: Log | undefined;
  readonly isPolling: boolean;
};

/** The expected request, or that it has not arrived. */
const Expected = ({ expected, log, isPolling }: ExpectedProps) => {
  const event = expected === FIRST ? "first event" : "test event";
  if (log === undefined) {
    return (
      <p class="soft" role="status">
        {isPolling
          ? `Waiting for the ${event}. It is shown here as soon as it arrives.`
          : `The ${event} has not arrived. Reload the page to wait for it again.`}
      </p>
    );
  }
  const isGood = log.level !== "error" && log.level !== "warn";
  return (
    <Notice tone={isGood ? "good" : "warn"} title={`The ${event} has arrived.`}>
      {withoutIds(log.details.message)} <AlertLink id={alertOf(log)} />
    </Notice>
  );
};

type PollerProps = WithVisit<{
  /** What an integration's log has: the requests to it, or the messages that it sent. */
  kind: "requests" | "messages";
  since: number;
  expected: string | null;
  isWaiting: boolean;
}>;

/** Refreshes the list, of the same kind. Once it is left out of an answer, the page polls no more. */
const Poller = ({ visit, kind, since, expected, isWaiting }: PollerProps) => {
  const query = new URLSearchParams({ kind, since: String(since), ...(expected && { expected }) });
  return (
    <span
      // Another element per interval: htmx does not read a changed one.
      id={isWaiting ? "poll-soon" : "poll"}
      hx-get={`${pathOf("/integrations", visit)}/log?${query}`}
      hx-trigger={isWaiting ? "every 2s" : "every 5s"}
      hx-target="#live-log"
      hx-select="#live-log"
      hx-swap="outerMorph"
    />
  );
};

/** How long an open page polls (ms), if it is not reloaded. */
const MAX_POLLING_MS = 1_800_000;

/** Whether the integration accepts events; if it cannot be read, too. */
async function isIncoming(visit: Visit): Promise<boolean> {
  const integration = await visit.api.get("/integrations/:id", { id: idOf(visit) });
  if (isRefusal(integration)) return true;
  const { id } = integration.integration_type;
  const type = await visit.api.get("/integration_types/:id", { id });
  return isRefusal(type) || acceptsEvents(type);
}

/**
 * A page of the integration's log, 20 at a time, the latest first: its requests, of which it waits for one
 * that is expected, or the messages of an outgoing integration.
 */
export async function requestLog(visit: Visit) {
  const page = pageOf(visit.url);
  const kind = visit.query.get("kind");
  const [list, deliveries] = await Promise.all([
    kind === "messages"
      ? NOTHING
      : visit.api.get("/logs", { owner_id: visit.params.id, limit: SHOWN, page }),
    kind === "requests"
      ? NOTHING
      : visit.api.get("/integrations/:id/deliveries", { id: idOf(visit), limit: SHOWN, page }),
  ]);
  const logs = isRefusal(list) ? [] : list.data;
  const sent = isRefusal(deliveries) ? 0 : deliveries.total_count;
  const since = Number(visit.query.get("since") ?? visit.now);
  const isPolling = page === 1 && visit.now - since < MAX_POLLING_MS;
  const isEmpty = page === 1 && logs.length === 0;
  const isOutgoing =
    kind === "messages" || sent > 0 || (kind === null && isEmpty && !(await isIncoming(visit)));
  const frame = (of: Pick<PollerProps, "kind" | "expected" | "isWaiting">, entries: Child) => (
    <div id="live-log">
      <Panel title={of.kind === "messages" ? "Recent messages" : "Recent events"} id="log">
        {entries}
        <Pager
          url={new URL(pathOf("/integrations", visit), visit.url)}
          page={page}
          limit={SHOWN}
          total={of.kind === "messages" ? sent : isRefusal(list) ? 0 : list.total_count}
        />
      </Panel>
      {isPolling ? <Poller {...{ visit, since, ...of }} /> : null}
    </div>
  );
  if (isOutgoing && !isRefusal(deliveries)) {
    return frame(
      { kind: "messages", expected: null, isWaiting: false },
      <DeliveryLog deliveries={deliveries.data} visit={visit} />,
    );
  }
  const expected = visit.query.get("expected") ?? (isEmpty ? FIRST : null);
  const arrived = expected === FIRST ? logs.at(-1) : logs.find(({ id }) => id === expected);
  const isWaiting = expected !== null && arrived === undefined;
  return frame(
    { kind: "requests", expected, isWaiting },
    <>
      {expected === null ? null : (
        <Expected expected={expected} log={arrived} isPolling={isPolling} />
      )}
      {logs.length === 0 ? null : (
        <ol class="log">
          {logs.map((log) => (
            <Entry log={log} visit={visit} />
          ))}
        </ol>
      )}
    </>,
  );
}

async function show(visit: Visit): Promise<Reply> {
  const [integration, log] = await Promise.all([
    visit.api.get("/integrations/:id", { id: idOf(visit) }),
    requestLog(visit),
  ]);
  if (isRefusal(integration)) return integration;
  return pageReply(`Recent events of ${integration.name}`, log);
}

async function sendTest(visit: Visit): Promise<Reply> {
  const path = pathOf("/integrations", visit);
  const sent = await visit.api.post("/integrations/:id/test", { id: idOf(visit) });
  if (isRefusal(sent)) return notDone(path, sent);
  const expected = sent.log_id === null ? "" : `?expected=${sent.log_id}`;
  return done(
    `${path}${expected}#log`,
    sent.log_id === null
      ? "Test message sent."
      : "Test event sent. It creates an alert and people are notified.",
  );
}

/** The actions beside the log: a test, that somebody has read it, another try of a message. */
export const logPages: readonly ConsolePage[] = [
  page("/integrations/:id/log", show),
  action("/integrations/:id/test", sendTest),
  step(
    "/integrations/:id/read",
    ({ api }, id) => api.put("/integrations/:id", { id, not_understood_at: null }),
    "Marked as read.",
  ),
  step(
    "/integrations/:id/retry",
    ({ api, form }) => api.post("/deliveries/:id/retry", { id: fieldText(form, "delivery") }),
    "Message queued again.",
    "/integrations/:id#log",
  ),
];
