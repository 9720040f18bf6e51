// The page of an alert: details, escalation and timeline. It refreshes itself. Acknowledging takes
// one click and works without scripts.
import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
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
import { isWeb, LinkedText, Outside } from "../../kernel/console/linked-text.tsx";
import { Moment } from "../../kernel/console/moment.tsx";
import { Facts, Heading, LinkButton, Notice, Panel } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { MOST_RECORDS } from "../api.ts";
import { type ConsolePage, idOf, page, type Visit } from "../page.ts";
import { allByName, type ReadBy, readNames } from "../reads.ts";
import { AlertBar } from "./alert-bar.tsx";
import {
  AdditionalData,
  Comments,
  LinkButtons,
  Notifications,
  Similar,
  Timeline,
} from "./alert-panels.tsx";
import { alertsQuery } from "./alert-query.ts";
import { destinationsOf } from "./alert-row.tsx";
import { AlertSheet } from "./alert-sheet.tsx";
import { isRunning } from "./alert-state.ts";
import { OPEN_ALERTS } from "./alerts.tsx";
import { NextSteps, nextSteps } from "./next-steps-panel.tsx";

async function readAlertData(visit: Visit) {
  const { api, url } = visit;
  const id = idOf(visit);
  const found = await allByName({
    alert: api.get("/alerts/:id", { id }),
    workflows: api.get("/alerts/:id/workflows", { id, limit: 100 }),
    notifications: api.get("/alerts/:id/notifications", {
      ...{ id, limit: limitOf(url, "notifications") },
    }),
    comments: api.get("/alerts/:id/comments", { id, limit: limitOf(url, "comments") }),
    log: api.get("/logs/:id", { id: id.replace(/^alt_/, "log_") }),
    names: readNames(api, ["/routers", "/integrations"]),
    steps: api.get("/alerts/:id/next_steps", { id }),
    unresolved: isWhole(url, "merge")
      ? api.get("/alerts", { ...alertsQuery({}, "all"), limit: 100 })
      : { data: null },
    /** The account's open alerts, for their number. */
    open: api.get("/alerts", OPEN_ALERTS),
    /** Null in a refresh. */
    similar: isPartial(visit.context) ? null : api.get("/alerts/:id/similar", { id }),
  });
  if (isRefusal(found)) return found;
  const { alert, names, workflows, steps, unresolved } = found;
  return {
    ...found,
    workflows: workflows.data,
    next: nextSteps(steps, names),
    /** The alerts that it may be merged into; null unless requested. */
    others: unresolved.data?.filter((it) => it.id !== alert.id && isRunning(it)) ?? null,
  };
}

type AlertData = ReadBy<typeof readAlertData>;

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

const ROOM_BYTES = 6_000;

const LatestEvent = ({
  alert: { latest_title: title, latest_description: description, latest_link: link },
}: {
  readonly alert: Alert;
}) => {
  if (title === null && description === null && link === null) return null;
  const text = description && beginning(description, ROOM_BYTES);
  return (
    <Panel title="Latest event" id="latest">
      {title === null ? null : <p>{title}</p>}
      {text ? (
        <p class="text description" tabindex={0}>
          <LinkedText text={text} />
        </p>
      ) : null}
      {link === null ? null : <p>{isWeb(link) ? <Outside to={link} /> : link}</p>}
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
      data={{
        "data-live": alert.id,
        "data-open-alerts": held.open.total_count,
        "data-shown": visit.now,
      }}
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
