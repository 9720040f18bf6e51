// A list request's query string, read into limits, order and conditions (contract 1, Lists). Knows no resource: the
// attributes tell what may be asked.
import type { SQL, SQLWrapper } from "drizzle-orm";
import { own } from "../../domain/shared/own.ts";
import {
  type FieldError,
  type Refusal,
  refuse,
  refuseFields,
} from "../../domain/shared/refusal.ts";
import type { AnyAttribute, Attributes } from "./attributes.ts";
import { condition, type FilterOperation, hashEntry, OPERATIONS } from "./condition.ts";

export type Filter = {
  readonly attribute: string;
  readonly operation: FilterOperation;
  readonly values: readonly string[];
  readonly condition: SQL;
};

export type ListQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly filters: readonly Filter[];
  readonly search: string | null;
  readonly sort: SQLWrapper;
  readonly ascending: boolean;
};

const DEFAULT_LIMIT = 10;
/** The longest page over HTTP. */
export const LONGEST_PAGE = 100;
/** Values in all of a request's filters: a statement has at most 100 parameters, and filters take several each. */
const MOST_VALUES = 20;
const RESERVED = ["limit", "offset", "page", "sort", "direction", "ops", "q"];
const SORTABLE = new Set(["string", "number", "boolean", "instant"]);

/** Other spellings of attributes, as clients send them. */
export type Aliases = Readonly<Record<string, string>>;

/**
 * Reads a list's query string.
 *
 * @returns 400 for an unreadable `ops` or timestamp, 422 for everything else at fault, all of it named
 */
export function readListQuery(
  params: URLSearchParams,
  attributes: Attributes,
  aliases: Aliases = {},
  longest = LONGEST_PAGE,
): ListQuery | Refusal {
  const errors: FieldError[] = [];
  const limit = readInteger(params, "limit", 1, longest, DEFAULT_LIMIT, errors);
  const offset = readInteger(params, "offset", 0, Number.MAX_SAFE_INTEGER, -1, errors);
  const page = readInteger(params, "page", 1, Math.floor(Number.MAX_SAFE_INTEGER / 100), 1, errors);
  const order = readOrder(params, attributes, errors);
  const filters = readFilters(params, attributes, aliases, errors);
  if ("kind" in filters) return filters;
  if (errors.length > 0) return refuseFields(errors);
  const search = params.get("q");
  return {
    limit,
    offset: offset >= 0 ? offset : (page - 1) * limit,
    filters: filters.filters,
    search: search === null || search.trim() === "" ? null : search.trim(),
    ...order,
  };
}

function readInteger(
  params: URLSearchParams,
  name: string,
  least: number,
  most: number,
  otherwise: number,
  errors: FieldError[],
): number {
  const text = params.get(name);
  if (text === null || text === "") return otherwise;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const bound = name === "limit" ? `between ${least} and ${most}` : `a whole number from ${least}`;
  errors.push({ field: name, message: `${name} must be ${bound}` });
  return otherwise;
}

function readOrder(params: URLSearchParams, attributes: Attributes, errors: FieldError[]) {
  const name = params.get("sort") || "created_at";
  const direction = (params.get("direction") || "desc").toLowerCase();
  const attribute = own(attributes, name);
  if (!attribute || attribute.unfiltered || !SORTABLE.has(attribute.kind)) {
    const names = Object.keys(attributes).filter((key) => isSortable(attributes[key]));
    errors.push({ field: "sort", message: `sort must be one of ${names.join(", ")}` });
  }
  if (direction !== "asc" && direction !== "desc") {
    errors.push({ field: "direction", message: "direction must be asc or desc" });
  }
  const fallback = Object.values(attributes)[0] as AnyAttribute;
  const sorted = attribute ?? fallback;
  return { sort: sorted.sortedBy ?? sorted.sql, ascending: direction === "asc" };
}

export const isSortable = (attribute: AnyAttribute | undefined): boolean =>
  attribute !== undefined && !attribute.unfiltered && SORTABLE.has(attribute.kind);

const isFilterable = (attribute: AnyAttribute) =>
  !attribute.unfiltered && attribute.kind !== "nested";

/** `meta.incident` → the hash attribute and the key in it. */
function findAttribute(name: string, attributes: Attributes): AnyAttribute | null {
  const whole = own(attributes, name);
  if (whole) return isFilterable(whole) && whole.kind !== "hash" ? whole : null;
  const dot = name.indexOf(".");
  const head = dot > 0 ? name.slice(0, dot) : "";
  const holder = own(attributes, head);
  return holder?.kind === "hash" ? hashEntry(holder.sql, name.slice(dot + 1)) : null;
}

/** `attribute:operation` tokens, in order, by attribute. */
function readOperations(params: URLSearchParams): Map<string, FilterOperation[]> | Refusal {
  const operations = new Map<string, FilterOperation[]>();
  const tokens = params.getAll("ops").flatMap((text) => text.split(","));
  for (const token of tokens.map((text) => text.trim()).filter((text) => text !== "")) {
    const [name = "", operation = "", ...more] = token.split(":");
    const known = OPERATIONS.find((candidate) => candidate === operation);
    if (name === "" || known === undefined || more.length > 0) {
      const form = `ops must be <attribute>:<operation>, the operation one of ${OPERATIONS.join(", ")}`;
      return refuse("malformed", `${form}; got ${token.slice(0, 80)}`, "ops");
    }
    operations.set(name, [...(operations.get(name) ?? []), known]);
  }
  return operations;
}

function readFilters(
  params: URLSearchParams,
  attributes: Attributes,
  aliases: Aliases,
  errors: FieldError[],
): { readonly filters: readonly Filter[] } | Refusal {
  const operations = readOperations(params);
  if ("kind" in operations) return operations;
  const filters: Filter[] = [];
  const given = [...params.keys()].filter((key) => !RESERVED.includes(key));
  if (given.length > MOST_VALUES) {
    return refuse("invalid", `filters may have at most ${MOST_VALUES} values in all`);
  }
  for (const key of new Set(given)) {
    const bare = key.replace(/\[\]$/, "");
    const name = own(aliases, bare) ?? bare;
    const attribute = findAttribute(name, attributes);
    if (attribute === null) {
      errors.push({ field: bare, message: unknownParameter(bare, attributes) });
      continue;
    }
    const wanted = operations.get(bare) ?? [];
    operations.delete(bare);
    const parts = pairUp(wanted, params.getAll(key));
    for (const { operation, values } of parts) {
      const built = condition(attribute, operation, values, bare);
      if (built.ok)
        filters.push({ attribute: name, operation, values, condition: built.condition });
      else if (built.status === 400) return refuse("malformed", built.message, bare);
      else errors.push({ field: bare, message: built.message });
    }
  }
  for (const name of operations.keys()) {
    errors.push({ field: name, message: `ops names ${name}, but no ${name} is given` });
  }
  return { filters };
}

/** The i-th operation of an attribute takes its i-th value; values without one are alternatives. */
function pairUp(operations: readonly FilterOperation[], values: readonly string[]) {
  if (operations.length === 0) return [{ operation: "equals" as const, values }];
  if (operations.length === 1) return [{ operation: operations[0] as FilterOperation, values }];
  return operations.map((operation, i) => ({ operation, values: values.slice(i, i + 1) }));
}

/** The attributes that may be filtered by under their own names. */
export function filterableNames(attributes: Attributes): string[] {
  return Object.entries(attributes)
    .filter(([, attribute]) => isFilterable(attribute) && attribute.kind !== "hash")
    .map(([name]) => name);
}

function unknownParameter(name: string, attributes: Attributes): string {
  const names = filterableNames(attributes).join(", ");
  return `${name.slice(0, 80)} is not a filter here; filterable are ${names}`;
}
