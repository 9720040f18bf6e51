// The fields of the form of a rotation: their values for a stored event, and what the fields that
// all parts of the form share mean as parameters of the API.
import { formatInstant, localOf, MINUTE, type Zone, zoneOf } from "../../../domain/shared/time.ts";
import { isKnownZone } from "../../../domain/shared/time-zones.ts";
import type { Event } from "../../../features/oncall/events/contract.ts";
import { fieldText, type Values } from "../../../kernel/console/values.ts";
import type { Body } from "../../api-client.ts";
import { instantText, wallOf } from "../on-call-window.ts";
import { endOfTurn, type HandoffChoice, handoffOf, lastTurn, TURN_UNITS } from "./handoff.ts";
import { hoursValues } from "./hours.ts";
import { type Positions, positionsField, positionText } from "./positions.ts";

/**
 * Whether the form of a rotation can show an event: its turns follow one another without a break.
 * Others, such as a shift from nine to five, have the form of a shift.
 */
export function isRotation(event: Event): boolean {
  const { frequency, frequency_unit, time_zone } = event;
  const unit = TURN_UNITS.find((it) => it === frequency_unit);
  if (!event.repeat || !event.rotation || event.parent_id !== null || !unit) return false;
  const [start, end] = [Date.parse(event.start_datetime), Date.parse(event.end_datetime)];
  const isWhole = endOfTurn(unit, frequency ?? 1, start, zoneOf(time_zone)) === end;
  return isWhole && event.days_of_week.length === 0;
}

const unitIn = (values: Values) =>
  TURN_UNITS.find((it) => it === fieldText(values, "frequency_unit")) ?? "weekly";

/** The number of units in a turn; 1 while the field says nothing useful. */
function everyIn(values: Values): number {
  const every = Number(fieldText(values, "frequency"));
  return Number.isInteger(every) && every >= 1 && every <= 1000 ? every : 1;
}

/** `09:00` from minutes after midnight. */
export function clockText(minute: number): string {
  const within = ((minute % 1440) + 1440) % 1440;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(within / 60))}:${two(within % 60)}`;
}

/** Minutes after midnight; null if the text is not `HH:mm`. */
export function minuteIn(text: string): number | null {
  const [, hours = "", minutes = ""] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return hours === "" ? null : Number(hours) * 60 + Number(minutes);
}

/** The handoff that the fields name; null while the time is missing. */
export function handoffIn(values: Values): HandoffChoice | null {
  const minute = minuteIn(fieldText(values, "handoff_time"));
  if (minute === null) return null;
  return {
    unit: unitIn(values),
    day: Number(fieldText(values, "handoff_day")) || 0,
    date: Math.min(31, Math.max(1, Number(fieldText(values, "handoff_date")) || 1)),
    minute,
  };
}

const handoffValues = ({ day, date, minute }: HandoffChoice): Values => ({
  handoff_day: String(day),
  handoff_date: String(date),
  handoff_time: clockText(minute),
});

/**
 * The form of a stored rotation, from a turn on that starts at an instant (epoch ms).
 *
 * @param people those who serve when the change takes effect
 */
export function rotationValues(event: Event, startAt: number, people: Positions): Values {
  const { time_zone, frequency_unit, repeat_end_datetime: last } = event;
  const unit = TURN_UNITS.find((it) => it === frequency_unit) ?? "weekly";
  return {
    frequency: String(event.frequency ?? 1),
    frequency_unit: unit,
    ...handoffValues(handoffOf(unit, startAt, zoneOf(time_zone))),
    time_zone,
    layer: String(event.layer),
    priority: String(event.priority),
    repeat_end_datetime: last ? wallOf(Date.parse(last), time_zone).slice(0, 10) : "",
    [positionsField(0)]: people.map(positionText),
    ...hoursValues(0, event.restrictions),
    when_away: event.when_away,
    effective_at: "next_handoff",
    effective_on: "",
  };
}

/** The parameters that do not depend on when turns start, as they are entered. */
export function ruleIn(values: Values): Body {
  const last = fieldText(values, "repeat_end_datetime");
  return {
    frequency: fieldText(values, "frequency"),
    frequency_unit: unitIn(values),
    time_zone: fieldText(values, "time_zone"),
    layer: fieldText(values, "layer"),
    priority: fieldText(values, "priority") || "0",
    when_away: fieldText(values, "when_away") || "stay",
    repeat_end_datetime:
      last === "" ? null : instantText(`${last} 00:00`, fieldText(values, "time_zone")),
  };
}

/** The name of a form's zone; UTC while it names none that is known. */
export const zoneNameIn = (values: Values, field = "time_zone"): string => {
  const name = fieldText(values, field);
  return isKnownZone(name) ? name : "UTC";
};

export const zoneIn = (values: Values, field?: string): Zone => zoneOf(zoneNameIn(values, field));

export const turnTimes = (values: Values, startAt: number, zone: Zone): Body => ({
  start_datetime: formatInstant(startAt),
  end_datetime: formatInstant(endOfTurn(unitIn(values), everyIn(values), startAt, zone)),
});

/** The field with the start of a turn of the rotation that is copied. */
export const ANCHOR = "anchor";

/**
 * The times of a new rotation. Its people begin at the start that the form names, or now; unless
 * that is a handoff, the first turn is under way then.
 */
export function newTimes(
  values: Values,
  handoff: HandoffChoice | null,
  zone: Zone,
  now: number,
): Body {
  const text = fieldText(values, "start");
  const at = text === "" ? now : Date.parse(instantText(text, fieldText(values, "time_zone")));
  if (handoff === null || Number.isNaN(at)) return { start_datetime: text, end_datetime: "" };
  const anchorAt = Date.parse(fieldText(values, ANCHOR));
  const startAt = lastTurn(handoff, { every: everyIn(values), zone, anchorAt }, at);
  const begins = text === "" ? "now" : formatInstant(at);
  return { ...turnTimes(values, startAt, zone), ...(startAt < at && { effective_at: begins }) };
}

/** The minutes by which one zone's clock is ahead of another's at an instant. */
export const minutesAhead = (zone: Zone, other: Zone, at: number): number =>
  Math.round((localOf(zone, at) - localOf(other, at)) / MINUTE);
