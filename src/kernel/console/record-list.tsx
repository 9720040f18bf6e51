// A list of records with a search, columns to sort by, and pages. All of it is in the query string.
import type { Child } from "hono/jsx";
import { Filters, Pager, Search, withQuery } from "./filters.tsx";
import { columnName, PAGE_ROWS, type Sorting, viewOf } from "./list-view.ts";
import { Empty } from "./panel.tsx";
import { type Column, Table } from "./table.tsx";
import { useViewer } from "./viewer.tsx";

/** A list that is as short as this is seen at a glance, without a search. */
const SEARCHED_FROM = 8;

type RecordListProps<Row> = {
  /** What is listed, in the plural: the table's accessible name. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Those with a sort key can be sorted by; the search looks at their texts. */
  readonly columns: readonly Column<Row>[];
  /** The title of the column that the list is sorted by at first; absent: as given. */
  readonly initial?: string;
  /** Replaces a list without records. */
  readonly empty: Child;
  /** Other parameters of the query string, which the search preserves. */
  readonly keep?: readonly string[];
  /** One of several lists of a page: without search, sorting and pages. */
  readonly isPart?: boolean;
};

/** The columns as links, for a phone, where the table has no head. */
function SortLinks<Row>(props: {
  readonly columns: readonly Column<Row>[];
  readonly sorting: Sorting | null;
}) {
  const { columns, sorting } = props;
  const { url } = useViewer();
  return (
    <nav class="sort-links" aria-label="Sort">
      <span class="soft">Sort by</span>
      {columns
        .filter(({ by }) => by)
        .map(({ title }) => {
          const name = columnName(title);
          const isCurrent = sorting?.column === name;
          const direction = isCurrent && sorting.direction === "asc" ? "desc" : null;
          return (
            <a
              class={isCurrent ? `sort ${sorting.direction}` : "sort"}
              aria-current={isCurrent ? "true" : undefined}
              href={withQuery(url, { sort: name, direction, page: null })}
            >
              {title}
            </a>
          );
        })}
    </nav>
  );
}

/** Replaces a list in which a search finds nothing. */
export const NothingFound = ({ label }: { readonly label: string }) => {
  const { url } = useViewer();
  return (
    <Empty
      title={`No ${label.toLowerCase()} match “${url.searchParams.get("q") ?? ""}”`}
      next={{ to: withQuery(url, { q: null, page: null }), label: "Clear search" }}
    />
  );
};

export function RecordList<Row>(props: RecordListProps<Row>) {
  const { label, rows, columns, initial, empty, keep = [], isPart } = props;
  const { url } = useViewer();
  if (rows.length === 0) return <>{empty}</>;
  if (isPart) return <Table label={label} rows={rows} columns={columns} />;
  const first = initial ? ({ column: columnName(initial), direction: "asc" } as const) : null;
  const view = viewOf(url, rows, columns, first);
  const isSearched = (url.searchParams.get("q") ?? "") !== "";
  return (
    <div class="record-list">
      {isSearched || rows.length > SEARCHED_FROM ? (
        <Filters keep={["sort", "direction", ...keep]}>
          <Search label={`Search ${label.toLowerCase()}`} />
        </Filters>
      ) : null}
      {rows.length > SEARCHED_FROM ? <SortLinks columns={columns} sorting={view.sorting} /> : null}
      <Table
        label={label}
        rows={view.rows}
        columns={columns}
        sorted={{ by: view.sorting }}
        empty={<NothingFound label={label} />}
      />
      <Pager limit={PAGE_ROWS} total={view.total} page={view.page} labels={["Previous", "Next"]} />
    </div>
  );
}
