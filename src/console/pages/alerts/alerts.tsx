// The list of alerts, filtered by the query. It refreshes itself. Several alerts can be
// acknowledged or resolved at once.

import type { Alert } from "../../../contract/alerts/alert.ts";
import type { Readiness } from "../../../contract/reports/readiness.ts";
import type { List } from "../../../contract/shared/list.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { alertsQuery, filterOf } from "../../alerts/alert-query.ts";
import { groupAlerts, groupingOf } from "../../alerts/group-alerts.ts";
import type { Query } from "../../api-client.ts";
import { pageOf } from "../../lists/list-view.ts";
import { type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { AlertFilters } from "../../parts/alerts/alert-filters.tsx";
import { AlertRow, destinationsOf, RowForm } from "../../parts/alerts/alert-row.tsx";
import { BulkBar, BulkFields } from "../../parts/alerts/bulk-bar.tsx";
import { SavedFilters } from "../../parts/alerts/saved-filters.tsx";
import { SetupChecklist } from "../../parts/reports/setup-checklist.tsx";
import { Pager } from "../../parts/shared/filters.tsx";
import { exactClockOf } from "../../parts/shared/moment.tsx";
import { Empty, Heading } from "../../parts/shared/panel.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { isAdmin } from "../../shared/resource-pages.tsx";

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
