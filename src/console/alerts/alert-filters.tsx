// The filters of the list of alerts: what is shown, in which order, and grouped by what.
import {
  Chips,
  Choose,
  Filters,
  Folded,
  Search,
  withQuery,
} from "../../kernel/console/filters.tsx";
import { PickOne } from "../../kernel/console/pick-one.tsx";
import { FEW_OPTIONS, findChoices, searchField } from "../../kernel/console/picker-search.ts";
import { Select } from "../../kernel/console/select.tsx";
import { choicesOf } from "../choices.ts";
import type { Names } from "../names.ts";
import type { Visit } from "../page.ts";

/** The values of the parameter `status`; the first one applies without it. */
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

const ORDERS = [{ value: "urgency", label: "Most urgent first" }];

const GROUPINGS = [
  { value: "team", label: "Grouped by destination" },
  { value: "source", label: "Grouped by source" },
  { value: "title", label: "Grouped by title" },
];

/** The parameters whose fields are folded on a phone. */
const FOLDED = ["q", "urgency", "team", "sort", "group"];

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

/** The filters of the list; on a phone, all but the status are folded. */
export const AlertFilters = ({
  visit,
  names,
}: {
  readonly visit: Visit;
  readonly names: Names;
}) => {
  const { url } = visit;
  return (
    <>
      <Chips url={url} name="status" label="Status" chips={STATES} />
      <Folded label="Search and filter" url={url} names={FOLDED}>
        <Filters url={url} keep={["status", "tag", "incident"]}>
          <Search url={url} label="Search titles, tags and sources" />
          <Choose url={url} name="urgency" label="Any urgency" choices={URGENCIES} />
          <TeamFilter url={url} names={names} />
          <Choose url={url} name="sort" label="Newest first" choices={ORDERS} />
          <Choose url={url} name="group" label="Not grouped" choices={GROUPINGS} />
        </Filters>
      </Folded>
      {url.searchParams.has("tag") ? (
        <p>
          Tag: <span class="tag">{url.searchParams.get("tag")}</span>{" "}
          <a href={withQuery(url, { tag: null })}>Clear filter</a>
        </p>
      ) : null}
    </>
  );
};
