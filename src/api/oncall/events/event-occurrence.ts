// One occurrence of an event: its full hours, the part at the requested time that overrides leave,
// and the people on call in it.
import type { EventOccurrence } from "../../../contract/oncall/event-occurrence.ts";
import { selectFamily, toFamily } from "../../../db/oncall/event-family.ts";
import { resolveWith } from "../../../db/records/references.ts";
import { refuseOccurrence } from "../../../domain/oncall/changes/occurrence-changes.ts";
import { firstShiftOf, occurrenceAt } from "../../../domain/oncall/recurrence/occurrence-at.ts";
import { isRefusal, notFound, refuse } from "../../../domain/shared/refusal.ts";
import { formatInstant, parseUtc } from "../../../domain/shared/time.ts";
import { type Answer, found } from "../../../http/answers.ts";
import { pathIdentifier } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../../http/route.ts";
import { exactly } from "../../../http/shown.ts";
import { showAttendee } from "./event-records.ts";

async function get(request: ApiRequest): Promise<Answer> {
  const { db, actor, query: parameters } = request;
  const identifier = pathIdentifier(request, "event");
  if (isRefusal(identifier)) return identifier;
  const text = parameters.get("action_time") ?? "";
  const named = text === "" ? null : parseUtc(text);
  if (text !== "" && named === null)
    return refuse("malformed", "action_time is not a timestamp", "action_time");
  const read = selectFamily(actor.accountId, identifier);
  const { rows } = await resolveWith(db, actor.accountId, [], [read]);
  const family = toFamily(rows[0], identifier);
  if (!family) return notFound("event");
  const { event, overrides } = family;
  const at = named ?? firstShiftOf(event)?.startAt ?? event.startAt;
  const shown = occurrenceAt(event, overrides, at);
  if (!shown) return refuseOccurrence(event, at);
  return found<EventOccurrence>({
    event_id: event.id,
    start_time: formatInstant(shown.occurrence.startAt),
    end_time: formatInstant(shown.occurrence.endAt),
    part_start_time: formatInstant(shown.part.startAt),
    part_end_time: formatInstant(shown.part.endAt),
    parts: shown.parts.length,
    attendees: shown.attendees.map(showAttendee),
  });
}

export const eventOccurrenceRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/events/:id/occurrence",
    operation: "getEventOccurrence",
    summary: "Get one occurrence of an event",
    description:
      "`action_time` is the start of the occurrence, or of the part of it after an override; " +
      "without it, the first occurrence. " +
      "`part_start_time` and `part_end_time` are the hours of that part.",
    shows: exactly("EventOccurrence"),
    query: "OccurrenceQuery",
    handle: get,
  }),
];
