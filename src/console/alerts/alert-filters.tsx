// The filters of the list of alerts: what is shown, in which order, and grouped by what.

import { capitalized, statusWord } from "../../domain/shared/words.ts";
import type { AlertCount, AlertOverview } from "../../features/alerts/escalation/contract.ts";
import {
  Chips,
  Choose,
  Filters,
  Folded,
  Search,
  withQuery,
} from "../../kernel/console/filters.tsx";
import { LinkButton } from "../../kernel/console/panel.tsx";
import { PickOne } from "../../kernel/console/pick-one.tsx";
import { FEW_OPTIONS, findChoices, searchField } from "../../kernel/console/picker-search.ts";
import { type ListScope, ScopeChips } from "../../kernel/console/scope.tsx";
import { Select } from "../../kernel/console/select.tsx";
import { choicesOf, URGENCIES } from "../choices.ts";
import type { Names, PageProps } from "../reads.ts";
import { filterOf, isOfLiving } from "./alert-query.ts";

/** The values of the parameter `status`; the first one applies without it. */
const STATES = ["active", "open", "acknowledged", "dropped", "suppressed", "resolved", "all"].map(
  (value) => ({ value, label: capitalized(statusWord(value)) }),
);

const URGENT = { value: "urgency", label: "Most urgent first" };
const NEWEST = { value: "newest", label: "Newest first" };

const GROUPINGS = [
  { value: "team", label: "Grouped by team" },
  { value: "source", label: "Grouped by source" },
  { value: "title", label: "Grouped by title" },
];

const LENGTHS = ["50", "100"].map((value) => ({ value, label: `${value} rows` }));

/** The parameters whose fields are folded on a phone. */
const FOLDED = ["q", "urgency", "team", "sort", "group", "rows"];

/** The team: a few choices, or a search among many. */
const TeamFilter = ({ url, names }: { readonly url: URL; readonly names: Names }) => {
  const named = url.searchParams.get("team") ?? "";
  const chosen = names.teams.find(({ id, prefix_id }) => [id, prefix_id].includes(named));
  const sought = url.searchParams.get(searchField("team")) ?? "";
  const any = { value: "", label: "Any team" };
  const teams = choicesOf(names.teams);
  const isShort = teams.length <= FEW_OPTIONS;
  const found = findChoices(teams, sought);
  const current = teams.filter(({ value }) => value === chosen?.id);
  const choices = [any, ...new Set([...(isShort ? teams : found), ...current])];
  const shared = { name: "team", label: "Team", value: chosen?.id ?? "", sought };
  const described = { "aria-label": "Any team" };
  return isShort ? (
    <Select {...shared} choices={choices} described={described} />
  ) : (
    <PickOne {...shared} choices={choices} source="teams" described={described} />
  );
};

/** How the list is shown: behind a button where there is little room in a line. */
const View = ({ url }: { readonly url: URL }) => {
  const [usual, other] = isOfLiving(filterOf(url)) ? [URGENT, NEWEST] : [NEWEST, URGENT];
  return (
    <details class="menu view">
      <summary class="button plain">View</summary>
      <div class="menu-sheet">
        <Choose name="sort" label={usual.label} choices={[other]} />
        <Choose name="group" label="Not grouped" choices={GROUPINGS} />
        <Choose name="rows" label="20 rows" choices={LENGTHS} />
        <button type="button" class="button plain" data-sound hidden>
          Sound
        </button>
      </div>
    </details>
  );
};

/** The head of the list: its title and filters, in one line; on a phone, the filters are folded. */
export const AlertFilters = ({ visit, names }: PageProps) => {
  const { url } = visit;
  return (
    <>
      <header class="list-head">
        <h1>Alerts</h1>
        <Folded label="Search and filter" names={FOLDED}>
          <Filters keep={["status", "tag", "incident"]}>
            <Search label="Search text, tags, IDs" />
            <Choose name="urgency" label="Any urgency" choices={URGENCIES} />
            <TeamFilter url={url} names={names} />
            <View url={url} />
          </Filters>
        </Folded>
        <LinkButton to="/alerts/new">Create alert</LinkButton>
        <a class="button plain wide" href="/broadcasts">
          Broadcasts
        </a>
      </header>
      {url.searchParams.has("tag") ? (
        <p>
          Tag: <span class="tag">{url.searchParams.get("tag")}</span>{" "}
          <a href={withQuery(url, { tag: null })}>Clear filter</a>
        </p>
      ) : null}
    </>
  );
};

const sumOf = (counts: readonly AlertCount[], name: "mine" | "my_teams" | "all"): number =>
  counts.reduce((sum, count) => sum + count[name], 0);

const COUNTED = { mine: "mine", teams: "my_teams", all: "all" } as const;

type AlertChipsProps = {
  readonly url: URL;
  readonly scope: ListScope;
  readonly overview: AlertOverview;
  /** The path that the list without a query leads to. */
  readonly start: string | null;
};

/** Whose alerts, and with which status, each with their number. */
export const AlertChips = ({ url, scope, overview, start }: AlertChipsProps) => {
  const { counts, resolved_count: resolved } = overview;
  const countOf = (status: string): number | undefined => {
    const living = sumOf(counts, COUNTED[scope]);
    if (status === "active") return living;
    if (status !== "resolved" && status !== "all")
      return sumOf(
        counts.filter((it) => it.status === status),
        COUNTED[scope],
      );
    // Of resolved alerts, nobody knows without looking at each how many are whose.
    if (resolved === null || scope !== "all") return undefined;
    return status === "all" ? living + resolved : resolved;
  };
  const filter = filterOf(url);
  const { status = "active" } = filter;
  const inStatus = status === "active" ? counts : counts.filter((it) => it.status === status);
  const [mine, teams, all] = (["mine", "my_teams", "all"] as const).map((it) =>
    sumOf(inStatus, it),
  ) as [number, number, number];
  const isScoped = isOfLiving(filter) && !filter.team_id && !filter.q;
  return (
    <>
      <Chips
        name="status"
        label="Status"
        initial={start === null ? "active" : ""}
        chips={STATES.map((it) => {
          const count = countOf(it.value);
          return count === undefined ? it : { ...it, count };
        })}
      />
      {isScoped && (scope === "mine" || mine < all) ? (
        <ScopeChips scope={scope} counts={{ mine, teams, all }} />
      ) : null}
    </>
  );
};
