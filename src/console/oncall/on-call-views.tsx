// The views of who is on call: everybody now, who is away and who covers, what is read
// from calendars, and planned maintenance.
import { Segments } from "../../kernel/console/filters.tsx";

const VIEWS = [
  { to: "/on-call", label: "On call" },
  { to: "/absences", label: "Away and covers" },
  { to: "/calendars", label: "Calendars" },
  { to: "/calendars?view=windows", label: "Maintenance" },
] as const;

export const OnCallViews = ({ path }: { readonly path: string }) => (
  <Segments label="View" links={VIEWS.map((it) => ({ ...it, isCurrent: it.to === path }))} />
);
