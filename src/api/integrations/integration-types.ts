// Integration types (contract 2, Integration types). They are defined in code, so lists are built
// in memory and responses need no database.
import { sql } from "drizzle-orm";
import type { IntegrationType as ShownType } from "../../contract/integrations/integration-type.ts";
import { type Attributes, instant, string } from "../../db/records/attributes.ts";
import { type Filter, readListQuery } from "../../db/records/list-query.ts";
import { fold } from "../../domain/shared/case-folding.ts";
import { prefixIdOf } from "../../domain/shared/identifiers.ts";
import { isRefusal, notFound } from "../../domain/shared/refusal.ts";
import { formatInstant } from "../../domain/shared/time.ts";
import { type Answer, found } from "../../http/answers.ts";
import { type ApiRequest, type DeclaredRoute, route } from "../../http/route.ts";
import { exactly, manyOf } from "../../http/shown.ts";
import { optionsOf } from "../../integrations/common-options.ts";
import type { IntegrationType } from "../../integrations/integration-type.ts";
import { findIntegrationType, integrationTypeId } from "../../integrations/integration-type-id.ts";
import { integrationTypes } from "../../integrations/registry.ts";

// ── Shape ──

/** The creation time shown for types: their ids contain none. */
const SINCE = formatInstant(0);

function showType(type: IntegrationType, accountId: string): ShownType {
  const id = integrationTypeId(type.name);
  return {
    id,
    prefix_id: prefixIdOf("integration_type", id),
    account_id: accountId,
    created_at: SINCE,
    updated_at: SINCE,
    meta: {},
    name: type.name,
    title: type.title,
    description: type.description,
    options: optionsOf(type).map(({ adminsOnly: _, ...option }) => option),
    supports: type.supports,
  };
}

// ── Rows ──

/** The attributes to filter and sort by. */
const TEXTS = ["name", "id", "prefix_id", "account_id", "title", "description"] as const;
const INSTANTS = ["created_at", "updated_at"] as const;
type Filterable = (typeof TEXTS)[number] | (typeof INSTANTS)[number];

const attributes: Attributes = Object.fromEntries([
  ...TEXTS.map((name) => [name, string(sql``)] as const),
  ...INSTANTS.map((name) => [name, instant(sql``)] as const),
]);

// ── Rules ──

/** Whether a type matches a filter; supports the same operations as database lists. */
function matchesFilter(type: ShownType, { attribute, operation, values }: Filter): boolean {
  const actual = type[attribute as Filterable];
  const test = (value: string): boolean => {
    const [low = "", high = ""] = value.split("..");
    switch (operation) {
      case "equals":
      case "ne":
        return actual === value;
      case "lt":
        return actual < value;
      case "lte":
        return actual <= value;
      case "gt":
        return actual > value;
      case "gte":
        return actual >= value;
      case "beginsWith":
        return actual.startsWith(value);
      case "contains":
        return actual.includes(value);
      case "between":
        return actual >= low && actual <= high;
    }
  };
  return operation === "ne" ? !values.some(test) : values.some(test);
}

const compared = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

const matchesSearch = (type: ShownType, folded: string): boolean =>
  fold(type.name).includes(folded) || fold(type.title).includes(folded);

// ── Routes ──

/** Sorted by name, ascending, by default. */
async function listTypes({ query: params, actor }: ApiRequest): Promise<Answer> {
  const parameters = new URLSearchParams(params);
  if (!parameters.get("sort")) parameters.set("sort", "name");
  if (!params.get("sort") && !params.get("direction")) parameters.set("direction", "asc");
  const query = readListQuery(parameters, attributes);
  if (isRefusal(query)) return query;
  const sort = parameters.get("sort") as Filterable;
  const search = fold(query.search ?? "");
  const all = integrationTypes
    .map((type) => showType(type, actor.accountId))
    .filter(
      (type) =>
        query.filters.every((filter) => matchesFilter(type, filter)) && matchesSearch(type, search),
    )
    .sort((one, other) => compared(one[sort], other[sort]) || compared(one.id, other.id));
  if (!query.ascending) all.reverse();
  const data = all.slice(query.offset, query.offset + query.limit);
  const hasMore = query.offset + data.length < all.length;
  return { kind: "list", list: { data, has_more: hasMore, total_count: all.length } };
}

export const integrationTypeRoutes: readonly DeclaredRoute[] = [
  route({
    method: "GET",
    path: "/integration_types",
    operation: "listIntegrationTypes",
    summary: "List integration types",
    shows: manyOf("IntegrationType", attributes),
    handle: listTypes,
  }),
  route({
    method: "GET",
    path: "/integration_types/:id",
    operation: "getIntegrationType",
    summary: "Get an integration type",
    shows: exactly("IntegrationType"),
    handle: async ({ params, actor }) => {
      const type = findIntegrationType(params.id ?? "");
      return type ? found(showType(type, actor.accountId)) : notFound("integration_type");
    },
  }),
];
