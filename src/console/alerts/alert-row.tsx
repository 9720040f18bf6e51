// An alert in a list: what it is, where it went, and the buttons that answer it.
import type { Child } from "hono/jsx";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import {
  Badge,
  ExerciseBadge,
  IncidentBadge,
  StatusBadge,
  UrgencyBadge,
} from "../../kernel/console/badge.tsx";
import { withQuery } from "../../kernel/console/filters.tsx";
import { Form } from "../../kernel/console/form.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import type { Names } from "../names.ts";
import type { Visit } from "../page.ts";
import { canAcknowledge, isRunning } from "./alert-state.ts";

/** The names of an alert's destinations. */
export const destinationsOf =
  (names: Names) =>
  (alert: Alert): string =>
    [
      ...alert.destination_team_ids,
      ...alert.destination_router_ids,
      ...alert.destination_account_user_ids,
    ]
      .map(names.of)
      .join(", ");

/**
 * The form of the buttons of all rows; they redirect back to the list. One for all: forms of their
 * own were most of the page. The idempotency key counts together with the path.
 */
export const RowForm = ({
  visit: { session, url },
  children,
}: {
  readonly visit: Visit;
  readonly children: Child;
}) => (
  <Form to="/alerts" session={session} id="row-steps" kind="rows" retry>
    <input type="hidden" name="back" value={`${url.pathname}${url.search}`} />
    {children}
  </Form>
);

/** The script finds the buttons, and the status that they lead to, by their paths. */
const RowButton = ({
  to,
  tone,
  children,
}: {
  readonly to: string;
  readonly tone: "primary" | "plain";
  readonly children: string;
}) => (
  // biome-ignore lint/a11y/useButtonType: submits by default; the attribute would stand twice per row
  <button class={`button ${tone}`} formaction={to}>
    {children}
  </button>
);

/** The actions of one alert. */
const RowButtons = ({ alert }: { readonly alert: Alert }) => (
  <div class="buttons">
    {canAcknowledge(alert) ? (
      <RowButton tone="primary" to={`/alerts/${alert.prefix_id}/acknowledge`}>
        Acknowledge
      </RowButton>
    ) : null}
    {isRunning(alert) ? (
      <RowButton tone="plain" to={`/alerts/${alert.prefix_id}/resolve`}>
        Resolve
      </RowButton>
    ) : null}
  </div>
);

/** An alert in the list, with what can be done about it. */
export const AlertRow = ({
  alert,
  visit,
  names,
}: {
  readonly alert: Alert;
  readonly visit: Visit;
  readonly names: Names;
}) => (
  <li class={`alert ${alert.urgency} ${alert.status}`} id={`row-${alert.prefix_id}`}>
    <label>
      <input
        type="checkbox"
        name="ids[]"
        value={alert.prefix_id}
        form="bulk"
        aria-label={`Select ${alert.title}`}
      />
    </label>
    <div class="alert-text">
      <a class="alert-title" href={`/alerts/${alert.prefix_id}`}>
        {alert.title}
      </a>
      <p class="alert-facts">
        <StatusBadge status={alert.status} />
        <UrgencyBadge urgency={alert.urgency} />
        <ExerciseBadge exercise={alert.exercise} />
        {alert.incident ? <IncidentBadge severity={alert.incident_severity} /> : null}
        {alert.dedup_count > 0 ? <Badge tone="neutral">×{alert.dedup_count + 1}</Badge> : null}
        <span>{destinationsOf(names)(alert)}</span>
        {alert.tags.slice(0, 4).map((tag) => (
          <a class="tag" href={withQuery(visit.url, { tag, page: null })}>
            {tag}
          </a>
        ))}
      </p>
    </div>
    <div class="alert-time">
      <Moment at={alert.created_at} zone={visit.session.timeZone} now={visit.now} relative />
    </div>
    <RowButtons alert={alert} />
  </li>
);
