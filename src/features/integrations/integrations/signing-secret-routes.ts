// The route that rotates the secret with which an integration's requests are signed.
import * as z from "zod";
import { found } from "../../../kernel/http/answers.ts";
import { onRecord } from "../../../kernel/http/records.ts";
import { route } from "../../../kernel/http/route.ts";
import { exactly } from "../../../kernel/http/shown.ts";
import { makeSigningSecret } from "./make-signing-secret.ts";

export const signingSecretRoutes = [
  route({
    method: "POST",
    path: "/integrations/:id/secret",
    operation: "makeSigningSecret",
    allow: "admin",
    summary: "Rotate a signing secret",
    description: `The secret with which receivers of an \`outgoing_webhook\` verify requests (Standard Webhooks). It replaces the previous one immediately and is shown only in this response.`,
    shows: exactly("SigningSecret"),
    refuses: ["conflict"],
    body: z.object({}),
    keepsNoAnswer: true,
    handle: onRecord("integration", async (request, identifier) =>
      found(await makeSigningSecret(request, identifier)),
    ),
  }),
];
