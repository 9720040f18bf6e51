// The routes of integrations: receive events from third parties and define the receivers of their
// alerts (contract 2, Integrations).
import * as z from "zod";
import { isRefusal, notFound } from "../../../domain/shared/refusal.ts";
import { type Answer, created, deleted, found } from "../../../kernel/http/answers.ts";
import { onRecord, readRoutes } from "../../../kernel/http/records.ts";
import { type ApiRequest, route, updateRoutes } from "../../../kernel/http/route.ts";
import { exactly, made, manyOf, noBody, one } from "../../../kernel/http/shown.ts";
import { findIntegrationType } from "../../../products/integration-type-id.ts";
import { commit } from "../../change/commit.ts";
import { newOptions } from "./change-options.ts";
import { missingReceivers, receiverReferences } from "./integration-receivers.ts";
import { integrationTypeAttributes, listIntegrationTypes } from "./list-integration-types.ts";
import { makeSigningSecret } from "./make-signing-secret.ts";
import { CreateIntegration, RotateIntegrationCredential, UpdateIntegration } from "./parameters.ts";
import { readSetUps } from "./read-set-ups.ts";
import { rotateIntegrationCredential } from "./rotate-integration-credential.ts";
import { integrationRecords } from "./rows.ts";
import { showIntegrationType } from "./show-integration-type.ts";
import { createIntegration, deleteIntegration, updateIntegration } from "./verbs.ts";

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
      created(
        await commit(request, () => createIntegration(request, request.recordId, request.body)),
      ),
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
      found(await commit(request, () => updateIntegration(request, identifier, request.body))),
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

/** The route that rotates an integration's token, intake key or address. */
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
      found(
        await commit(request, () => rotateIntegrationCredential(request, identifier, request.body)),
      ),
    ),
  }),
];

/** The route that rotates the secret with which an integration's requests are signed. */
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

async function listTypes({ env, actor, query }: ApiRequest): Promise<Answer> {
  const page = listIntegrationTypes(actor.accountId, query, await readSetUps(env));
  if (isRefusal(page)) return page;
  const { types, hasMore, total } = page;
  return { kind: "list", list: { data: types, has_more: hasMore, total_count: total } };
}

export const integrationTypeRoutes = [
  route({
    method: "GET",
    path: "/integration_types",
    operation: "listIntegrationTypes",
    allow: "everyone",
    summary: "List integration types",
    shows: manyOf("IntegrationType", integrationTypeAttributes),
    handle: listTypes,
  }),
  route({
    method: "GET",
    path: "/integration_types/:id",
    operation: "getIntegrationType",
    allow: "everyone",
    summary: "Get an integration type",
    shows: exactly("IntegrationType"),
    handle: async ({ env, params, actor }) => {
      const type = findIntegrationType(params.id ?? "");
      return type
        ? found(showIntegrationType(type, actor.accountId, await readSetUps(env)))
        : notFound("integration_type");
    },
  }),
];
