// The routes of integration types (contract 2, Integration types).
import { isRefusal, notFound } from "../../../domain/shared/refusal.ts";
import { type Answer, found } from "../../../kernel/http/answers.ts";
import { type ApiRequest, route } from "../../../kernel/http/route.ts";
import { exactly, manyOf } from "../../../kernel/http/shown.ts";
import { findIntegrationType } from "../../../products/integration-type-id.ts";
import { integrationTypeAttributes, listIntegrationTypes } from "./list-integration-types.ts";
import { readSetUps } from "./read-set-ups.ts";
import { showIntegrationType } from "./show-integration-type.ts";

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
