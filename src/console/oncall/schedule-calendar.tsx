// The calendar of a schedule, and the links to other periods. Its script is loaded after the page;
// its place is free until then, so that nothing moves.
import { HOUR } from "../../domain/shared/time.ts";
import { useAssetPath } from "../../kernel/console/asset-names.tsx";
import { withQuery } from "../../kernel/console/filters.tsx";
import { Icon } from "../../kernel/console/icons.tsx";
import { dateOf } from "../../kernel/console/moment.tsx";
import { LinkButton } from "../../kernel/console/panel.tsx";
import { useViewer } from "../../kernel/console/viewer.tsx";
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

type ScheduleCalendarProps = {
  readonly schedule: string;
  readonly span: Span;
  /** Whether the viewer may change the schedule. */
  readonly may: boolean;
  /** Null: the script requests it. */
  readonly data: CalendarData | null;
  /** For how many rows space is kept. */
  readonly rows?: number;
};

export const ScheduleCalendar = ({ schedule, span, may, data, rows }: ScheduleCalendarProps) => (
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
      class={`calendar ${rowsClass(rows ?? (data ? rowsOf(data) : 0))}`}
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

export const PeriodSteps = ({ span }: { readonly span: Span }) => {
  const { url, now } = useViewer();
  return (
    <div class="buttons">
      <a class="button plain" href={withQuery(url, { from: span.before })} aria-label="Earlier">
        <Icon name="back" />
      </a>
      <LinkButton to={withQuery(url, { from: null })}>Today</LinkButton>
      <a class="button plain" href={withQuery(url, { from: span.next })} aria-label="Later">
        <Icon name="forward" />
      </a>
      <strong class="span">
        {dateOf(span.from, span.zone, now)} – {dateOf(span.to - HOUR, span.zone, now)}
      </strong>
    </div>
  );
};
