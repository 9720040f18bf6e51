// What an edited form of a rotation changes, and the call of the API that does it. People change by
// a new version of the roster; turns and hours change from the start of a turn on, so that who was
// on call stays.
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { lastOccurrence, nextOccurrence } from "../../../domain/oncall/recurrence/occurrences.ts";
import { type Series, seriesOf } from "../../../domain/oncall/recurrence/recurrence.ts";
import { isRefusal, type Refusal, refuse } from "../../../domain/shared/refusal.ts";
import { formatInstant, zoneOf } from "../../../domain/shared/time.ts";
import type { Event, EventWithClockChanges } from "../../../features/oncall/events/contract.ts";
import { fieldText, type Values } from "../../../kernel/console/values.ts";
import type { Body } from "../../api-client.ts";
import { peopleNamed } from "../events/event-form.ts";
import { instantText } from "../on-call-window.ts";
import { handoffOf, movedStart, TURN_UNITS } from "./handoff.ts";
import { restrictionsIn } from "./hours.ts";
import { changedPeople, isSame, PEOPLE_AT, peopleAt, plannedPeople } from "./planned-people.tsx";
import type { Positions } from "./positions.ts";
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
  | {
      readonly kind: "following";
      readonly from: string;
      readonly body: Body;
      /** Whether it changes who was on call before now, too. */
      readonly correctsPast?: boolean;
    };

const NO_TURN = refuse("invalid", "effective_at must have a turn after it", "effective_at");
const PEOPLE_ONLY = refuse(
  "invalid",
  "effective_at can wait for a full rotation only if nothing but the people changes",
  "effective_at",
);

const PLANNED = refuse(
  "invalid",
  "effective_at cannot wait for a full rotation while other changes are planned; choose a time",
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

/**
 * The change that a submitted form means.
 *
 * @param fromAt the start (epoch ms) of the turn from which on everything changes; null: when the
 *   form's field says
 * @param now epoch ms
 */
export function rotationChange(
  event: EventWithClockChanges,
  sent: Values,
  fromAt: number | null,
  now: number,
): EventChange | Refusal {
  const when = effectiveIn(sent);
  const startOf = fromAt ?? Date.parse(event.start_datetime);
  const shown = rotationValues(event, startOf, event.positions);
  const before = ruleIn(shown);
  const changed = Object.entries({ ...ruleIn(sent) }).filter(
    ([name, value]) => !isSame(value, before[name]),
  );
  // Never concerns what was served: it needs no new series.
  const isAboutAway = ([name]: readonly [string, unknown]) => name === "when_away";
  const whenAway = Object.fromEntries(changed.filter(isAboutAway));
  const rule = Object.fromEntries(changed.filter((it) => !isAboutAway(it)));
  const restrictions = restrictionsIn(sent, 0);
  const hours = isSame(restrictions, restrictionsIn(shown, 0)) ? {} : { restrictions };
  const isRetimed = TIMES.some((name) => fieldText(sent, name) !== fieldText(shown, name));
  const isPeopleOnly = Object.keys({ ...rule, ...hours }).length === 0 && !isRetimed;
  const startAt = fromAt ?? turnFrom(event, when, now);
  const at = isPeopleOnly && fromAt === null ? instantOf(event, when, now) : (startAt ?? now);
  if (fromAt === null && !isPeopleOnly && when === "after_full_rotation") return PEOPLE_ONLY;
  const people = peopleIn(event, sent, { fromAt, at }, now);
  if (isRefusal(people)) return people;
  const hasPeople = people.positions !== undefined;
  if (isPeopleOnly && !hasPeople && Object.keys(whenAway).length === 0) return { kind: "nothing" };
  if (fromAt === null && isPeopleOnly && when !== FROM_FIRST_TURN) {
    const taking = hasPeople ? { positions: people.positions, effective_at: when } : {};
    return { kind: "update", body: { ...taking, ...whenAway } };
  }
  if (startAt === null) return NO_TURN;
  const times = isRetimed ? retimed(event, sent, startAt) : {};
  const body = { ...rule, ...whenAway, ...times, ...hours, ...people };
  const correctsPast = fromAt === null && when === FROM_FIRST_TURN;
  return { kind: "following", from: formatInstant(startAt), body, correctsPast };
}

/** The instant (epoch ms) whose people the form of an event shows at first. */
export function shownPeopleAt(event: Event, fromAt: number | null, now: number): number {
  if (fromAt !== null) return Math.max(now, fromAt);
  const isRotation = event.repeat && event.rotation;
  return (isRotation ? turnFrom(event, "next_handoff", now) : null) ?? now;
}

/**
 * The people that a form names, for when they take effect.
 *
 * @param fromAt the start (epoch ms) of the turn from which on the form changes the event; null: all
 * @param at when they take effect (epoch ms); null: after a full rotation
 * @returns empty: the form does not change them
 */
export function peopleIn(
  event: EventWithClockChanges,
  sent: Values,
  { fromAt, at: named }: { readonly fromAt: number | null; readonly at: number | null },
  now: number,
): { readonly positions?: Positions; readonly replaces_planned?: true } | Refusal {
  const shownAt = Date.parse(fieldText(sent, PEOPLE_AT)) || shownPeopleAt(event, fromAt, now);
  const chosen = peopleNamed(sent);
  if (isSame(chosen, peopleAt(event, shownAt))) return {};
  if (named === null && plannedPeople(event, now).length > 0) return PLANNED;
  const at = Math.max(now, named ?? now);
  const positions = changedPeople(event, chosen, shownAt, at) ?? chosen;
  // The API takes the people that the event shows for what was read, unless the body says otherwise.
  const isEarly = isSame(positions, event.positions) && !isSame(positions, peopleAt(event, at));
  return isEarly ? { positions, replaces_planned: true } : { positions };
}

/** When a change of the people takes effect (epoch ms); null: after a full rotation. */
export function instantOf(event: Event, when: string, now: number): number | null {
  if (when === "after_full_rotation") return null;
  if (when === FROM_FIRST_TURN || when === "now") return now;
  const at = when === "next_handoff" ? turnFrom(event, when, now) : Date.parse(when);
  return at || now;
}

/** `effective_at` as the API takes it, or `first`. */
export function effectiveIn(sent: Values): string {
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
    seriesId: event.series_id,
    parentId: null,
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
