// An alert in a list: what it is, where it went, and the buttons that answer it.
import type { Child } from "hono/jsx";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import type { AlertProgress, NextStep } from "../../features/alerts/escalation/contract.ts";
import {
  Badge,
  ExerciseBadge,
  IncidentBadge,
  StatusBadge,
  UrgencyBadge,
} from "../../kernel/console/badge.tsx";
import { withQuery } from "../../kernel/console/filters.tsx";
import { Form } from "../../kernel/console/form.tsx";
import { lengthOf } from "../../kernel/console/lengths.ts";
import { Age, Moment } from "../../kernel/console/moment.tsx";
import type { Names, PageProps, WithVisit } from "../reads.ts";
import { canAcknowledge, isRunning, isSnoozed, shownStatus } from "./alert-state.ts";

// Who has an alert, or who is notified next: a few words in its row.

/** `in 24 s`, which the script counts down. */
const TimeLeft = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <time datetime={at} data-left>
    in {lengthOf(Math.max(0, Date.parse(at) - now))}
  </time>
);

/** Whom a step notifies: the next layer, or those to whom the alert is reassigned. */
const notifiedBy = (step: NextStep): readonly string[] =>
  step.next?.account_user_ids ?? [...step.reassign_team_ids, ...step.reassign_account_user_ids];

/** The earliest step, those that notify somebody first. */
const firstOf = (steps: readonly NextStep[]): NextStep | undefined =>
  steps.toSorted(
    (one, other) =>
      Number(notifiedBy(one).length === 0) - Number(notifiedBy(other).length === 0) ||
      Date.parse(one.at) - Date.parse(other.at),
  )[0];

type ProgressProps = PageProps<{ alert: Alert; progress: AlertProgress | undefined }>;

const Progress = ({ alert, progress, visit: { now }, names }: ProgressProps) => {
  const { acknowledged_by_id: by = null, acknowledged_at: at } = progress ?? {};
  const who = by === null ? null : names.of(by);
  switch (alert.status) {
    case "acknowledged":
      if (isSnoozed(alert))
        return (
          <span>
            snoozed until <Moment at={alert.snoozed_until} />
          </span>
        );
      return at ? (
        <span>
          <strong>{who ?? "the sender"}</strong>, {lengthOf(now - Date.parse(at))} ago
        </span>
      ) : null;
    case "open": {
      const step = firstOf(progress?.next_steps ?? []);
      if (!step) return null;
      const notified = notifiedBy(step);
      return (
        <span>
          {notified.length === 0 ? (
            "nobody left"
          ) : (
            <>
              next: <strong>{notified.map(names.of).join(", ")}</strong>
            </>
          )}{" "}
          <TimeLeft at={step.at} now={now} />
        </span>
      );
    }
    case "dropped":
      return <strong class="nobody">nobody left to notify</strong>;
    default:
      return null;
  }
};

/** The names of an alert's destinations; with those that it has `reached`, which routers have decided. */
export const destinationsOf =
  (names: Names) =>
  (alert: Alert, reached: readonly string[] = []): string => {
    const { destination_team_ids: teams, destination_router_ids: routers } = alert;
    const people = alert.destination_account_user_ids;
    const named = (ids: readonly string[]) => ids.map(names.of).join(", ");
    const routed = new Set(reached.filter((id) => !teams.includes(id) && !people.includes(id)));
    if (routed.size === 0 || routers.length === 0) return named([...teams, ...routers, ...people]);
    return `${named([...teams, ...routed, ...people])} by ${named(routers)}`;
  };

/**
 * The form of the buttons of all rows; they redirect back to the list. One for all: forms of their
 * own were most of the page. The idempotency key counts together with the path.
 */
export const RowForm = ({ visit: { url }, children }: WithVisit<{ children: Child }>) => (
  <Form to="/alerts" id="row-steps" kind="rows" retry>
    <input type="hidden" name="back" value={`${url.pathname}${url.search}`} />
    {children}
  </Form>
);

type RowButtonProps = {
  readonly to: string;
  readonly tone: "primary" | "plain";
  readonly children: string;
};

/** The script finds the buttons, and the status that they lead to, by their paths. */
const RowButton = ({ to, tone, children }: RowButtonProps) => (
  // biome-ignore lint/a11y/useButtonType: submits by default; the attribute would stand twice per row
  <button class={`button ${tone}`} formaction={to}>
    {children}
  </button>
);

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

type AlertRowProps = PageProps<{
  alert: Alert;
  progress: AlertProgress | undefined;
  /** Whether it has a box to select it for an action on several alerts. */
  isSelectable?: boolean;
}>;

/** An alert in the list, with what can be done about it. */
export const AlertRow = ({ alert, progress, visit, names, isSelectable = true }: AlertRowProps) => (
  <li class={`alert ${alert.urgency} ${alert.status}`} id={`row-${alert.prefix_id}`}>
    {isSelectable ? (
      <label>
        <input
          type="checkbox"
          name="ids[]"
          value={alert.prefix_id}
          form="bulk"
          aria-label={`Select ${alert.title}`}
        />
      </label>
    ) : null}
    <div class="alert-text">
      <a class="alert-title" href={`/alerts/${alert.prefix_id}`}>
        {alert.title}
      </a>
      <div class="alert-lines">
        <p class="alert-facts">
          <StatusBadge status={shownStatus(alert)} />
          <UrgencyBadge urgency={alert.urgency} />
          <Age at={alert.created_at} />
          <ExerciseBadge exercise={alert.exercise} />
          {alert.incident ? <IncidentBadge severity={alert.incident_severity} /> : null}
          {alert.dedup_count > 0 ? <Badge tone="neutral">×{alert.dedup_count + 1}</Badge> : null}
        </p>
        <p class="alert-facts alert-who">
          <Progress {...{ alert, progress, visit, names }} />
          <span>
            {destinationsOf(names)(
              alert,
              progress?.next_steps.map((it) => it.destination_id),
            )}
          </span>
          {alert.tags.slice(0, 4).map((tag) => (
            <a class="tag" href={withQuery(visit.url, { tag, page: null })}>
              {tag}
            </a>
          ))}
        </p>
      </div>
    </div>
    <RowButtons alert={alert} />
  </li>
);
