// The route that rotates an integration's token, intake key or address.
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { RotateIntegrationCredential } from "./parameters.ts";
import { rotateIntegrationCredential } from "./rotate-integration-credential.ts";

export const integrationRotationRoutes = [
  route({
    method: "POST",
    path: "/integrations/:id/rotate",
    operation: "rotateIntegrationCredential",
    allow: "admin",
    summary: "Rotate a token, intake key or URL",
    description: `Replaces the integration's \`token\`, \`intake_key\` or \`url\`. A new token is shown only in this response; an intake key and a URL stay visible to admins. The previous credential is accepted for another \`overlap\` seconds: one day by default, at most 30 days, 0 revokes it immediately. An integration without a token accepts requests without one until then.`,
    shows: exactly("RotatedCredential"),
    refuses: ["conflict"],
    body: RotateIntegrationCredential,
    keepsNoAnswer: true,
    handle: onRecord("integration", async (request, identifier) =>
      found(await rotateIntegrationCredential(request, identifier, request.body)),
    ),
  }),
];
