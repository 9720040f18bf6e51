// A list of records as a table; on a phone each row is a card, and each cell has its column's
// title.
import type { Child } from "hono/jsx";

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => Child;
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
};

export function Table<Row>({ label, rows, columns, empty, numbers }: TableProps<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  const isLong = rows.length > MAX_VISIBLE_ROWS;
  const scrolls = isLong || numbers;
  return (
    <div class={isLong ? "table-frame long" : "table-frame"} tabindex={scrolls ? 0 : undefined}>
      <table class={numbers ? "table numbers" : "table"} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, kind }) => (
              <th scope="col" class={kind}>
                {kind === "actions" ? <span class="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(({ title, cell, kind }) => (
                <td class={kind} data-title={kind === "actions" ? undefined : title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
