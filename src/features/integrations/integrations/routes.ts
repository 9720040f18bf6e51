// The routes of integrations: receive events from third parties and define the receivers of their
// alerts (contract 2, Integrations).
import { created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { route, updateRoutes } from "../../../kernel/http/route.ts";
import { made, noBody, one } from "../../../kernel/http/shown.ts";
import { newOptions } from "./change-options.ts";
import { createIntegration } from "./create-integration.ts";
import { deleteIntegration } from "./delete-integration.ts";
import { missingReceivers, receiverReferences } from "./integration-receivers.ts";
import { integrationRecords } from "./integration-records.ts";
import { CreateIntegration, UpdateIntegration } from "./parameters.ts";
import { updateIntegration } from "./update-integration.ts";

export const integrationRoutes = [
  ...readRoutes("/integrations", "Integration", integrationRecords),
  route({
    method: "POST",
    path: "/integrations",
    operation: "createIntegration",
    allow: "admin",
    summary: "Create an integration",
    shows: made(integrationRecords),
    body: CreateIntegration,
    furtherChecks: (body, { env }) => {
      const { integration_type_id: type, options = {} } = body;
      const faults = type ? newOptions(type, options, env).errors : [];
      return {
        faults: [...faults, ...missingReceivers(body, {})],
        references: receiverReferences(body),
      };
    },
    makes: integrationRecords,
    handle: async (request) =>
      created(await createIntegration(request, request.recordId, request.body)),
  }),
  ...updateRoutes({
    path: "/integrations/:id",
    operation: "updateIntegration",
    allow: "admin",
    summary: "Update an integration",
    shows: one(integrationRecords),
    body: UpdateIntegration,
    furtherChecks: (body) => ({ references: receiverReferences(body) }),
    handle: onRecord("integration", async (request, identifier) =>
      found(await updateIntegration(request, identifier, request.body)),
    ),
  }),
  route({
    method: "DELETE",
    path: "/integrations/:id",
    operation: "deleteIntegration",
    allow: "admin",
    summary: "Delete an integration",
    shows: noBody,
    handle: onRecord("integration", async (request, identifier) =>
      deleted(await deleteIntegration(request, identifier)),
    ),
  }),
];
