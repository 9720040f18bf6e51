// The page of a shift has a view for each of its changes: it is overridden, moved or edited. All of them lead back to the
// calendar, at the place that the person came from.

import { formatInstant } from "../../../domain/shared/time.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import { Segments } from "../../../kernel/console/filters.tsx";
import { HiddenFields } from "../../../kernel/console/form.tsx";
import { textOf } from "../../../kernel/console/values.ts";
import { pathOf, type Visit } from "../../page.ts";
import type { WithVisit } from "../../reads.ts";
import { VIEWS, wallOf } from "../on-call-window.ts";

/** What can be done with a shift on its page; null: it is shown. */
export type ShiftView = "override" | "move" | "edit";

export const eventPath = (visit: Visit): string => pathOf("/events", visit);

/** The view of the calendar that the person came from; empty: unknown. */
function viewOf({ query, form }: Visit): string {
  const named = query.get("view") ?? textOf(form, "view");
  return VIEWS.find(({ value }) => value === named)?.value ?? "";
}

/** The path of the calendar that the person came from, at the changed time. */
export function backToSchedule(visit: Visit, at: number | null): string {
  const schedule = visit.query.get("schedule") ?? textOf(visit.form, "schedule");
  if (!/^[A-Za-z0-9_-]{1,40}$/.test(schedule)) return "/on-call";
  const view = viewOf(visit);
  const query = new URLSearchParams({
    ...(at !== null && { from: wallOf(at, visit.session.timeZone).slice(0, 10) }),
    ...(view && { view }),
  });
  return query.size === 0 ? `/schedules/${schedule}` : `/schedules/${schedule}?${query}`;
}

/** Where the person came from, as fields of a form. */
export const placeOf = (visit: Visit) => ({
  schedule: visit.query.get("schedule") ?? textOf(visit.form, "schedule"),
  view: viewOf(visit),
});

/** The hidden fields of a form about an occurrence. */
export const Occurrence = ({ visit, at }: WithVisit<{ at: number | null }>) => (
  <HiddenFields form={{ at: at === null ? "" : formatInstant(at), ...placeOf(visit) }} />
);

/** The page of a shift (`at` in epoch ms; null: of all shifts of the event), or of one of its changes. */
export function shiftPath(visit: Visit, at: number | null, change: ShiftView | null): string {
  const query = new URLSearchParams({
    ...(change && { change }),
    ...(at !== null && { at: formatInstant(at) }),
    ...Object.fromEntries(Object.entries(placeOf(visit)).filter(([, value]) => value !== "")),
  });
  return query.size === 0 ? eventPath(visit) : `${eventPath(visit)}?${query}`;
}

type ShiftViewsProps = WithVisit<{
  event: Event;
  at: number | null;
  /** The current view. */
  change: ShiftView | null;
}>;

export const ShiftViews = ({ visit, event, at, change }: ShiftViewsProps) => {
  const views: readonly (readonly [ShiftView | null, string, boolean])[] = [
    [null, "Shift", true],
    ["override", "Override", at !== null],
    ["move", "Move", at !== null && event.import_id === null],
    ["edit", "Edit", event.import_id === null],
  ];
  const links = views
    .filter(([, , isOffered]) => isOffered)
    .map(([value, label]) => ({
      ...{ to: shiftPath(visit, at, value), label, isCurrent: value === change },
    }));
  return <Segments label="Shift" links={links} />;
};
