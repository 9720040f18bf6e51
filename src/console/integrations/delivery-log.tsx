// The recent messages of an outgoing integration and what became of them, newest first.
import type { Delivery } from "../../features/integrations/deliveries/contract.ts";
import { Badge, type Tone } from "../../kernel/console/badge.tsx";
import { ActionButton } from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import type { Visit } from "../page.ts";
import { isAdmin } from "../resource-pages.tsx";

const TONES: Readonly<Record<string, Tone>> = {
  queued: "busy",
  delivered: "good",
  failed: "bad",
  cancelled: "quiet",
};

/** `alert.responders_requested` is "Alert responders requested". */
const eventTitle = (event: string): string => {
  const words = event.replace(/[._]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const isOver = ({ status }: Delivery) => status === "failed" || status === "cancelled";

const Entry = ({ delivery, visit }: { readonly delivery: Delivery; readonly visit: Visit }) => {
  const { id, alert_id: alertId, event, status, reason, queued_at: queuedAt } = delivery;
  const path = `/integrations/${encodeURIComponent(visit.params.id ?? "")}`;
  return (
    <li>
      <div>
        <Moment at={queuedAt} zone={visit.session.timeZone} now={visit.now} exact />{" "}
        <Badge tone={TONES[status] ?? "neutral"}>{status}</Badge> {eventTitle(event)}
        {reason === null ? null : <span class="soft">: {reason}</span>}
        {isOver(delivery) && isAdmin(visit) ? (
          <ActionButton
            to={`${path}/retry`}
            session={visit.session}
            label="Retry"
            fields={{ delivery: id }}
          />
        ) : null}
      </div>
      {alertId === null ? null : <a href={`/alerts/${alertId}`}>Open alert</a>}
    </li>
  );
};

export const DeliveryLog = (props: {
  readonly deliveries: readonly Delivery[];
  readonly visit: Visit;
}) =>
  props.deliveries.length === 0 ? (
    <p class="soft">No message was sent yet. A test message shows what becomes of one.</p>
  ) : (
    <ol class="log">
      {props.deliveries.map((delivery) => (
        <Entry delivery={delivery} visit={props.visit} />
      ))}
    </ol>
  );
