// Formats instants in the viewer's time zone: 24 hours, with the date unless it is today's.

import { formatInstant } from "../../domain/shared/time.ts";
import { ianaZone } from "../../domain/shared/time-zones.ts";
import { lengthOf } from "./lengths.ts";
import { useViewer } from "./viewer.tsx";

const formats = new Map<string, Intl.DateTimeFormat>();

function cachedFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${JSON.stringify(options)}`;
  const cached = formats.get(key);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: ianaZone(zone), ...options });
  formats.set(key, format);
  return format;
}

const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const DATE = { weekday: "short", day: "numeric", month: "short" } as const;
const WITH_YEAR = { day: "numeric", month: "short", year: "numeric" } as const;

/** `14:05` in the zone. */
const clockOf = (at: number, zone: string): string => cachedFormat(zone, CLOCK).format(at);

/** `14:05:09` in the zone. */
export const exactClockOf = (at: number, zone: string): string =>
  cachedFormat(zone, { ...CLOCK, second: "2-digit" }).format(at);

/** `Fri 21 Nov`; with the year unless it is the current one. */
export function dateOf(at: number, zone: string, now: number): string {
  const year = cachedFormat(zone, { year: "numeric" });
  const isThisYear = year.format(at) === year.format(now);
  return cachedFormat(zone, isThisYear ? DATE : WITH_YEAR)
    .format(at)
    .replace(",", "");
}

/** `Fri 21 Nov 14:05`, with the date also for today: for lists that compare days. */
export const dayAndClockOf = (at: string, zone: string, now: number): string =>
  `${dateOf(Date.parse(at), zone, now)} ${clockOf(Date.parse(at), zone)}`;

type Zoned = {
  /** By default the viewer's. */
  readonly zone?: string;
};

/** `Fri 21 Nov 14:05` as text, also for today. */
export const DayAndClock = ({ at, ...given }: Zoned & { readonly at: string }) => {
  const { zone, now } = { ...useViewer(), ...given };
  return <>{dayAndClockOf(at, zone, now)}</>;
};

/** `Fri 21 Nov 14:05 – Sat 22 Nov 14:05` as text. */
export const Hours = ({
  from,
  until,
  ...zoned
}: Zoned & { readonly from: string; readonly until: string }) => (
  <>
    <DayAndClock at={from} {...zoned} /> – <DayAndClock at={until} {...zoned} />
  </>
);

type MomentProps = Zoned & {
  /** ISO 8601 or epoch ms. */
  readonly at: string | number | null | undefined;
  /** Adds the time since or until the instant. */
  readonly relative?: boolean;
  /** With seconds. */
  readonly exact?: boolean;
};

const relativeOf = (at: number, now: number) =>
  at > now ? `in ${lengthOf(at - now)}` : `${lengthOf(now - at)} ago`;

/** An instant; a dash for none. */
export function Moment({ at, relative, exact, ...given }: MomentProps) {
  const { now, zone } = { ...useViewer(), ...given };
  if (at === null || at === undefined) return <span class="soft">–</span>;
  const instant = typeof at === "number" ? at : Date.parse(at);
  const date = dateOf(instant, zone, now);
  const isToday = date === dateOf(now, zone, now);
  const clock = exact ? exactClockOf(instant, zone) : clockOf(instant, zone);
  return (
    <time
      datetime={formatInstant(instant)}
      title={`${date} ${exactClockOf(instant, zone)} ${zone}`}
    >
      {isToday ? clock : `${date} ${clock}`}
      {relative ? <span class="soft"> {relativeOf(instant, now)}</span> : null}
    </time>
  );
}

/** The time since an instant, with the instant as its title. */
export const Age = ({ at }: { readonly at: string }) => {
  const { zone, now } = useViewer();
  const instant = Date.parse(at);
  return (
    <time
      datetime={formatInstant(instant)}
      title={`${dateOf(instant, zone, now)} ${exactClockOf(instant, zone)} ${zone}`}
    >
      {lengthOf(now - instant)}
    </time>
  );
};
