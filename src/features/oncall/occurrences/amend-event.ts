// Removes occurrences from a repeating event: one, or one and all that follow (contract 4, Changes
// of a series). Repeating a request changes nothing.
import { versionsAfter } from "../../../domain/oncall/changes/later-versions.ts";
import {
  decideException,
  decideTermination,
  overridesThatGo,
} from "../../../domain/oncall/changes/occurrence-changes.ts";
import type { OnCallEvent } from "../../../domain/oncall/on-call-event.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { newId } from "../../../kernel/db/identifiers.ts";
import type { Decision, Unwritten } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { refuseImported } from "../calendar-imports/refuse-imported.ts";
import type { EventWithOverridesRemoved } from "../events/contract.ts";
import { eventRecords } from "../events/event-records.ts";
import { patchFamily } from "../events/event-rows.ts";
import { changeOfFamily } from "../events/family-change.ts";
import type { AmendEvent } from "../events/parameters.ts";
import { readFamily } from "../events/read-family.ts";
import { effectOf, unchanged } from "../on-call/on-call-effect.ts";

type Amendment =
  | Decision<"Event", EventWithOverridesRemoved>
  | Unwritten<EventWithOverridesRemoved>;

/**
 * Removes the occurrence that starts at `action_time`.
 *
 * @returns the event with the overrides of what was removed; 404; 409 when its family
 *   changes at the same time; 422 when there is no such occurrence
 */
export function addEventException(
  context: Context,
  identifier: Identifier,
  body: AmendEvent,
): Promise<Amendment | Refusal> {
  return amendEvent(context, identifier, "add_exception", (event) => {
    const decision = decideException(event, body.action_time);
    if (decision.kind !== "exception") return decision.kind === "unchanged" ? null : decision;
    const added = { id: newId(context.now), startAt: decision.startAt };
    return { ...event, exceptions: [...event.exceptions, added] };
  });
}

/**
 * Removes the occurrence that starts at `action_time` and all later ones, also those of later versions of
 * the series.
 *
 * @returns as `addEventException`
 */
export function terminateEvent(
  context: Context,
  identifier: Identifier,
  body: AmendEvent,
): Promise<Amendment | Refusal> {
  return amendEvent(context, identifier, "terminate_on", (event) => {
    const decision = decideTermination(event, body.action_time);
    if (decision.kind !== "cut") return decision.kind === "unchanged" ? null : decision;
    return { ...event, cutAt: decision.cutAt };
  });
}

/** @param amend the event after the removal; null when the request changes nothing */
async function amendEvent(
  context: Context,
  identifier: Identifier,
  verb: string,
  amend: (event: OnCallEvent) => OnCallEvent | Refusal | null,
): Promise<Amendment | Refusal> {
  const { actor, now } = context;
  const { stored } = await readFamily(context, identifier);
  if (!stored) return notFound("event");
  const { family, record: before } = stored;
  const imported = refuseImported(family);
  if (imported) return imported;
  const event = amend(family.event);
  if (event !== null && isRefusal(event)) return event;
  if (event === null) return unchanged({ ...before, overrides_removed: [] });
  const isEnded = event.cutAt !== family.event.cutAt;
  const later = isEnded ? versionsAfter(family.series, event) : [];
  const others = family.series.filter((it) => it.id !== event.id && !later.includes(it));
  const overrides = overridesThatGo(family.series, [...others, event], true);
  const removed = [...later, ...overrides].map(({ id }) => id);
  const exceptionsChanged = event.exceptions !== family.event.exceptions;
  const patch = { event, exceptionsChanged, removed };
  const patched = patchFamily(actor.accountId, family, patch, now);
  const { writes } = patched;
  const overrideIds = overrides.map(({ id }) => id);
  return {
    ...{ verb, records: eventRecords, id: event.id, before, writes },
    onCall: effectOf(changeOfFamily(family, patched)),
    answer: ({ after }) =>
      after ? { ...after, overrides_removed: overrideIds } : notFound("event"),
  };
}
