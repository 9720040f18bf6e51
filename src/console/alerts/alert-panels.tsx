// Panels of an alert's page: its comments, newest last, with the form that adds one; its additional
// data; what is like it; its timeline and notifications. Of additional data, URLs are links without a
// referrer, images too: the console loads nothing from other hosts.
import { alertLinks } from "../../domain/alerts/alert-links.ts";
import { channelWord } from "../../domain/people/messengers.ts";
import { counted } from "../../domain/shared/counted.ts";
import { INSTANT_IN_TEXT } from "../../domain/shared/time.ts";
import { eventWord, statusWord } from "../../domain/shared/words.ts";
import type {
  Alert,
  Log,
  SimilarAlert,
  SimilarAlerts,
} from "../../features/alerts/alerts/contract.ts";
import type { Comment } from "../../features/alerts/comments/contract.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import { StatusBadge } from "../../kernel/console/badge.tsx";
import { beginning, fitting, Unfold, useRoom } from "../../kernel/console/folded.tsx";
import { Button, Form, TextArea } from "../../kernel/console/form.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { isWeb, LinkedText, Outside } from "../../kernel/console/linked-text.tsx";
import { Age, exactClockOf, Moment } from "../../kernel/console/moment.tsx";
import { Facts, Panel } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
import type { List } from "../../kernel/contract/list.ts";
import { type Names, type WithNames, withNames } from "../reads.ts";

const COMMENTS_BYTES = 10_000;
/** Per comment, because up to a hundred share the page. */
const LINKS = 3;

type CommentsProps = {
  /** Newest first. */
  readonly comments: List<Comment>;
  /** The path that a new comment is posted to. */
  readonly to: string;
};

export const Comments = ({ comments, to }: CommentsProps) => {
  const room = useRoom("comments", COMMENTS_BYTES);
  const visible = fitting(comments.data, ({ body }) => body, room);
  const rest = comments.total_count - visible.length;
  const isCut = visible.some(({ body }) => beginning(body, room) !== body);
  return (
    <Panel title="Comments" id="comments">
      {rest > 0 || isCut ? (
        <Unfold part="comments">
          {rest > 0 ? `Show ${counted(rest, "earlier comment")}` : "Show the full comments"}
        </Unfold>
      ) : null}
      <ol class="comments">
        {visible.toReversed().map((comment) => (
          <li>
            <p class="soft">
              {comment.created_by_name ?? "Unknown"} · <Moment at={comment.created_at} />
            </p>
            <p class="text">
              <LinkedText text={beginning(comment.body, room)} most={LINKS} />
            </p>
          </li>
        ))}
      </ol>
      <Form to={to} kind="fields">
        <TextArea name="body" label="New comment" rows={2} required />
        <Button tone="plain">Add comment</Button>
      </Form>
    </Panel>
  );
};

type Datum = Alert["additional_data"][number];

function shownValue({ format, value }: Datum) {
  if ((format === "link" || format === "img") && isWeb(value)) {
    return <Outside to={value} />;
  }
  if (format === "email" && /^[^\s@:?&]+@[^\s@:?&]+$/.test(value)) {
    return <a href={`mailto:${value}`}>{value}</a>;
  }
  if (format === "phone" && /^\+?[\d ()-]{3,30}$/.test(value)) {
    return <a href={`tel:${value.replace(/[^\d+]/g, "")}`}>{value}</a>;
  }
  return <span class="text">{value}</span>;
}

/** Its runbook, its dashboard and other links, as buttons. */
export const LinkButtons = ({ data }: { readonly data: readonly Datum[] }) => {
  const links = alertLinks(data);
  return links.length === 0 ? null : (
    <nav class="buttons" aria-label="Links">
      {links.map(({ label, url }) => (
        <Outside to={url} label={label} />
      ))}
    </nav>
  );
};

const DATA_BYTES = 6_000;

export const AdditionalData = ({ data }: { readonly data: readonly Datum[] }) => {
  if (data.length === 0) return null;
  const room = useRoom("data", DATA_BYTES);
  const visible = fitting(data, ({ label, value }) => label + value, room);
  const rest = data.length - visible.length;
  return (
    <Panel title="Additional data" id="data">
      <Facts facts={visible.map((datum) => [datum.label, shownValue(datum)] as const)} />
      {rest > 0 ? <Unfold part="data">{`Show ${rest} more`}</Unfold> : null}
    </Panel>
  );
};

/** The longest title and comment of a similar alert. */
const TITLE_BYTES = 200;
const COMMENT_BYTES = 300;

/** "resolved by Ada after 12 min", or the status. */
function endOf({ status, resolved_by: by, resolved_at: at, created_at: from }: SimilarAlert) {
  if (status !== "resolved" || at === null) return statusWord(status);
  return `resolved${by === null ? "" : ` by ${by}`} after ${lengthOf(Date.parse(at) - Date.parse(from))}`;
}

type RowProps = {
  readonly similar: SimilarAlert;
  /** The title of the alert that it is like: it need not be said again. */
  readonly title: string;
};

const Row = ({ similar, title }: RowProps) => {
  const { alert_id: id, created_at: at, last_comment: comment } = similar;
  return (
    <li>
      <a href={`/alerts/${id}`}>
        {similar.title === title ? <Moment at={at} /> : beginning(similar.title, TITLE_BYTES)}
      </a>
      <div class="soft">
        <Age at={at} /> ago, {endOf(similar)}
      </div>
      {comment ? (
        <p class="text">
          {comment.created_by_name ?? "Unknown"}:{" "}
          <LinkedText text={beginning(comment.body, COMMENT_BYTES)} />
        </p>
      ) : null}
    </li>
  );
};

type SimilarProps = {
  /** Null in a refresh. */
  readonly similar: SimilarAlerts | null;
  readonly alert: Alert;
};

export const Similar = ({ similar, alert }: SimilarProps) => (
  <div id="similar" hx-preserve>
    {similar && similar.count > 0 ? (
      <Panel title="Similar alerts">
        <p>
          {similar.complete ? "" : "At least "}
          {similar.count} {similar.count === 1 ? "other" : "others"} in the last 30 days
        </p>
        <ol class="attempts">
          {similar.alerts.map((it) => (
            <Row similar={it} title={alert.title} />
          ))}
        </ol>
      </Panel>
    ) : null}
  </div>
);

/** An instant, or an alert by its identifier. */
const LINKED = new RegExp(`(${INSTANT_IN_TEXT.source}|\\balert alt_[\\w-]{14})`, "i");

/** Replaces the instants in a text with times, and the identifiers of alerts with links. */
export const withTimes = (text: string) =>
  text.split(LINKED).map((piece, i) => {
    if (i % 2 === 0) return piece;
    const [word, id] = piece.split(" ");
    return id ? <a href={`/alerts/${id}`}>{word}</a> : <Moment at={piece} />;
  });

const TIMELINE_BYTES = 12_000;

/** Newest first; a link leads to the entries that do not fit. */
export const Timeline = ({ log, names }: { readonly log: Log; readonly names: Names }) => {
  const { zone } = useViewer();
  const room = useRoom("timeline", TIMELINE_BYTES);
  const lines = log.details.sublogs.toReversed();
  const visible = fitting(lines, ({ message }) => message, room);
  const rest = lines.length - visible.length;
  return (
    <>
      <ol class="timeline" reversed start={lines.length}>
        {visible.map(({ time, level, message }) => (
          <li class={level}>
            <span class="timeline-time" title={exactClockOf(Date.parse(time), zone)}>
              <Moment at={time} exact />
            </span>
            <span>
              {level === "error" || level === "warn" ? <span class="unseen">{level}: </span> : null}
              {withTimes(withNames(beginning(message, room), names.of))}
            </span>
          </li>
        ))}
      </ol>
      {rest > 0 ? (
        <Unfold part="timeline">{`Show ${counted(rest, "earlier entry", "earlier entries")}`}</Unfold>
      ) : null}
    </>
  );
};

/** The latest timestamp of an attempt. */
const latestTimeOf = (it: Notification) =>
  it.failed_at ?? it.delivered_at ?? it.sent_at ?? it.queued_at;

type NotificationLinesProps = WithNames<{ notifications: readonly Notification[] }>;

export const NotificationLines = ({ notifications, names }: NotificationLinesProps) => (
  <ol class="attempts">
    {notifications.map((one) => (
      <li>
        <div>
          <strong>{names.of(one.account_user_id)}</strong>{" "}
          <span class="soft">notified: {eventWord(one.event)}</span>
        </div>
        <div class="alert-facts">
          <span>{channelWord(one.channel)}</span>
          <StatusBadge status={one.status} />
          <Moment at={latestTimeOf(one)} exact />
        </div>
        {one.reason ? <p class="soft">{one.reason}</p> : null}
      </li>
    ))}
  </ol>
);

const NOTIFICATIONS_BYTES = 6_000;

type NotificationsProps = WithNames<{
  /** Newest first. */
  list: List<Notification>;
}>;

export const Notifications = ({ list, names }: NotificationsProps) => {
  const room = useRoom("notifications", NOTIFICATIONS_BYTES);
  const visible = fitting(list.data, ({ reason }) => reason ?? "", room);
  const rest = list.total_count - visible.length;
  return (
    <Panel title="Notifications" id="notifications">
      {visible.length === 0 ? (
        <p class="soft">Nobody has been notified.</p>
      ) : (
        <NotificationLines notifications={visible} names={names} />
      )}
      {rest > 0 ? (
        <Unfold part="notifications">{`Show ${counted(rest, "earlier notification")}`}</Unfold>
      ) : null}
    </Panel>
  );
};
