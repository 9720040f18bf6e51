// The routes of unavailabilities: times in which people are away, and the shifts that fall into them
// (contract 2, Unavailability).
import {
  CreateUnavailability,
  UpdateUnavailability,
} from "../../../contract/calendars/unavailability-parameters.ts";
import { unavailabilityRecords } from "../../../db/oncall/unavailability/unavailability-records.ts";
import { readWindowOr } from "../../../domain/oncall/window.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { DAY } from "../../../domain/shared/time.ts";
import { refuseOthers } from "../../../http/access/own-record.ts";
import { created, deleted, found } from "../../../http/answers.ts";
import { onRecord, readRoutes } from "../../../http/records.ts";
import { type ApiRequest, type DeclaredRoute, route, updateRoutes } from "../../../http/route.ts";
import { exactly, made, noBody, one } from "../../../http/shown.ts";
import { personReference } from "../../../services/oncall/unavailability/away-person.ts";
import {
  deleteUnavailability,
  updateUnavailability,
} from "../../../services/oncall/unavailability/change-unavailability.ts";
import { createUnavailability } from "../../../services/oncall/unavailability/create-unavailability.ts";
import { readConflicts } from "../../../services/oncall/unavailability/read-conflicts.ts";
import { withPreview } from "../with-preview.ts";

/** The default window of conflicts: the next six weeks. */
const CONFLICT_WINDOW = 42 * DAY;

/** The refusal of a body that names another person, unless the caller is an admin. */
export const refuseForOthers = ({ actor, body }: ApiRequest<unknown>) => {
  const { account_user_id: named } = body as Readonly<Record<string, unknown>>;
  return typeof named === "string" && named.trim() !== ""
    ? refuseOthers("account_user", actor, named)
    : null;
};

const routes: readonly DeclaredRoute[] = [
  ...readRoutes("/unavailabilities", "Unavailability", unavailabilityRecords),
  route({
    method: "POST",
    path: "/unavailabilities",
    operation: "createUnavailability",
    summary: "Create an unavailability",
    shows: made(unavailabilityRecords),
    previews: true,
    refuses: ["forbidden"],
    body: CreateUnavailability,
    furtherChecks: (body) => ({ references: personReference(body) }),
    forbids: refuseForOthers,
    makes: unavailabilityRecords,
    handle: async (request) =>
      created(await createUnavailability(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/unavailabilities/:id",
    operation: "updateUnavailability",
    summary: "Update an unavailability",
    shows: one(unavailabilityRecords),
    previews: true,
    refuses: ["forbidden"],
    body: UpdateUnavailability,
    handle: onRecord("unavailability", async (request, identifier) =>
      found(await updateUnavailability(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/unavailabilities/:id",
    operation: "deleteUnavailability",
    summary: "Delete an unavailability",
    shows: noBody,
    previews: true,
    refuses: ["forbidden", "conflict"],
    handle: onRecord("unavailability", async (request, identifier) =>
      deleted(await deleteUnavailability(request, identifier)),
    ),
  }),
  route({
    method: "GET",
    path: "/schedules/:id/conflicts",
    operation: "getScheduleConflicts",
    summary: "Get a schedule's shifts of people who are away",
    shows: exactly("ScheduleConflicts"),
    query: "ConflictsQuery",
    handle: onRecord("schedule", async (request, identifier) => {
      const window = readWindowOr(request.query, request.now, CONFLICT_WINDOW);
      return isRefusal(window) ? window : found(await readConflicts(request, identifier, window));
    }),
  }),
];

export const unavailabilityRoutes: readonly DeclaredRoute[] = routes.map(withPreview);
