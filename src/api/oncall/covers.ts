// The routes of covers: who is on call instead of an absent person (contract 2, Covers).
import { CreateCover, UpdateCover } from "../../contract/oncall/covers/cover-parameters.ts";
import { coverRecords } from "../../db/oncall/absences/cover-records.ts";
import { created, deleted, found } from "../../http/answers.ts";
import { listRecords, onRecord } from "../../http/records.ts";
import { type DeclaredRoute, route, updateRoutes } from "../../http/route.ts";
import { made, many, noBody, one } from "../../http/shown.ts";
import { coveringFaults, timeFaults } from "../../services/oncall/covers/cover-faults.ts";
import { referencesOf } from "../../services/oncall/covers/cover-references.ts";
import { createCover } from "../../services/oncall/covers/create-cover.ts";
import { deleteCover } from "../../services/oncall/covers/delete-cover.ts";
import { readCover } from "../../services/oncall/covers/read-cover.ts";
import { refreshCover, updateCover } from "../../services/oncall/covers/update-cover.ts";
import { withPreview } from "./with-preview.ts";

const routes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/covers",
    operation: "listCovers",
    summary: "List covers",
    shows: many(coverRecords),
    handle: (request) => listRecords(request, coverRecords),
  }),
  route({
    method: "GET",
    path: "/covers/:id",
    operation: "getCover",
    summary: "Get a cover",
    shows: one(coverRecords, "CoverWithShifts"),
    handle: onRecord("cover", async (request, identifier) =>
      found(await readCover(request, identifier)),
    ),
  }),
  route({
    method: "POST",
    path: "/covers",
    operation: "createCover",
    summary: "Cover an absent person",
    description:
      "Overrides the hours of all the person's shifts in the time, in all schedules or the named ones.",
    shows: made(coverRecords, "CoverWithShifts"),
    previews: true,
    refuses: ["conflict"],
    body: CreateCover,
    furtherChecks: (body) => ({
      faults: [
        ...timeFaults(body.start_datetime, body.end_datetime),
        ...coveringFaults(body.covered_by, Boolean(body.covering_account_user_id)),
      ],
      references: referencesOf(body),
    }),
    handle: async (request) => created(await createCover(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/covers/:id",
    operation: "updateCover",
    summary: "Update a cover",
    description: "The change applies from now on; what was served stays.",
    shows: one(coverRecords, "CoverWithShifts"),
    previews: true,
    body: UpdateCover,
    furtherChecks: (body) => ({ references: referencesOf(body) }),
    handle: onRecord("cover", async (request, identifier) =>
      found(await updateCover(request, identifier, request.body)),
    ),
  }),
  route({
    method: "POST",
    path: "/covers/:id/refresh",
    operation: "refreshCover",
    summary: "Cover all hours again",
    description: "Also those that overrides by hand have taken out of it.",
    shows: one(coverRecords, "CoverWithShifts"),
    previews: true,
    refuses: ["conflict"],
    handle: onRecord("cover", async (request, identifier) =>
      found(await refreshCover(request, identifier)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/covers/:id",
    operation: "deleteCover",
    summary: "Take a cover back",
    description: "Who is on call by it goes off call now; what was served stays.",
    shows: noBody,
    previews: true,
    refuses: ["conflict"],
    handle: onRecord("cover", async (request, identifier) =>
      deleted(await deleteCover(request, identifier)),
    ),
  }),
];

export const coverRoutes: readonly DeclaredRoute[] = routes.map(withPreview);
