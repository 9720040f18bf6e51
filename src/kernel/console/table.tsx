// A list of records as a table; on a phone each row is a card, and each cell has its column's
// title.
import type { Child } from "hono/jsx";
import { withQuery } from "./filters.tsx";
import { columnName, type SortableColumn, type Sorting } from "./list-view.ts";
import { useViewer } from "./viewer.tsx";

export type Column<Row> = SortableColumn<Row> & {
  /** By default what the column is sorted by. */
  readonly cell?: (row: Row) => Child;
  /** Numbers are aligned right. */
  readonly kind?: "text" | "number" | "actions";
};

/** A longer table within a page scrolls by itself. */
const MAX_VISIBLE_ROWS = 16;

type TableProps<Row> = {
  /** The table's accessible name. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Replaces a table without rows. */
  readonly empty?: Child;
  /** Narrow columns to compare: stays a table on a phone. */
  readonly numbers?: boolean;
  /** The titles of columns with a sort key are links that sort by them. */
  readonly sorted?: { readonly by: Sorting | null };
};

/** A column's title, as a link that sorts by the column or reverses the order. */
function Title<Row>({
  column: { title, kind, by },
  sorted,
}: {
  readonly column: Column<Row>;
  readonly sorted: TableProps<Row>["sorted"];
}) {
  if (!(by && sorted)) {
    return (
      <th scope="col" class={kind}>
        {kind === "actions" ? <span class="unseen">{title}</span> : title}
      </th>
    );
  }
  const name = columnName(title);
  const current = sorted.by?.column === name ? sorted.by.direction : null;
  const next = { sort: name, direction: current === "asc" ? "desc" : null, page: null };
  const order = current && (current === "asc" ? "ascending" : "descending");
  return (
    <th scope="col" class={kind} aria-sort={order ?? undefined}>
      <a class="sort" href={withQuery(useViewer().url, next)}>
        {title}
      </a>
    </th>
  );
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, columns, empty, numbers, sorted } = props;
  if (rows.length === 0 && empty) return <>{empty}</>;
  const isLong = rows.length > MAX_VISIBLE_ROWS;
  const scrolls = isLong || numbers;
  return (
    <div class={isLong ? "table-frame long" : "table-frame"} tabindex={scrolls ? 0 : undefined}>
      <table class={numbers ? "table numbers" : "table"} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <Title column={column} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ title, by, cell = by, kind }) => (
                <td class={kind} data-title={kind === "actions" || numbers ? undefined : title}>
                  {cell?.(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
