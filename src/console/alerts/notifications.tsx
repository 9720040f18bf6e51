// The notifications of an alert: one line for each attempt, with channel and status.

import { channelWord } from "../../domain/people/messengers.ts";
import { counted } from "../../domain/shared/counted.ts";
import { eventWord } from "../../domain/shared/words.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import { StatusBadge } from "../../kernel/console/badge.tsx";
import { fitting, Unfold, useRoom } from "../../kernel/console/folded.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Panel } from "../../kernel/console/panel.tsx";
import type { List } from "../../kernel/contract/list.ts";
import type { WithNames } from "../reads.ts";

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

const ROOM_BYTES = 6_000;

type NotificationsProps = WithNames<{
  /** Newest first. */
  list: List<Notification>;
}>;

export const Notifications = ({ list, names }: NotificationsProps) => {
  const room = useRoom("notifications", ROOM_BYTES);
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
