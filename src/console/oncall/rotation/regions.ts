// The hours of the regions that follow the sun. Each region is on call every day, in hours of its own
// clock: an equal share of the day, or those that the form names.
import { coverageBetween } from "../../../domain/oncall/coverage.ts";
import { type OnCallEvent, SINGLE_SHIFT } from "../../../domain/oncall/on-call-event.ts";
import { DAY, instantOf, localOf, MINUTE } from "../../../domain/shared/time.ts";
import type { Choice } from "../../../kernel/console/choice.ts";
import { fieldText, type Values } from "../../../kernel/console/values.ts";
import { listText } from "./planned-shifts.ts";
import {
  clockText,
  handoffIn,
  minuteIn,
  minutesAhead,
  zoneIn,
  zoneNameIn,
} from "./rotation-form.ts";

export const regionField = (part: number): string => `zone_${part}`;

export const regionHoursFields = (part: number) => ({
  hours: `region_hours_${part}`,
  from: `region_from_${part}`,
  until: `region_until_${part}`,
});

const OWN_HOURS = "own";

export const REGION_HOURS: readonly Choice[] = [
  { value: "share", label: "An equal share of the day" },
  { value: OWN_HOURS, label: "Other hours" },
];

/** Clock changes of the zones are looked for in this time. */
const DAYS_OF_YEAR = 366;
const DAY_MINUTES = 24 * 60;

/** Minutes after midnight on the region's clock; the end is after the start. */
export type RegionHours = { readonly from: number; readonly until: number };

/**
 * A region's hours of the day.
 *
 * @param count the number of regions
 * @param now epoch ms
 */
export function regionHours(values: Values, part: number, count: number, now: number): RegionHours {
  const fields = regionHoursFields(part);
  const [from, until] = [fields.from, fields.until].map((it) => minuteIn(fieldText(values, it)));
  const isOwn = fieldText(values, fields.hours) === OWN_HOURS;
  if (!isOwn || from == null || until == null) return equalShare(values, part, count, now);
  return { from, until: until > from ? until : until + DAY_MINUTES };
}

/**
 * The regions share the day equally, from the handoff on in the first one. As zones change their
 * clocks on different days, a region's hours are wide enough to meet the others' all year: no gap
 * opens, some weeks overlap.
 */
function equalShare(values: Values, part: number, count: number, now: number): RegionHours {
  const begins = handoffIn(values)?.minute ?? 0;
  const length = DAY_MINUTES / count;
  const [first, own] = [zoneIn(values, regionField(0)), zoneIn(values, regionField(part))];
  const ahead = Array.from({ length: DAYS_OF_YEAR }, (_, day) =>
    minutesAhead(own, first, now + day * DAY),
  );
  const from = begins + part * length + Math.min(...ahead);
  const until = begins + (part + 1) * length + Math.max(...ahead);
  const startOfDay = Math.floor(from / DAY_MINUTES) * DAY_MINUTES;
  return { from: from - startOfDay, until: until - startOfDay };
}

/** A time of the day, on some days in a row, at which several regions are on call, or none. */
export type RegionMeeting = {
  /** The regions' places; none: a gap. */
  readonly parts: readonly number[];
  /** Minutes after midnight in the first region; more than those of a day if it ends on the next. */
  readonly from: number;
  readonly until: number;
  /** The starts (epoch ms) on the first and the last of the days. */
  readonly firstAt: number;
  readonly lastAt: number;
  /** Whether the days go on before, or after, the year. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
};

/**
 * Where regions overlap or leave a gap in the next year, by the calculation of who is on call: gaps
 * first, then by time.
 *
 * @param count the number of regions
 * @param now epoch ms
 */
export function regionMeetings(
  values: Values,
  count: number,
  now: number,
): readonly RegionMeeting[] {
  const zone = zoneIn(values, regionField(0));
  const today = Math.floor(localOf(zone, now) / DAY);
  const dayAt = (days: number) => instantOf(zone, (today + days) * DAY);
  const [from, to] = [dayAt(0), dayAt(DAYS_OF_YEAR)];
  // Longer, so that no hours are cut.
  const [before, after] = [dayAt(-2), dayAt(DAYS_OF_YEAR + 2)];
  const events = Array.from({ length: count }, (_, part) =>
    eventOfRegion(values, part, regionHours(values, part, count, now), [before, after]),
  );
  const [layer] = coverageBetween(
    { events, absences: [] },
    dayAt(-1),
    dayAt(DAYS_OF_YEAR + 1),
    [1],
  ).layers;
  const times = [
    ...(layer?.gaps ?? []).map((it) => ({ ...it, parts: [] })),
    ...(layer?.overlaps ?? []).map((it) => ({ ...it, parts: it.eventIds.map(Number) })),
  ];
  const runs = new Map<string, RegionMeeting[]>();
  for (const { startAt, endAt, parts } of times) {
    const isWhole = endAt - startAt > DAY;
    if (!isWhole && (startAt < from || startAt >= to)) continue;
    const local = localOf(zone, startAt);
    const minute = isWhole ? 0 : (local - Math.floor(local / DAY) * DAY) / MINUTE;
    const until = isWhole ? DAY_MINUTES : minute + (localOf(zone, endAt) - local) / MINUTE;
    const key = `${parts} ${minute} ${until}`;
    const known = runs.get(key) ?? [];
    runs.set(key, known);
    const last = known.at(-1);
    const lastAt = isWhole ? Math.min(endAt, to) - 1 : startAt;
    const isLast = lastAt >= to - DAY;
    if (last && Math.round((startAt - last.lastAt) / DAY) === 1) {
      known[known.length - 1] = { ...last, lastAt, isLast };
    } else {
      const isFirst = startAt < from + DAY;
      known.push({ parts, from: minute, until, firstAt: startAt, lastAt, isFirst, isLast });
    }
  }
  const isOverlap = ({ parts }: RegionMeeting) => Math.min(1, parts.length);
  return [...runs.values()]
    .flat()
    .sort((one, other) => isOverlap(one) - isOverlap(other) || one.firstAt - other.firstAt);
}

/** A region's hours as an event of its own, which names the region's place. */
function eventOfRegion(
  values: Values,
  part: number,
  { from, until }: RegionHours,
  [startAt, endAt]: readonly [startAt: number, endAt: number],
): OnCallEvent {
  const id = String(part);
  return {
    ...{ ...SINGLE_SHIFT, id, seriesId: id, createdAt: 0, parentId: null, layer: 1 },
    ...{ startAt, endAt, exceptions: [] },
    timeZone: zoneNameIn(values, regionField(part)),
    restrictions: [{ daysOfWeek: [], startMinute: from, endMinute: until % DAY_MINUTES }],
    attendees: [{ id, attendeeId: id, attendeeType: "AccountUser", position: 0 }],
  };
}

export type RegionWording = {
  /** `Sat 28 Mar` */
  readonly dateOf: (at: number) => string;
  readonly names: readonly string[];
  /** The first region's zone. */
  readonly zone: string;
};

export type RegionNote = { readonly text: string; readonly isGap?: boolean };

/** Times of a meeting that are listed; clock changes may make many. */
const MOST_TIMES = 3;

/** The hours of each region in words, and where they overlap or leave a gap, a line for each. */
export function regionNotes(
  values: Values,
  now: number,
  { names, zone, dateOf }: RegionWording,
): readonly RegionNote[] {
  const count = names.length;
  const hours = names.map((name, part) => {
    const { from, until } = regionHours(values, part, count, now);
    const own = fieldText(values, regionField(part));
    return { text: `${name}: ${clockText(from)}–${clockText(until)} in ${own}` };
  });
  const meetings = Map.groupBy(regionMeetings(values, count, now), ({ parts }) => parts.join());
  if (meetings.size === 0) {
    return [...hours, { text: "The regions leave no gap and do not overlap." }];
  }
  const lines = [...meetings.values()].map((own) => {
    const parts = own[0]?.parts ?? [];
    const isGap = parts.length === 0;
    const who = isGap
      ? "Nobody is on call"
      : `${listText(parts.map((part) => names[part] ?? ""))} are on call together`;
    // On the day of a clock change an overlap is a little longer or shorter.
    const lasting = own.filter((it) => isGap || it.firstAt < it.lastAt);
    const listed = lasting.length > 0 ? lasting : own;
    const times = listed.slice(0, MOST_TIMES).map((it) => meetingText(it, dateOf));
    const more = listed.length > MOST_TIMES ? ["at other hours later in the year"] : [];
    return { text: `${who}, in ${zone}: ${[...times, ...more].join("; ")}.`, isGap };
  });
  return [...hours, ...lines];
}

/** `23:00–02:00 every day`, `23:00–02:00 until Sat 13 Mar`. */
function meetingText(it: RegionMeeting, dateOf: RegionWording["dateOf"]): string {
  const isWhole = it.until - it.from === DAY_MINUTES;
  const time = isWhole ? "all day" : `${clockText(it.from)}–${clockText(it.until)}`;
  const [first, last] = [dateOf(it.firstAt), dateOf(it.lastAt)];
  if (it.isFirst && it.isLast) return `${time} every day`;
  if (it.isFirst) return `${time} until ${last}`;
  if (it.isLast) return `${time} from ${first} on`;
  return first === last ? `${time} on ${first}` : `${time} from ${first} to ${last}`;
}
