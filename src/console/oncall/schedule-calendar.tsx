// The calendar of a schedule. Its script is loaded after the page; its place is free until then, so
// that nothing moves.

import { useAssetPath } from "../../kernel/console/asset-names.tsx";
import { colourAt } from "../people/person-panels.tsx";
import { rowsClass } from "./calendar-rows.ts";
import type { Span } from "./on-call-window.ts";
import { SHIFT_KINDS } from "./shift-kind.ts";

/** The legend of the calendar: the marks of overrides, imported and one's own shifts, and of those instead of others. */
const ShiftKinds = () => (
  <ul class="shift-kinds" aria-label="Marks in the calendar">
    {[...SHIFT_KINDS, { kind: "mine", label: "Yours" }].map(({ kind, label }) => (
      <li>
        <i class={`${colourAt(0)} ${kind}`} aria-hidden="true"></i>
        {label}
      </li>
    ))}
  </ul>
);

type CalendarData = {
  readonly layers: readonly { readonly children?: readonly unknown[] }[];
  readonly events: readonly unknown[];
};

const rowsOf = ({ layers }: CalendarData): number =>
  layers.reduce((rows, { children = [] }) => rows + 1 + children.length, 0);

export const ScheduleCalendar = ({
  schedule,
  span,
  may,
  data,
  rows = data ? rowsOf(data) : 0,
}: {
  readonly schedule: string;
  readonly span: Span;
  /** Whether the viewer may change the schedule. */
  readonly may: boolean;
  /** Null: the script requests it. */
  readonly data: CalendarData | null;
  /** For how many rows space is kept. */
  readonly rows?: number;
}) => (
  <>
    {may ? (
      <div class="modes" data-modes>
        <div class="segments">
          <button type="button" data-mode="override" aria-pressed="true" disabled>
            Drag to override or add
          </button>
          <button type="button" data-mode="move" aria-pressed="false" disabled>
            Drag to move
          </button>
        </div>
        <span class="help">
          Drag over a shift to override it, or over free time to add a shift. Click a shift to open
          it.
        </span>
      </div>
    ) : null}
    <section
      id="calendar"
      class={`calendar ${rowsClass(rows)}`}
      aria-label="Calendar. The list below shows the same shifts."
      data-schedule={schedule}
      data-view={span.view}
      data-from={span.first}
      data-until={span.after}
      data-zone={span.zone}
      data-may={may ? "yes" : undefined}
      data-script={useAssetPath("calendar.js")}
      data-calendar={data ? JSON.stringify(data) : undefined}
    ></section>
    <ShiftKinds />
  </>
);
