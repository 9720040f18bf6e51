// Applies the people that the parameters name, from the instant on that they name (contract 4,
// Rosters).
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import { rotationOf } from "../../../domain/oncall/recurrence/rotation.ts";
import {
  defaultEffectiveAt,
  effectiveInstant,
} from "../../../domain/oncall/rosters/effective-at.ts";
import { changeRosters, plannedRosters } from "../../../domain/oncall/rosters/planned-rosters.ts";
import {
  changeRoster,
  isSameRoster,
  rosterOf,
} from "../../../domain/oncall/rosters/roster-change.ts";
import { differenceOf } from "../../../domain/oncall/rosters/roster-difference.ts";
import { earlierRostersOf, rosterAt } from "../../../domain/oncall/rosters/serving.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import { newRosterOf } from "./event-input.ts";
import type { UpdateEvent } from "./parameters.ts";

/**
 * The event with the roster that the parameters name, from `effective_at` on. Rosters that are
 * planned for later change as this one does, unless the parameters replace them.
 *
 * @param stored the event as it is stored
 * @param event the event, its rule as the parameters change it
 * @param people the resolved `account_user_ids`, if the body has them
 * @param now epoch ms
 * @param later the versions after the event, in order
 * @returns the event, and from when on (epoch ms) its people change; null: they do not
 */
export function withRosterParameters(
  stored: OnCallEvent,
  event: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
  later: readonly OnCallEvent[] = [],
): { readonly event: OnCallEvent; readonly at: number | null } {
  if (isAsRead(stored, body, people, now)) return { event, at: null };
  const at = effectiveInstant(event, whenOf(stored, event, body, now), now, later);
  // It may be in the time of a later version.
  const open = later.length === 0 ? event : { ...event, cutAt: null };
  return { event: { ...withRosterAt(open, at, body, people, now), cutAt: event.cutAt }, at };
}

function withRosterAt(
  event: OnCallEvent,
  at: number,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): OnCallEvent {
  const isPutOff = people && isSameRoster(event, newRosterOf(event, body, people, now));
  const changed = isPutOff && !body.replaces_planned ? withoutNewest(event, at, now) : event;
  const base = rosterAt(changed, at);
  const next = newRosterOf(base, body, people, now);
  if (body.replaces_planned) return changeRoster(changed, next, at);
  const follow = differenceOf(base, next, () => newId(now));
  return changeRosters(changed, at, (roster) => (roster === base ? next : follow(roster)));
}

/**
 * Whether the parameters say of the people what the record shows. What is named otherwise, if only
 * the instant, makes all of it a change.
 */
export function isAsRead(
  event: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): boolean {
  if (body.replaces_planned || !isSameRoster(event, newRosterOf(event, body, people, now))) {
    return false;
  }
  const { effective_at: when } = body;
  return people === undefined || when == null || when === shownInstant(event);
}

/** When the newest roster took, or takes, effect (epoch ms), as the record shows it. */
const shownInstant = (event: OnCallEvent): number | undefined =>
  earlierRostersOf(event).at(-1)?.untilAt;

function whenOf(stored: OnCallEvent, event: OnCallEvent, body: UpdateEvent, now: number) {
  const named = namedInstant(stored, body, now);
  if (named !== null) {
    // What is planned may have moved with its handoff.
    return named === shownInstant(stored) ? Math.max(now, shownInstant(event) ?? now) : named;
  }
  // Nothing but what is planned changes.
  if (body.account_user_ids === undefined && body.rotation === undefined) return "now";
  return defaultEffectiveAt(event, event.rotation || (body.rotation ?? false));
}

/**
 * Without the newest roster if it is planned and the same people are to serve from a later instant:
 * it is put off.
 */
function withoutNewest(event: OnCallEvent, at: number, now: number): OnCallEvent {
  const planned = shownInstant(event) ?? now;
  return planned > now && planned < at
    ? changeRoster(event, rosterAt(event, planned - 1), planned)
    : event;
}

/** A new event whose people serve from `effective_at` on, if the parameters name it. */
export function withInitialRoster(
  event: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[],
  now: number,
): OnCallEvent {
  const roster = rosterOf(newRosterOf(event, body, people, now));
  const started = { ...event, ...roster };
  if (body.effective_at == null) return started;
  const untilAt = effectiveInstant(started, body.effective_at, now);
  if (untilAt <= event.startAt) return started;
  const nobody = { ...roster, attendees: [], emptyPositions: [] };
  return { ...started, earlierRosters: [{ ...nobody, untilAt, cuts: [] }] };
}

/** Errors of `effective_at`. Sending back what the record shows is not one. */
export function effectiveAtFaults(
  event: OnCallEvent | null,
  body: UpdateEvent,
  now: number,
): FieldError[] {
  const at = event ? namedInstant(event, body, now) : body.effective_at;
  if (typeof at !== "number" || at >= now) return [];
  const message = "effective_at must not be in the past: who was on call then does not change";
  return [{ field: "effective_at", message }];
}

/** The parameter, unless it is when the people who serve already took over. */
function namedInstant(event: OnCallEvent, { effective_at: when }: UpdateEvent, now: number) {
  const isServed = typeof when === "number" && when < now && when === shownInstant(event);
  return when == null || isServed ? null : when;
}

/** Errors of people who are taken out, if nobody would be left of those who are planned for later. */
export function plannedFaults(event: OnCallEvent, now: number): FieldError[] {
  const emptied = plannedRosters(event, now).find(({ roster }) => rotationOf(roster).length === 0);
  if (!emptied) return [];
  const from = formatInstant(emptied.at);
  const message =
    `account_user_ids would leave nobody from ${from} on, for when other people are planned; ` +
    "change these first, or send replaces_planned";
  return [{ field: "account_user_ids", message }];
}
