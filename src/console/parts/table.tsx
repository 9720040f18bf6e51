// A list of records as a table; on a phone each row is a card, and each cell says what it is.
import type { Child } from "hono/jsx";

export type Column<Row> = {
  readonly title: string;
  readonly cell: (row: Row) => Child;
  /** Numbers stand at the right. */
  readonly kind?: "text" | "number" | "actions";
};

type Shown<Row> = {
  /** What the table lists, for who cannot see it. */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Stands in the place of a table without rows. */
  readonly empty?: Child;
};

export function Table<Row>({ label, rows, columns, empty }: Shown<Row>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <div class="table-frame">
      <table class="table" aria-label={label}>
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
