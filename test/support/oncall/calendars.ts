// iCalendar texts for tests.

type EventLines = Readonly<Record<string, string>>;

/** An instant as iCalendar writes it in UTC. */
export const utc = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, "");

let made = 0;

/**
 * A VEVENT with these properties; `summary` and so on are in lower case. Without `dtstart`, it is
 * tomorrow's hour; without `uid`, it gets a new one.
 */
function newVevent(properties: EventLines): string {
  made += 1;
  const start = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 86_400_000;
  const lines = {
    uid: `event-${made}@example.com`,
    dtstamp: "20260101T000000Z",
    ...(properties.dtstart === undefined && { dtstart: utc(start), dtend: utc(start + 3_600_000) }),
    ...properties,
  };
  const written = Object.entries(lines).map(([name, value]) =>
    // A property's parameters stand before its value: `tzid=Europe/Berlin:20260101T090000`.
    /^[a-z-]+=[^:]+:/i.test(value)
      ? `${name.toUpperCase()};${value}`
      : `${name.toUpperCase()}:${value}`,
  );
  return ["BEGIN:VEVENT", ...written, "END:VEVENT"].join("\r\n");
}

/** A calendar of events, given as properties or as text; `head` are further lines. */
export function newCalendar(
  events: readonly (EventLines | string)[],
  head: readonly string[] = [],
): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Example//Rota//EN",
    ...head,
    ...events.map((it) => (typeof it === "string" ? it : newVevent(it))),
    "END:VCALENDAR",
    "",
  ].join("\r\n");
}
