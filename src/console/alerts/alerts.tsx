// The list of alerts, filtered by the query. It refreshes itself. Several alerts can be
// acknowledged or resolved at once.

import { isRefusal } from "../../domain/shared/refusal.ts";
import type { Alert } from "../../features/alerts/alerts/contract.ts";
import type { Readiness } from "../../features/reports/readiness/contract.ts";
import { Pager } from "../../kernel/console/filters.tsx";
import { pageOf } from "../../kernel/console/list-view.ts";
import { exactClockOf } from "../../kernel/console/moment.tsx";
import { Empty, Heading } from "../../kernel/console/panel.tsx";
import type { Reply } from "../../kernel/console/reply.ts";
import type { List } from "../../kernel/contract/list.ts";
import { allOf } from "../api.ts";
import type { Query } from "../api-client.ts";
import { type Names, readNames } from "../names.ts";
import { type ConsolePage, page, type Visit } from "../page.ts";
import { SetupChecklist } from "../reports/setup-checklist.tsx";
import { isAdmin } from "../resource-pages.tsx";
import { AlertFilters } from "./alert-filters.tsx";
import { alertsQuery, filterOf } from "./alert-query.ts";
import { AlertRow, destinationsOf, RowForm } from "./alert-row.tsx";
import { BulkBar, BulkFields } from "./bulk-bar.tsx";
import { SavedFilters } from "./saved-filters-panel.tsx";

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
    team: (alert) => destinationsOf(alert) || "No destination",
    source: ({ source_id, source_type }) =>
      source_id !== null && source_type === "Integration"
        ? nameOf(source_id)
        : "People and the API",
    title: ({ title }) => title,
  };
  const groups = Map.groupBy(alerts, nameIn[grouping]);
  return [...groups].map(([name, members]) => ({ name, alerts: members }));
}

const LIMIT = 20;
/** A group is of one page, so that pages are longer when they are grouped. */
const GROUPED_LIMIT = 100;

const limitOf = (url: URL) => (groupingOf(url) === null ? LIMIT : GROUPED_LIMIT);

/** The query that counts the open alerts. */
export const OPEN_ALERTS: Query = { status: "open", limit: 1 };

/** The requested alerts: all of the account's, or a team's. */
function readAlerts({ api, url }: Visit) {
  const filter = filterOf(url);
  const { sort, team_id: id } = filter;
  const page = { limit: limitOf(url), page: pageOf(url), sort };
  const query = { ...alertsQuery(filter), ...page };
  return id ? api.get("/teams/:id/alerts", { ...query, id }) : api.get("/alerts", query);
}

/** Resolved alerts are not answered; a list that shows them counts them. */
const canMatch = (url: URL) => !["all", "resolved"].includes(filterOf(url).status ?? "active");

const isFiltered = (url: URL) =>
  ["q", "status", "urgency", "team", "tag", "incident"].some((name) => url.searchParams.has(name));

const NoAlerts = ({
  visit,
  names,
  isReady,
}: {
  readonly visit: Visit;
  readonly names: Names;
  /** Whether a page was ever answered. */
  readonly isReady: boolean;
}) => {
  if (isFiltered(visit.url)) {
    return (
      <Empty
        title="No alerts match these filters"
        next={{ to: "/alerts", label: "Show active alerts" }}
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

/** The alerts of a page, under headings if they are grouped. */
const Rows = ({
  alerts,
  visit,
  names,
}: {
  readonly alerts: readonly Alert[];
  readonly visit: Visit;
  readonly names: Names;
}) => {
  const list = (rows: readonly Alert[]) => (
    <ol class="alerts">
      {rows.map((alert) => (
        <AlertRow alert={alert} visit={visit} names={names} />
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

/** The list, which is refreshed every few seconds. */
const AlertList = ({
  list,
  visit,
  names,
  openCount,
  readiness,
}: {
  readonly list: List<Alert>;
  readonly visit: Visit;
  readonly names: Names;
  /** Of the account, whatever the filters. */
  readonly openCount: number;
  /** Of admins; null for others. */
  readonly readiness: Readiness | null;
}) => (
  <div
    id="current"
    hx-get={`${visit.url.pathname}${visit.url.search}`}
    hx-trigger="every 10s, live"
    hx-select="#current"
    hx-swap="outerMorph"
    data-current
    data-live=""
    data-open-alerts={openCount}
    data-total={list.total_count}
    data-shown={visit.now}
  >
    <p class="current-note soft">
      {list.total_count} {list.total_count === 1 ? "alert" : "alerts"} · as of{" "}
      {exactClockOf(visit.now, visit.session.timeZone)}
    </p>
    <BulkFields visit={visit} />
    {readiness ? <SetupChecklist readiness={readiness} /> : null}
    {list.data.length === 0 ? (
      <NoAlerts visit={visit} names={names} isReady={readiness?.ready ?? true} />
    ) : (
      <RowForm visit={visit}>
        <Rows alerts={list.data} visit={visit} names={names} />
      </RowForm>
    )}
    <Pager url={visit.url} limit={limitOf(visit.url)} total={list.total_count} />
  </div>
);

async function show(visit: Visit): Promise<Reply> {
  const read = await allOf(
    readAlerts(visit),
    readNames(
      visit.api,
      groupingOf(visit.url) === "source" ? ["/routers", "/integrations"] : ["/routers"],
    ),
    visit.api.get("/alerts", OPEN_ALERTS),
    isAdmin(visit) ? visit.api.get("/readiness") : null,
    visit.api.every("/saved_filters"),
  );
  if (isRefusal(read)) return read;
  const [list, names, open, readiness, filters] = read;
  return {
    kind: "page",
    title: "Alerts",
    section: "alerts",
    body: (
      <>
        <Heading title="Alerts">
          <button type="button" class="button plain" data-sound hidden>
            Sound
          </button>
          <a class="button plain" href="/alerts/new">
            Create alert
          </a>
        </Heading>
        <AlertFilters visit={visit} names={names} />
        <SavedFilters visit={visit} filters={filters} />
        <AlertList
          list={list}
          visit={visit}
          names={names}
          openCount={open.total_count}
          readiness={readiness}
        />
        <BulkBar
          visit={visit}
          total={list.total_count}
          isPaged={list.total_count > list.data.length && canMatch(visit.url)}
        />
      </>
    ),
  };
}

export const alertsPages: readonly ConsolePage[] = [
  page("/", async () => ({ kind: "goto", to: "/alerts" })),
  page("/alerts", show),
];
