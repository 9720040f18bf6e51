// The routes of absences: when people are away, and who is on call instead (contract 2, Absences).

import { readWindowOr } from "../../../domain/oncall/window.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, made, many, noBody, one } from "../../../kernel/http/shown.ts";
import {
  addsAbsence,
  changesAbsence,
  takesAbsenceBack,
} from "../../access/permissions/absence-reach.ts";
import { handleChange } from "../../change/handle-change.ts";
import { parameterFaults } from "./absence-faults.ts";
import { referencesOf } from "./absence-references.ts";
import { absenceRecords } from "./absence-rows.ts";
import { acceptAbsence } from "./accept-absence.ts";
import { cancelAbsence, declineAbsence } from "./answer-absence.ts";
import { CreateAbsence, UpdateAbsence } from "./parameters.ts";
import { readAbsence } from "./read-absence.ts";
import { readConflicts } from "./read-conflicts.ts";
import { createAbsence, deleteAbsence, updateAbsence } from "./verbs.ts";

/** The default window of conflicts: the next six weeks. */
const CONFLICT_WINDOW = 42 * DAY;

export const absenceRoutes = [
  route({
    method: "GET",
    path: "/absences",
    operation: "listAbsences",
    allow: "everyone",
    summary: "List absences",
    shows: many(absenceRecords),
    handle: (request) => listRecords(request, absenceRecords(request)),
  }),
  route({
    method: "GET",
    path: "/absences/:id",
    operation: "getAbsence",
    allow: "everyone",
    summary: "Get an absence",
    shows: one(absenceRecords, "AbsenceWithShifts"),
    handle: onRecord("absence", async (request, identifier) =>
      found(await readAbsence(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/absences",
    operation: "createAbsence",
    allow: addsAbsence,
    summary: "Create an absence",
    description:
      "Says when a person is away, and who is on call instead in all their shifts of that time. With `instead: ask`, people are asked, and the first who accepts is on call instead; with `in_return`, it is a swap. The preview of an `ask` shows what happens if the first of the people who are asked accepts.",
    shows: made(absenceRecords, "AbsenceWithShifts"),
    previews: true,
    refuses: ["conflict"],
    body: CreateAbsence,
    furtherChecks: (body, { now }) => ({
      faults: parameterFaults(body, now),
      references: referencesOf(body),
    }),
    handle: handleChange(created, (request) =>
      createAbsence(request, request.recordId, request.body),
    ),
  }),
  ...updateRoutes({
    path: "/absences/:id",
    operation: "updateAbsence",
    allow: changesAbsence,
    summary: "Update an absence",
    description:
      "The change applies from now on; what was served stays. While people are asked, only `expires_at`, `reason`, `meta` and `instead` change. `instead: ask` asks again once everybody has declined, or the asking has expired or was cancelled.",
    shows: one(absenceRecords, "AbsenceWithShifts"),
    previews: true,
    body: UpdateAbsence,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord(
      "absence",
      handleChange(found, (request, identifier) =>
        updateAbsence(request, identifier, request.body),
      ),
    ),
  }),
  route({
    method: "DELETE",
    path: "/absences/:id",
    operation: "deleteAbsence",
    allow: takesAbsenceBack,
    summary: "Take an absence back",
    description:
      "Who is on call by it goes off call now; what was served stays. The people who are asked and have not answered are told.",
    shows: noBody,
    previews: true,
    refuses: ["conflict"],
    handle: onRecord(
      "absence",
      handleChange(deleted, (request, identifier) => deleteAbsence(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/absences/:id/accept",
    operation: "acceptAbsence",
    allow: "everyone",
    summary: "Accept to be on call instead",
    description:
      "Puts the caller on call instead; of a swap, the absent person takes over the hours in return, by another absence. Only the first who accepts gets it.",
    shows: one(absenceRecords),
    previews: true,
    refuses: ["forbidden", "conflict"],
    handle: onRecord(
      "absence",
      handleChange(found, (request, identifier) => acceptAbsence(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/absences/:id/decline",
    operation: "declineAbsence",
    allow: "everyone",
    summary: "Decline to be on call instead",
    description: "While people are asked, a person who has declined may still accept.",
    shows: one(absenceRecords),
    refuses: ["forbidden", "conflict"],
    handle: onRecord(
      "absence",
      handleChange(found, (request, identifier) => declineAbsence(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/absences/:id/cancel",
    operation: "cancelAbsence",
    allow: takesAbsenceBack,
    summary: "Cancel an absence that asks",
    description: "The person is not away. The people who have not answered are told.",
    shows: one(absenceRecords),
    refuses: ["conflict"],
    handle: onRecord(
      "absence",
      handleChange(found, (request, identifier) => cancelAbsence(request, identifier)),
    ),
  }),
  route({
    method: "GET",
    path: "/schedules/:id/conflicts",
    operation: "getScheduleConflicts",
    allow: "everyone",
    summary: "Get a schedule's shifts of people who are away",
    shows: exactly("ScheduleConflicts"),
    query: "ConflictsQuery",
    handle: onRecord("schedule", async (request, identifier) => {
      const window = readWindowOr(request.query, request.now, CONFLICT_WINDOW);
      return isRefusal(window) ? window : found(await readConflicts(request, identifier, window));
    }),
  }),
];
