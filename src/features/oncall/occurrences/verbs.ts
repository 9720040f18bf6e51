import {
  checkOverride,
  refuseOccurrence,
} from "../../../domain/oncall/changes/occurrence-changes.ts";
import {
  firstShiftOf,
  occurrenceAt,
  pastOccurrenceAt,
} from "../../../domain/oncall/recurrence/occurrence-at.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { isRefusal, notFound, type Refusal, refuseFields } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Decision } from "../../change/change.ts";
import type { Context } from "../../change/context.ts";
import { selectFamily, toFamily } from "../events/event-family.ts";
import { attendeesReference } from "../events/event-input.ts";
import type { ChangeFollowingEvents, OverrideEvent } from "../events/parameters.ts";
import { showAbsent, showAttendee } from "../on-call/show-on-call.ts";
import type { EventOccurrence, FollowingPreview } from "./contract.ts";
import { createOverride } from "./create-override.ts";
import { readAndDecide } from "./decide-following.ts";
import { lengthFaults } from "./override-faults.ts";
import { showEffects } from "./show-effects.ts";

/**
 * Creates an override of the occurrence that `action_time` names (contract 4, Overrides).
 *
 * @param id the ULID of the new override
 * @returns the override; 404; 409 when the event changes at the same time; 422 for times that the
 *   occurrence does not have, or unknown people
 */
export function overrideEvent(
  context: Context,
  parent: Identifier,
  id: string,
  { action_time: actionAt, ...body }: OverrideEvent,
): Promise<Decision<"Event"> | Refusal> {
  const references = [attendeesReference(body.account_user_ids)];
  const override = { id, parent, body, references };
  return createOverride(context, override, (family, made) => {
    const faults = lengthFaults(made, "end_time");
    if (faults.length > 0) return refuseFields(faults);
    return checkOverride(family, { ...made, actionAt });
  });
}

/**
 * What `changeFollowingEvents` would do with the same parameters. Writes nothing.
 *
 * @param id the ULID that the continuing event would get
 * @returns the effects; 404; 422 as the change itself
 */
export async function previewFollowingEvents(
  context: Context,
  identifier: Identifier,
  id: string,
  body: ChangeFollowingEvents,
): Promise<FollowingPreview | Refusal> {
  const decided = await readAndDecide(context, identifier, id, body);
  if (isRefusal(decided)) return decided;
  return { unchanged: decided.change === null, ...showEffects(decided.change) };
}

/**
 * Reads one occurrence of an event: its full hours, the part at the requested time that overrides
 * and absences leave, and the people on call in it.
 *
 * @param actionAt epoch ms: the start of the occurrence or of the part; null: the first occurrence
 * @returns the occurrence; 404; 422 when there is none at this time
 */
export async function readEventOccurrence(
  { db, actor, now }: Context,
  identifier: Identifier,
  actionAt: number | null,
): Promise<EventOccurrence | Refusal> {
  const [members, away, kept] = await batch(db, selectFamily(actor.accountId, identifier, now));
  const family = toFamily({ members, absences: away, past: kept }, identifier);
  if (!family) return notFound("event");
  const { event } = family;
  const at = actionAt ?? firstShiftOf(event)?.startAt ?? event.startAt;
  const shown = occurrenceAt(family, at) ?? pastOccurrenceAt(family, at);
  if (!shown) return refuseOccurrence(event, at);
  return {
    event_id: event.id,
    start_time: formatInstant(shown.occurrence.startAt),
    end_time: formatInstant(shown.occurrence.endAt),
    part_start_time: formatInstant(shown.part.startAt),
    part_end_time: formatInstant(shown.part.endAt),
    parts: shown.parts.length,
    attendees: shown.attendees.map(showAttendee),
    absent: shown.absent.map(showAbsent),
  };
}
