// The hours of the week in which a rotation is served, as a form names them.
import type { EventRestriction } from "../../../contract/oncall/events/event.ts";
import type { Choice } from "../../forms/choice.ts";
import { fieldText, listOf, type Values } from "../../shared/values.ts";

type Windows = readonly EventRestriction[];

const window = (
  days_of_week: readonly number[],
  start_time: string,
  end_time: string,
): EventRestriction => ({ days_of_week: [...days_of_week], start_time, end_time });

const DAY_START = "09:00";
const DAY_END = "17:00";

/** Business hours, weeknights and weekends cover the week without a gap or an overlap. */
const PRESETS: Readonly<Record<string, Windows>> = {
  whole: [],
  business: [window([1, 2, 3, 4, 5], DAY_START, DAY_END)],
  weeknights: [window([1, 2, 3, 4], DAY_END, DAY_START)],
  weekends: [window([5], DAY_END, DAY_START), window([0, 6], DAY_START, DAY_START)],
  nights: [window([], DAY_END, DAY_START)],
};

/** The choice of windows that the form has fields for. */
const OWN_HOURS = "own";

export const HOURS: readonly Choice[] = [
  { value: "whole", label: "The whole turn" },
  { value: "business", label: "Business hours: Mon–Fri 09:00–17:00" },
  { value: "nights", label: "Nights: every day 17:00–09:00" },
  { value: "weeknights", label: "Weeknights: Mon–Thu 17:00–09:00" },
  { value: "weekends", label: "Weekends: Fri 17:00 – Mon 09:00" },
  { value: OWN_HOURS, label: "Other hours" },
];

/** Blank windows that a form offers. */
const BLANK_WINDOWS = 2;

/** The fields of a window of a part of the form. */
export const windowFields = (part: number, at: number) => ({
  days: `days_${part}_${at}`,
  from: `from_${part}_${at}`,
  until: `until_${part}_${at}`,
});

export const hoursField = (part: number): string => `hours_${part}`;

const textOfWindows = (windows: Windows): string =>
  JSON.stringify(windows.map((it) => [it.days_of_week, it.start_time, it.end_time]));

/** The form's values for stored restrictions: a preset, or windows. */
export function hoursValues(part: number, windows: Windows): Values {
  const text = textOfWindows(windows);
  const preset = Object.keys(PRESETS).find((name) => textOfWindows(PRESETS[name] ?? []) === text);
  const fields = windows.flatMap((it, at) => {
    const names = windowFields(part, at);
    return [
      [names.days, it.days_of_week.map(String)],
      [names.from, it.start_time],
      [names.until, it.end_time],
    ];
  });
  return {
    [hoursField(part)]: preset ?? OWN_HOURS,
    ...(preset === undefined && Object.fromEntries(fields)),
  };
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
  return Array.from({ length: windowsShown(values, part) }, (_, at) => {
    const { days, from, until } = windowFields(part, at);
    const [start, end] = [fieldText(values, from), fieldText(values, until)];
    return window(listOf(values, days).map(Number), start, end);
  }).filter(({ start_time, end_time }) => start_time !== "" || end_time !== "");
}
