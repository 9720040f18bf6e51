// The views of who is on call: everybody now, the viewer's next shifts, who is away, and what is read
// from calendars.
const VIEWS = [
  { to: "/on-call", label: "On call now" },
  { to: "/on-call/mine", label: "My shifts" },
  { to: "/absences", label: "Away" },
  { to: "/calendars", label: "Calendars" },
] as const;

export const OnCallViews = ({ path }: { readonly path: string }) => (
  <nav class="segments" aria-label="View">
    {VIEWS.map(({ to, label }) => (
      <a href={to} aria-current={to === path ? "true" : undefined}>
        {label}
      </a>
    ))}
  </nav>
);
