// A list of records as a table; on a phone each row is a card, and each cell says what it is.
import type { Child } from "hono/jsx";

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => Child;
  /** Numbers stand at the right. */
  readonly kind?: "text" | "number" | "actions";
};

/** More rows than these, within a page, scroll by themselves. */
const LONG = 16;

type Shown<Row> = {
  /** What the table lists, for who cannot see it. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Stands in the place of a table without rows. */
  readonly empty?: Child;
  /** Narrow columns that are compared: stays a table on a phone. */
  readonly numbers?: boolean;
};

export function Table<Row>({ label, rows, columns, empty, numbers }: Shown<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  const isLong = rows.length > LONG;
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
