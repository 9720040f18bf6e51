// The list of alerts, filtered by the query. It refreshes itself. Several alerts can be
// acknowledged or resolved at once.
import type { Alert } from "../../../contract/alerts/alert.ts";
import type { List } from "../../../contract/shared/list.ts";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import type { Query } from "../../api-client.ts";
import { action, type ConsolePage, page, type Reply, type Visit } from "../../page.ts";
import { Badge, IncidentBadge, StatusBadge, UrgencyBadge } from "../../parts/shared/badge.tsx";
import {
  Chips,
  Choose,
  Filters,
  Pager,
  pageOf,
  Search,
  withQuery,
} from "../../parts/shared/filters.tsx";
import { ActionButton, Button, Form } from "../../parts/shared/form.tsx";
import { exactClockOf, Moment } from "../../parts/shared/moment.tsx";
import { Empty, Heading } from "../../parts/shared/panel.tsx";
import { allOf } from "../../shared/api.ts";
import { type Names, readNames } from "../../shared/names.ts";
import { refusalText } from "../../shared/replies.ts";
import { textOf, textsOf } from "../../shared/values.ts";

const LIMIT = 50;
const MAX_AT_ONCE = 100;

/** The query that counts the open alerts. */
export const OPEN_ALERTS: Query = { status: "open", limit: 1 };

const STATES = [
  { value: "active", label: "Active" },
  { value: "open", label: "Open" },
  { value: "acknowledged", label: "Acknowledged" },
  { value: "dropped", label: "Dropped" },
  { value: "suppressed", label: "Suppressed" },
  { value: "resolved", label: "Resolved" },
  { value: "all", label: "All" },
] as const;

const URGENCIES = ["critical", "high", "medium", "low", "silent"].map((value) => ({
  value,
  label: value,
}));

/** The API query for the page's query string. */
function alertsQuery(url: URL): Query {
  const parameters = url.searchParams;
  const state = STATES.find(({ value }) => value === parameters.get("status"))?.value ?? "active";
  return {
    limit: LIMIT,
    page: pageOf(url),
    q: parameters.get("q") ?? undefined,
    urgency: parameters.get("urgency") ?? undefined,
    tags: parameters.get("tag") ?? undefined,
    ...(parameters.get("incident") === "true" && { "meta.incident": true }),
    ...(state === "active" && { status: "resolved", ops: "status:ne" }),
    ...(state !== "active" && state !== "all" && { status: state }),
  };
}

/** The requested alerts: all of the account's, or a team's. */
function readAlerts({ api, url }: Visit) {
  const query = alertsQuery(url);
  const id = url.searchParams.get("team") ?? "";
  return id === "" ? api.get("/alerts", query) : api.get("/teams/:id/alerts", { ...query, id });
}

const destinationsOf = (alert: Alert, names: Names): string =>
  [
    ...alert.destination_team_ids,
    ...alert.destination_router_ids,
    ...alert.destination_account_user_ids,
  ]
    .map(names.of)
    .join(", ");

const canAcknowledge = ({ status }: Alert) => ["open", "dropped", "suppressed"].includes(status);
const canResolve = ({ status }: Alert) => ["open", "dropped", "acknowledged"].includes(status);

/** The actions of one alert; they redirect back to the list. */
const RowButtons = ({ alert, visit }: { readonly alert: Alert; readonly visit: Visit }) => {
  const back = `${visit.url.pathname}${visit.url.search}`;
  const shared = { session: visit.session, fields: { back }, retry: true };
  return (
    <div class="buttons">
      {canAcknowledge(alert) ? (
        <ActionButton
          {...shared}
          to={`/alerts/${alert.prefix_id}/acknowledge`}
          label="Acknowledge"
          tone="primary"
          shortcut="a"
          becomes="acknowledged"
        />
      ) : null}
      {canResolve(alert) ? (
        <ActionButton
          {...shared}
          to={`/alerts/${alert.prefix_id}/resolve`}
          label="Resolve"
          shortcut="e"
          becomes="resolved"
        />
      ) : null}
    </div>
  );
};

const Row = ({
  alert,
  visit,
  names,
}: {
  readonly alert: Alert;
  readonly visit: Visit;
  readonly names: Names;
}) => (
  <li class={`alert ${alert.urgency} ${alert.status}`} id={`row-${alert.prefix_id}`} data-row>
    <label class="pick">
      <span class="unseen">Select {alert.title}</span>
      <input type="checkbox" name="ids[]" value={alert.prefix_id} form="bulk" />
    </label>
    <div class="alert-text">
      <a class="alert-title" href={`/alerts/${alert.prefix_id}`} data-open>
        {alert.title}
      </a>
      <p class="alert-facts">
        <StatusBadge status={alert.status} />
        <UrgencyBadge urgency={alert.urgency} />
        {alert.incident ? <IncidentBadge severity={alert.incident_severity} /> : null}
        {alert.dedup_count > 0 ? <Badge tone="neutral">×{alert.dedup_count + 1}</Badge> : null}
        <span>{destinationsOf(alert, names)}</span>
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
    <RowButtons alert={alert} visit={visit} />
  </li>
);

const isFiltered = (url: URL) =>
  ["q", "status", "urgency", "team", "tag", "incident"].some((name) => url.searchParams.has(name));

const NoAlerts = ({ visit, names }: { readonly visit: Visit; readonly names: Names }) => {
  if (isFiltered(visit.url)) {
    return (
      <Empty
        title="No alerts match these filters"
        next={{ to: "/alerts", label: "Show active alerts" }}
      />
    );
  }
  const isAdmin = visit.session.actor.roles.admin;
  if (names.teams.length === 0) {
    return (
      <Empty
        title="No teams yet"
        {...(isAdmin && { next: { to: "/teams/new", label: "Create team" } })}
      >
        Alerts go to teams. Create a team, add shifts to its schedule, then create an integration.
      </Empty>
    );
  }
  return (
    <Empty title="No active alerts" next={{ to: "/alerts/new", label: "Create alert" }}>
      New alerts from integrations and people appear here automatically.
    </Empty>
  );
};

/** The list, which is refreshed every few seconds. */
const AlertList = ({
  list,
  visit,
  names,
  openCount,
}: {
  readonly list: List<Alert>;
  readonly visit: Visit;
  readonly names: Names;
  /** Of the account, whatever the filters. */
  readonly openCount: number;
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
    data-shown={visit.now}
  >
    <p class="current-note soft">
      {list.total_count} {list.total_count === 1 ? "alert" : "alerts"} · as of{" "}
      {exactClockOf(visit.now, visit.session.timeZone)}
    </p>
    {list.data.length === 0 ? (
      <NoAlerts visit={visit} names={names} />
    ) : (
      <ol class="alerts" data-rows>
        {list.data.map((alert) => (
          <Row alert={alert} visit={visit} names={names} />
        ))}
      </ol>
    )}
    <Pager url={visit.url} limit={LIMIT} total={list.total_count} />
  </div>
);

const AlertFilters = ({ visit, names }: { readonly visit: Visit; readonly names: Names }) => {
  const { url } = visit;
  return (
    <>
      <Chips url={url} name="status" label="Status" chips={STATES} />
      <Filters url={url} keep={["status", "tag", "incident"]}>
        <Search url={url} label="Search titles, tags and sources" />
        <Choose url={url} name="urgency" label="Any urgency" choices={URGENCIES} />
        <Choose
          url={url}
          name="team"
          label="Any team"
          choices={names.teams.map((team) => ({ value: team.prefix_id, label: team.name }))}
        />
      </Filters>
      {url.searchParams.has("tag") ? (
        <p>
          Tag: <span class="tag">{url.searchParams.get("tag")}</span>{" "}
          <a href={withQuery(url, { tag: null })}>Clear filter</a>
        </p>
      ) : null}
    </>
  );
};

async function show(visit: Visit): Promise<Reply> {
  const read = await allOf(
    readAlerts(visit),
    readNames(visit.api, ["/routers"]),
    visit.api.get("/alerts", OPEN_ALERTS),
  );
  if (isRefusal(read)) return read;
  const [list, names, open] = read;
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
        <AlertList list={list} visit={visit} names={names} openCount={open.total_count} />
        <Form to="/alerts/bulk" session={visit.session} id="bulk">
          <input type="hidden" name="back" value={`${visit.url.pathname}${visit.url.search}`} />
          <span class="soft" data-selected>
            Selected alerts:
          </span>
          <Button tone="plain" name="do" value="acknowledge">
            Acknowledge
          </Button>
          <Button tone="plain" name="do" value="resolve">
            Resolve
          </Button>
        </Form>
      </>
    ),
  };
}

/** The path of the list with its query string; any other path yields `otherwise`. */
export const backToAlerts = (form: Visit["form"], otherwise: string): string => {
  const back = textOf(form, "back");
  return /^\/alerts(\?|$)/.test(back) ? back : otherwise;
};

const WORDS = { acknowledge: "acknowledged", resolve: "resolved" } as const;

function flashOf(
  kind: keyof typeof WORDS,
  answers: readonly (unknown | Refusal)[],
): { readonly tone: "good" | "bad"; readonly text: string } {
  const refused = answers.filter(isRefusal);
  const count = answers.length - refused.length;
  const good = `${count} ${count === 1 ? "alert" : "alerts"} ${WORDS[kind]}.`;
  if (refused.length === 0) return { tone: "good", text: good };
  const reasons = [...new Set(refused.map(refusalText))].slice(0, 3).join(" ");
  return { tone: "bad", text: `${good} ${refused.length} not ${WORDS[kind]}: ${reasons}` };
}

async function bulk({ api, form }: Visit): Promise<Reply> {
  const to = backToAlerts(form, "/alerts");
  const ids = textsOf(form, "ids").slice(0, MAX_AT_ONCE);
  const kind = textOf(form, "do") === "resolve" ? "resolve" : "acknowledge";
  if (ids.length === 0) {
    return { kind: "goto", to, flash: { tone: "bad", text: "Select at least one alert." } };
  }
  const answers = await Promise.all(ids.map((id) => api.post(`/alerts/:id/${kind}`, { id })));
  return { kind: "goto", to, flash: flashOf(kind, answers) };
}

export const alertsPages: readonly ConsolePage[] = [
  page("/", async () => ({ kind: "goto", to: "/alerts" })),
  page("/alerts", show),
  action("/alerts/bulk", bulk),
];
