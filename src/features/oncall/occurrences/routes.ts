// The routes that act on single occurrences of an event, or on one and all that follow (contract 4,
// Overrides and Changes of a series).

import { parseUtc } from "../../../domain/shared/parse-time.ts";
import { refuse } from "../../../domain/shared/refusal.ts";
import { created, found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly, made, one } from "../../../kernel/http/shown.ts";
import { servesEvent } from "../../access/permissions/take-over-reach.ts";
import { administersPlacedEvent } from "../../access/permissions/team-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { attendeesReference } from "../events/event-input.ts";
import { eventRecords } from "../events/event-records.ts";
import {
  AmendEvent,
  ChangeFollowingEvents,
  MoveEventPart,
  OverrideEvent,
  TakeOverShift,
} from "../events/parameters.ts";
import { addEventException, terminateEvent } from "./amend-event.ts";
import { moveEventPart, removeEventPart } from "./change-event-part.ts";
import { changeFollowingEvents } from "./change-following-events.ts";
import { takeOverShift } from "./take-over-shift.ts";
import { overrideEvent, previewFollowingEvents, readEventOccurrence } from "./verbs.ts";

const NOT_A_TIMESTAMP = refuse("malformed", "action_time is not a timestamp", "action_time");

export const eventOccurrenceRoutes = [
  route({
    method: "POST",
    path: "/events/:id/add_exception",
    operation: "addEventException",
    allow: administersPlacedEvent,
    summary: "Remove one occurrence of a repeating event",
    shows: one(eventRecords, "EventWithOverridesRemoved"),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: AmendEvent,
    handle: onRecord(
      "event",
      handleChange(found, (request, identifier) =>
        addEventException(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/events/:id/terminate_on",
    operation: "terminateEvent",
    allow: administersPlacedEvent,
    summary: "Remove an occurrence of a repeating event and all later ones",
    shows: one(eventRecords, "EventWithOverridesRemoved"),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: AmendEvent,
    handle: onRecord(
      "event",
      handleChange(found, (request, identifier) =>
        terminateEvent(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/events/:id/change_following",
    operation: "changeFollowingEvents",
    allow: administersPlacedEvent,
    summary: "Update a repeating event from an occurrence on",
    description:
      "Takes the parameters of the event; `start_datetime` and `end_datetime` are those of the " +
      "occurrence at `action_time`. Earlier occurrences do not change. The response is the event " +
      "that continues from there, in the same series. The rotation continues; overrides stay at their " +
      "hours, and removed occurrences are kept.",
    shows: one(eventRecords, "EventWithFollowingEffects"),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: ChangeFollowingEvents,
    furtherChecks: (body) => ({ references: [attendeesReference(body.account_user_ids)] }),
    makes: eventRecords,
    handle: onRecord(
      "event",
      handleChange(found, (request, identifier) =>
        changeFollowingEvents(request, identifier, request.recordId, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/events/:id/preview_following",
    operation: "previewFollowingEvents",
    allow: administersPlacedEvent,
    summary: "Preview an update of a repeating event from an occurrence on",
    description: "Returns what `change_following` would do with the same body. Changes nothing.",
    shows: exactly("FollowingPreview"),
    refuses: ["conflict"],
    keepsNoAnswer: true,
    body: ChangeFollowingEvents,
    furtherChecks: (body) => ({ references: [attendeesReference(body.account_user_ids)] }),
    handle: onRecord("event", async (request, identifier) =>
      found(await previewFollowingEvents(request, identifier, request.recordId, request.body)),
    ),
  }),
  route({
    method: "GET",
    path: "/events/:id/occurrence",
    operation: "getEventOccurrence",
    allow: "everyone",
    summary: "Get one occurrence of an event",
    description:
      "`action_time` is the start of the occurrence, or of the part of it after an override; " +
      "without it, the first occurrence. " +
      "`part_start_time` and `part_end_time` are the hours of that part.",
    shows: exactly("EventOccurrence"),
    query: "OccurrenceQuery",
    handle: onRecord("event", async (request, identifier) => {
      const text = request.query.get("action_time") ?? "";
      const actionAt = text === "" ? null : parseUtc(text);
      if (text !== "" && actionAt === null) return NOT_A_TIMESTAMP;
      return found(await readEventOccurrence(request, identifier, actionAt));
    }),
  }),
  route({
    method: "POST",
    path: "/events/:id/remove_part",
    operation: "removeEventPart",
    allow: administersPlacedEvent,
    summary: "Remove a part of an occurrence split by overrides",
    description:
      "`action_time` is the start of the part. Nobody is on call in its hours afterwards; in the hours " +
      "of an override, the overridden people are on call again. Else `override_id` is an override without " +
      "people, which leaves the hours empty until it is removed.",
    shows: exactly("PartRemoval"),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: AmendEvent,
    handle: onRecord(
      "event",
      handleChange(found, (request, identifier) =>
        removeEventPart(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/events/:id/move_part",
    operation: "moveEventPart",
    allow: administersPlacedEvent,
    summary: "Move an occurrence, or a part of it, to other hours",
    description:
      "`action_time` is the start of the occurrence or of the part of it that overrides leave. It becomes " +
      "a plain shift of the same people with the new hours, `moved_event_id`, in one step: `preview=true` " +
      "answers what that changes. The rest is as after `remove_part`.",
    shows: exactly("PartMove"),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: MoveEventPart,
    handle: onRecord(
      "event",
      handleChange(found, (request, identifier) =>
        moveEventPart(request, identifier, request.recordId, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/events/:id/override",
    operation: "overrideEvent",
    allow: administersPlacedEvent,
    summary: "Override an occurrence of an event",
    shows: made(eventRecords),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: OverrideEvent,
    furtherChecks: (body) => ({ references: [attendeesReference(body.account_user_ids)] }),
    makes: eventRecords,
    handle: onRecord(
      "event",
      handleChange(created, (request, identifier) =>
        overrideEvent(request, identifier, request.recordId, request.body),
      ),
    ),
  }),
  route({
    method: "POST",
    path: "/events/:id/take_over",
    operation: "takeOverShift",
    allow: { member: servesEvent },
    summary: "Take over a shift",
    description:
      "Puts you on call instead of whoever is on call by the event in the part of the occurrence that " +
      "contains `action_time`: from now or, if it has not begun, its start, until its end. The response " +
      "is an override. Whoever is relieved and the admins of the schedule's teams are notified; you and " +
      "whoever is relieved may undo it in the history of the schedule.",
    shows: made(eventRecords),
    previews: true,
    refuses: ["conflict"],
    body: TakeOverShift,
    makes: eventRecords,
    handle: onRecord(
      "event",
      handleChange(created, (request, identifier) =>
        takeOverShift(request, identifier, request.recordId, request.body),
      ),
    ),
  }),
];
