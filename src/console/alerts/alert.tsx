// The page of an alert: details, escalation and timeline. It refreshes itself. Acknowledging takes
// one click and works without scripts.

import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Alert, Log } from "../../features/alerts/alerts/contract.ts";
import type { Comment } from "../../features/alerts/comments/contract.ts";
import type { AlertWorkflow } from "../../features/alerts/escalation/contract.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import {
  ExerciseBadge,
  IncidentBadge,
  StatusBadge,
  UrgencyBadge,
} from "../../kernel/console/badge.tsx";
import { beginning, fitting, isWhole, type Part, Unfold } from "../../kernel/console/folded.tsx";
import { ActionButton } from "../../kernel/console/form.tsx";
import { LinkedText } from "../../kernel/console/linked-text.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, Notice, Panel } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import type { List } from "../../kernel/contract/list.ts";
import { allOf, MOST_RECORDS } from "../api.ts";
import { type Names, readNames } from "../names.ts";
import { type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { AdditionalData } from "./additional-data.tsx";
import { canAcknowledge, isRunning } from "./alert-state.ts";
import { OPEN_ALERTS } from "./alerts.tsx";
import { Comments } from "./comments.tsx";
import { FurtherSteps } from "./further-steps.tsx";
import { HandOff } from "./hand-off.tsx";
import { LatestEvent } from "./latest-event.tsx";
import { type Next, nextSteps } from "./next-steps.ts";
import { NextSteps } from "./next-steps-panel.tsx";
import { Notifications } from "./notifications.tsx";
import { Timeline } from "./timeline.tsx";

type AlertData = {
  readonly alert: Alert;
  readonly workflows: readonly AlertWorkflow[];
  readonly notifications: List<Notification>;
  readonly comments: List<Comment>;
  readonly log: Log;
  readonly names: Names;
  readonly next: readonly Next[];
  /** The alerts that it may be merged into; null unless requested. */
  readonly others: readonly Alert[] | null;
  /** The number of the account's open alerts. */
  readonly openCount: number;
};

async function readAlertData(
  visit: Visit,
): Promise<AlertData | Extract<Reply, { kind: "refusal" }>> {
  const { api, url } = visit;
  const id = idOf(visit);
  const found = await allOf(
    api.get("/alerts/:id", { id }),
    api.get("/alerts/:id/workflows", { id, limit: 100 }),
    api.get("/alerts/:id/notifications", { id, limit: limitOf(url, "notifications") }),
    api.get("/alerts/:id/comments", { id, limit: limitOf(url, "comments") }),
    api.get("/logs/:id", { id: id.replace(/^alt_/, "log_") }),
    readNames(api, ["/routers", "/integrations"]),
    api.get("/alerts/:id/next_steps", { id }),
    isWhole(url, "merge") ? api.get("/alerts", UNRESOLVED) : { data: null },
    api.get("/alerts", OPEN_ALERTS),
  );
  if (isRefusal(found)) return found;
  const [alert, { data: workflows }, notifications, comments, log, names, steps, unresolved, open] =
    found;
  const next = nextSteps(steps, names);
  const others = unresolved.data?.filter((it) => it.id !== alert.id && isRunning(it)) ?? null;
  return {
    alert,
    workflows,
    notifications,
    comments,
    log,
    names,
    next,
    others,
    openCount: open.total_count,
  };
}

const UNRESOLVED = { status: "resolved", ops: "status:ne", limit: 100 };

/** The number of entries to read: all if requested, else at most 100. */
const limitOf = (url: URL, part: Part) => (isWhole(url, part) ? MOST_RECORDS : 100);

const DESCRIPTION_BYTES = 6_000;
/** Per shorter text. */
const TEXT_BYTES = 2_000;

/**
 * Whether a description may overflow its box, which then has to be focusable for scrolling by
 * keyboard.
 */
const isLong = (text: string) => text.length > 400 || text.split("\n").length > 10;

/** Whether this person was notified and may reject the alert. */
const mayReject = ({ workflows }: AlertData, visit: Visit) =>
  workflows.some(
    ({ state, account_user_ids }) =>
      state === "open" && account_user_ids.includes(visit.session.actor.accountUserId),
  );

/** Whether nobody else is asked, now or later. */
const isLastAsked = ({ next }: AlertData) =>
  next.every(
    ({ asked, after, repeats, reassigned }) =>
      asked.length <= 1 && after === null && !repeats && reassigned.length === 0,
  );

const NOBODY_LEFT = "Nobody else would be asked: the alert would be dropped. Reject it?";

/** Whether this person is asked as a requested responder. */
const isRequested = ({ workflows }: AlertData, visit: Visit) =>
  workflows.some(
    ({ state, requested, account_user_ids }) =>
      requested && state === "open" && account_user_ids.includes(visit.session.actor.accountUserId),
  );

const AlertButtons = ({ held, visit }: { readonly held: AlertData; readonly visit: Visit }) => {
  const { alert } = held;
  const { session } = visit;
  const to = `/alerts/${alert.prefix_id}`;
  const isSnoozed = alert.snoozed_until !== null;
  const mayAcknowledge = canAcknowledge(alert) || isSnoozed || isRequested(held, visit);
  return (
    <div class="answers">
      {mayAcknowledge ? (
        <ActionButton
          to={`${to}/acknowledge`}
          session={session}
          label="Acknowledge"
          tone="primary"
          shortcut="a"
          becomes="acknowledged"
          retry
        />
      ) : null}
      {mayReject(held, visit) ? (
        <ActionButton
          to={`${to}/reject`}
          session={session}
          label="Reject"
          {...(isLastAsked(held) && { confirm: NOBODY_LEFT })}
          shortcut="r"
          retry
        />
      ) : null}
      {isRunning(alert) ? (
        <ActionButton
          to={`${to}/resolve`}
          session={session}
          label="Resolve"
          tone={alert.status === "acknowledged" ? "primary" : "plain"}
          shortcut="e"
          becomes="resolved"
          retry
        />
      ) : null}
    </div>
  );
};

function destinationsOf(alert: Alert, names: Names): string {
  const ids = [
    ...alert.destination_team_ids,
    ...alert.destination_router_ids,
    ...alert.destination_account_user_ids,
  ];
  return beginning(ids.map(names.of).join(", "), TEXT_BYTES);
}

const Tags = ({ tags }: Pick<Alert, "tags">) => {
  const visible = fitting(tags, (tag) => tag, TEXT_BYTES);
  return (
    <span class="tags">
      {visible.map((tag) => (
        <a class="tag" href={`/alerts?status=all&tag=${encodeURIComponent(tag)}`}>
          {tag}
        </a>
      ))}
      {visible.length < tags.length ? <span>and {tags.length - visible.length} more</span> : null}
    </span>
  );
};

const Incident = ({ alert }: { readonly alert: Alert }) =>
  alert.incident ? (
    <Notice tone="bad" title={`Incident ${alert.incident_severity ?? ""}`.trim()}>
      {beginning(alert.incident_message ?? "This alert is an incident.", TEXT_BYTES)}
    </Notice>
  ) : null;

const AlertFacts = ({ held, visit }: { readonly held: AlertData; readonly visit: Visit }) => {
  const { alert, names } = held;
  const time = { zone: visit.session.timeZone, now: visit.now };
  return (
    <Facts
      facts={[
        ["Destinations", destinationsOf(alert, names)],
        ["Source", names.of(alert.source_id) || "unknown"],
        ["Created", <Moment at={alert.created_at} {...time} relative />],
        [
          "Acknowledged",
          alert.acknowledged_at ? <Moment at={alert.acknowledged_at} {...time} relative /> : null,
        ],
        [
          "Resolved",
          alert.resolved_at ? <Moment at={alert.resolved_at} {...time} relative /> : null,
        ],
        [
          "Snoozed until",
          alert.snoozed_until ? <Moment at={alert.snoozed_until} {...time} relative /> : null,
        ],
        [
          "Merged into",
          alert.merged_into_id ? (
            <a href={`/alerts/${alert.merged_into_id}`}>another alert</a>
          ) : null,
        ],
        [
          "Aggregated into",
          alert.aggregated_into_id ? (
            <a href={`/alerts/${alert.aggregated_into_id}`}>another alert</a>
          ) : null,
        ],
        [
          "Firing",
          alert.members.length > 1 ? beginning(alert.members.join("; "), TEXT_BYTES) : null,
        ],
        ["Duplicates", alert.dedup_count > 0 ? alert.dedup_count : null],
        ["Tags", alert.tags.length > 0 ? <Tags tags={alert.tags} /> : null],
        ["Sender's ID", alert.thirdparty_id],
        ["ID", <code>{alert.prefix_id}</code>],
      ]}
    />
  );
};

const Description = ({ text, url }: { readonly text: string; readonly url: URL }) => {
  const visible = isWhole(url, "description") ? text : beginning(text, DESCRIPTION_BYTES);
  return (
    <Panel title="Description" id="description">
      <p class="text description" tabindex={isLong(visible) ? 0 : undefined}>
        <LinkedText text={visible} />
      </p>
      {visible === text ? null : (
        <Unfold url={url} part="description">
          Show the full description
        </Unfold>
      )}
    </Panel>
  );
};

async function show(visit: Visit): Promise<Reply> {
  const held = await readAlertData(visit);
  if (isRefusal(held)) return held;
  const { alert, names } = held;
  const time = { zone: visit.session.timeZone, now: visit.now };
  return {
    kind: "page",
    title: alert.title.slice(0, 80),
    section: "alerts",
    body: (
      <div
        id="current"
        class="stack"
        hx-get={`${visit.url.pathname}${visit.url.search}`}
        hx-trigger="every 10s, live"
        hx-select="#current"
        hx-swap="outerMorph"
        data-current
        data-live={alert.id}
        data-open-alerts={held.openCount}
        data-shown={visit.now}
      >
        <Heading
          title={alert.title}
          back={{ to: "/alerts", label: "Alerts" }}
          lead={
            <span class="alert-facts">
              <StatusBadge status={alert.status} />
              <UrgencyBadge urgency={alert.urgency} />
              <ExerciseBadge exercise={alert.exercise} />
              {alert.exercise === "drill" ? (
                <a href={`/drills/${alert.prefix_id}`}>Drill report</a>
              ) : null}
              {alert.incident ? <IncidentBadge severity={alert.incident_severity} /> : null}
              <span>
                for {destinationsOf(alert, names)}, created{" "}
                <Moment at={alert.created_at} {...time} relative />
              </span>
            </span>
          }
        >
          <a class="button plain" href={`/alerts/${alert.prefix_id}/edit`}>
            Edit
          </a>
        </Heading>
        <AlertButtons held={held} visit={visit} />
        <Incident alert={alert} />
        <div class="columns">
          <div>
            <NextSteps next={held.next} alert={alert} {...time} />
            <LatestEvent alert={alert} />
            {alert.description ? <Description text={alert.description} url={visit.url} /> : null}
            <Panel title="Timeline" id="timeline">
              <Timeline log={held.log} url={visit.url} {...time} />
            </Panel>
            <Comments
              comments={held.comments}
              to={`/alerts/${alert.prefix_id}/comments`}
              visit={visit}
            />
          </div>
          <div>
            <Panel title="Details">
              <AlertFacts held={held} visit={visit} />
            </Panel>
            <HandOff alert={alert} names={names} visit={visit} />
            <FurtherSteps alert={alert} others={held.others} visit={visit} />
            <AdditionalData data={alert.additional_data} url={visit.url} />
            <Notifications list={held.notifications} names={names} url={visit.url} {...time} />
          </div>
        </div>
      </div>
    ),
  };
}

export const alertPages: readonly ConsolePage[] = [page("/alerts/:id", show)];
