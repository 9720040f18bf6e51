// The list of alerts, filtered by the query. It refreshes itself. Several alerts can be
// acknowledged or resolved at once.

import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import type { AlertOverview } from "../../features/alerts/escalation/contract.ts";
import { Pager } from "../../kernel/console/filters.tsx";
import { isPartial } from "../../kernel/console/go-to.ts";
import { pageOf } from "../../kernel/console/list-view.ts";
import { exactClockOf } from "../../kernel/console/moment.tsx";
import { Empty } from "../../kernel/console/panel.tsx";
import { pageReply, type Reply } from "../../kernel/console/reply.ts";
import { type ListScope, scopeOf } from "../../kernel/console/scope.tsx";
import type { Query } from "../api-client.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { allByName, type PageProps, type ReadBy, readNames, type WithVisit } from "../reads.ts";
import { SetupLine } from "../reports/setup-checklist.tsx";
import { isAdmin } from "../resource-pages.tsx";
import { AlertChips, AlertFilters } from "./alert-filters.tsx";
import {
  ACTIVE_ALERTS,
  API_SCOPES,
  alertsQuery,
  filterOf,
  isOfLiving,
  orderOf,
} from "./alert-query.ts";
import { AlertRow, destinationsOf, RowForm } from "./alert-row.tsx";
import { BulkBar, BulkFields } from "./bulk-bar.tsx";
import { SavedFilters, startOf } from "./saved-filters.tsx";

/** What alerts are grouped by: the names of their destinations, their source, or their title. */
export type Grouping = "team" | "source" | "title";

const GROUPINGS: readonly Grouping[] = ["team", "source", "title"];

/** The grouping in a page's query; null if the list is not grouped. */
export const groupingOf = (url: URL): Grouping | null =>
  GROUPINGS.find((it) => it === url.searchParams.get("group")) ?? null;

export type AlertGroup = { readonly name: string; readonly alerts: readonly Alert[] };

/**
 * Groups alerts: in the order of the list, each group where its first alert is.
 *
 * @param nameOf the name of an integration by its id
 * @param destinationsOf the names of an alert's destinations, empty if it has none
 */
export function groupAlerts(
  alerts: readonly Alert[],
  grouping: Grouping,
  nameOf: (id: string) => string,
  destinationsOf: (alert: Alert) => string,
): readonly AlertGroup[] {
  const nameIn: Record<Grouping, (alert: Alert) => string> = {
    team: (alert) => destinationsOf(alert) || "Nobody",
    source: ({ source_id, source_type }) =>
      source_id !== null && source_type === "Integration"
        ? nameOf(source_id)
        : "People and the API",
    title: ({ title }) => title,
  };
  const groups = Map.groupBy(alerts, nameIn[grouping]);
  return [...groups].map(([name, members]) => ({ name, alerts: members }));
}

const LIMITS = [20, 50, 100] as const;
/** A group is of one page, so that pages are longer when they are grouped. */
const GROUPED_LIMIT = 100;

const limitOf = (url: URL): number =>
  groupingOf(url) === null
    ? (LIMITS.find((it) => String(it) === url.searchParams.get("rows")) ?? LIMITS[0])
    : GROUPED_LIMIT;

/** The query that counts the open alerts: those that nobody has. */
export const OPEN_ALERTS: Query = { status: ["open", "dropped"], limit: 1 };
/** The newest of those that are heard when they come. */
const CRITICAL: Query = { status: "open", urgency: "critical", limit: 1 };

/** Whose alerts are listed: of any status, and where another filter or a search says whose, all. */
function scopeIn({ context, url }: Visit): ListScope {
  const chosen = scopeOf(context, "alerts_scope", "teams");
  const filter = filterOf(url);
  return isOfLiving(filter) && !filter.team_id && !filter.q ? chosen : "all";
}

/** The query of the requested page of alerts. */
function queryOf(url: URL, scope: ListScope): Query {
  const filter = filterOf(url);
  const page = { limit: limitOf(url), page: pageOf(url), sort: orderOf(filter) };
  return { ...alertsQuery(filter, scope), ...page };
}

function isFiltered(url: URL): boolean {
  const { sort: _, group: __, ...filters } = filterOf(url);
  return Object.keys(filters).length > 0;
}

type NoAlertsProps = PageProps<{
  /** Whether a page was ever answered. */
  isReady: boolean;
}>;

const NoAlerts = ({ visit, names, isReady }: NoAlertsProps) => {
  if (isFiltered(visit.url)) {
    return (
      <Empty
        title="No alerts match these filters"
        next={{ to: ACTIVE_ALERTS, label: "Show active alerts" }}
      />
    );
  }
  if (names.teams.length === 0) {
    return (
      <Empty
        title="No teams yet"
        {...(isAdmin(visit) && { next: { to: "/teams/new", label: "Create team" } })}
      >
        Alerts go to teams. Create a team, add shifts to its schedule, then create an integration.
      </Empty>
    );
  }
  return (
    <Empty title="No active alerts" next={{ to: "/alerts/new", label: "Create alert" }}>
      {isReady
        ? "New alerts from integrations and people appear here automatically."
        : "No page has been answered yet, so it is not known whether alerts reach anybody."}
    </Empty>
  );
};

type RowsProps = PageProps<{ alerts: readonly Alert[]; overview: AlertOverview }>;

/** The alerts of a page, under headings if they are grouped. */
const Rows = ({ alerts, overview, visit, names }: RowsProps) => {
  const progress = new Map(overview.progress.map((it) => [it.alert_id, it]));
  const list = (rows: readonly Alert[]) => (
    <ol class="alerts">
      {rows.map((alert) => (
        <AlertRow alert={alert} progress={progress.get(alert.id)} visit={visit} names={names} />
      ))}
    </ol>
  );
  const grouping = groupingOf(visit.url);
  if (grouping === null) return <div data-rows>{list(alerts)}</div>;
  return (
    <div data-rows>
      {groupAlerts(alerts, grouping, names.of, destinationsOf(names)).map((group) => (
        <section class="alert-group" aria-label={group.name}>
          <h2>
            {group.name} <span class="count">{group.alerts.length}</span>
          </h2>
          {list(group.alerts)}
        </section>
      ))}
    </div>
  );
};

type AlertListProps = WithVisit<{ scope: ListScope; start: string | null; read: ReadList }>;

/** The list, which is refreshed every few seconds. */
const AlertList = ({ visit, scope, start, read }: AlertListProps) => {
  const { list, overview, names, open, critical, readiness } = read;
  return (
    <div
      id="current"
      hx-get={`${visit.url.pathname}${visit.url.search}`}
      hx-trigger="every 10s, live"
      hx-select="#current"
      hx-swap="outerMorph"
      data-current
      data-live=""
      data-open-alerts={open.total_count}
      data-critical={critical.data[0]?.created_at}
      data-total={list.total_count}
      data-shown={visit.now}
    >
      <div class="list-bar">
        <AlertChips url={visit.url} {...{ scope, overview, start }} />
      </div>
      <BulkFields visit={visit} scope={scope} />
      {list.data.length === 0 ? (
        <NoAlerts visit={visit} names={names} isReady={readiness?.ready ?? true} />
      ) : (
        <RowForm visit={visit}>
          <Rows alerts={list.data} overview={overview} visit={visit} names={names} />
        </RowForm>
      )}
      <Pager limit={limitOf(visit.url)} total={list.total_count} labels={["Previous", "Next"]} />
      <p class="current-note soft">As of {exactClockOf(visit.now, visit.session.timeZone)}</p>
    </div>
  );
};

/** The same visit with a status in its query: where the list without one leads elsewhere, links name it. */
function withStatus(visit: Visit): Visit {
  const url = new URL(visit.url);
  if (!url.searchParams.has("status")) url.searchParams.set("status", "active");
  return { ...visit, url };
}

function readList(visit: Visit, scope: ListScope) {
  const { api, url } = visit;
  const query = queryOf(url, scope);
  const isBySource = groupingOf(url) === "source";
  return allByName({
    list: api.get("/alerts", query),
    overview: api.get("/alerts/overview", query),
    names: readNames(api, isBySource ? ["/routers", "/integrations"] : ["/routers"]),
    /** Of those whose alerts are listed, whatever the filters; for their number. */
    open: api.get("/alerts", { ...OPEN_ALERTS, scope: API_SCOPES[scope] }),
    /** The newest open critical one of them, on whatever page. */
    critical: api.get("/alerts", { ...CRITICAL, scope: API_SCOPES[scope] }),
    /** Of admins; null for others. */
    readiness: isAdmin(visit) ? api.get("/readiness") : null,
    filters: api.every("/saved_filters"),
  });
}

type ReadList = ReadBy<typeof readList>;

async function show(asked: Visit): Promise<Reply> {
  const start = startOf(asked);
  const isBare = asked.url.search === "" && !isPartial(asked.context);
  if (start !== null && isBare) return { kind: "goto", to: start };
  const visit = start === null ? asked : withStatus(asked);
  const scope = scopeIn(visit);
  const read = await readList(visit, scope);
  if (isRefusal(read)) return read;
  const { list, names, readiness, filters } = read;
  return pageReply(
    "Alerts",
    <>
      {readiness ? <SetupLine readiness={readiness} /> : null}
      <AlertFilters visit={visit} names={names} />
      <SavedFilters visit={visit} filters={filters} start={start} />
      <AlertList {...{ visit, scope, start, read }} />
      <BulkBar
        visit={visit}
        names={names}
        total={list.total_count}
        isPaged={list.total_count > list.data.length && isOfLiving(filterOf(visit.url))}
      />
    </>,
  );
}

export const alertsPages: readonly ConsolePage[] = [page("/alerts", show)];
