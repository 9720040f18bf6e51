// What a list of records shows of them: those that match the search, sorted by a column, one page.
// The search, the column, the direction and the page are in the query string.
import { containsTerms, searchTerms } from "../../domain/shared/search-terms.ts";

/** How a column sorts: numbers by value, texts as a person would; texts are also searched. */
type SortKey<Row> = (row: Row) => string | number;

/** A column as the list needs it. */
export type SortableColumn<Row> = { readonly title: string; readonly by?: SortKey<Row> };

type Direction = "asc" | "desc";
export type Sorting = { readonly column: string; readonly direction: Direction };

export type ListView<Row> = {
  /** The rows of the page. */
  readonly rows: readonly Row[];
  /** The rows that match the search. */
  readonly total: number;
  readonly page: number;
  /** Null: the rows are in the order in which they were given. */
  readonly sorting: Sorting | null;
};

/** The rows of a page. */
export const PAGE_ROWS = 25;

/** A column's name in the query string: `default-receiver`. */
export const columnName = (title: string): string =>
  title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The page number in the query string. */
export const pageOf = (url: URL): number => {
  const page = Number(url.searchParams.get("page") ?? "1");
  return Number.isInteger(page) && page >= 1 && page <= 10_000 ? page : 1;
};

const { compare } = new Intl.Collator("en", { numeric: true });

const compareKeys = (one: string | number, other: string | number): number =>
  typeof one === "number" && typeof other === "number"
    ? one - other
    : compare(String(one), String(other));

/** The sorting in the query string; `initial` applies without one, and without such a column. */
export function sortingOf<Row>(
  url: URL,
  columns: readonly SortableColumn<Row>[],
  initial: Sorting | null,
): Sorting | null {
  const named = url.searchParams.get("sort");
  const column = columns.find(({ title, by }) => by && columnName(title) === named);
  if (!column) return initial;
  const direction = url.searchParams.get("direction") === "desc" ? "desc" : "asc";
  return { column: columnName(column.title), direction };
}

/**
 * The page of a list that a query string asks for. A page after the last is the last.
 *
 * @param initial the sorting without one in the query string; null: as given
 */
export function viewOf<Row>(
  url: URL,
  all: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  initial: Sorting | null = null,
): ListView<Row> {
  const terms = searchTerms(url.searchParams.get("q") ?? "");
  const texts = columns.flatMap(({ by }) => (by ? [by] : []));
  const found = all.filter((row) =>
    containsTerms(
      texts
        .map((by) => by(row))
        .filter((it) => typeof it === "string")
        .join(" "),
      terms,
    ),
  );
  const sorting = sortingOf(url, columns, initial);
  const by = columns.find(({ title }) => columnName(title) === sorting?.column)?.by;
  const sign = sorting?.direction === "desc" ? -1 : 1;
  const sorted = by
    ? found.toSorted((one, other) => sign * compareKeys(by(one), by(other)))
    : found;
  const pages = Math.max(1, Math.ceil(found.length / PAGE_ROWS));
  const page = Math.min(pageOf(url), pages);
  const rows = sorted.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS);
  return { rows, total: found.length, page, sorting };
}
