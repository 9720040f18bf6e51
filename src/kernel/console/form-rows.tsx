// The buttons that add, remove and move rows of a form. They submit the form, which is shown again; nothing is saved.
import type { Child } from "hono/jsx";
import { Icon } from "./icons.tsx";
import { ROW_BUTTON } from "./picker-search.ts";

/** First in a list of rows: what Enter in one of its fields presses. */
export const EnterSaves = () => (
  <button type="submit" class="unseen" tabindex={-1}>
    Save
  </button>
);

type ButtonProps = {
  /** The form's action, and the part of the page that is shown again. */
  readonly to: string;
  /** What it does to the rows: `add`, `remove 2`. */
  readonly change: string;
};

/** A small button of one row. */
const RowTool = ({
  to,
  change,
  label,
  children,
}: ButtonProps & { readonly label: string; readonly children: Child }) => (
  <button
    type="submit"
    class="tool"
    name={ROW_BUTTON}
    value={change}
    formaction={to}
    formnovalidate
    title={label}
    aria-label={label}
  >
    {children}
  </button>
);

type RowToolsProps = {
  readonly to: string;
  /** The number of the row. */
  readonly row: number;
  /** What moves it up, and what removes it, in words; null: nothing does. */
  readonly up: string | null;
  readonly remove: string | null;
};

/** The small buttons of a row. */
export const RowTools = ({ to, row, up, remove }: RowToolsProps) => (
  <span class="tools">
    {up === null ? null : (
      <RowTool to={to} change={`up ${row}`} label={up}>
        ↑
      </RowTool>
    )}
    {remove === null ? null : (
      <RowTool to={to} change={`remove ${row}`} label={remove}>
        <Icon name="cross" />
      </RowTool>
    )}
  </span>
);

/** A button below the rows. */
export const RowsButton = ({
  to,
  change,
  children,
}: ButtonProps & { readonly children: Child }) => (
  <button
    type="submit"
    class="button plain"
    name={ROW_BUTTON}
    value={change}
    formaction={to}
    formnovalidate
  >
    {children}
  </button>
);
