// The notifications of an alert: one line for each attempt, with channel and status.
import { MESSENGER_TITLES } from "../../domain/people/messengers.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import { StatusBadge } from "../../kernel/console/badge.tsx";
import { fitting, isWhole, Unfold } from "../../kernel/console/folded.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import type { List } from "../../kernel/contract/list.ts";
import type { Names } from "../names.ts";

const EVENTS: Readonly<Record<string, string>> = {
  "alert.open": "notified: new alert",
  "alert.acknowledged": "notified: acknowledged",
  "alert.rejected": "notified: rejected",
  "alert.resolved": "notified: resolved",
  "alert.dropped": "notified: dropped",
  "alert.timeout": "notified: timed out",
  "alert.handoff": "notified: handed off",
  "alert.unreached": "notified: person not reached",
  "broadcast.sent": "notified: broadcast",
  "oncall.cover_answer": "notified: outcome",
  "oncall.cover_request": "notified: asked for cover",
};

const CHANNELS: Readonly<Record<string, string>> = {
  sms: "SMS",
  voice: "phone call",
  email: "e-mail",
  push: "push",
  ...MESSENGER_TITLES,
  webhook: "webhook",
  log: "log",
  api: "API",
  web: "console",
  link: "link",
};

export const channelName = (channel: string) => CHANNELS[channel] ?? channel;

/** The latest timestamp of an attempt. */
const latestTimeOf = (it: Notification) =>
  it.failed_at ?? it.delivered_at ?? it.sent_at ?? it.queued_at;

export const NotificationLines = ({
  notifications,
  names,
  zone,
  now,
}: {
  readonly notifications: readonly Notification[];
  readonly names: Names;
  readonly zone: string;
  readonly now: number;
}) => (
  <ol class="attempts">
    {notifications.map((one) => (
      <li>
        <div>
          <strong>{names.of(one.account_user_id)}</strong>{" "}
          <span class="soft">{EVENTS[one.event] ?? one.event}</span>
        </div>
        <div class="alert-facts">
          <span>{channelName(one.channel)}</span>
          <StatusBadge status={one.status} />
          <Moment at={latestTimeOf(one)} zone={zone} now={now} exact />
        </div>
        {one.reason ? <p class="soft">{one.reason}</p> : null}
      </li>
    ))}
  </ol>
);

const ROOM_BYTES = 6_000;

export const Notifications = ({
  list,
  url,
  ...shared
}: {
  /** Newest first. */
  readonly list: List<Notification>;
  readonly names: Names;
  readonly url: URL;
  readonly zone: string;
  readonly now: number;
}) => {
  const room = isWhole(url, "notifications") ? Number.POSITIVE_INFINITY : ROOM_BYTES;
  const visible = fitting(list.data, ({ reason }) => reason ?? "", room);
  const rest = list.total_count - visible.length;
  return (
    <Panel title="Notifications" id="notifications">
      {visible.length === 0 ? (
        <p class="soft">Nobody has been notified.</p>
      ) : (
        <NotificationLines notifications={visible} {...shared} />
      )}
      {rest > 0 ? (
        <Unfold url={url} part="notifications">
          {`Show ${rest} earlier notifications`}
        </Unfold>
      ) : null}
    </Panel>
  );
};
