// The routes of bulk operations: one answer to all alerts that match a filter (contract 3).
import { MAX_BULK_ALERTS } from "../../../domain/alerts/bulk-operation.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { created } from "../../../kernel/http/answers.ts";
import { readRoutes } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made } from "../../../kernel/http/shown.ts";
import { bulkReferences, createBulkOperation, readBulkFilter } from "./create-bulk-operation.ts";
import { CreateBulkOperation } from "./parameters.ts";
import { bulkOperationRecords } from "./rows.ts";

export const bulkOperationRoutes = [
  ...readRoutes("/bulk_operations", "BulkOperation", bulkOperationRecords),
  route({
    method: "POST",
    path: "/bulk_operations",
    operation: "createBulkOperation",
    allow: "everyone",
    summary: "Acknowledge or resolve all alerts that match",
    description: `Takes a snapshot of the alerts that match \`filter\` now, the newest ${MAX_BULK_ALERTS.toLocaleString("en")} at most, and acknowledges or resolves each of them in your name, as \`POST /alerts/{id}/acknowledge\` and \`/resolve\` do: each alert has its own timeline entry and notices, and can be undone for a minute with \`POST /alerts/{id}/undo\`. Resolved alerts never match. The response does not wait for the alerts: read the operation until \`status\` is \`finished\`. \`refusals\` lists the alerts that were not changed.`,
    shows: made(bulkOperationRecords),
    body: CreateBulkOperation,
    makes: bulkOperationRecords,
    furtherChecks: ({ filter, team_id }) => {
      const query = filter && readBulkFilter(filter);
      return {
        faults: isRefusal(query) ? query.errors : [],
        references: bulkReferences({ team_id }),
      };
    },
    handle: async (request) =>
      created(await createBulkOperation(request, request.recordId, request.body)),
  }),
];
