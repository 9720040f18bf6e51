// What an edited form of a rotation changes, and the call of the API that does it. People change by
// a new version of the roster; turns and hours change from the start of a turn on, so that who was
// on call stays.
import type { Event } from "../../../contract/oncall/events/event.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { lastOccurrence, nextOccurrence } from "../../../domain/oncall/recurrence/occurrences.ts";
import { type Series, seriesOf } from "../../../domain/oncall/recurrence/recurrence.ts";
import { type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { formatInstant, zoneOf } from "../../../domain/shared/time.ts";
import type { Body } from "../../api-client.ts";
import { fieldText, type Values } from "../../shared/values.ts";
import { instantText } from "../on-call-window.ts";
import { handoffOf, movedStart, TURN_UNITS } from "./handoff.ts";
import { restrictionsIn } from "./hours.ts";
import { positionsIn } from "./positions.ts";
import { handoffIn, rotationValues, ruleIn, turnTimes, zoneIn } from "./rotation-form.ts";

/** The values of `effective_at` that only the form knows. */
export const FROM_FIRST_TURN = "first";
export const ON_DATE = "date";

/** A change of an event as the call of the API that makes it. */
export type EventChange =
  | { readonly kind: "nothing" }
  /** By `PUT /events/:id`. */
  | { readonly kind: "update"; readonly body: Body }
  /** From the occurrence on that starts at `from`, by `change_following`. */
  | { readonly kind: "following"; readonly from: string; readonly body: Body };

const NO_TURN = refuse("invalid", "effective_at must have a turn after it", "effective_at");
const PEOPLE_ONLY = refuse(
  "invalid",
  "effective_at can wait for a full rotation only if nothing but the people changes",
  "effective_at",
);

/** The fields that decide when turns start and end. */
const TIMES = [
  "frequency",
  "frequency_unit",
  "handoff_day",
  "handoff_date",
  "handoff_time",
  "time_zone",
];

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * The change that a submitted form means.
 *
 * @param fromAt the start (epoch ms) of the turn from which on everything changes; null: when the
 *   form's field says
 * @param now epoch ms
 */
export function rotationChange(
  event: Event,
  sent: Values,
  fromAt: number | null,
  now: number,
): EventChange | Refusal {
  const shown = rotationValues(event, fromAt ?? Date.parse(event.start_datetime));
  const before = ruleIn(shown);
  const changed = Object.entries({ ...ruleIn(sent) }).filter(
    ([name, value]) => !isSame(value, before[name]),
  );
  // Never concerns what was served: it needs no new series.
  const isSkip = ([name]: readonly [string, unknown]) => name === "skip_unavailable";
  const skip = Object.fromEntries(changed.filter(isSkip));
  const rule = Object.fromEntries(changed.filter((it) => !isSkip(it)));
  const people = positionsIn(sent, 0);
  const positions = isSame(people, positionsIn(shown, 0)) ? {} : { positions: people };
  const restrictions = restrictionsIn(sent, 0);
  const hours = isSame(restrictions, restrictionsIn(shown, 0)) ? {} : { restrictions };
  const isRetimed = TIMES.some((name) => fieldText(sent, name) !== fieldText(shown, name));
  const isPeopleOnly = Object.keys({ ...rule, ...hours }).length === 0 && !isRetimed;
  const hasPeople = Object.keys(positions).length > 0;
  if (isPeopleOnly && !hasPeople && Object.keys(skip).length === 0) return { kind: "nothing" };
  const when = effectiveIn(sent);
  if (fromAt === null && isPeopleOnly && when !== FROM_FIRST_TURN) {
    const taking = hasPeople ? { ...positions, effective_at: when } : {};
    return { kind: "update", body: { ...taking, ...skip } };
  }
  if (fromAt === null && when === "after_full_rotation") return PEOPLE_ONLY;
  const startAt = fromAt ?? turnFrom(event, when, now);
  if (startAt === null) return NO_TURN;
  const times = isRetimed ? retimed(event, sent, startAt) : {};
  const body = { ...rule, ...skip, ...times, ...hours, ...positions };
  return { kind: "following", from: formatInstant(startAt), body };
}

/** `effective_at` as the API takes it, or `first`. */
function effectiveIn(sent: Values): string {
  const chosen = fieldText(sent, "effective_at");
  if (chosen !== ON_DATE) return chosen || "next_handoff";
  return instantText(fieldText(sent, "effective_on"), fieldText(sent, "time_zone"));
}

/** The start of the turn from which turns and hours change; null if there is none. */
function turnFrom(event: Event, when: string, now: number): number | null {
  const series = seriesOfRecord(event);
  const running = () => lastOccurrence(series, now + 1);
  const next = (at: number) => nextOccurrence(series, at)?.startAt ?? null;
  if (when === FROM_FIRST_TURN) return next(0);
  if (when === "now") return running()?.startAt ?? next(now);
  return next(when === "next_handoff" ? now + 1 : Date.parse(when) || Number.POSITIVE_INFINITY);
}

/** The times of the first changed turn. */
function retimed(event: Event, sent: Values, startAt: number): Body {
  const from = zoneOf(event.time_zone);
  const zones = { from, to: zoneIn(sent) };
  const to = handoffIn(sent);
  const unit = TURN_UNITS.find((it) => it === event.frequency_unit) ?? "weekly";
  const old = handoffOf(to?.unit ?? unit, startAt, from);
  const moved = to === null ? startAt : movedStart(startAt, old, to, zones);
  return turnTimes(sent, moved, zones.to);
}

/** The turns of a record; its people do not matter for them. */
export function seriesOfRecord(event: Event): Series {
  const instant = (text: string | null) => (text === null ? null : Date.parse(text));
  const series: OnCallEvent = {
    id: event.id,
    createdAt: 0,
    parentId: null,
    overriddenStartAt: null,
    startAt: Date.parse(event.start_datetime),
    endAt: Date.parse(event.end_datetime),
    layer: event.layer,
    timeZone: event.time_zone,
    repeat: event.repeat,
    frequency: event.frequency,
    frequencyUnit: event.frequency_unit,
    daysOfWeek: event.days_of_week,
    repeatEndAt: instant(event.repeat_end_datetime),
    cutAt: instant(event.terminated_at),
    beginsAt: instant(event.begins_at),
    rotation: event.rotation,
    attendees: [],
    exceptions: event.exceptions.map(({ id, start_datetime }) => ({
      id,
      startAt: Date.parse(start_datetime),
    })),
  };
  return seriesOf(series);
}

/** The start (epoch ms) of the next turn, for the choice of it; null if there is none. */
export const nextHandoffOf = (event: Event, now: number): number | null =>
  turnFrom(event, "next_handoff", now);
