// The routes of bulk operations: one action on all alerts that match a filter (contract 3).
import { MAX_BULK_ALERTS } from "../../../domain/alerts/bulk-operation.ts";
import { MAX_MERGED } from "../../../domain/alerts/merge.ts";
import { isRefusal } from "../../../domain/shared/refusal.ts";
import { created } from "../../../kernel/http/answers.ts";
import { readRoutes } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { made } from "../../../kernel/http/shown.ts";
import { actionFaults, bulkReferences } from "./bulk-actions.ts";
import { createBulkOperation, readBulkFilter } from "./create-bulk-operation.ts";
import { CreateBulkOperation } from "./parameters.ts";
import { bulkOperationRecords } from "./rows.ts";

export const bulkOperationRoutes = [
  ...readRoutes("/bulk_operations", "BulkOperation", bulkOperationRecords),
  route({
    method: "POST",
    path: "/bulk_operations",
    operation: "createBulkOperation",
    allow: "everyone",
    summary: "Act on all alerts that match",
    description: `Takes a snapshot of the alerts that match \`filter\` now, the newest ${MAX_BULK_ALERTS.toLocaleString("en")} at most, and does the \`action\` to each of them in your name, as \`POST /alerts/{id}/acknowledge\`, \`resolve\`, \`snooze\` (with \`until\`) and \`handoff\` (with destinations) do: each alert has its own timeline entry and notices, and an acknowledgement or a resolution can be undone for a minute with \`POST /alerts/{id}/undo\`. \`merge\` makes them part of the alert \`into_alert_id\`, which lists each of them: 422 if more than ${MAX_MERGED} others match. Resolved alerts never match. The response does not wait for the alerts: read the operation until \`status\` is \`finished\`. \`refusals\` lists the alerts that were not changed.`,
    shows: made(bulkOperationRecords),
    body: CreateBulkOperation,
    makes: bulkOperationRecords,
    furtherChecks: (body, request) => {
      const query = body.filter && readBulkFilter(body.filter, request.actor);
      return {
        faults: [...(isRefusal(query) ? query.errors : []), ...actionFaults(body, request.now)],
        references: bulkReferences(body),
      };
    },
    handle: async (request) =>
      created(await createBulkOperation(request, request.recordId, request.body)),
  }),
];
