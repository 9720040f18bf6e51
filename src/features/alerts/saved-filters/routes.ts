// The routes of saved filters: each person manages only their own.
import { MAX_SAVED_FILTERS } from "../../../domain/alerts/saved-filter.ts";
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { listRecords, onRecord, readRecord } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, many, noBody, one } from "../../../kernel/http/shown.ts";
import { CreateSavedFilter, UpdateSavedFilter } from "./parameters.ts";
import { savedFilterRecords, savedFilterScope } from "./saved-filter-records.ts";
import { filterReferences } from "./saved-filter-writes.ts";
import { createSavedFilter, deleteSavedFilter, updateSavedFilter } from "./verbs.ts";

export const savedFilterRoutes = [
  route({
    method: "GET",
    path: "/saved_filters",
    operation: "listSavedFilters",
    allow: "everyone",
    summary: "List your saved filters",
    shows: many(savedFilterRecords),
    handle: (request) =>
      listRecords(request, savedFilterRecords, { scope: savedFilterScope(request.actor) }),
  }),
  route({
    method: "GET",
    path: "/saved_filters/:id",
    operation: "getSavedFilter",
    allow: "everyone",
    summary: "Get a saved filter",
    shows: one(savedFilterRecords),
    handle: onRecord("saved_filter", async ({ db, actor }, identifier) => {
      const scope = savedFilterScope(actor);
      return found(await readRecord(db, savedFilterRecords, actor.accountId, identifier, scope));
    }),
  }),
  route({
    method: "POST",
    path: "/saved_filters",
    operation: "createSavedFilter",
    allow: "everyone",
    summary: "Save a filter of the list of alerts",
    description: `Saves a filter of the console's list of alerts under a name, for you alone. At most ${MAX_SAVED_FILTERS}.`,
    shows: made(savedFilterRecords),
    refuses: ["conflict"],
    body: CreateSavedFilter,
    makes: savedFilterRecords,
    furtherChecks: (body) => ({ references: filterReferences(body) }),
    handle: async (request) =>
      created(await createSavedFilter(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/saved_filters/:id",
    operation: "updateSavedFilter",
    allow: "everyone",
    summary: "Update a saved filter",
    shows: one(savedFilterRecords),
    body: UpdateSavedFilter,
    furtherChecks: (body) => ({ references: filterReferences(body) }),
    handle: onRecord("saved_filter", async (request, identifier) =>
      found(await updateSavedFilter(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/saved_filters/:id",
    operation: "deleteSavedFilter",
    allow: "everyone",
    summary: "Delete a saved filter",
    shows: noBody,
    handle: onRecord("saved_filter", async (request, identifier) =>
      deleted(await deleteSavedFilter(request, identifier)),
    ),
  }),
];
