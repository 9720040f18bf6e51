import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import {
  firstShiftOf,
  occurrenceAt,
  pastOccurrenceAt,
} from "../../../domain/oncall/recurrence/occurrence-at.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { formatInstant } from "../../../domain/shared/time.ts";
import { batch } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { selectFamily, toFamily } from "../events/event-family.ts";
import { showAbsent, showAttendee } from "../on-call/show-on-call.ts";
import type { EventOccurrence } from "./contract.ts";

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
