// The page of an alert: details, escalation and timeline. It refreshes itself. Acknowledging takes
// one click and works without scripts.

import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Alert, Log, SimilarAlerts } from "../../features/alerts/alerts/contract.ts";
import type { Comment } from "../../features/alerts/comments/contract.ts";
import type { AlertWorkflow } from "../../features/alerts/escalation/contract.ts";
import type { Notification } from "../../features/notifications/notifications/contract.ts";
import {
  Badge,
  ExerciseBadge,
  IncidentBadge,
  StatusBadge,
  UrgencyBadge,
} from "../../kernel/console/badge.tsx";
import { Current } from "../../kernel/console/current.tsx";
import {
  beginning,
  type FoldedPart,
  fitting,
  isWhole,
  Unfold,
  useRoom,
} from "../../kernel/console/folded.tsx";
import { isPartial } from "../../kernel/console/go-to.ts";
import { LinkedText } from "../../kernel/console/linked-text.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import type { List } from "../../kernel/contract/list.ts";
import { MOST_RECORDS } from "../api.ts";
import { type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { allOf, type Names, readNames } from "../reads.ts";
import { AdditionalData, LinkButtons } from "./additional-data.tsx";
import { AlertBar } from "./alert-bar.tsx";
import { alertsQuery } from "./alert-query.ts";
import { destinationsOf } from "./alert-row.tsx";
import { AlertSheet } from "./alert-sheet.tsx";
import { isRunning } from "./alert-state.ts";
import { OPEN_ALERTS } from "./alerts.tsx";
import { Comments } from "./comments.tsx";
import { LatestEvent } from "./latest-event.tsx";
import { type Next, nextSteps } from "./next-steps.ts";
import { NextSteps } from "./next-steps-panel.tsx";
import { Notifications } from "./notifications.tsx";
import { Similar } from "./similar-alerts.tsx";
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
  /** Null in a refresh. */
  readonly similar: SimilarAlerts | null;
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
    isWhole(url, "merge")
      ? api.get("/alerts", { ...alertsQuery({}, "all"), limit: 100 })
      : { data: null },
    api.get("/alerts", OPEN_ALERTS),
    isPartial(visit.context) ? null : api.get("/alerts/:id/similar", { id }),
  );
  if (isRefusal(found)) return found;
  const [alert, { data: workflows }, notifications, comments, log, names, steps, ...further] =
    found;
  const [unresolved, open, similar] = further;
  const next = nextSteps(steps, names);
  return {
    alert,
    workflows,
    notifications,
    comments,
    log,
    names,
    next,
    others: unresolved.data?.filter((it) => it.id !== alert.id && isRunning(it)) ?? null,
    openCount: open.total_count,
    similar,
  };
}

/** The number of entries to read: all if requested, else at most 100. */
const limitOf = (url: URL, part: FoldedPart) => (isWhole(url, part) ? MOST_RECORDS : 100);

const DESCRIPTION_BYTES = 6_000;
/** Per shorter text. */
const TEXT_BYTES = 2_000;

/**
 * Whether a description may overflow its box, which then has to be focusable for scrolling by
 * keyboard.
 */
const isLong = (text: string) => text.length > 400 || text.split("\n").length > 10;

const whereTo = ({ alert, workflows, names }: AlertData): string =>
  beginning(
    destinationsOf(names)(
      alert,
      workflows.filter((it) => !it.requested).map((it) => it.destination_id),
    ),
    TEXT_BYTES,
  );

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

const AlertFacts = ({ held }: { readonly held: AlertData }) => {
  const { alert, names } = held;
  return (
    <Facts
      facts={[
        ["Goes to", whereTo(held)],
        ["Source", names.of(alert.source_id) || "unknown"],
        ["Created", <Moment at={alert.created_at} relative />],
        ["Acknowledged", alert.acknowledged_at && <Moment at={alert.acknowledged_at} relative />],
        ["Resolved", alert.resolved_at && <Moment at={alert.resolved_at} relative />],
        [
          "Merged into",
          alert.merged_into_id && <a href={`/alerts/${alert.merged_into_id}`}>another alert</a>,
        ],
        [
          "Aggregated into",
          alert.aggregated_into_id && (
            <a href={`/alerts/${alert.aggregated_into_id}`}>another alert</a>
          ),
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

const Description = ({ text }: { readonly text: string }) => {
  const visible = beginning(text, useRoom("description", DESCRIPTION_BYTES));
  return (
    <Panel title="Description" id="description">
      <p class="text description" tabindex={isLong(visible) ? 0 : undefined}>
        <LinkedText text={visible} />
      </p>
      {visible === text ? null : <Unfold part="description">Show the full description</Unfold>}
    </Panel>
  );
};

async function show(visit: Visit): Promise<Reply> {
  const held = await readAlertData(visit);
  if (isRefusal(held)) return held;
  const { alert, names } = held;
  return pageReply(
    alert.title.slice(0, 80),
    <Current
      from={`${visit.url.pathname}${visit.url.search}`}
      trigger="every 10s, live"
      kind="stack"
      data={{ "data-live": alert.id, "data-open-alerts": held.openCount, "data-shown": visit.now }}
    >
      <Heading
        title={alert.title}
        back={{ to: "/alerts", label: "Alerts" }}
        lead={
          <span class="alert-facts">
            {alert.snoozed_until ? (
              <Badge tone="busy">
                snoozed until <Moment at={alert.snoozed_until} />
              </Badge>
            ) : (
              <StatusBadge status={alert.status} />
            )}
            <UrgencyBadge urgency={alert.urgency} />
            <ExerciseBadge exercise={alert.exercise} />
            {alert.exercise === "drill" ? (
              <a href={`/readiness?view=drills&drill=${alert.prefix_id}`}>Drill report</a>
            ) : null}
            {alert.incident ? <IncidentBadge severity={alert.incident_severity} /> : null}
            <span>
              for {whereTo(held)}, created <Moment at={alert.created_at} relative />
            </span>
          </span>
        }
      >
        <LinkButton to={`/alerts/${alert.prefix_id}/edit`}>Edit</LinkButton>
      </Heading>
      <AlertBar held={held} visit={visit} />
      <LinkButtons data={alert.additional_data} />
      <Incident alert={alert} />
      <div class="columns">
        <div>
          <NextSteps next={held.next} alert={alert} />
          <LatestEvent alert={alert} />
          {alert.description ? <Description text={alert.description} /> : null}
          <Panel title="Timeline" id="timeline">
            <Timeline log={held.log} names={names} />
          </Panel>
          <Comments comments={held.comments} to={`/alerts/${alert.prefix_id}/comments`} />
        </div>
        <div class="part">
          <AlertSheet held={held} visit={visit} />
          <Similar similar={held.similar} alert={alert} />
          <Panel title="Details">
            <AlertFacts held={held} />
          </Panel>
          <AdditionalData data={alert.additional_data} />
          <Notifications list={held.notifications} names={names} />
        </div>
      </div>
    </Current>,
  );
}

export const alertPages: readonly ConsolePage[] = [page("/alerts/:id", show)];
