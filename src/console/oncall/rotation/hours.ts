// The hours of the week in which a rotation is served, as a form names them: a preset, one span from
// a weekday and time to another, or windows.
import type { EventRestriction } from "../../../features/oncall/events/contract.ts";
import type { Choice } from "../../../kernel/console/choice.ts";
import { fieldText, listOf, type Values } from "../../../kernel/console/values.ts";
import { WEEKDAYS } from "../weekdays.ts";

/** On the wall clock; the end is exclusive, and may be in the next week. */
export type WeekSpan = {
  /** Sunday is 0. */
  readonly fromDay: number;
  /** `HH:mm` */
  readonly from: string;
  readonly untilDay: number;
  readonly until: string;
};

const DAYS = 7;

/** A number of days from one on, at most those of a week. */
const daysBetween = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (first + at) % DAYS);

/**
 * The restrictions that cover a span: whole days of 24 hours from its start on, and a last one that
 * ends earlier or later than that clock time. A span that ends where it starts is the whole week.
 */
export function restrictionsOfSpan(span: WeekSpan): readonly EventRestriction[] {
  const { fromDay, from, untilDay, until } = span;
  const distance = (untilDay - fromDay + DAYS) % DAYS;
  if (distance === 0 && from === until) {
    return [{ days_of_week: daysBetween(fromDay, DAYS).sort(), start_time: from, end_time: from }];
  }
  const endsEarlier = until < from;
  // It ends on the day on which it starts; if before its start, a week later.
  const days = distance === 0 && endsEarlier ? DAYS : distance;
  const whole = daysBetween(fromDay, endsEarlier ? days - 1 : days);
  const last = (fromDay + whole.length) % DAYS;
  return [
    { days_of_week: whole.toSorted(), start_time: from, end_time: from },
    { days_of_week: from === until ? [] : [last], start_time: from, end_time: until },
  ].filter(({ days_of_week }) => days_of_week.length > 0);
}

/** The span that some restrictions cover as `restrictionsOfSpan` writes them; null: none. */
export function spanOfRestrictions(restrictions: readonly EventRestriction[]): WeekSpan | null {
  const days = restrictions.flatMap((it) => it.days_of_week);
  const starts = days.filter((day) => !days.includes((day + DAYS - 1) % DAYS));
  const [fromDay] = starts;
  const [first] = restrictions;
  if (first === undefined || fromDay === undefined || starts.length > 1) return null;
  const lastDay = (fromDay + days.length - 1) % DAYS;
  const last = restrictions.find((it) => it.days_of_week.includes(lastDay));
  if (last === undefined) return null;
  const { start_time: from } = first;
  const { end_time: until } = last;
  const untilDay = until > from ? lastDay : (lastDay + 1) % DAYS;
  // A field for a time has no 24:00.
  if (until === "24:00") return null;
  const span = { fromDay, from, untilDay, until };
  return JSON.stringify(restrictionsOfSpan(span)) === JSON.stringify(restrictions) ? span : null;
}

type Windows = readonly EventRestriction[];

const window = (
  days_of_week: readonly number[],
  start_time: string,
  end_time: string,
): EventRestriction => ({ days_of_week: [...days_of_week], start_time, end_time });

const DAY_START = "09:00";
const DAY_END = "17:00";

/** The days of work without a break; the weekend is the rest of the week. */
const WORKING_WEEK: WeekSpan = { fromDay: 1, from: DAY_START, untilDay: 5, until: DAY_END };

/**
 * Weekdays and weekends cover the week without a gap or an overlap, and so do business hours,
 * weeknights and weekends.
 */
const PRESETS: Readonly<Record<string, Windows>> = {
  whole: [],
  weekdays: restrictionsOfSpan(WORKING_WEEK),
  business: [window([1, 2, 3, 4, 5], DAY_START, DAY_END)],
  weeknights: [window([1, 2, 3, 4], DAY_END, DAY_START)],
  weekends: [window([5], DAY_END, DAY_START), window([0, 6], DAY_START, DAY_START)],
  nights: [window([], DAY_END, DAY_START)],
};

/** The choice of a span that the form has four fields for. */
const SPAN = "span";
/** The choice of windows that the form has fields for. */
const OWN_HOURS = "own";

export const HOURS: readonly Choice[] = [
  { value: "whole", label: "The whole turn" },
  { value: "weekdays", label: "Weekdays: Mon 09:00 – Fri 17:00" },
  { value: "weekends", label: "Weekends: Fri 17:00 – Mon 09:00" },
  { value: "business", label: "Business hours: Mon–Fri 09:00–17:00" },
  { value: "nights", label: "Nights: every day 17:00–09:00" },
  { value: "weeknights", label: "Weeknights: Mon–Thu 17:00–09:00" },
  { value: SPAN, label: "From a weekday to another" },
  { value: OWN_HOURS, label: "Other hours" },
];

/** Blank windows that a form offers. */
const BLANK_WINDOWS = 2;

export const windowFields = (part: number, at: number) => ({
  days: `days_${part}_${at}`,
  from: `from_${part}_${at}`,
  until: `until_${part}_${at}`,
});

export const spanFields = (part: number) => ({
  fromDay: `span_from_day_${part}`,
  from: `span_from_${part}`,
  untilDay: `span_until_day_${part}`,
  until: `span_until_${part}`,
});

export const hoursField = (part: number): string => `hours_${part}`;

/** The span that a part of the form shows; at first the working week. */
export function spanIn(values: Values, part: number): WeekSpan {
  const names = spanFields(part);
  if (values[names.from] === undefined) return WORKING_WEEK;
  return {
    fromDay: Number(fieldText(values, names.fromDay)),
    from: fieldText(values, names.from),
    untilDay: Number(fieldText(values, names.untilDay)),
    until: fieldText(values, names.until),
  };
}

const spanValues = (part: number, span: WeekSpan): Values => {
  const names = spanFields(part);
  return {
    [names.fromDay]: String(span.fromDay),
    [names.from]: span.from,
    [names.untilDay]: String(span.untilDay),
    [names.until]: span.until,
  };
};

const textOfWindows = (windows: Windows): string =>
  JSON.stringify(windows.map((it) => [it.days_of_week, it.start_time, it.end_time]));

const presetOf = (windows: Windows): string | undefined => {
  const text = textOfWindows(windows);
  return Object.keys(PRESETS).find((name) => textOfWindows(PRESETS[name] ?? []) === text);
};

const windowText = ({ days_of_week, start_time, end_time }: EventRestriction): string => {
  const days = days_of_week.map((day) => WEEKDAYS[day]).join(", ") || "every day";
  return `${days} ${start_time}–${end_time}`;
};

/** `Mon 09:00 – Fri 17:00`: stored restrictions in words; null: the whole turn. */
export function hoursText(windows: Windows): string | null {
  if (windows.length === 0) return null;
  const preset = presetOf(windows);
  const label = HOURS.find(({ value }) => value === preset)?.label.split(": ")[1];
  if (label !== undefined) return label;
  const span = spanOfRestrictions(windows);
  if (span === null) return windows.map(windowText).join("; ");
  const { fromDay, from, untilDay, until } = span;
  return `${WEEKDAYS[fromDay]} ${from} – ${WEEKDAYS[untilDay]} ${until}`;
}

/** The form's values for stored restrictions: a preset, a span, or windows. */
export function hoursValues(part: number, windows: Windows): Values {
  const preset = presetOf(windows);
  if (preset !== undefined) return { [hoursField(part)]: preset };
  const span = spanOfRestrictions(windows);
  if (span !== null) return { [hoursField(part)]: SPAN, ...spanValues(part, span) };
  const fields = windows.flatMap((it, at) => {
    const names = windowFields(part, at);
    return [
      [names.days, it.days_of_week.map(String)],
      [names.from, it.start_time],
      [names.until, it.end_time],
    ];
  });
  return { [hoursField(part)]: OWN_HOURS, ...Object.fromEntries(fields) };
}

/** How many windows a part of the form shows, some of them blank. */
export function windowsShown(values: Values, part: number): number {
  let filled = 0;
  while (fieldText(values, windowFields(part, filled).from) !== "") filled++;
  return filled + BLANK_WINDOWS;
}

/** The restrictions that a part of the form names; blank windows do not count. */
export function restrictionsIn(values: Values, part: number): Windows {
  const chosen = fieldText(values, hoursField(part)) || "whole";
  const preset = PRESETS[chosen];
  if (preset) return preset;
  if (chosen === SPAN) return restrictionsOfSpan(spanIn(values, part));
  return Array.from({ length: windowsShown(values, part) }, (_, at) => {
    const { days, from, until } = windowFields(part, at);
    const [start, end] = [fieldText(values, from), fieldText(values, until)];
    return window(listOf(values, days).map(Number), start, end);
  }).filter(({ start_time, end_time }) => start_time !== "" || end_time !== "");
}
