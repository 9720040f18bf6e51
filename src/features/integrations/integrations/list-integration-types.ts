// Lists integration types. They are defined in code, so filters and sorting work in memory, and no
// database is needed.
import { sql } from "drizzle-orm";
import { isRefusal, type Refusal } from "../../../domain/shared/refusal.ts";
import { containsTerms, searchTerms } from "../../../domain/shared/search-terms.ts";
import { type Attributes, instant, string } from "../../../kernel/db/attributes.ts";
import { type Filter, readListQuery } from "../../../kernel/db/list-query.ts";
import { integrationTypes } from "../../../products/registry.ts";
import type { IntegrationType } from "./contract.ts";
import type { SetUpOf } from "./read-set-ups.ts";
import { showIntegrationType } from "./show-integration-type.ts";

/** The attributes to filter and sort by. */
const TEXTS = ["name", "id", "prefix_id", "account_id", "title", "description"] as const;
const INSTANTS = ["created_at", "updated_at"] as const;
type Filterable = (typeof TEXTS)[number] | (typeof INSTANTS)[number];

const FILTERABLE: readonly Filterable[] = [...TEXTS, ...INSTANTS];

const isFilterable = (name: string | null): name is Filterable =>
  FILTERABLE.some((it) => it === name);

/** The attributes of types, as lists are asked for them. */
export const integrationTypeAttributes: Attributes = Object.fromEntries([
  ...TEXTS.map((name) => [name, string(sql``)] as const),
  ...INSTANTS.map((name) => [name, instant(sql``)] as const),
]);

/** Whether a type matches a filter; supports the same operations as database lists. */
function matchesFilter(type: IntegrationType, { attribute, operation, values }: Filter): boolean {
  if (!isFilterable(attribute)) return false;
  const actual = type[attribute];
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

const matchesSearch = ({ name, title }: IntegrationType, terms: readonly string[]): boolean =>
  containsTerms(`${name} ${title}`, terms);

/** A page of types, and how many there are in all. */
type TypePage = {
  readonly types: readonly IntegrationType[];
  readonly hasMore: boolean;
  readonly total: number;
};

/**
 * A page of the integration types (contract 2, Integration types), sorted by name, ascending, by
 * default.
 *
 * @param asked the query of the list
 * @param setUpOf the set-up of each type
 * @returns the page; the refusal of an invalid query
 */
export function listIntegrationTypes(
  accountId: string,
  asked: URLSearchParams,
  setUpOf: SetUpOf,
): TypePage | Refusal {
  const parameters = new URLSearchParams(asked);
  if (!parameters.get("sort")) parameters.set("sort", "name");
  if (!asked.get("sort") && !asked.get("direction")) parameters.set("direction", "asc");
  const query = readListQuery(parameters, integrationTypeAttributes);
  if (isRefusal(query)) return query;
  const given = parameters.get("sort");
  const sort = isFilterable(given) ? given : "name";
  const terms = searchTerms(query.search ?? "");
  const all = integrationTypes
    .map((type) => showIntegrationType(type, accountId, setUpOf))
    .filter(
      (type) =>
        query.filters.every((filter) => matchesFilter(type, filter)) && matchesSearch(type, terms),
    )
    .sort((one, other) => compared(one[sort], other[sort]) || compared(one.id, other.id));
  if (!query.ascending) all.reverse();
  const types = all.slice(query.offset, query.offset + query.limit);
  return { types, hasMore: query.offset + types.length < all.length, total: all.length };
}
