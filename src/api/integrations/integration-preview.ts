// The route that previews what an integration makes of a payload.
import { PreviewIntegration } from "../../contract/integrations/integration-parameters.ts";
import { found } from "../../http/answers.ts";
import { onRecord } from "../../http/records.ts";
import { type DeclaredRoute, route } from "../../http/route.ts";
import { exactly } from "../../http/shown.ts";
import { previewIntegration } from "../../services/integrations/trials/preview-integration.ts";

export const integrationPreviewRoutes: readonly DeclaredRoute[] = [
  route({
    method: "POST",
    path: "/integrations/:id/preview",
    operation: "previewIntegration",
    summary: "Preview a payload",
    description: `Returns the events that the integration would read from a request with this \`payload\` (JSON, or the raw text), \`headers\` and \`params\` (the query). Unsaved options can be passed. With \`pages\`, also returns who would be notified of the first alert that it would create, as in \`POST /alerts/preview\`: for the integration's own destinations, or for those in the request. Nothing is stored, and no token is required.`,
    shows: exactly("IntegrationPreview"),
    refuses: ["conflict"],
    body: PreviewIntegration,
    keepsNoAnswer: true,
    handle: onRecord("integration", async (request, identifier) =>
      found(await previewIntegration(request, identifier, request.body)),
    ),
  }),
];
