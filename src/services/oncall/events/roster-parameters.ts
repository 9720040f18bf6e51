// Applies the people that the parameters name, from the instant on that they name (contract 4,
// Rosters).
import type { UpdateEvent } from "../../../contract/oncall/events/event-parameters.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import {
  defaultEffectiveAt,
  effectiveInstant,
} from "../../../domain/oncall/rosters/effective-at.ts";
import {
  changeRoster,
  isSameRoster,
  rosterOf,
} from "../../../domain/oncall/rosters/roster-change.ts";
import { earlierRostersOf } from "../../../domain/oncall/rosters/serving.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";
import { newRosterOf } from "./event-parameters.ts";

/**
 * The event with the roster that the parameters name, from `effective_at` on.
 *
 * @param event the event, its rule as the parameters change it
 * @param people the resolved `account_user_ids`, if the body has them
 * @param now epoch ms
 */
export function withRosterParameters(
  event: OnCallEvent,
  body: UpdateEvent,
  people: readonly string[] | undefined,
  now: number,
): OnCallEvent {
  const next = newRosterOf(event, body, people, now);
  const named = namedInstant(event, body);
  const isNamed = people !== undefined && named !== null;
  if (!isNamed && isSameRoster(event, next))
    return { ...event, ...rosterOf({ ...event, ...next }) };
  const rotates = event.rotation || next.rotation;
  const when = named ?? defaultEffectiveAt(event, rotates);
  return changeRoster(event, next, effectiveInstant(event, when, now));
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
  const at = event ? namedInstant(event, body) : body.effective_at;
  if (typeof at !== "number" || at >= now) return [];
  const message = "effective_at must not be in the past: who was on call then does not change";
  return [{ field: "effective_at", message }];
}

/** The parameter, unless it is only what the record shows. */
function namedInstant(event: OnCallEvent, { effective_at: when }: UpdateEvent) {
  const shown = earlierRostersOf(event).at(-1)?.untilAt;
  return when == null || when === shown ? null : when;
}
