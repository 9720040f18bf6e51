// The routes of on-call events: single, repeating or rotating shifts on one escalation layer
// (contract 4, Attributes).

import { TIME_ZONE_NAMES } from "../../../domain/shared/time-zones.ts";
import { created, deleted, found, whole } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, made, many, noBody, one } from "../../../kernel/http/shown.ts";
import {
  administersEvent,
  administersNewEvent,
  administersPlacedEvent,
} from "../../access/permissions/team-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { referencesOf, ruleFaults } from "./event-input.ts";
import { eventRecords } from "./event-records.ts";
import { CreateEvent, UpdateEvent } from "./parameters.ts";
import { readEvent } from "./read-event.ts";
import { createEvent, deleteEvent, updateEvent } from "./verbs.ts";

export const eventRoutes = [
  route({
    method: "GET",
    path: "/events/time_zones",
    operation: "listTimeZones",
    allow: "everyone",
    summary: "List the time zones",
    shows: exactly("TimeZoneList"),
    handle: async () => whole(TIME_ZONE_NAMES),
  }),
  route({
    method: "GET",
    path: "/events",
    operation: "listEvents",
    allow: "everyone",
    summary: "List events",
    shows: many(eventRecords),
    handle: (request) => listRecords(request, eventRecords),
  }),
  route({
    method: "GET",
    path: "/events/:id",
    operation: "getEvent",
    allow: "everyone",
    summary: "Get an event",
    shows: one(eventRecords, "EventWithClockChanges"),
    handle: onRecord("event", async (request, identifier) =>
      found(await readEvent(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/events",
    operation: "createEvent",
    allow: administersNewEvent,
    summary: "Create an event",
    description:
      "With `parent_id`, creates an override of the parent's occurrence that contains its start.",
    shows: made(eventRecords),
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    body: CreateEvent,
    furtherChecks: (body) => ({
      faults: ruleFaults(body),
      references: referencesOf(body),
    }),
    makes: eventRecords,
    handle: handleChange(created, (request) =>
      createEvent(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/events/:id",
    operation: "updateEvent",
    allow: administersEvent,
    summary: "Update an event",
    description:
      "A change of the people never changes who was on call: it takes effect at `effective_at`, and " +
      "the turn goes on with whoever follows the person on call.",
    shows: one(eventRecords, "EventWithOverridesRemoved"),
    previews: true,
    correctsPast: true,
    body: UpdateEvent,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord(
      "event",
      handleChange(found, (request, identifier) => updateEvent(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/events/:id",
    operation: "deleteEvent",
    allow: administersPlacedEvent,
    summary: "Delete an event and its overrides",
    shows: noBody,
    previews: true,
    correctsPast: true,
    refuses: ["conflict"],
    handle: onRecord(
      "event",
      handleChange(deleted, (request, identifier) => deleteEvent(request, identifier)),
    ),
  }),
];
